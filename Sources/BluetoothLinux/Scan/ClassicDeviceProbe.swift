internal import Bluetooth
internal import BluetoothCodec
internal import EventLoop
internal import Synchronization

/// Asks the devices whose BR/EDR link is up which product they are, and which services they
/// have on serial channels; needs no privilege.
///
/// Each is asked once: its answer does not change. A device without a link is not called.
final class ClassicDeviceProbe: Sendable {
  /// How long a link that is new is left to those who set it up: a headphone may serve one channel
  /// of service discovery at a time, and its sound comes first.
  private static let settling: Duration = .seconds(2)

  private let inquiries: SDPClient
  private let loop: PollLoop
  private let clock: any Clock<Duration>
  private let reported = Mutex<[BluetoothAddress: ServiceRecords]>([:])

  init(_ inquiries: SDPClient, loop: PollLoop, clock: any Clock<Duration>) {
    self.inquiries = inquiries
    self.loop = loop
    self.clock = clock
  }

  /// Those that are connected now, and each that connects later; ends with the adapter.
  func peripherals(on adapter: AdapterInfo) -> AsyncStream<DiscoveredPeripheral> {
    AsyncStream(bufferingPolicy: .bufferingNewest(64)) { found in
      let task = Task {
        var shown: Set<BluetoothAddress> = []
        for await links in ConnectionMonitor.stream(on: adapter, loop: loop) {
          let addresses = Self.addresses(links)
          shown.formIntersection(addresses)
          let newDevices = addresses.filter { shown.insert($0).inserted }
          guard !newDevices.isEmpty else { continue }
          try? await clock.sleep(for: Self.settling)
          for address in newDevices {
            guard isConnected(address, to: adapter) else {
              shown.remove(address)
              continue
            }
            if let peripheral = await peripheral(of: address, through: adapter) {
              found.yield(peripheral)
            }
          }
        }
        found.finish()
      }
      found.onTermination = { _ in task.cancel() }
    }
  }

  /// Those that are connected now.
  func connected(to adapter: AdapterInfo?) async -> [DiscoveredPeripheral] {
    guard let adapter, let links = try? connections(of: adapter.name) else { return [] }
    var peripherals: [DiscoveredPeripheral] = []
    for address in Self.addresses(links) {
      if let peripheral = await peripheral(of: address, through: adapter) {
        peripherals.append(peripheral)
      }
    }
    return peripherals
  }

  private func isConnected(_ address: BluetoothAddress, to adapter: AdapterInfo) -> Bool {
    (try? connections(of: adapter.name)).map { Self.addresses($0).contains(address) } ?? false
  }

  private static func addresses(_ links: [RadioLink]) -> [BluetoothAddress] {
    links.filter { $0.kind == .acl && $0.state == .connected }.map(\.address)
  }

  /// Nil: it does not say, or not what is understood.
  private func peripheral(
    of address: BluetoothAddress, through adapter: AdapterInfo
  ) async -> DiscoveredPeripheral? {
    guard let records = try? await records(of: address, through: adapter),
      records != ServiceRecords()
    else { return nil }
    let services = records.serialServices
    return DiscoveredPeripheral(
      peer: PeerAddress(address, .classic), rssi: nil,
      data: AdvertisingData(services.isEmpty ? [] : [.serviceUUIDs(services, isComplete: true)]),
      isConnectable: true, product: records.product)
  }

  /// The device's service records, cached or queried now.
  ///
  /// - Throws: why it could not be asked.
  func records(
    of address: BluetoothAddress, through adapter: AdapterInfo
  ) async throws(RadioError) -> ServiceRecords {
    if let known = reported.withLock({ $0[address] }) { return known }
    let records = try await inquiries.serviceRecords(of: address, through: adapter)
    if records != ServiceRecords() { reported.withLock { $0[address] = records } }
    return records
  }
}
