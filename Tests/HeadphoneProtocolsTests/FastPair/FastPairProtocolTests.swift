import BluetoothCodec
import HeadphoneProtocols
import Testing

@Suite struct FastPairProtocolTests {
  /// Returns a protocol that has received these messages.
  private func reported(_ messages: String...) -> FastPairProtocol {
    var proto = FastPairProtocol()
    for message in messages { _ = proto.receive(recorded(message)) }
    return proto
  }

  private static let parts: [Part: Battery] = [
    .left: Battery(level: 87, isCharging: false), .right: Battery(level: 65, isCharging: false),
  ]

  @Test func `a conversation is replayed, and everything reported once`() throws {
    var proto = FastPairProtocol()
    #expect(proto.questions() == [])
    #expect(proto.awaited.map(\.response) == [0x0303])
    let opening = [
      "03 01 00 03 aa bb cc", "03 02 00 06 aa bb cc dd ee ff", "03 03 00 03 57 41 7f",
      "03 0a 00 08 01 02 03 04 05 06 07 08", "03 09 00 05 33 2e 31 2e 34", "03 03 00 03 57 41 7f",
      "03 04 00 01 f0", "08 13 00 04 02 a8 a8 20", "03 03 00 03 57 c1 b2",
    ]
    let events = opening.flatMap { proto.receive(recorded($0)).events }
    #expect(
      events == [
        .batteryChanged(Self.parts), .settingChanged("remaining-time", .text("4 h")),
        .batteryChanged([
          .left: Battery(level: 87, isCharging: false),
          .right: Battery(level: 65, isCharging: true), .case: Battery(level: 50, isCharging: true),
        ]),
      ])
    #expect(proto.awaited == [] && proto.model == 0xAABBCC)
    #expect(proto.information.firmware == "3.1.4")
    #expect(proto.capabilities.batteries == Part.allCases && proto.capabilities.hasFind)

    let request = try proto.exchanges(for: .find(.right, isOn: true))
    #expect(request == [Exchange([0x04, 0x01, 0x00, 0x01, 0x01], response: 0x0401)])
    #expect(proto.receive(recorded("ff 01 00 03 04 01 01")).response == 0x0401)
    #expect(
      try proto.accepted(.find(.right, isOn: true)) == [.findChanged(.right)])

    // A touch of the bud ends it: told, and acknowledged with the same state.
    let stopped = proto.receive(recorded("04 01 00 02 00 00"))
    #expect(stopped.events == [.findChanged([])] && stopped.response == nil)
    #expect(stopped.reply == [0xFF, 0x01, 0x00, 0x04, 0x04, 0x01, 0x00, 0x00])
  }

  @Test func `a bud that rings goes on when the other one is looked for, or no longer`() throws {
    var proto = FastPairProtocol()
    var masks: [UInt8?] = []
    for (sides, isOn) in [
      (Sides.left, true), (.right, true), (.left, false), (.both, false),
    ] {
      let exchanges = try proto.exchanges(for: .find(sides, isOn: isOn))
      masks.append(exchanges.first?.values.first?.last)
      // An older acknowledgement, without a state.
      _ = proto.receive(recorded("ff 01 00 02 04 01"))
      _ = try proto.accepted(.find(sides, isOn: isOn))
    }
    #expect(masks == [2, 3, 1, 0])
  }

  @Test func `the acknowledgement's state is what rings, not the order`() throws {
    var proto = FastPairProtocol()
    _ = try proto.exchanges(for: .find(.both, isOn: true))
    _ = proto.receive(recorded("ff 01 00 03 04 01 02"))
    #expect(try proto.accepted(.find(.both, isOn: true)) == [.findChanged(.left)])
  }

  @Test func `a headphone with one battery rings as a whole`() throws {
    var proto = reported("03 03 00 01 50")
    #expect(proto.capabilities.batteries == [.left])
    let exchanges = try proto.exchanges(for: .find(.left, isOn: true))
    #expect(exchanges.first?.values.first?.last == 1)
    _ = proto.receive(recorded("ff 01 00 03 04 01 01"))
    #expect(try proto.accepted(.find(.left, isOn: true)) == [.findChanged(.both)])
  }

  @Test(
    arguments: [
      ("00", .unsupported("find")), ("01", .refused(.busy)), ("02", .refused(.wrongState)),
      ("03", .refused(.notPermitted)), ("07", .refused(.other(7))),
    ] as [(String, HeadphoneError)])
  func `a refusal is reported with its reason, and nothing rings`(
    _ reason: String, _ error: HeadphoneError
  ) throws {
    var proto = FastPairProtocol()
    _ = try proto.exchanges(for: .find(.both, isOn: true))
    #expect(proto.receive(recorded("ff 02 00 04 \(reason) 04 01 00")).response == 0x0401)
    #expect(throws: error) { try proto.accepted(.find(.both, isOn: true)) }
    // The next order is not of that refusal.
    _ = try proto.exchanges(for: .find(.both, isOn: false))
    _ = proto.receive(recorded("ff 01 00 03 04 01 00"))
    #expect(try proto.accepted(.find(.both, isOn: false)) == [.findChanged([])])
  }

  @Test func `what rings already is no refusal`() throws {
    var proto = FastPairProtocol()
    _ = try proto.exchanges(for: .find(.left, isOn: true))
    _ = proto.receive(recorded("ff 02 00 04 04 04 01 02"))
    #expect(try proto.accepted(.find(.left, isOn: true)) == [.findChanged(.left)])
  }

  @Test func `a level that becomes unknown is not the old one`() {
    var proto = reported("03 03 00 03 57 41 7f")
    #expect(
      proto.receive(recorded("03 03 00 03 57 7f 7f")).events == [
        .batteryChanged([
          .left: Battery(level: 87, isCharging: false),
          .right: Battery(level: nil, isCharging: false),
        ])
      ])
  }

  @Test(arguments: [
    // No level, four, and a model of two bytes.
    "03 03 00 00", "03 03 00 04 57 41 7f 7f", "03 01 00 02 aa bb",
    // A mask of a third bud, an acknowledgement and a refusal of nothing, a mask in one.
    "04 01 00 01 04", "04 01 00 00", "ff 01 00 01 04", "ff 02 00 02 01 04",
    "ff 01 00 03 04 01 80",
  ])
  func `what contradicts the layout changes nothing, and is reported`(_ bytes: String) {
    var proto = reported("03 03 00 03 57 41 7f")
    let before = proto.capabilities
    let received = proto.receive(recorded(bytes))
    guard case .malformed? = received.events.first, received.events.count == 1 else {
      Issue.record("\(received)")
      return
    }
    #expect(received.response == nil && received.reply == nil && proto.capabilities == before)
  }

  @Test func `a message of a group that nobody has described is unknown, not malformed`() {
    var proto = FastPairProtocol()
    #expect(
      proto.receive(recorded("42 01 00 00")) == ParsedMessage([.unknown("Fast Pair message 4201")]))
  }

  @Test func `an acknowledgement of something else answers nothing`() {
    var proto = FastPairProtocol()
    #expect(proto.receive(recorded("ff 01 00 02 03 03")) == ParsedMessage())
    #expect(proto.receive(recorded("ff 02 00 03 00 08 12")) == ParsedMessage())
  }

  @Test func `levels beyond 100 are unknown`() {
    var proto = FastPairProtocol()
    #expect(
      proto.receive(recorded("03 03 00 03 65 e4 7e")).events == [
        .batteryChanged([.right: Battery(level: 100, isCharging: true)])
      ])
  }

  @Test func `of a stream that is another model's nothing counts`() {
    for before in [[], ["03 01 00 03 aa bb cc", "03 03 00 03 57 41 7f"]] {
      var proto = FastPairProtocol(of: 0xAABBCC)
      for message in before { _ = proto.receive(recorded(message)) }
      _ = proto.receive(recorded("03 01 00 03 11 22 33"))
      #expect(proto.receive(recorded("03 03 00 03 10 20 30")) == ParsedMessage(response: 0x0303))
      #expect(proto.isAnothers && proto.capabilities == Capabilities())
    }
  }

  @Test func `nothing but ringing is ordered`() {
    var proto = FastPairProtocol()
    #expect(throws: HeadphoneError.unsupported("Fast Pair command for this")) {
      try proto.exchanges(for: .setANC(.off))
    }
  }
}
