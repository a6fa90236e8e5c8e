import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

/// Commands that the headphone carries out later.
@Suite struct BoseProtocolTests {
  @Test func `a Bose's mode is asked for until it is in force`() throws {
    var proto = BoseProtocol(on: SerialService.serialPort)
    _ = proto.questions()
    for frame in ["00 01 03 05 31 2e 31 2e 30", "1f 03 03 01 00"] {
      _ = proto.receive(recorded(frame))
    }
    let exchanges = try proto.exchanges(for: .setANC(.transparency))
    #expect(
      exchanges.map(\.values) == [[recorded("1f 03 05 02 01 00")], [recorded("1f 03 01 00")]])
    #expect(exchanges.last?.attempts == 6)
    // Announced; still the old one; the new one.
    #expect(proto.receive(recorded("1f 03 07 00")).response == exchanges.first?.response)
    #expect(proto.receive(recorded("1f 03 03 01 00")).response == nil)
    let last = proto.receive(recorded("1f 03 03 01 01"))
    #expect(
      last.response == exchanges.last?.response && last.events == [.ancChanged(.transparency)])
    #expect(try proto.accepted(.setANC(.transparency)).isEmpty)
    // An error ends the wait.
    _ = try proto.exchanges(for: .setANC(.noiseCancelling))
    _ = proto.receive(recorded("1f 03 04 01 05"))
    #expect(proto.receive(recorded("1f 03 03 01 01")).response == exchanges.last?.response)
    #expect(throws: HeadphoneError.refused(.notPermitted)) {
      try proto.accepted(.setANC(.noiseCancelling))
    }
  }

  /// Returns a protocol that has received frames after its first request.
  private func heard(_ frames: String...) -> BoseProtocol {
    var proto = BoseProtocol(on: SerialService.serialPort)
    _ = proto.questions()
    for frame in ["00 01 03 05 31 2e 32 2e 30"] + frames { _ = proto.receive(recorded(frame)) }
    return proto
  }

  @Test func `what a Bose tells before its answer is not taken for it`() throws {
    var proto = heard("1f 03 03 01 00")
    let start = try #require(try proto.exchanges(for: .setANC(.transparency)).first)
    // The mode, its settings, and another device that has gone.
    for told in [
      "1f 03 03 01 01", "1f 0a 03 05 0a 00 00 00 01", "04 02 06 06 02 00 00 00 00 09",
    ] {
      #expect(!proto.receive(recorded(told)).responses.contains(start.response), "\(told)")
    }
    #expect(proto.receive(recorded("1f 03 06 01 01")).responses == [start.response])
  }

  @Test func `blocks that a Bose does not list are not asked`() throws {
    var nc700 = heard()
    _ = nc700.furtherQuestions()
    _ = nc700.receive(recorded("00 02 03 04 02 0d 03 bf"))
    var ultra = heard()
    _ = ultra.furtherQuestions()
    _ = ultra.receive(recorded("00 02 03 04 87 cc 23 ff"))
    func blocks(_ proto: inout BoseProtocol) throws -> Set<UInt8> {
      Set(
        try proto.furtherQuestions().flatMap(\.values).map { value in
          try BoseFrame(decoding: value).function.block
        })
    }
    #expect(try blocks(&nc700) == [0, 1, 2, 4, 5, 9])
    #expect(try blocks(&ultra) == [0, 1, 2, 4, 5, 9, 31])
  }

  @Test func `which device is connected follows from one list alone`() throws {
    var proto = heard(
      "04 04 03 0d 03 02 00 00 00 00 01 02 00 00 00 00 02",
      "04 05 03 0f 02 00 00 00 00 01 03 02 03 4c 61 70 74 6f 70",
      "04 05 03 0e 02 00 00 00 00 02 01 02 03 50 68 6f 6e 65")
    let other = proto.receive(recorded("04 04 03 0d 02 02 00 00 00 00 02 02 00 00 00 00 01"))
    guard case .settingChanged(.pairedDevices, .pairedDevices(let devices))? = other.events.first
    else {
      Issue.record("\(other.events)")
      return
    }
    #expect(devices.map(\.name) == ["Phone", "Laptop"])
    #expect(devices.map(\.isConnected) == [false, true])
  }

  @Test(
    arguments: [
      (["04 0c 04 01 04"], false), (["04 0c 04 01 05"], true), ([], false),
      (["04 0e 03 01 01", "04 0c 04 01 05"], false), (["04 0e 03 01 03", "04 0c 04 01 05"], true),
    ] as [([String], Bool)])
  func `playing from a device is offered where a Bose has that function`(
    _ answers: [String], _ isOffered: Bool
  ) throws {
    var proto = heard("05 01 03 09 00 0f 01 02 00 00 00 00 01")
    for frame in answers + [
      "04 04 03 07 01 02 00 00 00 00 01",
      "04 05 03 0f 02 00 00 00 00 01 03 02 03 4c 61 70 74 6f 70",
    ] { _ = proto.receive(recorded(frame)) }
    let kind = proto.capabilities.declaration(of: .pairedDevices)?.kind
    guard case .pairedDevices(let actions)? = kind else {
      Issue.record("no devices")
      return
    }
    #expect(actions.contains(.play) == isOffered)
  }

  @Test func `a level beside modes is offered where live settings take it`() throws {
    var proto = heard("1f 03 03 01 00", "01 05 03 03 0b 07 03")
    #expect(!proto.capabilities.hasANCLevel)
    #expect(throws: HeadphoneError.self) { try proto.exchanges(for: .setANCLevel(3)) }
    _ = proto.receive(recorded("1f 0a 03 05 00 01 02 01 01"))
    #expect(proto.capabilities.ancLevels == 0...10)
    #expect(
      try proto.exchanges(for: .setANCLevel(3)).map(\.values)
        == [[recorded("1f 0a 02 05 03 00 02 00 01")]])
  }

  @Test func `nothing but bit 0 of two devices at a time is changed`() throws {
    for (now, on) in [("06", "07"), ("02", "03")] {
      var proto = heard("01 0a 03 01 \(now)")
      #expect(
        try proto.exchanges(for: .set(.multipoint, .toggle(true))).map(\.values)
          == [[recorded("01 0a 02 01 \(on)")]])
    }
  }
}
