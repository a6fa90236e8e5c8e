import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

/// Conversations with Galaxy Buds, frame by frame.
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
      // A noise control of no name, a place that is none, a state that is cut off.
      [0x0B, 4, 99, 99, 1, 0, 0x11, 40, 1, 0, 0xBF, 0x21, 9],
      [0x0B, 4, 99, 99, 1, 0, 0x71, 40, 1, 0, 0xBF, 0x21, 2], [0x0B, 4, 99],
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
