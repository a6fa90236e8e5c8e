import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

/// Commands on which sources disagree, and numbers that are never sent.
@Suite struct SennheiserProtocolTests {
  /// Returns a protocol that has received frames with these numbers and payloads.
  private func heard(_ answers: [(UInt16, [UInt8])]) -> SennheiserProtocol {
    var proto = SennheiserProtocol(on: SennheiserProtocol.service)
    _ = proto.questions()
    for (command, payload) in answers { _ = proto.receive(frame(command, payload)) }
    return proto
  }

  private func frame(_ command: UInt16, _ payload: [UInt8]) -> Bytes {
    GAIAFrame(vendor: 0x0495, command, payload).encoded()[...]
  }

  private static let noise: [(UInt16, [UInt8])] = [
    (0x1B01, [1, 2, 2, 0, 3, 0]), (0x1B03, [0]), (0x1B05, [1]),
  ]
  private static let equaliser: [(UInt16, [UInt8])] = [
    (0x1100, [5, 0xC4, 0x3C]), (0x1082, [0, 0, 0, 0, 0]),
  ]

  /// The numbers of requests, none of which changes anything.
  private static let questions: Set<UInt16> = [
    0x0401, 0x0402, 0x0406, 0x0601, 0x0602, 0x0603, 0x0800, 0x0804, 0x0806, 0x080B, 0x080D,
    0x0815, 0x0818, 0x081A, 0x1000, 0x1002, 0x1009, 0x1201, 0x1202, 0x1206, 0x1607, 0x1801,
    0x1803, 0x1805, 0x1A01, 0x1A03, 0x1A05, 0x2E01,
  ]
  /// The numbers of commands; 0007 registers for reports.
  private static let commands: Set<UInt16> = [
    0x0007, 0x0400, 0x0405, 0x0600, 0x0803, 0x0805, 0x080A, 0x080C, 0x0814, 0x0817, 0x1001,
    0x1008, 0x1606, 0x1800, 0x1802, 0x1804, 0x1A00, 0x1A02, 0x1A04, 0x2E00,
  ]

  @Test func `only known numbers are sent, and none that sets a value without one`() throws {
    let first: [UInt16: [UInt8]] = [0x0701: [0, 0, 0], 0x0904: [0, 0]]
    let values = SennheiserSetting.all.map {
      ($0.question | 0x0100, first[$0.question | 0x0100] ?? [0])
    }
    var proto = heard(Self.noise + Self.equaliser + values)
    var exchanges = proto.questions()
    for (command, payload) in Self.noise + Self.equaliser + values {
      _ = proto.receive(frame(command, payload))
    }
    for _ in 0..<3 { exchanges += proto.furtherQuestions() }
    _ = proto.receive(frame(0x1B05, [1]))
    let able = proto.capabilities
    #expect(able.settings.count == SennheiserSetting.all.count + 2)
    var orders = able.ancModes.map { HeadphoneCommand.setANC($0) } + [.setANCLevel(60)]
    orders.append(.setCustomEQ([6, -6, 0, 1, 2].compactMap { BandGain(halfDecibels: $0) }))
    for setting in able.settings {
      switch setting.kind {
      case .toggle: orders += [true, false].map { .set(setting.id, .toggle($0)) }
      case .level(let range): orders.append(.set(setting.id, .level(range.bounds.upperBound)))
      case .choice(let choices): orders += choices.map { .set(setting.id, .choice($0.id)) }
      default: break
      }
    }
    for order in orders { exchanges += try proto.exchanges(for: order) }
    for value in exchanges.flatMap(\.values) {
      let frame = try GAIAFrame(decoding: value)
      #expect(frame.vendor == 0x0495)
      let known = frame.payload.isEmpty ? Self.questions : Self.questions.union(Self.commands)
      #expect(known.contains(frame.command), "\(hexadecimal(value))")
    }
  }

  @Test func `all modes are ordered at once where the order for one is refused`() throws {
    var proto = heard(Self.noise)
    let first = try proto.exchanges(for: .set("wind-reduction", .choice("off")))
    #expect(first.first?.values == [frame(0x1A00, [1, 0])])
    let refusal = proto.receive(frame(0x1B80, [0x05]))
    #expect(refusal.reply == Array(frame(0x1A00, [1, 0, 2, 0, 3, 0])))
    #expect(refusal.responses.isEmpty)
    #expect(proto.receive(frame(0x1B00, [])).responses == [ResponseID(0x1A00)])
    _ = proto.receive(frame(0x1B01, [1, 0, 2, 0, 3, 0]))
    #expect(try proto.accepted(.set("wind-reduction", .choice("off"))).isEmpty)
    // From then on at once.
    let second = try proto.exchanges(for: .set("comfort", .toggle(true)))
    #expect(second.first?.values == [frame(0x1A00, [1, 0, 2, 1, 3, 0])])
    // That is refused, too.
    let last = proto.receive(frame(0x1B80, [0x07]))
    #expect(last.reply == nil && last.responses == [ResponseID(0x1A00)])
    #expect(throws: HeadphoneError.refused(.other(7))) {
      try proto.accepted(.set("comfort", .toggle(true)))
    }
    let third = try proto.exchanges(for: .set("comfort", .toggle(true)))
    #expect(third.first?.values == [frame(0x1A00, [2, 1])])
  }

  @Test func `the gain of a band is that of the band that was asked for`() throws {
    var proto = heard([(0x1100, [3, 0xC4, 0x3C, 0, 0])])
    _ = proto.furtherQuestions()
    let bands = proto.furtherQuestions().filter { $0.response.number == 0x1002 }
    #expect(bands.map(\.response.sequence) == [0, 1, 2])
    var events: [HeadphoneEvent] = []
    for (question, answer) in zip(bands, [[0x0A], [1, 0xF6], [0x05]] as [[UInt8]]) {
      for value in question.values { _ = proto.framed(value) }
      let message = proto.receive(frame(0x1102, answer))
      #expect(message.responses == [question.response])
      events += message.events
    }
    let gains = [2, -2, 1].compactMap { BandGain(halfDecibels: $0) }
    #expect(events == [.eqChanged(.custom, bands: gains)])
    #expect(proto.capabilities.eqBands == 3 && proto.capabilities.eqLimit.decibels == 6)
    // There is no fourth one.
    _ = proto.framed(frame(0x1002, [3]))
    let refusal = proto.receive(frame(0x1182, [0x83]))
    #expect(refusal.responses == [ResponseID(0x1002, sequence: 3)] && refusal.events.isEmpty)
  }

  @Test func `an error of a question is no refusal of the order before it`() throws {
    var proto = heard(Self.noise)
    _ = try proto.exchanges(for: .setANC(.transparency))
    _ = proto.receive(frame(0x1B02, []))
    _ = proto.receive(frame(0x1B03, [100]))
    _ = proto.receive(frame(0x1B81, [0x01]))
    #expect(try proto.accepted(.setANC(.transparency)).isEmpty)
  }
}
