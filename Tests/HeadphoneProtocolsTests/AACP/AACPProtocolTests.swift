import BluetoothCodec
import HeadphoneProtocols
import Testing

@Suite struct AACPProtocolTests {
  private static let battery = "04 00 04 00 04 00 03 02 01 64 02 01 04 01 63 01 01 08 01 11 02 01"

  /// Returns a protocol that has sent its requests and received these packets.
  private func asked(_ packets: String...) -> AACPProtocol {
    var proto = AACPProtocol()
    _ = proto.questions()
    for packet in packets { _ = proto.receive(recorded(packet)) }
    return proto
  }

  @Test func `the conversation begins as it was recorded`() {
    var proto = AACPProtocol()
    let handshake = proto.questions()
    #expect(proto.furtherQuestions().isEmpty)
    _ = proto.receive(recorded("01 00 04 00 00 00 01 00 02 00 04 00 00 00 00 00 00 00"))
    #expect(
      (handshake + proto.furtherQuestions()).flatMap(\.values)
        == [0, 1, 2].map {
          recorded(AACPPacketTests.packets[$0].bytes)
        })
    #expect(proto.furtherQuestions().isEmpty)
  }

  @Test func `a conversation is replayed, and everything reported once`() {
    var proto = AACPProtocol()
    let questions = proto.questions()
    let packets = [
      "01 00 04 00 00 00 01 00 02 00 04 00 00 00 00 00 00 00", "04 00 04 00 2b 00 0d 00",
      "04 00 04 00 09 00 0d 02 00 00 00", "04 00 04 00 09 00 2e 32 00 00 00",
      "04 00 04 00 77 00 01 02 03", AACPPacketTests.metadata, Self.battery, Self.battery,
      "04 00 04 00 08 00 02 00 01 00", "04 00 04 00 06 00 00 01",
      "04 00 04 00 09 00 0d 02 00 00 00",
      "04 00 04 00 77 00 04 05 06",
    ]
    let received = packets.map { proto.receive(recorded($0)) }
    let further = proto.furtherQuestions()
    #expect(received[0].response == questions[0].response)
    #expect(received[1].response == further[0].response)
    #expect(received[6].response == further[1].response)
    #expect(
      received.flatMap(\.events) == [
        .ancChanged(.noiseCancelling), .ancLevelChanged(50),
        .unknown("message 0077"),
        .batteryChanged([
          .right: Battery(level: 100, isCharging: false),
          .left: Battery(level: 99, isCharging: true), .case: Battery(level: 17, isCharging: false),
        ]),
        .settingChanged("primary-bud", .text("right")),
        .wearingChanged(Wearing(left: false, right: true)), .unknown("message 0077"),
      ])
    let able = proto.capabilities
    #expect(able.ancModes == ANCMode.allCases && able.ancLevels == 0...100 && able.hasCase)
    #expect(able.batteries == Part.allCases && able.eqPresets.isEmpty && !able.hasFind)
    #expect(proto.information.model == "A3048" && proto.information.serial == "QXNRHYXP6")
    #expect(proto.awaited.isEmpty)
  }

  @Test func `a cut battery changes nothing, and is reported as that`() {
    var proto = asked(Self.battery)
    let received = proto.receive(recorded("04 00 04 00 04 00 04 01 00 50 02 00"))
    guard case .malformed = received.events.first, received.response == nil else {
      Issue.record("\(received)")
      return
    }
    #expect(proto.receive(recorded(Self.battery)).events == [])
  }

  @Test func `a bud that is not there keeps what was known of it`() {
    var proto = asked(Self.battery)
    #expect(
      proto.receive(
        recorded("04 00 04 00 04 00 03 02 01 63 02 01 04 01 00 04 01 08 01 11 02 01")
      ).events == [
        .batteryChanged([
          .right: Battery(level: 99, isCharging: false),
          .left: Battery(level: 99, isCharging: true), .case: Battery(level: 17, isCharging: false),
        ])
      ])
  }

  @Test(arguments: [
    ("01", "left", Wearing(left: true, right: false)),
    ("02", "right", Wearing(left: false, right: true)),
  ])
  func `the primary bud is the one that is named, whichever is first of the battery`(
    _ number: String, _ side: String, _ wearing: Wearing
  ) {
    for battery in [Self.battery, "04 00 04 00 04 00 02 04 01 63 02 01 02 01 63 02 01"] {
      var proto = asked(battery)
      #expect(proto.receive(recorded("04 00 04 00 06 00 00 02")).events == [])
      #expect(
        proto.receive(recorded("04 00 04 00 08 00 \(number) 00 01 00")).events
          == [.settingChanged("primary-bud", .text(side)), .wearingChanged(wearing)])
      // A swap is followed by the places in the new order.
      let (other, otherSide) = number == "01" ? ("02", "right") : ("01", "left")
      #expect(
        proto.receive(recorded("04 00 04 00 08 00 \(other) 00 01 01")).events
          == [.settingChanged("primary-bud", .text(otherSide))])
      #expect(proto.receive(recorded("04 00 04 00 06 00 02 00")).events == [])
    }
  }

  @Test func `a name is written, and done with that`() throws {
    var proto = asked(AACPPacketTests.metadata)
    #expect(proto.capabilities.hasRename && !asked().capabilities.hasRename)
    let exchange = try #require(try proto.exchanges(for: .rename("Test")).first)
    #expect(exchange.values == [recorded("04 00 04 00 1a 00 01 04 00 54 65 73 74")])
    #expect(!exchange.hasResponse)
    #expect(try proto.accepted(.rename("Test")) == [.renamed("Test")])
  }

  @Test func `a bud that is paused at 80 % charges`() {
    // Recorded of AirPods Pro 3 in their case.
    var proto = asked()
    #expect(
      proto.receive(recorded("04 00 04 00 04 00 03 04 01 50 05 01 02 01 4f 05 01 08 01 30 01 01"))
        .events == [
          .batteryChanged([
            .left: Battery(level: 80, isCharging: true),
            .right: Battery(level: 79, isCharging: true),
            .case: Battery(level: 48, isCharging: true),
          ])
        ])
  }

  @Test func `a level above 100 is none`() {
    var proto = asked(Self.battery)
    #expect(
      proto.receive(recorded("04 00 04 00 04 00 02 02 01 7f 02 01 04 01 ff 02 01")).events == [])
    #expect(proto.capabilities.batteries == Part.allCases)
  }

  @Test(arguments: [("00 00", true), ("01 01", false), ("02 02", false), ("01 02", false)])
  func `buds that report the same are known before the first battery`(
    _ places: String, _ isWorn: Bool
  ) {
    var proto = asked()
    #expect(
      proto.receive(recorded("04 00 04 00 06 00 \(places)")).events == [
        .wearingChanged(Wearing(left: isWorn, right: isWorn))
      ])
    let events = proto.receive(recorded(Self.battery)).events
    #expect(events.count == 1 && proto.capabilities.batteries == Part.allCases)
  }

  @Test func `a switch is there once it is reported, and an order needs no echo`() throws {
    var proto = asked()
    #expect(throws: HeadphoneError.unsupported("conversation awareness")) {
      try proto.exchanges(for: .set("conversation-awareness", .toggle(true)))
    }
    #expect(
      proto.receive(recorded("04 00 04 00 09 00 28 02 00 00 00")).events
        == [.settingChanged("conversation-awareness", .toggle(false))])
    #expect(proto.capabilities.settings.map(\.id) == ["conversation-awareness"])
    let request = try #require(
      try proto.exchanges(for: .set("conversation-awareness", .toggle(true))).first)
    #expect(request.values == [recorded("04 00 04 00 09 00 28 01 00 00 00")])
    #expect(!request.hasResponse)
    #expect(
      try proto.accepted(.set("conversation-awareness", .toggle(true)))
        == [.settingChanged("conversation-awareness", .toggle(true))])
    // A report contradicts it.
    #expect(
      proto.receive(recorded("04 00 04 00 09 00 28 02 00 00 00"))
        == ParsedMessage([.settingChanged("conversation-awareness", .toggle(false))]))
    guard
      case .malformed? = proto.receive(recorded("04 00 04 00 09 00 28 03 00 00 00")).events.first
    else {
      Issue.record("3 is neither on nor off")
      return
    }
  }

  /// The forms of AirPods Pro 3, Pro 2 and an older one, from another project's tests.
  @Test(arguments: [
    ("02 00 01 01", Speech.began), ("02 00 01 02", .began), ("02 00 01 04", .paused),
    ("02 00 01 09", .ended), ("01", .began), ("05", .began), ("03", .paused), ("00", .paused),
    ("08", .ended), ("06", .ended),
  ])
  func `speech is reported as it goes on`(_ status: String, _ speech: Speech) {
    var proto = asked()
    #expect(
      proto.receive(recorded("04 00 04 00 4b 00 \(status)"))
        == ParsedMessage([.speechChanged(speech)]))
  }

  /// From the tests of another project.
  @Test(arguments: [
    ("05 01", Side.left, TouchGesture.tap), ("06 02", .right, .doubleTap),
    ("07 01", .left, .tripleTap), ("08 02", .right, .hold),
  ])
  func `a press of the stem is a gesture`(_ press: String, _ side: Side, _ gesture: TouchGesture) {
    var proto = asked()
    #expect(
      proto.receive(recorded("04 00 04 00 19 00 \(press)"))
        == ParsedMessage([.touchUsed(side, gesture)]))
  }

  @Test func `each press that is reported is a switch, and a command leaves the others`() throws {
    var proto = asked()
    #expect(
      proto.receive(recorded("04 00 04 00 09 00 39 05 00 00 00")).events == [
        .settingChanged("report-tap", .toggle(true)),
        .settingChanged("report-double-tap", .toggle(false)),
        .settingChanged("report-triple-tap", .toggle(true)),
        .settingChanged("report-hold", .toggle(false)),
      ])
    let request = try #require(
      try proto.exchanges(for: .set("report-hold", .toggle(true))).first)
    #expect(request.values == [recorded("04 00 04 00 09 00 39 0d 00 00 00")])
    #expect(
      try proto.accepted(.set("report-hold", .toggle(true)))
        == [.settingChanged("report-hold", .toggle(true))])
  }

  @Test(
    arguments: [
      // As AirPods Pro 1, 2 and 3 report them, and as public projects set them.
      ("25 01 00 00 00", "volume-swipe", .toggle(true), .toggle(false), "25 02 00 00 00"),
      ("26 02 00 00 00", "personalised-volume", .toggle(false), .toggle(true), "26 01 00 00 00"),
      ("3b 01 00 00 00", "optimised-charging", .toggle(true), .toggle(false), "3b 02 00 00 00"),
      ("31 01 00 00 00", "case-sounds", .toggle(true), .toggle(false), "31 02 00 00 00"),
      ("35 02 00 00 00", "sleep-detection", .toggle(false), .toggle(true), "35 01 00 00 00"),
      ("0a 01 00 00 00", "wear-detection", .toggle(true), .toggle(false), "0a 02 00 00 00"),
      ("17 00 00 00 00", "press-speed", .choice("default"), .choice("slower"), "17 01 00 00 00"),
      (
        "18 00 00 00 00", "hold-duration", .choice("default"), .choice("shortest"), "18 02 00 00 00"
      ),
      ("23 00 00 00 00", "swipe-length", .choice("default"), .choice("longer"), "23 01 00 00 00"),
      (
        "01 00 00 00 00", "call-microphone", .choice("automatic"), .choice("left"), "01 02 00 00 00"
      ),
      ("1f 50 50 00 00", "tone-volume", .level(80), .level(15), "1f 0f 0f 00 00"),
      ("24 20 03 00 00", "press-in-call", .choice("mute"), .choice("end-call"), "24 20 02 00 00"),
      ("24 00 03 00 00", "press-in-call", .choice("mute"), .choice("end-call"), "24 00 02 00 00"),
      (
        "16 01 01 00 00", "hold-right", .choice("noise-control"), .choice("assistant"),
        "16 05 01 00 00"
      ),
      (
        "16 01 01 00 00", "hold-left", .choice("noise-control"), .choice("assistant"),
        "16 01 05 00 00"
      ),
      ("1a 06 00 00 00", "hold-adaptive", .toggle(false), .toggle(true), "1a 0e 00 00 00"),
    ] as [(String, SettingID, SettingValue, SettingValue, String)])
  func `a control that is reported is a setting`(
    _ report: String, _ id: SettingID, _ value: SettingValue, _ other: SettingValue,
    _ order: String
  ) throws {
    var proto = asked()
    #expect(
      proto.receive(recorded("04 00 04 00 09 00 \(report)")).events
        .contains(.settingChanged(id, value)))
    let exchanges = try proto.exchanges(for: .set(id, other))
    #expect(exchanges.flatMap(\.values) == [recorded("04 00 04 00 09 00 \(order)")])
    #expect(try proto.accepted(.set(id, other)) == [.settingChanged(id, other)])
  }

  @Test func `touching and holding keeps two modes, and off leaves it before it is not allowed`()
    throws
  {
    var proto = asked(
      "04 00 04 00 09 00 1a 03 00 00 00", "04 00 04 00 09 00 34 01 00 00 00",
      "04 00 04 00 09 00 0d 02 00 00 00")
    #expect(throws: HeadphoneError.self) {
      try proto.exchanges(for: .set("hold-cancelling", .toggle(false)))
    }
    #expect(proto.capabilities.ancModes.contains(.off))
    #expect(
      try proto.exchanges(for: .set("off-allowed", .toggle(false))).flatMap(\.values) == [
        recorded("04 00 04 00 09 00 1a 02 00 00 00"), recorded("04 00 04 00 09 00 34 02 00 00 00"),
      ])
    _ = try proto.accepted(.set("off-allowed", .toggle(false)))
    #expect(!proto.capabilities.ancModes.contains(.off))
    #expect(throws: HeadphoneError.self) { try proto.exchanges(for: .setANC(.off)) }
  }

  @Test func `off that is answered with another mode is refused in words`() throws {
    var proto = asked("04 00 04 00 09 00 0d 02 00 00 00")
    _ = try proto.exchanges(for: .setANC(.off))
    _ = proto.receive(recorded("04 00 04 00 09 00 0d 02 00 00 00"))
    do throws(HeadphoneError) {
      _ = try proto.accepted(.setANC(.off))
      Issue.record("it is not off")
    } catch {
      guard case .badArgument = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func `a channel is greeted once, and values survive another reading`() {
    var proto = asked(
      "01 00 04 00 00 00 01 00 02 00 04 00 00 00 00 00 00 00", "04 00 04 00 09 00 0d 02 00 00 00")
    _ = proto.furtherQuestions()
    #expect(proto.questions().isEmpty && proto.isRecognised)
    #expect(proto.furtherQuestions().isEmpty && proto.capabilities.ancModes.count == 3)
  }

  @Test func `headphones over the head have one battery and one ear`() {
    var proto = asked("04 00 04 00 04 00 01 01 01 50 05 01")
    #expect(proto.capabilities.batteries == [.left] && !proto.capabilities.hasCase)
    #expect(
      proto.receive(recorded("04 00 04 00 06 00 00 00")).events == [
        .wearingChanged(Wearing(left: true, right: true))
      ])
  }

  @Test(arguments: [
    (ANCMode.off, 4), (.noiseCancelling, 6), (.transparency, 3), (.adaptive, 5),
  ])
  func `an order is written as it was recorded, and its echo alone confirms it`(
    _ mode: ANCMode, _ index: Int
  ) throws {
    let other = mode == .off ? 3 : 4
    var proto = asked(
      AACPPacketTests.packets[other].bytes, AACPPacketTests.packets[8].bytes)
    let request = try #require(try proto.exchanges(for: .setANC(mode)).first)
    let bytes = recorded(AACPPacketTests.packets[index].bytes)
    #expect(request.values == [bytes])
    #expect(
      !proto.receive(recorded(AACPPacketTests.packets[other].bytes)).responses
        .contains(request.response))
    let echo = proto.receive(bytes)
    #expect(echo.responses.contains(request.response) && echo.events == [.ancChanged(mode)])
  }

  @Test func `the strength is ordered as it was recorded, and has its range`() throws {
    var proto = asked(
      "04 00 04 00 09 00 0d 04 00 00 00", "04 00 04 00 09 00 2e 00 00 00 00")
    let request = try #require(try proto.exchanges(for: .setANCLevel(50)).first)
    #expect(request.values == [recorded(AACPPacketTests.packets[8].bytes)])
    // AirPods Pro 3 take it without an echo.
    #expect(!request.hasResponse)
    #expect(try proto.accepted(.setANCLevel(50)) == [.ancLevelChanged(50)])
    #expect(throws: HeadphoneError.badArgument("level 101 is out of range: 0 to 100")) {
      try proto.exchanges(for: .setANCLevel(101))
    }
  }

  @Test func `a model that tells no strength has no adaptive noise control`() {
    var proto = asked("04 00 04 00 09 00 0d 01 00 00 00")
    #expect(proto.capabilities.ancModes == [.off, .noiseCancelling, .transparency])
    #expect(throws: HeadphoneError.unsupported("noise control mode \"adaptive\"")) {
      try proto.exchanges(for: .setANC(.adaptive))
    }
  }

  @Test(arguments: [
    "04 00 04 00 09 00 2e 65 00 00 00", "04 00 04 00 08 00 03 00 01 00",
    "04 00 04 00 09 00 0d", "04 00 04 00 06 00 07 00", "04 00 04 00 09 00 25 00 00 00 00",
    "04 00 04 00 19 00 99 01", "04 00 04 00 19 00 05 03", "04 00 04 00 19 00 05",
    "04 00 04 00 4b 00", "04 00 04 00 4b 00 02 00 01", "04 00 04 00 4b 00 02 00 02 01",
  ])
  func `a value that cannot be is reported as that, and the rest stays`(_ packet: String) {
    var proto = asked("04 00 04 00 09 00 0d 01 00 00 00")
    let received = proto.receive(recorded(packet))
    guard case .malformed = received.events.first, received.response == nil else {
      Issue.record("\(received)")
      return
    }
    #expect(proto.capabilities.ancModes.count == 3)
  }
}
