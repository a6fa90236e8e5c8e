import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

/// Conversations with Galaxy Buds, frame by frame.
@Suite struct GalaxyBudsProtocolTests {
  private func asked(
    _ frames: String..., on service: BluetoothUUID = GalaxyBudsProtocol.laterService
  ) -> GalaxyBudsProtocol {
    var language = GalaxyBudsProtocol(on: service)
    _ = language.questions()
    for frame in frames { _ = language.receive(recorded(frame)) }
    return language
  }

  /// Buds2 Pro in the ears, ambient sound.
  private static let state =
    "fd 2f 00 61 0b 04 63 63 01 00 11 00 01 00 bf 21 02 00 48 01 48 01 03 00 03 66 00 01 00 10 01 01 00 00 11 02 01 01 00 01 00 00 01 00 00 00 00 00 4d 63 dd"

  @Test func `orders are written as they were recorded, and confirmed by number and value`() throws
  {
    var language = asked(Self.state)
    #expect(
      language.questions().flatMap(\.values) == [recorded("fd 06 10 88 01 01 22 da 58 dd")])
    let order = try #require(try language.exchanges(for: .setANC(.noiseCancelling)).first)
    #expect(order.values == [recorded("fd 04 10 78 01 d1 91 dd")])
    let echo = language.receive(recorded("fd 05 00 42 78 01 1c e2 dd"))
    #expect(echo == ParsedMessage(answer: order.answer, [.ancChanged(.noiseCancelling)]))
    #expect(throws: HeadphoneError.self) { try language.accepted(.setANC(.off)) }
  }

  @Test func `a bud that is worn never sounds`() throws {
    var language = asked(Self.state)
    for sides in [Sides.left, .right, .both] {
      #expect(throws: HeadphoneError.refused(.wrongState)) {
        try language.exchanges(for: .find(sides, isOn: true))
      }
    }
    // The left one out of the ear: it alone sounds, and the right one is muted.
    let moved = GalaxyBudsFrame(.later, 0x60, [0x0B, 99, 99, 1, 0, 0x21, 40, 0])
    _ = language.receive(moved.encoded()[...])
    let order = try #require(try language.exchanges(for: .find(.left, isOn: true)).first)
    #expect(
      try order.values.map { try GalaxyBudsFrame(decoding: $0) } == [
        GalaxyBudsFrame(.later, 0xA0), GalaxyBudsFrame(.later, 0xA2, [0, 1]),
      ])
    #expect(throws: HeadphoneError.refused(.wrongState)) {
      try language.exchanges(for: .find(.both, isOn: true))
    }
  }

  @Test func `nothing is sent before a state has told the model, but the one question`() {
    var language = asked()
    #expect(throws: HeadphoneError.notStarted) { try language.exchanges(for: .setANC(.off)) }
    #expect(!language.isRecognised)
  }

  @Test(
    arguments: [
      // A noise control of no name, a place that is none, a state that is cut off.
      [0x0B, 4, 99, 99, 1, 0, 0x11, 40, 1, 0, 0xBF, 0x21, 9],
      [0x0B, 4, 99, 99, 1, 0, 0x71, 40, 1, 0, 0xBF, 0x21, 2], [0x0B, 4, 99],
    ] as [[UInt8]])
  func `a state that cannot be is reported as that`(_ state: [UInt8]) {
    var language = asked()
    let frame = GalaxyBudsFrame(.later, 0x61, state).encoded()
    guard case .malformed? = language.receive(frame[...]).events.first else {
      Issue.record("it is a state")
      return
    }
    #expect(language.capabilities == Capabilities() && !language.isRecognised)
  }

  @Test func `a level above the generation's widens the range, and a bud above 100 % is left out`()
    throws
  {
    var language = asked(Self.state)
    #expect(language.capabilities.ancLevels == 0...2)
    var state = Array(try GalaxyBudsFrame(decoding: recorded(Self.state)).payload)
    (state[2], state[23]) = (101, 3)
    let events = language.receive(GalaxyBudsFrame(.later, 0x61, state).encoded()[...]).events
    #expect(events.contains(.ancLevelChanged(3)))
    #expect(language.capabilities.ancLevels == 0...3)
    let level = try #require(try language.exchanges(for: .setANCLevel(3)).first)
    #expect(try level.values.map { try GalaxyBudsFrame(decoding: $0).payload } == [[3]])
    #expect(language.capabilities.batteries == [.left, .right])
    #expect(events.contains { if case .malformed = $0 { true } else { false } })
  }

  @Test func `the lock of the touch panel keeps what gestures do`() throws {
    var language = asked(Self.state)
    let order = try language.exchanges(for: .set("touch-lock", .toggle(true)))
    #expect(
      try order.flatMap(\.values).map { try GalaxyBudsFrame(decoding: $0) }
        == [GalaxyBudsFrame(.later, 0x90, [0, 1, 1, 1, 1, 1, 1])])
  }

  @Test func `the first ones are ordered in their own framing, and confirm little`() throws {
    var language = asked(
      "fe 01 12 61 03 00 46 5f 01 00 00 00 00 02 01 07 00 22 01 a5 75 ee",
      on: GalaxyBudsProtocol.firstService)
    #expect(language.capabilities.ancModes == [.off, .transparency])
    #expect(language.capabilities.ancLevels == 0...4 && !language.capabilities.hasCase)
    let level = try #require(try language.exchanges(for: .setANCLevel(4)).first)
    #expect(!level.isAnswered && level.values.first?.first == 0xFE)
    let ambient = try #require(try language.exchanges(for: .setANC(.transparency)).first)
    #expect(ambient.isAnswered)
  }
}
