import BluetoothCodec
import HeadphoneProtocols
import Testing

/// Whole conversations in the bytes of the air, without a link.
@Suite struct NothingProtocolTests {
  private static let battery = "55 60 01 07 40 07 00 01 03 04 b2 02 3c 03 3a"
  private static let transparency = "55 60 01 1e 40 02 00 01 00 07"
  private static let high = "55 60 01 1e 40 02 00 01 00 01"
  private static let advanced = "55 60 01 1f 40 01 00 01 06"
  private static let detection = "55 60 01 0e 40 03 00 01 01 01 01"

  private func asked(_ responses: String...) -> NothingProtocol {
    var proto = NothingProtocol()
    _ = proto.questions()
    for response in responses { _ = proto.receive(recorded(response)) }
    return proto
  }

  @Test func `what may not be answered is asked before what is, and not waited for`() throws {
    var proto = NothingProtocol()
    let questions = proto.questions()
    #expect(
      questions.map(\.response) == [
        ResponseID(0x4042, sequence: 5), ResponseID(0x4007, sequence: 6),
      ])
    let frames = try #require(questions.first).values.map { try NothingFrame(decoding: $0) }
    #expect(frames.map(\.command) == [0xC01E, 0xC044, 0xC01F, 0xC00E, 0xC042])
    #expect(frames.map(\.operation) == [1, 2, 3, 4, 5])
  }

  @Test func `an answer that makes no sense is an answer all the same`() {
    var proto = NothingProtocol()
    #expect(proto.receive(recorded("55 60 01 1e 40 02 00 01 00 09")).response != nil)
    #expect(proto.receive(recorded("55 60 01 1f 40 01 00 01 06 00 00")).response == nil)
    #expect(proto.capabilities.ancModes.isEmpty)
  }

  @Test func `what it answers is what it has`() {
    let all = asked(Self.battery, Self.transparency, Self.advanced, Self.detection).capabilities
    #expect(all.batteries == [.left, .right, .case] && all.hasCase && all.hasFind)
    #expect(all.ancModes == ANCMode.allCases && all.hasANCLevel && all.ancLevels == 1...3)
    #expect(all.eqPresets == EQPreset.allCases && all.eqBands == 0 && all.declares(.wearDetection))
    #expect(asked().capabilities == Capabilities())
    let single = asked("55 60 01 07 40 03 00 01 00 00 d8").capabilities
    #expect(single.batteries == [.left] && !single.hasCase && single.ancModes.isEmpty)
  }

  @Test func `the recorded answers are reported in the words of the screen`() {
    var proto = NothingProtocol()
    #expect(
      proto.receive(recorded(Self.battery))
        == ParsedMessage(
          response: ResponseID(0x4007, sequence: 1),
          [
            .batteryChanged([
              .left: Battery(level: 60, isCharging: false),
              .right: Battery(level: 58, isCharging: false),
              .case: Battery(level: 50, isCharging: true),
            ])
          ]))
    #expect(
      proto.receive(recorded(Self.transparency))
        == ParsedMessage(response: ResponseID(0x401E, sequence: 1), [.ancChanged(.transparency)]))
    #expect(
      proto.receive(recorded(Self.high))
        == ParsedMessage(
          response: ResponseID(0x401E, sequence: 1),
          [.ancChanged(.noiseCancelling), .ancLevelChanged(3)]))
    #expect(
      proto.receive(recorded(Self.advanced))
        == ParsedMessage(
          response: ResponseID(0x401F, sequence: 1), [.eqChanged(.custom, bands: nil)]))
    #expect(
      proto.receive(recorded(Self.detection))
        == ParsedMessage(
          response: ResponseID(0x400E, sequence: 1),
          [.settingChanged(.wearDetection, .toggle(true))]))
    #expect(
      proto.receive(recorded("55 60 01 07 40 03 00 01 00 00 d8"))
        == ParsedMessage(
          response: ResponseID(0x4007, sequence: 1),
          [.batteryChanged([.left: Battery(level: 88, isCharging: true)])]))
  }

  @Test func `the same reported twice is one event`() {
    var proto = asked(Self.battery, Self.transparency, Self.advanced, Self.detection)
    for response in [Self.battery, Self.transparency, Self.advanced, Self.detection] {
      #expect(proto.receive(recorded(response)).events == [])
    }
  }

  @Test func `noise control is ordered, read back, and reported when the answer says so`() throws {
    var proto = asked(Self.transparency)
    let exchanges = try proto.exchanges(for: .setANC(.noiseCancelling))
    #expect(exchanges.map(\.response.number) == [0x700F, 0x401E])
    let request = try NothingFrame(decoding: try #require(exchanges.first?.values.first))
    #expect(request.command == 0xF00F && Array(request.payload) == [1, 1, 0])
    #expect(
      proto.receive(recorded(Self.high)).events
        == [.ancChanged(.noiseCancelling), .ancLevelChanged(3)])
    #expect(try proto.accepted(.setANC(.noiseCancelling)) == [])
  }

  @Test func `an answer is the one to its own question, whatever is reported before it`() throws {
    var proto = asked(Self.transparency)
    let question = try #require(try proto.exchanges(for: .setANC(.noiseCancelling)).last)
    let number = try #require(question.response.sequence)
    let others = [
      // To a question before it; unasked, by its own command; to another command, by its number.
      NothingFrame(0x401E, operation: number - 1, payload: [0, 7], checksum: .none),
      NothingFrame(NothingCommand.noiseNews, operation: 0, payload: [0, 7], checksum: .none),
      NothingFrame(0x4007, operation: number, payload: [1, 2, 60], checksum: .none),
    ]
    for other in others {
      #expect(proto.receive(other.encoded()[...]).response != question.response)
    }
    let own = NothingFrame(0x401E, operation: number, payload: [0, 1], checksum: .none)
    #expect(
      proto.receive(own.encoded()[...])
        == ParsedMessage(
          response: question.response, [.ancChanged(.noiseCancelling), .ancLevelChanged(3)]))
    #expect(try proto.accepted(.setANC(.noiseCancelling)) == [])
  }

  @Test func `gains that are reported after the preset are reported with it`() {
    var proto = asked("55 60 01 1f 40 01 00 01 00")
    let bands = NothingGains([.init(filter: 1, gain: 1.5, frequency: 980, quality: 0.7)])
    let reported = NothingFrame(
      0x4044, operation: 2, payload: bands.encoded()[...], checksum: .none)
    #expect(
      proto.receive(reported.encoded()[...]).events == [
        .eqChanged(.balanced, bands: bands.gains)
      ])
    #expect(proto.receive(reported.encoded()[...]).events == [])
  }

  @Test func `a mode that the headphone acknowledges and does not take is refused`() throws {
    var proto = asked(Self.transparency)
    _ = try proto.exchanges(for: .setANC(.adaptive))
    _ = proto.receive(recorded(Self.transparency))
    #expect(throws: HeadphoneError.unsupported("noise control mode \"adaptive\"")) {
      try proto.accepted(.setANC(.adaptive))
    }
  }

  @Test(arguments: [(1 as UInt8, 3 as UInt8), (2, 2), (3, 1)])
  func `each level has its number`(_ level: UInt8, _ number: UInt8) throws {
    var proto = asked(Self.high)
    let request = try #require(try proto.exchanges(for: .setANCLevel(level)).first)
    #expect(
      Array(try NothingFrame(decoding: try #require(request.values.first)).payload) == [
        1, number, 0,
      ])
  }

  @Test func `what it has not, or cannot be, is refused before anything is sent`() {
    var proto = asked(Self.high)
    #expect(throws: HeadphoneError.badArgument("level 4 is out of range: 1 to 3")) {
      try proto.exchanges(for: .setANCLevel(4))
    }
    #expect(throws: HeadphoneError.unsupported("Nothing / CMF command for this")) {
      try proto.exchanges(for: .setEQ(.balanced))
    }
    #expect(throws: HeadphoneError.unsupported("Nothing / CMF command for this")) {
      try proto.exchanges(for: .rename("x"))
    }
  }

  @Test func `finding one bud silences the other`() throws {
    var proto = asked(Self.battery)
    let both = try proto.exchanges(for: .find(.both, isOn: true))
    #expect(try payloads(both) == [[1, 1], [3, 1]])
    #expect(
      try proto.accepted(.find(.both, isOn: true)) == [.findChanged(.both)])
    #expect(try payloads(proto.exchanges(for: .find(.left, isOn: true))) == [[3, 0], [1, 1]])
    #expect(try proto.accepted(.find(.left, isOn: true)) == [.findChanged(.left)])
    var whole = asked("55 60 01 07 40 03 00 01 00 00 d8")
    #expect(try payloads(whole.exchanges(for: .find(.both, isOn: true))) == [[6, 1]])
  }

  @Test func `the firmware is text`() {
    var proto = NothingProtocol()
    let reported = NothingFrame(
      0x4042, operation: 2, payload: Array("1.0.1.52".utf8)[...], checksum: .none)
    #expect(
      proto.receive(reported.encoded()[...])
        == ParsedMessage(response: ResponseID(0x4042, sequence: 2)))
    #expect(proto.information.firmware == "1.0.1.52")
  }

  @Test(arguments: [
    // Wrong checksum; a level of 120 %; noise control 9; equaliser 9; a count beyond the bytes.
    "55 60 01 1f 40 01 00 01 06 00 00", "55 60 01 07 40 03 00 01 00 00 78",
    "55 60 01 1e 40 02 00 01 00 09", "55 60 01 1f 40 01 00 01 09",
    "55 60 01 07 40 05 00 01 03 04 b2 02 3c", "55 60 01 0e 40 01 00 01 01",
  ])
  func `what makes no sense is reported as that and changes nothing`(_ bytes: String) {
    var proto = asked(Self.battery, Self.transparency)
    let before = proto.capabilities
    let received = proto.receive(recorded(bytes))
    guard case .malformed = received.events.first, received.events.count == 1 else {
      Issue.record("\(received)")
      return
    }
    #expect(proto.capabilities == before)
    #expect(proto.receive(recorded(Self.transparency)).events == [])
  }

  private func payloads(_ exchanges: [Exchange]) throws -> [[UInt8]] {
    try exchanges.flatMap(\.values).map { Array(try NothingFrame(decoding: $0).payload) }
  }

  @Test func `a model's file says the number of its left bud`() throws {
    var model = HeadphoneModel(id: "acme", name: "Acme", family: .nothing)
    model.leftBud = 2
    var proto = NothingProtocol()
    _ = proto.receive(recorded("55 60 01 07 40 07 00 01 03 04 b2 02 3c 03 3a"))
    proto.recognise(model)
    let request = try #require(try proto.exchanges(for: .find(.left, isOn: true)).first)
    #expect(try NothingFrame(decoding: try #require(request.values.first)).payload == [2, 1])
  }

  @Test func `a command that is not known is reported, and the link is kept`() {
    var proto = NothingProtocol()
    let received = proto.receive(recorded("55 60 01 77 e0 01 00 01 06"))
    guard case .malformed = received.events.first, received.events.count == 1 else {
      Issue.record("\(received)")
      return
    }
  }
}
