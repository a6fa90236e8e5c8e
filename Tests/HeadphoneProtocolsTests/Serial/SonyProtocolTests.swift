import BluetoothCodec
import TestSupport
import Testing

@testable import HeadphoneProtocols

@Suite struct SonyProtocolTests {
  static let first: [UInt8] = [0x01, 0x00, 0x40, 0x10]
  static let second: [UInt8] = [0x01, 0x00, 0x03, 0x00, 0x10, 0x04, 0x00, 0x00]
  static let functions: [UInt8] = [
    0x20, 0x21, 0x22, 0x28, 0x29, 0x2A, 0x24, 0x25, 0x50, 0x57, 0x61, 0x68, 0x69, 0x6B, 0x6D, 0xF1,
    0xF2, 0xFC, 0xE2,
  ]
  static let list: [UInt8] =
    [0x07, 0x00, UInt8(functions.count)]
    + functions.flatMap { function -> [UInt8] in [function, 0] }

  func asked(_ payloads: [UInt8]...) -> SonyProtocol {
    var proto = SonyProtocol()
    _ = proto.questions()
    for payload in payloads { receive(payload, &proto) }
    return proto
  }

  @discardableResult
  func receive(_ payload: [UInt8], _ proto: inout SonyProtocol) -> ParsedMessage {
    proto.receive(SonyFrame(.command, sequence: 0, payload: payload[...]).encoded()[...])
  }

  /// Returns all commands for what a headphone has and for what it lacks.
  private func commands(_ proto: SonyProtocol) -> [HeadphoneCommand] {
    let able = proto.capabilities
    let settings = able.declarations.flatMap { declaration -> [HeadphoneCommand] in
      let words: [SettingValue] =
        switch declaration.kind {
        case .level(let range): range.bounds.map { .level($0) }
        default: declaration.words.compactMap { try? declaration.value(of: $0) }
        }
      return words.map { .set(declaration.id, $0) }
    }
    let ids: [SettingID] = SettingID.known + ["speak-to-chat", "wind-reduction", "dsee", "codec"]
    return settings + ids.map { .set($0, .toggle(true)) }
      + ANCMode.allCases.map { .setANC($0) } + (0...UInt8.max).map { .setANCLevel($0) }
      + EQPreset.allCases.map { .setEQ($0) }
      + (0...10).map { .setCustomEQ(Array(repeating: .most, count: $0)) }
      + (0...100).map { .setVolume(HeadphoneVolume(level: $0, isMuted: $0 % 2 == 1)) }
      + [
        .find(.both, isOn: true), .rename("x"), .restart, .factoryReset, .readTouchActions,
        .setTouchAction(.left, .tap, .none),
      ]
  }

  /// Returns all payloads that can be sent in a state.
  private func payloads(_ proto: SonyProtocol) -> [[UInt8]] {
    var copy = proto
    var exchanges = commands(proto).flatMap { (try? copy.exchanges(for: $0)) ?? [] }
    for _ in 0..<8 { exchanges += copy.furtherQuestions() }
    exchanges += copy.questions()
    return exchanges.flatMap(\.values).map(Array.init)
  }

  private static let harmless: [[UInt8]] = [
    [0x00, 0x00], [0x04, 0x01], [0x04, 0x02], [0x06, 0x00],
  ]

  @Test(arguments: [
    [], [0x01, 0x00], [0x01, 0x00, 0x01], [0x01, 0x00, 0, 0, 0], [0x01, 0x01, 0, 0],
    [0x01, 0x00] + Array(repeating: 0, count: 7), [0x11, 0x00, 50, 0], [0x23, 0x00, 50, 0],
    [0x67, 0x17, 1, 1, 1, 0, 10], list,
  ])
  func `before the generation is known nothing goes out but the harmless questions`(
    _ payload: [UInt8]
  ) {
    let proto = payload.isEmpty ? asked() : asked(payload)
    #expect(!proto.isRecognised)
    #expect(payloads(proto).allSatisfy(Self.harmless.contains))
    #expect(proto.capabilities == Capabilities())
  }

  @Test func `a first generation is never sent what switches it off`() {
    // As much as such a headphone can report, and what only the other generation does.
    var proto = asked(
      Self.first, [0x67, 0x02, 1, 2, 2, 1, 0, 0], [0x57, 0x01, 0, 6, 10, 10, 10, 10, 10, 10],
      [0xF7, 0x03, 0, 1], [0xF7, 0x05, 1, 0], [0xF7, 0x04, 1, 0x10, 0], [0xE7, 0x02, 0, 0],
      [0xA7, 0x01, 0x20, 15], [0x19, 0x00, 0x10], [0xFB, 0x05, 0, 0, 0, 1],
      [0xF7, 0x06, 2, 0, 0x20], Self.recordedList, Self.list, Self.second,
      [0x27, 0x05, 0, 0], [0x23, 0x09, 80, 0, 70, 0])
    #expect(proto.generation == .first)
    let sent = payloads(proto)
    #expect(sent.count > 40)
    let ofOther: Set<UInt8> = [0x22, 0x24, 0x26, 0x28]
    #expect(sent.allSatisfy { !ofOther.contains($0[0]) })
    // An answer to the first question that comes again is not another headphone's.
    receive(Self.second, &proto)
    #expect(proto.generation == .first)
  }

  @Test func `a second generation is never sent what switches it off`() {
    let proto = asked(
      Self.second, Self.list, [0x67, 0x19, 1, 1, 1, 0, 12, 0, 0],
      [0x57, 0x04, 0, 10] + Array(repeating: 6, count: 10), [0xF7, 0x01, 0], [0xF7, 0x0C, 1, 0],
      [0x27, 0x05, 0x10, 0], [0xE7, 0x01, 1], [0x67, 0x30, 2], [0xA7, 0x20, 18], [0x13, 0x02, 2])
    let sent = payloads(proto)
    #expect(sent.count > 60)
    // 24 03 01 is "off" there.
    #expect(sent.allSatisfy { $0[0] != 0x24 })
    #expect(sent.allSatisfy { $0[0] != 0x22 || $0.count == 2 })
    #expect(proto.capabilities.eqBands == 10 && proto.capabilities.ancLevels == 1...20)
    #expect(proto.capabilities.eqStep.decibels == 1)
    let ids: Set<SettingID> = [
      .focusOnVoice, "adaptive-ambient", .pauseWhenTakenOff, "speak-to-chat", .autoPowerOff,
      "noise-button", .equaliserPreset, "codec",
    ]
    #expect(ids.isSubset(of: proto.capabilities.settings.map { $0.id }))
  }

  @Test func `each function is asked for by the number that the headphone lists`() {
    var proto = asked(Self.second)
    #expect(
      proto.furtherQuestions().map { $0.values.map(Array.init) }
        == [[[0x06, 0x00]], [[0x04, 0x01]], [[0x04, 0x02]], [[0x0E, 0x06, 0x00]]])
    receive([0x07, 0x00, 2, 0x21, 0, 0x6B, 0], &proto)
    #expect(
      proto.furtherQuestions().flatMap(\.values).map(Array.init)
        == [[0x22, 0x01], [0x66, 0x17], [0xA6, 0x20], [0x12, 0x02], [0xF2, 0x10]])
  }

  @Test func `frames take the number of the last acknowledgement, and are acknowledged`() {
    var proto = asked()
    #expect(
      Array(proto.framed([0x00, 0x00])) == Array(recorded("3e 0c 00 00 00 00 02 00 00 0e 3c")))
    _ = proto.receive(recorded("3e 01 01 00 00 00 00 02 3c"))
    #expect(proto.framed([0x66, 0x17])[2] == 1)
    #expect(receive(Self.first, &proto).reply == Array(recorded("3e 01 01 00 00 00 00 02 3c")))
    // Batteries of table 2 are acknowledged, and say nothing here.
    let other = proto.receive(recorded("3e 0e 00 00 00 00 03 25 02 01 39 3c"))
    #expect(other.reply != nil && other.events == [.unknown("message 25 02 of table 2")])
  }

  @Test(
    arguments: [
      // Off, ambient sound 5 and cancelling, as they were recorded or follow from the layout.
      ([0x69, 0x02, 1, 1, 1, 1, 0, 0], ANCMode.off, "68 02 00 01 00 01 00 00"),
      ([0x69, 0x02, 1, 2, 2, 1, 0, 0], .off, "68 02 00 01 00 01 00 00"),
      ([0x69, 0x02, 1, 2, 2, 1, 0, 0], .transparency, "68 02 11 01 00 01 00 14"),
      ([0x69, 0x02, 0, 2, 0, 1, 0, 0], .noiseCancelling, "68 02 11 01 02 01 00 00"),
      ([0x69, 0x02, 0, 0, 0, 1, 0, 0], .noiseCancelling, "68 02 11 00 01 01 00 00"),
    ] as [([UInt8], ANCMode, String)])
  func `noise control of the first generation`(
    _ report: [UInt8], _ mode: ANCMode, _ request: String
  ) throws {
    var proto = asked(Self.first, report)
    let exchange = try #require(try proto.exchanges(for: .setANC(mode)).first)
    #expect(exchange.values == [recorded(request)])
    #expect(exchange.response == 0x6902)
  }

  @Test func `a level counts in ambient sound alone, and is never sent as 0 where 1 is the lowest`()
    throws
  {
    var proto = asked(Self.second, [0x67, 0x19, 1, 1, 0, 0, 7, 0, 0])
    #expect(throws: HeadphoneError.self) { try proto.exchanges(for: .setANCLevel(9)) }
    receive([0x69, 0x19, 1, 1, 1, 0, 7, 0, 0], &proto)
    #expect(
      try proto.exchanges(for: .setANCLevel(10)).flatMap(\.values)
        == [[0x68, 0x19, 1, 1, 1, 0, 10, 0, 0]])
    #expect(throws: HeadphoneError.self) { try proto.exchanges(for: .setANCLevel(0)) }
    #expect(throws: HeadphoneError.self) { try proto.exchanges(for: .setANCLevel(21)) }
    #expect(try proto.exchanges(for: .setANCLevel(7)) == [])
    // A WH-CH720N was recorded with it.
    var other = asked(Self.second, [0x67, 0x17, 1, 1, 1, 0, 20])
    #expect(
      try other.exchanges(for: .setANCLevel(0)).flatMap(\.values)
        == [[0x68, 0x17, 1, 1, 1, 0, 0]])
  }

  @Test func `an order that the headphone answers with its old state is refused`() throws {
    var proto = asked(Self.second, [0x67, 0x17, 1, 1, 0, 0, 7])
    _ = try proto.exchanges(for: .setANC(.off))
    receive([0x69, 0x17, 1, 1, 0, 0, 7], &proto)
    #expect(throws: HeadphoneError.unsupported("noise control mode \"off\"")) {
      try proto.accepted(.setANC(.off))
    }
  }

  @Test func `an order is answered by its own mode, once it is acknowledged`() throws {
    var proto = asked(Self.second, [0x67, 0x17, 1, 1, 0, 0, 7])
    let request = try #require(try proto.exchanges(for: .setANC(.transparency)).first)
    _ = proto.framed(request.values[0])
    // Reports that cross the order: the button was pressed.
    #expect(receive([0x69, 0x17, 1, 1, 1, 0, 7], &proto).response == nil)
    _ = proto.receive(SonyFrame(.acknowledgement, sequence: 1).encoded()[...])
    let crossing = receive([0x69, 0x17, 1, 0, 0, 0, 7], &proto)
    #expect(crossing.response == nil && crossing.events == [.ancChanged(.off)])
    #expect(receive([0x69, 0x17, 1, 1, 1, 0, 7], &proto).response == request.response)
    try #expect(proto.accepted(.setANC(.transparency)).isEmpty)
    // A mode that is in force already is ordered, too, and not reported again.
    let again = try #require(try proto.exchanges(for: .setANC(.transparency)).first)
    #expect(again.values == [[0x68, 0x17, 1, 1, 1, 0, 7]])
    _ = proto.framed(again.values[0])
    let acknowledgement = SonyFrame(.acknowledgement, sequence: 0).encoded()
    #expect(proto.receive(acknowledgement[...]).response == again.response)
  }

  @Test func `the late report of a command for what was set already confirms no other command`()
    throws
  {
    var proto = asked(Self.second, [0x67, 0x17, 1, 1, 1, 0, 20])
    let acknowledgement = SonyFrame(.acknowledgement, sequence: 1).encoded()[...]
    let again = try #require(try proto.exchanges(for: .setANC(.transparency)).first)
    _ = proto.framed(again.values[0])
    #expect(proto.receive(acknowledgement).response == again.response)
    try #expect(proto.accepted(.setANC(.transparency)).isEmpty)

    let level = try #require(try proto.exchanges(for: .setANCLevel(5)).first)
    _ = proto.framed(level.values[0])
    _ = proto.receive(acknowledgement)
    // The report of the first command comes now.
    #expect(receive([0x69, 0x17, 1, 1, 1, 0, 20], &proto).response == nil)
    #expect(receive([0x69, 0x17, 1, 1, 1, 0, 5], &proto).response == level.response)
    try #expect(proto.accepted(.setANCLevel(5)).isEmpty)
  }

  @Test func `an equaliser that is locked is refused with the reason until it is free`() throws {
    var proto = asked(Self.second, [0x57, 0x04, 0, 10] + Array(repeating: 6, count: 10))
    let gains = Array(repeating: BandGain.most, count: 10)
    for (codes, reason) in [([1, 2], "while a listening mode is on"), ([1, 0], "during a call")] {
      receive([0x55, 0x04, 1] + codes.map { UInt8($0) }, &proto)
      let refusal = HeadphoneError.badArgument("the headphone's equaliser cannot be set \(reason)")
      #expect(throws: refusal) { try proto.exchanges(for: .setCustomEQ(gains)) }
      #expect(throws: refusal) {
        try proto.exchanges(for: .set(.equaliserPreset, .choice("heavy")))
      }
    }
    receive([0x55, 0x04, 0, 0], &proto)
    try #expect(proto.exchanges(for: .setCustomEQ(gains)).count == 1)
  }

  @Test func `a bud with level 0 is not there, and keeps what was known of it`() {
    var proto = asked(Self.second)
    #expect(
      receive([0x23, 0x01, 80, 0, 0, 0], &proto).events
        == [.batteryChanged([.left: Battery(level: 80, isCharging: false)])])
    #expect(proto.capabilities.batteries == [.left])
    receive([0x25, 0x01, 80, 0, 70, 1], &proto)
    #expect(receive([0x25, 0x01, 80, 0, 0, 0], &proto).events.isEmpty)
    guard case .malformed? = receive([0x25, 0x01, 101, 0, 0, 0], &proto).events.first else {
      Issue.record("101 % is a level")
      return
    }
  }

  @Test func `speak to chat of the first generation is told when to end before it begins`() throws {
    var proto = asked(Self.first, [0xF7, 0x05, 1, 0])
    #expect(
      try proto.exchanges(for: .set("speak-to-chat", .toggle(true))).flatMap(\.values)
        == [[0xFC, 0x05, 0, 0, 0, 1], [0xF8, 0x05, 1, 1]])
    // What the wearer has chosen is kept.
    receive([0xFB, 0x05, 0, 2, 1, 3], &proto)
    #expect(
      try proto.exchanges(for: .set("speak-to-chat", .toggle(true))).flatMap(\.values)
        == [[0xFC, 0x05, 0, 2, 1, 3], [0xF8, 0x05, 1, 1]])
    // 2: somebody talks, so it is on.
    #expect(
      receive([0xF7, 0x05, 1, 2], &proto).events
        == [.settingChanged("speak-to-chat", .toggle(true))])
  }

  @Test func `a general setting is what its name says, whatever its number is`() throws {
    // Both, as a WH-1000XM4 was recorded: its second one is no touch panel.
    var proto = asked(Self.first, Self.recordedList)
    for _ in 0..<2 { _ = proto.furtherQuestions() }
    let names: [(UInt8, String)] = [(0xD1, "TOUCH_PANEL_SETTING"), (0xD2, "MULTIPOINT_SETTING")]
    for (type, name) in names {
      receive([0xD1, type, 2, UInt8(name.utf8.count)] + Array(name.utf8) + [0, 1, 0], &proto)
    }
    #expect(
      proto.furtherQuestions().flatMap(\.values).suffix(2)
        == [[0xD6, 0xD1], [0xD6, 0xD2]])
    #expect(
      receive([0xD7, 0xD1, 1, 0], &proto).events
        == [.settingChanged("touch-panel", .toggle(false))])
    #expect(
      receive([0xD7, 0xD2, 1, 1], &proto).events
        == [.settingChanged(.multipoint, .toggle(true))])
    #expect(
      try proto.exchanges(for: .set("touch-panel", .toggle(true))).flatMap(\.values)
        == [[0xD8, 0xD1, 1, 1]])
  }

  private static let recordedList: [UInt8] = [
    0x07, 0x00, 0x17, 0x71, 0x38, 0x62, 0xF5, 0x81, 0x51, 0xA1, 0xE1, 0xE2, 0xD2, 0xF6, 0xD1,
    0xF4, 0xF3, 0x39, 0x12, 0x13, 0x11, 0x30, 0xC1, 0x14, 0x22, 0x21,
  ]

  @Test func `touch keeps the number of noise control that the buds have`() throws {
    var proto = asked(Self.second, [0xF7, 0x03, 2, 0x35, 0x20])
    #expect(
      try proto.exchanges(for: .set("touch-right", .choice("noise-control"))).flatMap(\.values)
        == [[0xF8, 0x03, 2, 0x35, 0x35]])
    #expect(throws: HeadphoneError.self) {
      try proto.exchanges(for: .set("touch-right", .choice("find")))
    }
    // Neither has noise control now, whose number is known.
    receive([0xF9, 0x03, 2, 0x10, 0xFF], &proto)
    #expect(
      try proto.exchanges(for: .set("touch-right", .choice("noise-control"))).flatMap(\.values)
        == [[0xF8, 0x03, 2, 0x10, 0x35]])
    // Neither has reported a number of noise control: it is not offered.
    var other = asked(Self.second, [0xF7, 0x03, 2, 0x10, 0xFF])
    #expect(throws: HeadphoneError.self) {
      try other.exchanges(for: .set("touch-right", .choice("noise-control")))
    }
  }

  @Test func `gains become whole steps under a preset of their own`() throws {
    var proto = asked(Self.second, [0x57, 0x00, 0x10, 6, 9, 10, 15, 17, 17, 19])
    let gains = [1, 2, -5, 24, -24].compactMap { BandGain(halfDecibels: $0) }
    #expect(
      try proto.exchanges(for: .setCustomEQ(gains)).flatMap(\.values)
        == [[0x58, 0x00, 0xA0, 6, 9, 11, 11, 7, 20, 0]])
    #expect(
      try proto.exchanges(for: .set("clear-bass", .level(10))).flatMap(\.values)
        == [[0x58, 0x00, 0xA0, 6, 20, 10, 15, 17, 17, 19]])
    #expect(
      try proto.exchanges(for: .set(.equaliserPreset, .choice("speech"))).flatMap(\.values)
        == [[0x58, 0x00, 0x17, 0x00]])
  }
}
