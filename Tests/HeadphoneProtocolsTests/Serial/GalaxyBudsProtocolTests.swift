import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

@Suite struct GalaxyBudsProtocolTests {
  private func asked(
    _ frames: String..., on service: BluetoothUUID = GalaxyBudsProtocol.laterService
  ) -> GalaxyBudsProtocol {
    var proto = GalaxyBudsProtocol(on: service)
    _ = proto.questions()
    for frame in frames { _ = proto.receive(recorded(frame)) }
    return proto
  }

  /// Buds2 Pro in the ears, ambient sound.
  private static let state =
    "fd 2f 00 61 0b 04 63 63 01 00 11 00 01 00 bf 21 02 00 48 01 48 01 03 00 03 66 00 01 00 10 01 01 00 00 11 02 01 01 00 01 00 00 01 00 00 00 00 00 4d 63 dd"

  @Test func `orders are written as they were recorded, and confirmed by number and value`() throws
  {
    var proto = asked(Self.state)
    #expect(
      proto.questions().flatMap(\.values) == [recorded("fd 06 10 88 01 01 22 da 58 dd")])
    let request = try #require(try proto.exchanges(for: .setANC(.noiseCancelling)).first)
    #expect(request.values == [recorded("fd 04 10 78 01 d1 91 dd")])
    let echo = proto.receive(recorded("fd 05 00 42 78 01 1c e2 dd"))
    #expect(echo == ParsedMessage(response: request.response, [.ancChanged(.noiseCancelling)]))
    #expect(throws: HeadphoneError.self) { try proto.accepted(.setANC(.off)) }
  }

  @Test func `a bud that is worn never sounds`() throws {
    var proto = asked(Self.state)
    for sides in [Sides.left, .right, .both] {
      #expect(throws: HeadphoneError.refused(.wrongState)) {
        try proto.exchanges(for: .find(sides, isOn: true))
      }
    }
    // The left one out of the ear: it alone sounds, and the right one is muted.
    let moved = GalaxyBudsFrame(.later, 0x60, [0x0B, 99, 99, 1, 0, 0x21, 40, 0])
    _ = proto.receive(moved.encoded()[...])
    let request = try #require(try proto.exchanges(for: .find(.left, isOn: true)).first)
    #expect(
      try request.values.map { try GalaxyBudsFrame(decoding: $0) } == [
        GalaxyBudsFrame(.later, 0xA0), GalaxyBudsFrame(.later, 0xA2, [0, 1]),
      ])
    #expect(throws: HeadphoneError.refused(.wrongState)) {
      try proto.exchanges(for: .find(.both, isOn: true))
    }
  }

  @Test func `nothing is sent before a state has told the model, but the one question`() {
    var proto = asked()
    #expect(throws: HeadphoneError.notStarted) { try proto.exchanges(for: .setANC(.off)) }
    #expect(!proto.isRecognised)
  }

  @Test(
    arguments: [
      // Cut off.
      [0x0B, 4, 99], [0x0B, 4, 99, 99, 1, 0, 0x11, 40, 1, 0, 0xBF, 0x21],
    ] as [[UInt8]])
  func `a state that cannot be is reported as that`(_ state: [UInt8]) {
    var proto = asked()
    let frame = GalaxyBudsFrame(.later, 0x61, state).encoded()
    guard case .malformed? = proto.receive(frame[...]).events.first else {
      Issue.record("it is a state")
      return
    }
    #expect(proto.capabilities == Capabilities() && !proto.isRecognised)
  }

  @Test func `a value that cannot be costs itself alone`() throws {
    var proto = asked()
    var state = Array(try GalaxyBudsFrame(decoding: recorded(Self.state)).payload)
    // A mode without a name, a place that is none, a flag of 2.
    (state[12], state[6], state[8]) = (9, 0x71, 2)
    let words = proto.receive(GalaxyBudsFrame(.later, 0x61, state).encoded()[...]).events.map(
      \.words)
    #expect(words.contains("battery left 99 not charging, right 99 not charging"))
    #expect(words.contains("noise-mode 9") && words.contains("ambient-level 1"))
    #expect(words.count { $0 == "malformed" } == 2 && !words.contains { $0.hasPrefix("game") })
    #expect(proto.capabilities.ancModes == [.off, .noiseCancelling, .transparency])
  }

  /// Buds4 Pro in the ears, ambient sound.
  private static let fourth =
    "fd410061040d625e010111000003ff220200670167010300049900020410010000001102000000000000000100000000000001000101000000ff0101000000000001a958dd"

  @Test func `a result of 0 of Buds4 Pro is not off: the report that follows answers`() throws {
    var proto = asked(Self.fourth)
    let order = HeadphoneCommand.setANC(.noiseCancelling)
    let request = try #require(try proto.exchanges(for: order).first)
    #expect(request.values == [recorded("fd 04 10 78 01 d1 91 dd")])
    #expect(proto.receive(recorded("fd05104278003df2dd")) == ParsedMessage())
    // A bud that is taken out, and a pinch to another mode, answer nothing.
    for report in [
      "fd0e00770212010009090202020202f26fdd", "fd0e0077001101000909020000020286fddd",
    ] {
      #expect(!proto.receive(recorded(report)).responses.contains(request.response))
    }
    let report = proto.receive(recorded("fd0e007701110100090901000102022dfcdd"))
    #expect(report.responses.contains(request.response))
    #expect(report.events == [.ancChanged(.noiseCancelling)])
    #expect(try proto.accepted(order) == [])
    // What is in force already is taken at once.
    let again = try #require(try proto.exchanges(for: order).first)
    #expect(proto.receive(recorded("fd05104278003df2dd")).responses == [again.response])
  }

  @Test func `a setting that Buds4 Pro confirm by a result counts as set`() throws {
    var proto = asked(Self.fourth)
    let order = HeadphoneCommand.set("one-bud-noise-control", .toggle(true))
    let request = try #require(try proto.exchanges(for: order).first)
    #expect(
      try GalaxyBudsFrame(decoding: request.values[0]) == GalaxyBudsFrame(.later, 0x6F, [1]))
    let answer = proto.receive(GalaxyBudsFrame(.later, 0x42, [0x6F, 0]).encoded()[...])
    #expect(answer == ParsedMessage(response: request.response))
    #expect(
      try proto.accepted(order) == [
        .settingChanged("one-bud-noise-control", .toggle(true))
      ])
  }

  @Test func `cancelling with one bud says what to do`() throws {
    // The left bud of Buds2 Pro alone.
    var proto = asked(Self.state)
    let moved = GalaxyBudsFrame(.later, 0x60, [0x0B, 99, 99, 1, 0, 0x12, 40, 0])
    _ = proto.receive(moved.encoded()[...])
    let order = HeadphoneCommand.setANC(.noiseCancelling)
    _ = try proto.exchanges(for: order)
    _ = proto.receive(recorded("fd05104278003df2dd"))
    let words = HeadphoneError.badArgument("wear both buds, or allow noise control with one bud")
    #expect(throws: words) { try proto.accepted(order) }
    // Where one is allowed, the buds have another reason.
    _ = try proto.exchanges(for: .set("one-bud-noise-control", .toggle(true)))
    _ = proto.receive(GalaxyBudsFrame(.later, 0x42, [0x6F, 1]).encoded()[...])
    _ = try proto.exchanges(for: order)
    _ = proto.receive(recorded("fd05104278003df2dd"))
    #expect(throws: HeadphoneError.noMode(.noiseCancelling)) { try proto.accepted(order) }
  }

  @Test func `both builds are the firmware, and a difference is said`() throws {
    var proto = asked(Self.fourth)
    let builds =
      "fd2f086802025236343058585530415a443200000000000000005236343058585530415a443200000000000000000000c874dd"
    _ = proto.receive(recorded(builds))
    #expect(proto.information.firmware == "R640XXU0AZD2")
    #expect(proto.information.model == "Galaxy Buds4 Pro")
    var payload = Array(try GalaxyBudsFrame(decoding: recorded(builds)).payload)
    payload[33] = 0x33
    _ = proto.receive(GalaxyBudsFrame(.later, 0x68, payload).encoded()[...])
    #expect(proto.information.firmware == "left R640XXU0AZD2, right R640XXU0AZD3")
  }

  @Test(
    arguments: [
      (0x08, 322, "Galaxy Buds Core"), (0x09, 334, "Galaxy Buds3"), (0x0A, 340, "Galaxy Buds3 Pro"),
      (0x0B, 348, "Galaxy Buds3 FE"), (0x0C, 355, "Galaxy Buds4"), (0x0D, 361, "Galaxy Buds4 Pro"),
      (0x0D, 0, "Galaxy Buds4 Pro"), (0x7F, 0, nil),
    ] as [(UInt8, Int, String?)])
  func `a colour names the model`(_ ear: UInt8, _ colour: Int, _ name: String?) throws {
    var state = Array(try GalaxyBudsFrame(decoding: recorded(Self.state)).payload)
    state[1] = ear
    (state[14], state[15]) = (UInt8(colour & 0xFF), UInt8(colour >> 8))
    (state[16], state[17]) = (state[14], state[15])
    var proto = asked()
    _ = proto.receive(GalaxyBudsFrame(.later, 0x61, state).encoded()[...])
    #expect(proto.information.model == name)
    #expect(proto.capabilities.declares("cancelling-strength") == false)
  }

  @Test(arguments: [(10, 7), (6, 5), (3, nil)] as [(UInt8, Int?)])
  func `the touch lock of Buds2 has as many bytes as the revision takes`(
    _ revision: UInt8, _ count: Int?
  ) throws {
    let second =
      "fd 28 10 61 0a 03 64 64 01 01 11 33 00 03 3f 22 01 00 3c 01 3c 01 02 00 03 66 00 01 00 10 00 00 00 00 11 02 01 01 00 00 00 be a3 dd"
    var state = Array(try GalaxyBudsFrame(decoding: recorded(second)).payload)
    state[0] = revision
    if count == nil { state[10] = 1 }
    var proto = asked()
    _ = proto.receive(GalaxyBudsFrame(.later, 0x61, state).encoded()[...])
    let order = try? proto.exchanges(for: .set("touch-lock", .toggle(true)))
    #expect(
      try order?.first.map { try GalaxyBudsFrame(decoding: $0.values[0]).payload.count } == count)
  }

  @Test func `a level above the generation's widens the range, and a bud above 100 % is left out`()
    throws
  {
    var proto = asked(Self.state)
    #expect(proto.capabilities.ancLevels == 0...2)
    var state = Array(try GalaxyBudsFrame(decoding: recorded(Self.state)).payload)
    (state[2], state[23]) = (101, 3)
    let events = proto.receive(GalaxyBudsFrame(.later, 0x61, state).encoded()[...]).events
    #expect(events.contains(.ancLevelChanged(3)))
    #expect(proto.capabilities.ancLevels == 0...3)
    let level = try #require(try proto.exchanges(for: .setANCLevel(3)).first)
    #expect(try level.values.map { try GalaxyBudsFrame(decoding: $0).payload } == [[3]])
    #expect(proto.capabilities.batteries == [.left, .right])
    #expect(events.contains { if case .malformed = $0 { true } else { false } })
  }

  @Test func `the lock of the touch panel keeps what gestures do`() throws {
    var proto = asked(Self.state)
    let request = try proto.exchanges(for: .set("touch-lock", .toggle(true)))
    #expect(
      try request.flatMap(\.values).map { try GalaxyBudsFrame(decoding: $0) }
        == [GalaxyBudsFrame(.later, 0x90, [0, 1, 1, 1, 1, 1, 1])])
  }

  @Test func `the first ones are ordered in their own framing, and confirm little`() throws {
    var proto = asked(
      "fe 01 12 61 03 00 46 5f 01 00 00 00 00 02 01 07 00 22 01 a5 75 ee",
      on: GalaxyBudsProtocol.firstService)
    #expect(proto.capabilities.ancModes == [.off, .transparency])
    #expect(proto.capabilities.ancLevels == 0...4 && !proto.capabilities.hasCase)
    let level = try #require(try proto.exchanges(for: .setANCLevel(4)).first)
    #expect(!level.hasResponse && level.values.first?.first == 0xFE)
    #expect(try proto.accepted(.setANCLevel(4)) == [.ancLevelChanged(4)])
    let preset = HeadphoneCommand.set(.equaliserPreset, .choice("soft"))
    #expect(try proto.exchanges(for: preset).allSatisfy { !$0.hasResponse })
    #expect(
      try proto.accepted(preset) == [.settingChanged(.equaliserPreset, .choice("soft"))])
    let ambient = try #require(try proto.exchanges(for: .setANC(.transparency)).first)
    #expect(ambient.hasResponse)
  }
}
