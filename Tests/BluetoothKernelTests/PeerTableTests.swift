import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Testing

@testable import BluetoothKernel

@Suite struct PeerTableTests {
  private static let services: [UInt8] = [0x03, 0x02, 0xF0, 0xFF]
  private static let name: [UInt8] = [0x04, 0x09, 0x42, 0x75, 0x64]

  @Test func `merges advertisement and scan response`() {
    var air = Air()
    let first = air.receive(report(Self.services))
    #expect(first?.data.serviceUUIDs == [.bit16(0xFFF0)])
    #expect(first?.isConnectable == true)
    let second = air.receive(report(Self.name, [.scannable, .scanResponse]))
    #expect(second?.data.localName == "Bud")
    #expect(second?.data.serviceUUIDs == [.bit16(0xFFF0)])
    #expect(second?.isConnectable == true)
  }

  @Test func `a scan response may decide whether it passes`() {
    var air = Air(ScanOptions(services: [.bit16(0xFFF0)], name: "BUD"))
    #expect(air.receive(report(Self.services)) == nil)
    #expect(air.receive(report(Self.name, [.scannable, .scanResponse])) != nil)
  }

  @Test func `a scan response that says nothing new is not reported`() {
    var air = Air()
    #expect(air.receive(report(Self.services)) != nil)
    #expect(air.receive(report(Self.services, [.scannable, .scanResponse])) == nil)
    #expect(air.receive(report([], [.scannable, .scanResponse])) == nil)
  }

  @Test func `a changed signal is reported once a second at most`() {
    var air = Air()
    #expect(air.receive(report(rssi: -50)) != nil)
    #expect(air.receive(report(rssi: -51), after: .milliseconds(999)) == nil)
    #expect(air.receive(report(rssi: -52), after: .milliseconds(1))?.rssi == -52)
    #expect(air.receive(report(rssi: -52), after: .seconds(5)) == nil)
  }

  @Test func `changed data are reported at once`() {
    var air = Air()
    _ = air.receive(report(Self.services))
    #expect(air.receive(report(Self.services + Self.name)) != nil)
  }

  @Test func `weak peripherals are left out but those without a signal are not`() {
    var air = Air(ScanOptions(rssiFloor: -90))
    #expect(air.receive(report(rssi: -91)) == nil)
    #expect(air.receive(report(rssi: -90)) != nil)
    #expect(air.receive(report(rssi: nil, last: 0x01)) != nil)
  }

  @Test func `an anonymous advertisement is nobody`() {
    var air = Air()
    var anonymous = report()
    anonymous.addressType = .anonymous
    #expect(air.receive(anonymous) == nil)
    #expect(air.table.count == 0)
  }

  @Test func `two sets of one address are two, each with its number and interval`() {
    var air = Air(ScanOptions(services: [.bit16(0x1852)], rssiFloor: .min))
    var broadcast = report([0x06, 0x16, 0x52, 0x18, 0xEF, 0xCD, 0xAB], [])
    broadcast.properties.remove(.legacy)
    broadcast.set = 5
    broadcast.periodicInterval = 0x50
    let found = air.receive(broadcast)
    #expect(found?.advertisingSet == 5 && found?.periodicInterval == 0x50)
    #expect(found?.isConnectable == false)
    var other = broadcast
    other.set = 6
    other.periodicInterval = 0
    other.data = [0x06, 0x16, 0x52, 0x18, 0x34, 0x12, 0x00]
    #expect(air.receive(other)?.advertisingSet == 6)
    // What one has to say is not the other's news.
    #expect(air.receive(broadcast) == nil && air.receive(other) == nil)
  }

  @Test func `an extended advertisement in parts is joined`() {
    var air = Air()
    var part = report(Array(Self.services + Self.name.prefix(2)))
    part.dataStatus = .moreToCome
    #expect(air.receive(part)?.data.structures.isEmpty != false)
    part = report(Array(Self.name.dropFirst(2)))
    let whole = air.receive(part)
    #expect(whole?.data.localName == "Bud")
    #expect(whole?.data.serviceUUIDs == [.bit16(0xFFF0)])
  }

  @Test func `a malformed structure costs itself only`() {
    var air = Air()
    let odd: [UInt8] = [0x02, 0xFF, 0x4C]
    let peripheral = air.receive(report(Self.services + odd + Self.name))
    #expect(peripheral?.data.localName == "Bud")
    #expect(peripheral?.data.serviceUUIDs == [.bit16(0xFFF0)])
    #expect(air.malformed.count == 1)
    // The same bytes again are not told of again.
    _ = air.receive(report(Self.services + odd + Self.name))
    #expect(air.malformed.count == 1)
  }

  @Test func `a length beyond the end keeps what came before`() {
    var air = Air()
    let peripheral = air.receive(report(Self.name + [0x1E, 0xFF, 0x00]))
    #expect(peripheral?.data.localName == "Bud")
    #expect(air.malformed.count == 1)
  }

  @Test func `a flood of addresses forgets the unwanted first`() {
    var air = Air(ScanOptions(services: [.bit16(0xFFF0)]))
    _ = air.receive(report(Self.services))
    for number in 0..<UInt64(2 * PeerTable.limit) {
      _ = air.receive(report(Self.name, last: 0x10000 + number), after: .milliseconds(1))
    }
    #expect(air.table.count == PeerTable.limit)
    // Still known: nothing new is told of it.
    #expect(air.receive(report(Self.services)) == nil)
  }

  /// A peer table with the time and the malformed reports.
  private struct Air {
    var table: PeerTable
    var now: Duration = .zero
    var malformed: [MalformedBytes] = []

    init(_ options: ScanOptions = ScanOptions()) { table = PeerTable(options) }

    mutating func receive(_ report: AdvertisingReport, after pause: Duration = .zero)
      -> DiscoveredPeripheral?
    {
      now += pause
      return table.receive(report, at: now) { malformed.append($0) }
    }
  }
}
