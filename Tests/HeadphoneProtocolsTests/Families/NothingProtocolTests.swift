import BluetoothCodec
import HeadphoneProtocols
import Testing

/// Whole conversations as bytes, without a link.
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
        ResponseID(0x4007, sequence: 14), ResponseID(0x4042, sequence: 15),
        ResponseID(0x4007, sequence: 16),
      ])
    let commands = try questions.map {
      try $0.values.map { try NothingFrame(decoding: $0).command }
    }
    #expect(
      commands == [
        [0xC007], [0xC01E, 0xC044, 0xC050, 0xC01F, 0xC00E, 0xC042],
        [0xC006, 0xC041, 0xC04E, 0xC04F, 0xC020, 0xC018, 0xC011, 0xC027, 0xC007],
      ])
  }

  @Test func `an answer that makes no sense is an answer all the same`() {
    var proto = NothingProtocol()
    #expect(proto.receive(recorded("55 60 01 1e 40 01 00 01 00")).response != nil)
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
          response: ResponseID(0x401F, sequence: 1),
          [.settingChanged(.equaliserPreset, .choice("advanced"))]))
    #expect(
      proto.receive(recorded(Self.detection))
        == ParsedMessage(
          response: ResponseID(0x400E, sequence: 1),
          [.settingChanged(.wearDetection, .toggle(true))]))
    var single = NothingProtocol()
    #expect(
      single.receive(recorded("55 60 01 07 40 03 00 01 00 00 d8"))
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

  @Test func `a change that is not there yet is asked for again`() throws {
    var proto = asked(Self.transparency)
    let question = try #require(try proto.exchanges(for: .setANC(.noiseCancelling)).last)
    let number = try #require(question.response.sequence)
    let before = NothingFrame(0x401E, operation: number, payload: [0, 7], checksum: .none)
    #expect(question.attempts == 3)
    #expect(proto.receive(before.encoded()[...]).response == nil)
    let after = NothingFrame(0x401E, operation: number, payload: [0, 1], checksum: .none)
    #expect(proto.receive(after.encoded()[...]).response == question.response)
    #expect(try proto.accepted(.setANC(.noiseCancelling)) == [])
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
    #expect(try payloads(both) == [[2, 1], [3, 1]])
    #expect(
      try proto.accepted(.find(.both, isOn: true)) == [.findChanged(.both)])
    #expect(try payloads(proto.exchanges(for: .find(.left, isOn: true))) == [[3, 0], [2, 1]])
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
    // Wrong checksum; a level of 120 %; a count beyond the bytes; a switch that is neither.
    "55 60 01 1f 40 01 00 01 06 00 00", "55 60 01 07 40 03 00 01 00 00 78",
    "55 60 01 07 40 05 00 01 03 04 b2 02 3c", "55 60 01 0e 40 01 00 01 01",
    "55 60 01 0e 40 03 00 01 01 01 07", "55 60 01 41 40 01 00 01 03",
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
    model.leftBud = 1
    var proto = asked(Self.battery)
    proto.recognise(model)
    #expect(try payloads(proto.exchanges(for: .find(.left, isOn: true))) == [[1, 1]])
  }

  /// Returns the answer of a headphone with a serial number.
  private func serial(_ number: String) -> Bytes {
    let text = "2,2,1.0.1.51\n2,4,\(number)\n3,4,\n"
    return NothingFrame(
      0x4006, operation: 5, payload: Array(text.utf8)[...], checksum: .none
    ).encoded()[...]
  }

  @Test(arguments: [
    ("SH10632345000001", "Nothing Ear (a)"), ("13A10623450000017", "Nothing Ear (1)"),
    ("12345678901234567", "Nothing Ear (1)"), ("SH10772345000001", "CMF Buds Pro 2"),
    ("MA10112345000001", nil), ("SH", nil),
  ])
  func `the serial number names the model`(_ number: String, _ model: String?) {
    var proto = asked()
    _ = proto.receive(serial(number))
    #expect(proto.information.serial == number && proto.information.model == model)
  }

  @Test func `Ear (1) rings with both buds, and its answers have no number`() throws {
    var proto = asked(Self.battery)
    _ = proto.receive(serial("12345678901234567"))
    #expect(try payloads(proto.exchanges(for: .find(.left, isOn: true))) == [[1]])
    #expect(try proto.accepted(.find(.left, isOn: true)) == [.findChanged(.both)])
    // As it acknowledges in-ear detection and noise control.
    var other = NothingProtocol()
    _ = other.receive(recorded("55 20 01 1e 40 02 00 00 00 05"))
    let request = try #require(try other.exchanges(for: .setANC(.transparency)).first)
    #expect(
      other.receive(recorded("55 20 01 0f 70 00 00 00")).response == request.response)
  }

  @Test func `a change that is reported unasked answers nothing, if answers have numbers`() throws {
    var proto = asked(Self.transparency)
    let question = try #require(try proto.exchanges(for: .setANC(.off)).last)
    #expect(
      proto.receive(recorded("55 00 01 1e 40 02 00 00 00 05"))
        == ParsedMessage([.ancChanged(.off)]))
    #expect(question.response.number == 0x401E)
  }

  @Test func `a report of another kind of device is a frame, too`() {
    var proto = NothingProtocol(on: NothingProtocol.serialService)
    let messages = proto.messages(in: recorded("55 00 03 01 e0 03 00 00 01 06 0f"))
    #expect(
      messages.flatMap { proto.receive($0).events }
        == [.batteryChanged([.left: Battery(level: 15, isCharging: false)])])
  }

  @Test func `part 1 is both buds`() {
    var proto = NothingProtocol()
    #expect(
      proto.receive(recorded("55 00 01 01 e0 03 00 00 01 01 50")).events
        == [
          .batteryChanged([
            .left: Battery(level: 80, isCharging: false),
            .right: Battery(level: 80, isCharging: false),
          ])
        ])
  }

  @Test func `a level that cannot be costs itself alone`() {
    var proto = NothingProtocol()
    let events = proto.receive(recorded("55 00 01 01 e0 05 00 00 02 02 50 03 78")).events
    #expect(events.first == .batteryChanged([.left: Battery(level: 80, isCharging: false)]))
    guard case .malformed = events.last, events.count == 2 else {
      Issue.record("\(events)")
      return
    }
  }

  @Test func `a preset that is shown alone takes no other away`() throws {
    var proto = asked(Self.advanced)
    #expect(
      proto.receive(recorded("55 60 01 1f 40 01 00 01 04")).events
        == [.settingChanged(.equaliserPreset, .choice("dirac-opteo"))])
    #expect(
      proto.receive(recorded("55 60 01 1f 40 01 00 01 09")).events
        == [.settingChanged(.equaliserPreset, .choice("9"))])
    #expect(proto.capabilities.eqPresets == EQPreset.allCases)
    _ = try proto.exchanges(for: .setEQ(.vocal))
    #expect(throws: HeadphoneError.unsupported("equaliser preset \"vocal\"")) {
      try proto.accepted(.setEQ(.vocal))
    }
  }

  @Test func `some of CMF's have a listening mode instead of presets`() {
    var proto = asked(Self.advanced)
    _ = proto.receive(serial("SH10772345000001"))
    #expect(proto.capabilities.eqPresets.isEmpty)
  }

  @Test func `a headphone with a listening mode has its presets, whatever the other question says`()
    throws
  {
    var proto = asked("55 60 01 50 40 01 00 01 03")
    #expect(proto.receive(recorded("55 60 01 1f 40 01 00 01 00")).events == [])
    #expect(proto.capabilities.eqPresets.isEmpty && proto.capabilities.eqBands == 0)
    let wanted = HeadphoneCommand.set(.equaliserPreset, .choice("rock"))
    #expect(try payloads(proto.exchanges(for: wanted)) == [[1, 0], []])
    #expect(
      proto.receive(recorded("55 60 01 50 40 01 00 0c 01")).events
        == [.settingChanged(.equaliserPreset, .choice("rock"))])
    #expect(try proto.accepted(wanted) == [])
  }

  @Test func `a fit test ends with its result, which is not there at once`() throws {
    var proto = asked()
    let test = HeadphoneCommand.set("fit-test", .done)
    #expect(throws: HeadphoneError.self) { try proto.exchanges(for: test) }
    _ = proto.receive(serial("SH10772345000001"))
    let question = try #require(try proto.exchanges(for: test).last)
    #expect(question.attempts == 15)
    let battery = NothingFrame(
      0x4007, operation: try #require(question.response.sequence), payload: [1, 2, 60],
      checksum: .none
    ).encoded()[...]
    #expect(proto.receive(battery).responses == [])
    #expect(
      proto.receive(recorded("55 00 01 0d e0 02 00 00 00 02")).events == [
        .settingChanged("fit-left", .text("good")),
        .settingChanged("fit-right", .text("not in the ear")),
      ])
    #expect(proto.receive(battery).responses == [question.response])
    #expect(try proto.accepted(test) == [])
  }

  @Test func `in-ear detection is found by its key`() {
    var proto = asked()
    #expect(
      proto.receive(recorded("55 60 01 0e 40 05 00 01 02 07 05 01 01")).events
        == [.settingChanged(.wearDetection, .toggle(true))])
  }

  @Test func `newer headphones keep the strength of cancelling in other modes`() throws {
    var proto = asked()
    #expect(
      proto.receive(recorded("55 60 01 1e 40 06 00 01 01 05 00 02 03 00 b7 4a")).events
        == [.ancChanged(.off), .ancLevelChanged(1)])
    #expect(
      try payloads(proto.exchanges(for: .setANC(.noiseCancelling))).first == [1, 3, 0])
  }

  @Test func `low latency, bass and spatial sound are set as they are read`() throws {
    var proto = asked(
      "55 60 01 41 40 01 00 01 00", "55 60 01 4e 40 02 00 01 00 06", "55 60 01 4f 40 01 00 01 00")
    for (id, value, payload) in [
      ("low-latency", .toggle(true), [1]), ("low-latency", .toggle(false), [2]),
      ("bass-boost", .toggle(true), [1, 6]), ("bass-boost-level", .level(5), [0, 10]),
      ("spatial-sound", .choice("head-tracking"), [1, 1]),
      ("spatial-sound", .choice("off"), [0, 0]),
    ] as [(SettingID, SettingValue, [UInt8])] {
      #expect(try payloads(proto.exchanges(for: .set(id, value))).first == payload, "\(id)")
    }
    // Another model's scale, and a kind without a name.
    _ = proto.receive(recorded("55 60 01 4e 40 02 00 01 01 64"))
    #expect(!proto.capabilities.declares("bass-boost-level"))
    #expect(
      proto.receive(recorded("55 60 01 4f 40 02 00 01 04 00")).events
        == [.settingChanged("spatial-sound", .choice("4"))])
  }

  @Test func `a command that is not known is unknown, not malformed`() {
    var proto = NothingProtocol()
    let received = proto.receive(recorded("55 60 01 77 e0 01 00 01 06"))
    #expect(received.events == [.unknown("message E077")])
  }
}
