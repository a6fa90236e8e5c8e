internal import BluetoothCodec
internal import BluetoothKernel
internal import BluetoothRadio
internal import EventLoop
internal import Locking

/// Nearby advertisers, as the packets of a controller's raw socket report them.
@MainActor
final class Crowd {
  /// A signal strength in dBm that `send(_:within:rssi:)` does not choose itself.
  static let lastSignal: Int8 = -20

  /// One packet for each address; the last byte is the signal strength.
  private let packets: [[UInt8]]
  private let air = CrowdedAir()
  private var sent = 0
  private var peers: PeerTable?

  init(addresses: Int, headphones: Int) throws {
    packets = try (0..<addresses).map { number in
      let data = AdvertisingData([
        .flags([.leGeneralDiscoverable]),
        .serviceUUIDs([.bit16(number < headphones ? 0xFFF0 : 0xFEAA)], isComplete: true),
        .localName(Array("Number \(number)".utf8)[...], isComplete: true),
      ])
      let report = AdvertisingReport(
        [.connectable, .scannable], addressType: .random,
        address: BluetoothAddress(value: 0xC0DE_5E01_0000 | UInt64(number)), rssi: -60,
        data: try data.encoded()[...])
      return try HCIPacket.event(.le(.advertisingReports([report]))).encoded()
    }
  }

  var radio: some Radio { air }

  /// Sends reports at a constant rate; `rssi` in dBm, or nil for one that changes in each round.
  func send(_ count: Int, within duration: Duration, rssi: Int8? = nil) async {
    let begin = ContinuousClock.now
    let target = sent + count
    let start = sent
    while sent < target {
      let due = min(target, start + Int(Double(count) * (begin.duration(to: .now) / duration)))
      while sent < due {
        report(sent % packets.count, rssi ?? Int8(-60 - sent / packets.count % 20))
        sent += 1
      }
      try? await MainLoop.clock.sleep(for: .milliseconds(10))
    }
  }

  /// Processes a report as the scan of `BluetoothKernel` processes a packet of its socket.
  private func report(_ number: Int, _ rssi: Int8) {
    guard let options = air.options else { return }
    var table = peers ?? PeerTable(options)
    peers = nil
    var packet = packets[number]
    packet[packet.count - 1] = UInt8(bitPattern: rssi)
    guard
      case .event(.le(.advertisingReports(let reports)))? = try? HCIPacket(decoding: packet[...])
    else { return }
    for report in reports {
      if let found = table.receive(report, at: air.elapsed, malformed: { _ in }) {
        air.yield(found)
      }
    }
    peers = table
  }
}

/// A radio that finds the given peripherals, and connects to none.
private final class CrowdedAir: Radio {
  private struct Scan {
    var options: ScanOptions?
    var found: AsyncThrowingStream<DiscoveredPeripheral, any Error>.Continuation?
  }

  private let scan = Mutex(Scan())
  private let timeline = ElapsedClock(MainLoop.clock)

  var options: ScanOptions? { scan.withLock(\.options) }
  var elapsed: Duration { timeline.elapsed }

  func yield(_ peripheral: DiscoveredPeripheral) {
    _ = scan.withLock(\.found)?.yield(peripheral)
  }

  func adapters() async throws(RadioError) -> [Adapter] {
    [Adapter(name: "hci0", address: BluetoothAddress(value: 1), isPowered: true)]
  }

  func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error> {
    let (peripherals, found) = AsyncThrowingStream<DiscoveredPeripheral, any Error>.makeStream()
    scan.withLock { $0 = Scan(options: options, found: found) }
    return peripherals
  }

  func connect(to peer: PeerAddress, timeout: Duration) async throws(RadioError) -> any Bearer {
    throw .timedOut
  }
}
