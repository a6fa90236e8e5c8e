import BluetoothCodec
import HeadphoneProtocols
import Testing
import VirtualHeadphones

/// Responses as the bytes of docs/protocol.md section 6.
@Suite struct ReportTests {
  @Test func `capabilities have the document's bytes`() throws {
    let report = CapabilityReport(
      features: [.anc, .eq, .customEQ, .case, .rename], ancModes: [.off, .transparency],
      eqPresets: EQPreset.allCases, bands: 8, window: 2)
    let bytes: [UInt8] = [1, 0x8D, 0x02, 0b0101, 0b1111, 8, 2]
    #expect(report.encoded() == bytes)
    #expect(try CapabilityReport(decoding: bytes[...]) == report)
    #expect(try CapabilityReport(decoding: (bytes + [9])[...]) == report)
    for length in 0..<bytes.count {
      #expect(throws: MalformedBytes.self) {
        try CapabilityReport(decoding: bytes.prefix(length))
      }
    }
  }

  @Test func `reserved bits of masks and a window of nothing are harmless`() throws {
    let report = try CapabilityReport(decoding: [1, 0xFF, 0xFF, 0xF0, 0x10, 0, 0])
    #expect(report.ancModes == [] && report.eqPresets == [] && report.window == 1)
    #expect(report.features.isSuperset(of: .all))
  }

  @Test func `state is a list of events`() {
    let bytes: [UInt8] = [3, 1, 1, 0, 2, 3, 1, 2, 6, 0]
    let events: [WireEvent] = [
      .wearing(left: true, right: false), .anc(.noiseCancelling), .caseLid(isOpen: false),
    ]
    #expect(StateReport(decoding: bytes[...]) == StateReport(events))
    #expect(StateReport(events).encoded() == bytes)
  }

  @Test func `one bad event does not spoil the state`() {
    let report = StateReport(decoding: [2, 3, 9, 0, 2, 6, 1, 4, 2, 80])
    #expect(report.entries.count == 4)
    #expect(report.entries[2] == .event(.caseLid(isOpen: true)))
    #expect(report.encoded() == [2, 6, 1])
  }

  @Test func `touch actions are eight bytes`() throws {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 0]
    let table = try TouchActionTable(decoding: bytes[...])
    #expect(table.actions[.left]?[.hold] == .cycleANC)
    #expect(table.actions[.right]?[.hold] == TouchAction.none)
    #expect(table.encoded() == bytes)
    #expect(throws: MalformedBytes.self) { try TouchActionTable(decoding: bytes.prefix(7)) }
    #expect(try TouchActionTable(decoding: [9, 2, 3, 4, 5, 6, 7, 0]).actions[.left]?[.tap] == nil)
  }

  @Test func `gains are counted half decibels`() throws {
    #expect(try BandGains(decoding: [3, 0xE8, 0, 24]).gains == gains([-24, 0, 24]))
    #expect(BandGains(gains([-24, 0, 24])).encoded() == [3, 0xE8, 0, 24])
    #expect(throws: MalformedBytes("custom EQ", at: 2, .badValue(25))) {
      try BandGains(decoding: [2, 0, 25])
    }
  }
}
