import BluetoothCodec
import Configuration
import Testing

@testable import HeadphoneProtocols

/// Frames that a public project recorded from a Life Q30 or contains in its tests; "made" ones
/// follow the layout.
@Suite struct SoundcoreTests {
  /// The state with the custom equaliser; with preset 1, its bytes differ in two places.
  static let state = """
    09 ff 00 00 01 01 01 46 00 05 00 fe fe 3c b4 8f a0 8e b4 74 88 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 00 02 00 01 00 30 32 2e 33 30 33 30 32 39 30 38 36 45 43
    38 32 46 31 32 41 43 30
    """

  struct Recorded: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: String
    var sender: SoundcoreFrame.Sender
    var command: UInt16
    var body: [UInt8]

    init(
      _ title: String, _ bytes: String, _ sender: SoundcoreFrame.Sender, _ command: UInt16,
      _ body: [UInt8] = []
    ) {
      testDescription = title
      self.bytes = bytes
      self.sender = sender
      self.command = command
      self.body = body
    }
  }

  static let frames = [
    Recorded("request state", "08 ee 00 00 00 01 01 0a 00 02", .phone, 0x0101),
    Recorded("two batteries", "09 ff 00 00 01 01 03 0c 00 03 04 20", .headphone, 0x0103, [3, 4]),
    Recorded("charging", "09 ff 00 00 01 01 04 0b 00 01 1a", .headphone, 0x0104, [1]),
    Recorded("left charges", "09 ff 00 00 01 01 04 0c 00 01 00 1b", .headphone, 0x0104, [1, 0]),
    Recorded(
      "firmware of two",
      """
      09 ff 00 00 01 01 05 24 00 31 32 2e 33 34 32 33 2e 34 35 30 31 32 33 34 35 36 37 38 39 41
      42 43 44 45 46 c9
      """, .headphone, 0x0105, Array("12.3423.450123456789ABCDEF".utf8)),
    Recorded(
      "an impossible mode", "09 ff 00 00 01 06 01 0e 00 03 02 01 00 24", .headphone, 0x0601,
      [3, 2, 1, 0]),
    Recorded(
      "set cancelling, outdoor", "08 ee 00 00 00 06 81 0e 00 00 01 01 00 8d", .phone, 0x0681,
      [0, 1, 1, 0]),
    Recorded(
      "set transparency (made)", "08 ee 00 00 00 06 81 0e 00 01 00 00 00 8c", .phone, 0x0681,
      [1, 0, 0, 0]),
    Recorded(
      "set normal", "08 ee 00 00 00 06 81 0e 00 02 00 01 00 8e", .phone, 0x0681, [2, 0, 1, 0]),
    Recorded("acknowledged", "09 ff 00 00 01 06 81 0a 00 9a", .headphone, 0x0681),
    Recorded(
      "set signature", "08 ee 00 00 00 02 81 14 00 00 00 78 78 78 78 78 78 78 78 4d", .phone,
      0x0281, [0, 0] + Array(repeating: 0x78, count: 8)),
    Recorded(
      "set spoken word (made)", "08 ee 00 00 00 02 81 14 00 13 00 5a 64 82 8c 8c 82 78 5a 4c",
      .phone, 0x0281, [0x13, 0, 0x5A, 0x64, 0x82, 0x8C, 0x8C, 0x82, 0x78, 0x5A]),
    Recorded(
      "set custom", "08 ee 00 00 00 02 81 14 00 fe fe 3c b4 8f a0 8e b4 74 88 e6", .phone, 0x0281,
      [0xFE, 0xFE, 0x3C, 0xB4, 0x8F, 0xA0, 0x8E, 0xB4, 0x74, 0x88]),
  ]

  @Test(arguments: frames)
  func `a recorded frame is read and written as it was`(_ recorded: Recorded) throws {
    let bytes = HeadphoneProtocolsTests.recorded(recorded.bytes)
    let frame = SoundcoreFrame(recorded.sender, recorded.command, recorded.body[...])
    #expect(try SoundcoreFrame(decoding: bytes) == frame)
    #expect(frame.encoded() == Array(bytes))
  }

  @Test(arguments: [
    "", "09 ff 00 00 01", "0a ff 00 00 01 01 03 0b 00 02 1a",
    // Wrong checksum; a length shorter and longer than the frame; a byte too many.
    "09 ff 00 00 01 01 03 0b 00 02 1b", "09 ff 00 00 01 01 03 09 00 02 1a",
    "09 ff 00 00 01 01 03 0c 00 02 1a", "09 ff 00 00 01 01 03 0b 00 02 1a 00",
  ])
  func `what is cut, too long or contradicts itself is refused`(_ bytes: String) {
    #expect(throws: MalformedBytes.self) { try SoundcoreFrame(decoding: recorded(bytes)) }
  }
}

@Suite struct SoundcoreProtocolTests {
  private func asked(_ responses: String...) -> SoundcoreProtocol {
    var proto = SoundcoreProtocol(.bundled)
    _ = proto.questions()
    for response in responses { _ = proto.receive(recorded(response)) }
    return proto
  }

  @Test func `a state that is known tells everything, steps as steps`() {
    var proto = SoundcoreProtocol(.bundled)
    let received = proto.receive(recorded(SoundcoreTests.state))
    #expect(received.response == 0x0101)
    #expect(
      received.events.first
        == .batteryChanged([.left: Battery(step: 5, of: 5, isCharging: false)]))
    #expect(received.events.contains(.ancChanged(.off)))
    guard received.events.count > 1, case .eqChanged(.custom, let bands?) = received.events[1]
    else {
      Issue.record("\(received)")
      return
    }
    #expect(bands.map(\.decibels) == [-6, 6, 2.5, 4, 2, 6, -0.5, 1.5])
    let able = proto.capabilities
    #expect(able.ancModes == [.off, .noiseCancelling, .transparency])
    #expect(able.eqPresets == EQPreset.allCases && able.eqBands == 8)
    #expect(able.batteries == [.left] && !able.hasFind && !able.declares(.wearDetection))
    #expect(proto.information.serial == "3029086EC82F12AC")
  }

  @Test func `another model's state leaves battery, firmware and serial number`() {
    var proto = asked(
      "09 ff 00 00 01 01 03 0c 00 03 04 20", "09 ff 00 00 01 01 04 0c 00 01 00 1b",
      SoundcoreTests.frames[4].bytes)
    let strange = SoundcoreFrame(.headphone, 0x0101, Array(repeating: 1, count: 40)[...])
    let received = proto.receive(strange.encoded()[...])
    #expect(received.response == 0x0101 && received.events.count == 1)
    let able = proto.capabilities
    #expect(able.batteries == [.left, .right] && able.ancModes.isEmpty && able.eqBands == 0)
    #expect(proto.information.firmware == "12.34 / 23.45")
    #expect(proto.information.serial == "0123456789ABCDEF")
  }

  @Test func `levels are steps, and who charges is reported with them`() {
    var proto = asked("09 ff 00 00 01 01 03 0c 00 03 04 20")
    #expect(
      proto.receive(recorded("09 ff 00 00 01 01 04 0c 00 01 00 1b")).events == [
        .batteryChanged([
          .left: Battery(step: 3, of: 5, isCharging: true),
          .right: Battery(step: 4, of: 5, isCharging: false),
        ])
      ])
  }

  @Test(arguments: [
    (ANCMode.noiseCancelling, [0, 0, 1, 0] as [UInt8]), (.transparency, [1, 0, 1, 0]),
    (.off, [2, 0, 1, 0]),
  ])
  func `a mode changes its byte and no other`(_ mode: ANCMode, _ body: [UInt8]) throws {
    var proto = asked(SoundcoreTests.state)
    let exchanges = try proto.exchanges(for: .setANC(mode))
    #expect(exchanges.map(\.response) == [0x0681, 0x0101])
    #expect(Array(try SoundcoreFrame(decoding: exchanges[0].values[0]).body) == body)
    #expect(
      proto.receive(recorded("09 ff 00 00 01 06 81 0a 00 9a")) == ParsedMessage(response: 0x0681))
    // The mode that is in force is no news.
    #expect(
      proto.receive(Self.state(body, at: 35)).events == (mode == .off ? [] : [.ancChanged(mode)])
    )
    #expect(try proto.accepted(.setANC(mode)) == [])
  }

  @Test(arguments: [
    (EQPreset.balanced, 10), (.vocal, 11), (.custom, 12),
  ])
  func `a preset is sent as it was recorded`(_ preset: EQPreset, _ frame: Int) throws {
    var proto = asked(SoundcoreTests.state)
    let exchange = try #require(try proto.exchanges(for: .setEQ(preset)).first)
    #expect(exchange.values == [recorded(SoundcoreTests.frames[frame].bytes)])
  }

  @Test func `bass boost is the maker's preset of that name`() throws {
    var proto = asked(SoundcoreTests.state)
    let exchange = try #require(try proto.exchanges(for: .setEQ(.bassBoost)).first)
    let eq = try SoundcoreEQ(
      decoding: SoundcoreFrame(decoding: try #require(exchange.values.first)).body)
    #expect(eq.id == 2 && eq.tenths == [40, 30, 10, 0, 0, 0, 0, 0])
  }

  @Test func `eight bands are set, and reported when they are acknowledged`() throws {
    var proto = asked(SoundcoreTests.state)
    let gains = [-24, -1, 0, 1, 2, 3, 4, 24].compactMap { BandGain(halfDecibels: $0) }
    let exchange = try #require(try proto.exchanges(for: .setCustomEQ(gains)).first)
    let eq = try SoundcoreEQ(
      decoding: SoundcoreFrame(decoding: try #require(exchange.values.first)).body)
    #expect(eq.tenths == [-120, -5, 0, 5, 10, 15, 20, 120])
    let event = HeadphoneEvent.eqChanged(.custom, bands: gains)
    #expect(proto.receive(Self.state(eq.encoded(), at: 2)).events == [event])
    #expect(try proto.accepted(.setCustomEQ(gains)) == [event])
    #expect(throws: HeadphoneError.badArgument("this headphone takes 8 gains, not 1")) {
      try proto.exchanges(for: .setCustomEQ(Array(gains.prefix(1))))
    }
  }

  /// The state and command of an A3945 in another project's tests, with one of this project's
  /// presets.
  @Test func `each bud has the gains, and keeps what is behind them`() throws {
    let start: [UInt8] =
      [0, 1, 3, 3, 0, 0] + Array("00.0000.00".utf8) + Array("0123456789ABCDEF".utf8)
    func state(_ gains: [UInt8], id: UInt8) -> Bytes {
      let body =
        start + [id, 0] + gains + [121, 122] + gains + [123, 124] + Array(repeating: 0, count: 18)
      return SoundcoreFrame(.headphone, 0x0101, body[...]).encoded()[...]
    }
    var proto = SoundcoreProtocol(on: Self.serial(0x3945))
    let flat = Array(repeating: UInt8(120), count: 8)
    let events = proto.receive(state(flat, id: 0)).events
    #expect(events.contains(.eqChanged(.balanced, bands: SoundcoreEQ(.balanced)?.gains)))
    let exchange = try #require(try proto.exchanges(for: .setEQ(.vocal)).first)
    let gains: [UInt8] = [90, 100, 130, 140, 140, 130, 120, 90]
    let command = try SoundcoreFrame(decoding: try #require(exchange.values.first))
    #expect(
      command
        == SoundcoreFrame(
          .phone, 0x0281, ([0x13, 0] + gains + [121, 122] + gains + [123, 124])[...]))
    _ = proto.receive(state(gains, id: 0x13))
    #expect(try !proto.accepted(.setEQ(.vocal)).isEmpty)
  }

  @Test func `a command for both buds is as another project has it in its tests`() throws {
    let frame = recorded(
      """
      08 ee 00 00 00 02 81 1c 00 15 00 78 78 78 64 5a 50 50 3c 78 78 78 64 5a 50 50 3c ae
      """)
    let eq = try SoundcoreEQ(decoding: SoundcoreFrame(decoding: frame).body, buds: 2)
    #expect(eq.tenths == [0, 0, 0, -20, -30, -40, -40, -60])
    #expect(SoundcoreFrame(.phone, 0x0281, eq.encoded()[...]).encoded()[...] == frame)
  }

  /// In published layouts, the A3031 has no firmware and serial number, and the A3033 has them
  /// after the equaliser.
  @Test func `the equaliser of older models is no firmware`() {
    var buds = SoundcoreProtocol(on: Self.serial(0x3031))
    let flat = Array(repeating: UInt8(120), count: 8)
    let body =
      [0, 1, 4, 3, 0, 0, 2, 0] + flat + flat + Array(repeating: 0, count: 12) + [
        2, 0, 1, 0, 0, 0, 0, 0,
      ]
    let events = buds.receive(SoundcoreFrame(.headphone, 0x0101, body[...]).encoded()[...]).events
    #expect(buds.information.firmware == nil && buds.information.serial == nil)
    #expect(events.contains(.ancChanged(.off)) && buds.capabilities.eqBands == 8)

    var headband = SoundcoreProtocol(on: Self.serial(0x3033))
    let state = [4, 0, 0, 0] + flat + Array("01.230123456789ABCDEF".utf8) + [1]
    _ = headband.receive(SoundcoreFrame(.headphone, 0x0101, state[...]).encoded()[...])
    #expect(headband.information.firmware == "01.23")
    #expect(headband.information.serial == "0123456789ABCDEF" && headband.capabilities.eqBands == 8)
  }

  /// Returns the RFCOMM service of a model.
  private static func serial(_ model: UInt64) -> BluetoothUUID {
    let base = SoundcoreProtocol.serialService
    return BluetoothUUID(high: base.high, low: base.low & ~0xFFFF | model)
  }

  @Test func `what is acknowledged and not done is no success`() throws {
    var proto = asked(SoundcoreTests.state)
    _ = try proto.exchanges(for: .setANC(.transparency))
    _ = proto.receive(recorded("09 ff 00 00 01 06 81 0a 00 9a"))
    _ = proto.receive(recorded(SoundcoreTests.state))
    #expect(throws: HeadphoneError.unsupported("noise control mode \"transparency\"")) {
      try proto.accepted(.setANC(.transparency))
    }
    _ = try proto.exchanges(for: .setEQ(.vocal))
    _ = proto.receive(recorded(SoundcoreTests.state))
    #expect(throws: HeadphoneError.unsupported("such equaliser")) {
      try proto.accepted(.setEQ(.vocal))
    }
  }

  @Test(arguments: [1, 9, 20, 69])
  func `a state that comes in pieces is put together`(_ size: Int) {
    let whole = recorded(SoundcoreTests.state)
    var proto = SoundcoreProtocol(.bundled)
    var received: [ParsedMessage] = []
    for start in stride(from: whole.startIndex, to: whole.endIndex, by: size) {
      let piece = whole[start..<min(start + size, whole.endIndex)]
      for frame in proto.messages(in: piece) { received.append(proto.receive(frame)) }
    }
    #expect(received.count == 1)
    #expect(received.last?.response == 0x0101 && received.last?.events.count == 5)
  }

  @Test func `a frame that never ends costs itself and nothing more`() {
    var proto = SoundcoreProtocol(.bundled)
    #expect(proto.messages(in: recorded(SoundcoreTests.state).prefix(20)).isEmpty)
    let received = proto.messages(in: recorded("09 ff 00 00 01 01 03 0c 00 03 04 20"))
      .map { proto.receive($0) }
    #expect(received.map(\.response) == [nil, 0x0103] && received.last?.events.count == 1)
    guard case .malformed = received.first?.events.first else {
      Issue.record("\(received)")
      return
    }
  }

  @Test func `a command that is not known is skipped, and answers its question`() {
    var proto = SoundcoreProtocol(.bundled)
    let received = proto.receive(SoundcoreFrame(.headphone, 0x0777, [1]).encoded()[...])
    #expect(received == ParsedMessage(response: 0x0777, [.unknown("message 0777")]))
  }

  /// Returns the recorded state with other bytes at an offset.
  private static func state(_ bytes: [UInt8], at place: Int) -> Bytes {
    guard let frame = try? SoundcoreFrame(decoding: recorded(SoundcoreTests.state)) else {
      return []
    }
    var body = Array(frame.body)
    body.replaceSubrange(place..<place + bytes.count, with: bytes)
    return SoundcoreFrame(.headphone, frame.command, body[...]).encoded()[...]
  }

  @Test func `a mode without a name is shown by its number, and the others can be set`() {
    var proto = asked(SoundcoreTests.state)
    let received = proto.receive(recorded("09 ff 00 00 01 06 01 0e 00 03 02 01 00 24"))
    #expect(received.events.first == .settingChanged(.noiseMode, .choice("3")))
    #expect(proto.capabilities.ancModes.count == 3)
    #expect(throws: HeadphoneError.unsupported("noise control mode \"adaptive\"")) {
      try proto.exchanges(for: .setANC(.adaptive))
    }
  }
}

@Suite struct SoundcoreStateTests {
  /// Returns a protocol that has received a state and an answer to 0601.
  private func proto(_ model: UInt64, _ state: [UInt8], modes: [UInt8] = []) -> SoundcoreProtocol {
    let base = SoundcoreProtocol.serialService
    let service = BluetoothUUID(high: base.high, low: base.low & ~0xFFFF | model)
    var proto = SoundcoreProtocol(on: service)
    _ = proto.questions()
    for (command, body) in [(SoundcoreCommand.state, state), (SoundcoreCommand.soundModes, modes)] {
      _ = proto.receive(SoundcoreFrame(.headphone, command, body[...]).encoded()[...])
    }
    return proto
  }

  private func frames(_ exchanges: [Exchange]) throws -> [[UInt8]] {
    try exchanges.flatMap(\.values).map { Array(try SoundcoreFrame(decoding: $0).body) }
  }

  private static let head: [UInt8] = [0, 1, 5, 5, 0, 0]

  @Test func `a state of another form than the model's tells what its texts prove, and no more`() {
    // As of a Liberty 4, under the number of another model.
    let state =
      Self.head + Array("04.2304.233953000000000000".utf8) + Array(repeating: 3, count: 20)
    let proto = proto(0x3957, state)
    #expect(proto.information.model == "Liberty 5" && proto.information.firmware == "04.23")
    #expect(proto.information.serial == "3953000000000000")
    #expect(proto.capabilities.batteries.isEmpty && proto.capabilities.settings.isEmpty)
    #expect(proto.missing.count == 1)
    #expect(proto.missing.first?.hasPrefix("battery and settings: Earshot does not") == true)
    #expect(proto.missing.first?.contains("add-your-headphone.md") == true)
  }

  @Test func `a state without the texts of the model's layout tells nothing`() {
    let state = Self.head + Array(repeating: 0x99, count: 150)
    let proto = proto(0x3957, state)
    #expect(proto.information.firmware == nil && proto.information.serial == nil)
    #expect(proto.capabilities.batteries.isEmpty && proto.capabilities.settings.isEmpty)
    #expect(proto.missing.count == 1)
  }

  @Test func `a value of another mode is set there, and the mode is back behind it`() throws {
    var state = [UInt8](repeating: 0, count: 95)
    state.replaceSubrange(..<23, with: [5, 0xFF] + Array("06.873035000000000000".utf8))
    var space = proto(0x3035, state, modes: [0, 0x51, 0, 0, 1, 5])
    #expect(space.information.model == "Space One" && space.missing.isEmpty)
    #expect(
      try frames(space.exchanges(for: .set("transparency-strength", .level(3)))) == [
        [1, 0x51, 0, 0, 1, 5], [1, 0x51, 0, 0, 1, 3], [0, 0x51, 0, 0, 1, 3], [],
      ])
    // What counts in the present mode needs no detour.
    #expect(
      try frames(space.exchanges(for: .set("cancelling-strength", .level(2)))) == [
        [0, 0x21, 0, 0, 1, 5], [],
      ])
    // The strength counts in cancelling of the manual kind: two steps there, two back.
    space = proto(0x3035, state, modes: [2, 0x51, 0, 1, 1, 5])
    #expect(
      try frames(space.exchanges(for: .set("cancelling-strength", .level(2)))) == [
        [0, 0x51, 0, 1, 1, 5], [0, 0x51, 0, 0, 1, 5], [0, 0x21, 0, 0, 1, 5],
        [0, 0x21, 0, 1, 1, 5], [2, 0x21, 0, 1, 1, 5], [],
      ])
  }
}
