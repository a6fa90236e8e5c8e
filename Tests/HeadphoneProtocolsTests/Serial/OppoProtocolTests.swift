import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

@Suite struct OppoProtocolTests {
  private static let budsPro = "aa0b0000038102040000140c06"
  private static let budsPro2 = "aa0b0000038101040000142006"

  /// Returns the protocol after the headphone's frames.
  private func told(_ frames: String...) -> OppoProtocol {
    var oppo = OppoProtocol(on: OppoProtocol.service)
    _ = oppo.questions()
    for frame in frames { _ = oppo.receive(recorded(frame)) }
    return oppo
  }

  private func payload(_ exchange: Exchange) throws -> [UInt8] {
    Array(try OppoFrame(decoding: exchange.values[0]).payload)
  }

  @Test func `the size decides where a frame ends, not the length in it`() throws {
    var oppo = OppoProtocol(on: OppoProtocol.service)
    let handshake = try #require(oppo.questions().first)
    // One byte fewer than there are; then three more, in one piece with the next frame.
    let answer = oppo.receive(recorded("aa0d0000008101050000bf17682604"))
    #expect(answer == ParsedMessage(response: handshake.response))
    let stream = recorded("aa0f00000402010b000203010402040304" + Self.budsPro)
    #expect(oppo.messages(in: stream).map(\.count) == [17, 13])
  }

  @Test func `a frame of 128 bytes or more has a size of two bytes`() throws {
    let names = (1...5).map { "A telephone number \($0)" }
    let devices = names.enumerated().flatMap { index, name -> [UInt8] in
      let length = UInt8(name.utf8.count)
      return [UInt8(index), 0x53, 0, 0x5E, 0, 0, length + 3, 2, 0, length] + name.utf8
    }
    let payload: [UInt8] = [0, 5] + devices
    let frame = OppoFrame(0x8112, sequence: 1, payload: payload[...]).encoded()
    #expect(frame.count > 130 && frame[1] == UInt8((frame.count - 3) & 0x7F | 0x80))
    #expect(frame[2] == UInt8((frame.count - 3) >> 7))
    var oppo = told(Self.budsPro)
    var events: [HeadphoneEvent] = []
    for message in oppo.messages(in: frame[...]) { events += oppo.receive(message).events }
    guard case .settingChanged(.pairedDevices, .pairedDevices(let list))? = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(list.map(\.name) == names)
  }

  @Test func `a product that is locked is registered with before its first command, once`() throws {
    var oppo = told(Self.budsPro, "aa0b00000c8104040000010101")
    let first = try oppo.exchanges(for: .setANC(.transparency))
    #expect(
      first.prefix(2).map { $0.values[0] } == [
        recorded("aa070000000123000012"), recorded("aa0c0000008541050000b550a069"),
      ])
    #expect(first.prefix(3).map(\.delay) == [nil, .seconds(2), .milliseconds(1500)])
    #expect(first.prefix(2).allSatisfy { !$0.hasResponse } && first.count == 4)
    #expect(try payload(first[2]) == [1, 1, 0x02])
    #expect(try oppo.exchanges(for: .setANC(.off)).count == 2)
    // Refreshing is on the same channel.
    _ = oppo.questions()
    _ = oppo.receive(recorded(Self.budsPro))
    _ = oppo.receive(recorded("aa0b00000c8104040000010101"))
    #expect(try oppo.exchanges(for: .setANC(.noiseCancelling)).count == 2)
  }

  @Test func `other products take commands at once`() throws {
    var oppo = told(
      "aa 0b 00 00 03 81 01 04 00 00 10 5c 06", "aa 0c 00 00 0c 81 02 05 00 00 01 01 08 00")
    #expect(try oppo.exchanges(for: .setANC(.transparency)).count == 2)
  }

  @Test func `the old mode does not answer the question behind a command, which is asked again`()
    throws
  {
    var oppo = told(Self.budsPro, "aa0b00000c8104040000010101")
    let order = HeadphoneCommand.setANC(.noiseCancelling)
    let question = try #require(try oppo.exchanges(for: order).last)
    let sequence = try #require(question.response.sequence)
    func answer(_ value: UInt8) -> ParsedMessage {
      let frame = OppoFrame(0x810C, sequence: sequence, payload: [0, 1, 1, value])
      return oppo.receive(frame.encoded()[...])
    }
    for _ in 0..<19 {
      #expect(answer(0x01) == ParsedMessage(reply: question.values.last.map { Array($0) }))
    }
    let done = answer(0x08)
    #expect(done.responses == [question.response] && done.reply == nil)
    #expect(done.events.first == .ancChanged(.noiseCancelling))
    #expect(try oppo.accepted(order) == [])
    // It is not asked without end.
    _ = try oppo.exchanges(for: .setANC(.off))
    let replies = (0..<100).compactMap { _ in answer(0x08).reply }
    #expect(replies.isEmpty)
  }

  @Test func `repetitions of a question end`() throws {
    var oppo = told(Self.budsPro, "aa0b00000c8104040000010101")
    let question = try #require(try oppo.exchanges(for: .setANC(.transparency)).last)
    let sequence = try #require(question.response.sequence)
    let frame = OppoFrame(0x810C, sequence: sequence, payload: [0, 1, 1, 1]).encoded()
    let messages = (0..<100).map { _ in oppo.receive(frame[...]) }
    #expect(
      messages.count { $0.reply != nil } == 32 && messages.allSatisfy { $0.responses.isEmpty })
    #expect(throws: HeadphoneError.noMode(.transparency)) {
      try oppo.accepted(.setANC(.transparency))
    }
  }

  @Test func `buds in the case say why they refuse`() throws {
    var oppo = told(Self.budsPro2, "aa0c00000c81f005000001010100")
    let order = try oppo.exchanges(for: .setANC(.transparency))
    let set = try #require(order.dropLast().last)
    let sequence = try #require(set.response.sequence)
    let refusal = OppoFrame(0x8404, sequence: sequence, payload: [0x0E])
    #expect(oppo.receive(refusal.encoded()[...]) == ParsedMessage(response: set.response))
    // What is read back then answers, although nothing has changed.
    let question = try #require(order.last)
    let number = try #require(question.response.sequence)
    let answer = OppoFrame(0x810C, sequence: number, payload: [0, 1, 1, 1, 0])
    #expect(oppo.receive(answer.encoded()[...]).responses == [question.response])
    #expect(
      throws: HeadphoneError.badArgument("both buds are charging or in the case: take one out")
    ) {
      try oppo.accepted(.setANC(.transparency))
    }
  }

  @Test func `the headphone's own events are registered for`() throws {
    var oppo = told(Self.budsPro2)
    #expect(!oppo.furtherQuestions().isEmpty)
    _ = oppo.receive(recorded("aa1300000082080c00000a01020304080bf1f2f30a"))
    let register = try #require(oppo.furtherQuestions().first)
    #expect(try payload(register) == [10, 1, 2, 3, 4, 8, 0x0B, 0xF1, 0xF2, 0xF3, 0x0A])
    #expect(oppo.furtherQuestions().isEmpty)
    // One that does not list them gets the usual ones.
    oppo = told(Self.budsPro2)
    _ = oppo.furtherQuestions()
    #expect(try payload(#require(oppo.furtherQuestions().first)) == [5, 1, 2, 3, 6, 0xF1])
  }

  @Test func `game mode is switch 28 of products that report it`() throws {
    let product = OppoFrame(0x8103, sequence: 1, payload: [0, 0x50, 0xA8, 0x06]).encoded()
    var oppo = OppoProtocol(on: OppoProtocol.service)
    _ = oppo.questions()
    _ = oppo.receive(product[...])
    #expect(oppo.information.model == "OPPO Enco Buds3 Pro")
    #expect(try oppo.furtherQuestions().contains { try payload($0).contains(0x28) })
    let told = oppo.receive(recorded("aa0b0000030500040001280101"))
    #expect(told.events == [.settingChanged("game-mode", .toggle(true))])
    // Its old switch stays on throughout.
    let both = OppoFrame(0x0503, sequence: 0, payload: [2, 0x06, 1, 0x28, 0])
    #expect(
      oppo.receive(both.encoded()[...]).events == [.settingChanged("game-mode", .toggle(false))])
    let order = try oppo.exchanges(for: .set("game-mode", .toggle(true)))
    #expect(try payload(order[0]) == [0x28, 1])
  }

  @Test func `a switch that cannot be costs no other one, now or later`() {
    var oppo = told(Self.budsPro)
    let mixed = OppoFrame(0x0503, sequence: 0, payload: [3, 0x06, 1, 0x11, 2, 0x1B, 0])
    let events = oppo.receive(mixed.encoded()[...]).events
    #expect(
      events.map(\.words) == ["game-mode on", "malformed", "spatial-sound off"])
  }

  @Test func `presets have the names of the product`() throws {
    var oppo = told(Self.budsPro2, "aa0900000f810902000003")
    #expect(
      oppo.capabilities.declaration(of: .equaliserPreset)?.kind
        == SettingDeclaration.Kind.choices(["balanced", "bass", "vocal", "bright"]))
    // The own equaliser, and a change on the phone.
    #expect(
      oppo.receive(recorded("aa0900000f810902000004")).events.map(\.words)
        == ["equaliser-preset 4"])
    #expect(
      oppo.receive(recorded("aa 08 00 00 04 05 00 01 00 02")).events.map(\.words)
        == ["equaliser-preset vocal"])
    let names = OppoProduct.all.values.map { Array($0.presets.values) }
    #expect(names.allSatisfy { Set($0).count == $0.count && !$0.contains("-") })
  }

  @Test func `every value of every table is one bit, and each mode has one`() {
    for product in OppoProduct.all.values {
      guard let noise = product.noise else { continue }
      let reports = noise.values.map(\.report)
      #expect(reports.allSatisfy { $0.nonzeroBitCount == 1 } && Set(reports).count == reports.count)
      #expect(
        Set(noise.values.map(\.mode)).isSuperset(of: [.off, .noiseCancelling, .transparency]))
    }
    #expect(OppoProduct.all[0x060C14]?.noise?.strengths == ["smart", "mild", "deep"])
  }
}
