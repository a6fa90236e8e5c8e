import BluetoothCodec
import TestSupport
import Testing

@testable import HeadphoneProtocols

/// Frames as a public project recorded them of a TUNE230NC.
@Suite struct JBLTests {
  static let recordings: [(String, UInt8, [HeadphoneEvent])] = [
    ("aa 9b 02 01 01", 0x9B, []), ("aa 9b 03 02 01 00", 0x9B, []),
    (
      "aa 25 0d 01 00 00 0a 1e 00 4e 10 0e 78 0e cc 0c", 0x25,
      [
        .batteryChanged([
          .left: Battery(level: 10), .right: Battery(level: 30), .case: Battery(level: 78),
        ])
      ]
    ),
    ("aa 21 01 30", 0x21, []), ("aa 22 0d 30 00 02 00 04 df 01 00 00 01 00 00 00", 0x22, []),
    (
      "aa 91 07 12 01 00 02 01 03 00", 0x91,
      [.ancChanged(.transparency), .settingChanged("talk-through", .toggle(false))]
    ),
  ]

  @Test(arguments: recordings)
  func `a recorded frame is read and written as it was`(
    _ string: String, _ command: UInt8, _ events: [HeadphoneEvent]
  ) throws {
    let frame = try JBLFrame(decoding: recorded(string))
    #expect(frame.command == command && frame.encoded() == Array(recorded(string)))
    var language = JBLProtocol()
    #expect(language.receive(recorded(string)).events == events)
  }

  @Test(
    arguments: [
      // A heartbeat of another channel; a level of 101; two slots on; a slot of no name; cut off.
      "be 50 00 03 00 00 01 ed", "aa 25 0d 01 00 00 65 1e 00 4e 10 0e 78 0e cc 0c",
      "aa 91 07 12 01 01 02 01 03 00", "aa 91 07 12 01 00 04 01 03 00", "aa 91 07 12 01 00",
      "aa 91 03 12 01 00",
    ])
  func `what cannot be is reported as that`(_ string: String) {
    var language = JBLProtocol()
    guard case .malformed? = language.receive(recorded(string)).events.first else {
      Issue.record("it is taken")
      return
    }
    #expect(language.capabilities == Capabilities())
  }

  @Test func `mutated frames give no impossible value`() {
    var generator = SeededGenerator(seed: 0xAA)
    var language = JBLProtocol()
    for round in 0..<100_000 {
      let frame = Array(recorded(Self.recordings[round % Self.recordings.count].0))
      let bytes = frame.mutated(by: &generator)
      for case .batteryChanged(let parts) in language.receive(bytes[...]).events
      where parts.values.contains(where: { $0.level.map { $0 > 100 } == true }) {
        Issue.record("\(parts)")
      }
    }
  }

  @Test func `an order names all slots, and only what was reported can be ordered`() throws {
    var language = JBLProtocol()
    #expect(throws: HeadphoneError.self) { try language.exchanges(for: .setANC(.off)) }
    _ = language.receive(recorded("aa 91 07 12 01 00 02 01 03 00"))
    let order = try language.exchanges(for: .setANC(.noiseCancelling)).flatMap(\.values)
    #expect(order == [recorded("aa 91 07 10 01 01 02 00 03 00"), recorded("aa 91 01 11")])
    #expect(throws: HeadphoneError.self) { try language.accepted(.setANC(.noiseCancelling)) }
  }
}
