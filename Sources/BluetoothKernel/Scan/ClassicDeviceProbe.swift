internal import BluetoothCodec
internal import BluetoothRadio
internal import EventLoop
internal import Locking

/// A probe of connected BR/EDR devices for their product and their serial services.
///
/// A device is queried until it has answered all queries; then its records are cached. A device
/// without a link is not paged. No privilege is needed.
final class ClassicDeviceProbe: Sendable {
  /// Queries a device's records; the result says whether all queries were answered.
  typealias Query =
    @Sendable (BluetoothAddress, AdapterInfo) async throws(RadioError)
    -> (records: ServiceRecords, isWhole: Bool)

  /// The time that a new link is left to other programs, as a headphone may serve one SDP client.
  private static let settling: Duration = .seconds(2)

  private let query: Query
  private let loop: PollLoop
  private let clock: any Clock<Duration>
  private let reported = Mutex<[BluetoothAddress: ServiceRecords]>([:])

  init(loop: PollLoop, clock: any Clock<Duration>, query: @escaping Query) {
    self.query = query
    self.loop = loop
    self.clock = clock
  }

  /// Yields the connected devices, and each that connects later, until the adapter is removed.
  func peripherals(on adapter: AdapterInfo) -> AsyncStream<DiscoveredPeripheral> {
    AsyncStream(bufferingPolicy: .bufferingNewest(64)) { found in
      let task = Task {
        var shown: Set<BluetoothAddress> = []
        for await links in ConnectionMonitor.stream(on: adapter, loop: loop) {
          let addresses = Self.addresses(links)
          shown.formIntersection(addresses)
          let newDevices = addresses.filter { shown.insert($0).inserted }
          guard !newDevices.isEmpty else { continue }
          guard (try? await clock.sleep(for: Self.settling)) != nil else { break }
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

  func records(
    of address: BluetoothAddress, through adapter: AdapterInfo
  ) async throws(RadioError) -> ServiceRecords {
    if let known = reported.withLock({ $0[address] }) { return known }
    let (records, isWhole) = try await query(address, adapter)
    if isWhole, records != ServiceRecords() { reported.withLock { $0[address] = records } }
    return records
  }
}
