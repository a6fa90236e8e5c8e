import BluetoothCodec
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

/// Events as the bytes of docs/protocol.md section 4.
@Suite struct EventTests {
  static let examples: [([UInt8], WireEvent)] = [
    ([0x01, 1, 0], .wearing(left: true, right: false)),
    ([0x02, 80, 75, 0xFF], .battery(BatteryReport(left: 80, right: 75, case: nil))),
    (
      [0x02, 0, 100, 50, 0b110],
      .battery(BatteryReport(left: 0, right: 100, case: 50, charging: [.right, .case]))
    ),
    ([0x03, 3], .anc(.adaptive)),
    ([0x04, 100], .firmwareProgress(100)),
    ([0x05, 2], .eq(.vocal, bands: nil)),
    ([0x05, 3, 2, 0xE8, 24], .eq(.custom, bands: gains([-24, 24]))),
    ([0x05, 3, 0], .eq(.custom, bands: [])),
    ([0x06, 1], .caseLid(isOpen: true)),
    ([0x07, 1, 3], .touch(.right, .hold)),
    (
      [0x08, 0x78, 0x56, 0x34, 0x12, 6, 0x05, 0, 0, 0x80],
      .firmwareAcknowledged(
        FirmwareAcknowledgement(
          contiguousOffset: 0x1234_5678, window: 6, arrived: 0x8000_0005))
    ),
    ([0x7F, 5], .error(.batteryTooLow)),
    ([0x7F, 0xFF], .error(.unspecified)),
    ([0x7F, 0x80], .error(.other(0x80))),
  ]

  @Test(arguments: examples)
  func `bytes and events are the same`(bytes: [UInt8], event: WireEvent) throws {
    #expect(try WireEvent(decoding: bytes[...]) == event)
    #expect(event.encoded() == bytes)
  }

  @Test(arguments: examples.filter { $0.1 != .eq(.vocal, bands: nil) })
  func `a longer payload is accepted and its tail ignored`(bytes: [UInt8], event: WireEvent) throws
  {
    if case .battery(let report) = event, report.charging == nil { return }
    #expect(try WireEvent(decoding: (bytes + [0xEE, 0xEE])[...]) == event)
  }

  @Test(arguments: examples)
  func `a slice keeps its own indices`(bytes: [UInt8], event: WireEvent) throws {
    #expect(try WireEvent(decoding: ([0xEE, 0xEE] + bytes)[2...]) == event)
  }

  @Test(arguments: examples)
  func `a truncated event says what is missing`(bytes: [UInt8], event: WireEvent) {
    for length in 0..<bytes.count {
      // The optional tails of the battery and EQ events may be missing as a whole.
      if bytes[0] == 0x02, length == 4 { continue }
      if bytes[0] == 0x05, length == 2 { continue }
      let error = #expect(throws: MalformedBytes.self) {
        try WireEvent(decoding: bytes.prefix(length))
      }
      guard case .truncated = error?.reason else {
        Issue.record("\(bytes.prefix(length)) gave \(String(describing: error))")
        continue
      }
    }
  }

  @Test(
    arguments: [
      ([0x01, 2, 0], 1), ([0x01, 0, 2], 2), ([0x02, 101, 0, 0], 1), ([0x02, 0, 254, 0], 2),
      ([0x02, 0, 0, 246], 3), ([0x03, 4], 1), ([0x04, 101], 1), ([0x05, 4], 1),
      ([0x05, 3, 1, 25], 3), ([0x05, 3, 1, 0x80], 3), ([0x06, 2], 1), ([0x07, 2, 0], 1),
      ([0x07, 0, 4], 2),
    ] as [([UInt8], Int)])
  func `a value out of range is rejected with its place`(bytes: [UInt8], offset: Int) {
    #expect(throws: MalformedBytes("event", at: offset, .badValue(UInt64(bytes[offset])))) {
      try WireEvent(decoding: bytes[...])
    }
  }

  @Test(arguments: [0x00, 0x09, 0x7E, 0x80, 0xA5, 0xFF] as [UInt8])
  func `an unknown event is named`(code: UInt8) {
    #expect(throws: MalformedBytes("event", at: 0, .unknownType(UInt64(code)))) {
      try WireEvent(decoding: [code, 1, 1, 1, 1])
    }
  }

  @Test func `reserved charging bits are ignored`() throws {
    #expect(
      try WireEvent(decoding: [0x02, 1, 2, 3, 0xF9])
        == .battery(BatteryReport(left: 1, right: 2, case: 3, charging: [.left])))
  }

  @Test func `every status code keeps its value`() {
    for code in UInt8.min...UInt8.max { #expect(HeadphoneStatus(code: code).code == code) }
    #expect(HeadphoneStatus(code: 8) == .wrongState)
    #expect(HeadphoneStatus(code: 16) == .blockChecksumWrong)
  }

  @Test func `no mutation of an event traps`() {
    var generator = SeededGenerator(seed: 1)
    var decoded = 0
    for round in 0..<100_000 {
      let bytes = Self.examples[round % Self.examples.count].0.mutated(by: &generator)
      if let event = try? WireEvent(decoding: bytes[...]) {
        decoded += 1
        #expect((try? WireEvent(decoding: event.encoded()[...])) == event)
      }
    }
    #expect(decoded > 1000)
  }
}

func gains(_ halfDecibels: [Int8]) -> [BandGain] {
  halfDecibels.compactMap(BandGain.init(halfDecibels:))
}
