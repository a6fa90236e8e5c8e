internal import Bluetooth
internal import BluetoothCodec
internal import EventLoop
internal import Locking

/// A probe of connected BR/EDR devices for their product and their services on serial channels;
/// needs no privilege.
///
/// Each device is queried once, since its records do not change. A device without a link is not
/// paged.
final class ClassicDeviceProbe: Sendable {
  /// The time that a new link is left to the programs that use it.
  ///
  /// A headphone may serve one channel of service discovery at a time, and its sound comes first.
  private static let settling: Duration = .seconds(2)

  private let inquiries: SDPClient
  private let loop: PollLoop
  private let clock: any Clock<Duration>
  /// The records of devices that were queried.
  private let reported = Mutex<[BluetoothAddress: ServiceRecords]>([:])

  init(_ inquiries: SDPClient, loop: PollLoop, clock: any Clock<Duration>) {
    self.inquiries = inquiries
    self.loop = loop
    self.clock = clock
  }

  /// The devices that are connected now, and each that connects later; ends when the adapter is
  /// removed.
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

  /// The devices that are connected now.
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

  /// Whether a device has a BR/EDR link at this moment.
  private func isConnected(_ address: BluetoothAddress, to adapter: AdapterInfo) -> Bool {
    (try? connections(of: adapter.name)).map { Self.addresses($0).contains(address) } ?? false
  }

  /// The addresses of connected BR/EDR devices.
  private static func addresses(_ links: [RadioLink]) -> [BluetoothAddress] {
    links.filter { $0.kind == .acl && $0.state == .connected }.map(\.address)
  }

  /// A device by its records; `nil` if they reveal neither product nor services.
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
  /// - Throws: the reason why it could not be queried.
  func records(
    of address: BluetoothAddress, through adapter: AdapterInfo
  ) async throws(RadioError) -> ServiceRecords {
    if let known = reported.withLock({ $0[address] }) { return known }
    let records = try await inquiries.serviceRecords(of: address, through: adapter)
    if records != ServiceRecords() { reported.withLock { $0[address] = records } }
    return records
  }
}
