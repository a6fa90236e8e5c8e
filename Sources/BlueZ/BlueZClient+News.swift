internal import BluetoothCodec
internal import BluetoothRadio
internal import DBus

extension BlueZClient {
  /// The time to wait after a removal: bluetoothds and adapters that go remove their devices first.
  private static let departureTime: Duration = .seconds(1)

  struct News {
    fileprivate struct Charge: Hashable {
      var address: BluetoothAddress
      var percent: UInt8
    }

    fileprivate var streams: [UInt64: AsyncStream<DeviceNews>.Continuation] = [:]
    fileprivate var charges: [String: Charge] = [:]
    var removals: Set<String> = []

    var isEmpty: Bool { streams.isEmpty }
  }

  func follow(into stream: AsyncStream<DeviceNews>.Continuation) async {
    await load()
    let id = nextNumber()
    news.streams[id] = stream
    stream.onTermination = { [weak self] _ in Task { await self?.unfollow(id) } }
    for charge in news.charges.values { stream.yield(.charge(charge.address, charge.percent)) }
    if keys.registration != .none { stream.yield(.playerRegistration(keys.registration)) }
    watchForBus()
  }

  private func unfollow(_ id: UInt64) {
    news.streams[id] = nil
    if news.isEmpty { endBusWatch() }
  }

  func report(_ event: DeviceNews) {
    for stream in news.streams.values { stream.yield(event) }
  }

  func reportCharge(of path: String) {
    let charge = objects.device(at: path).flatMap { device in
      objects.charge(of: path).map { News.Charge(address: device.address, percent: $0) }
    }
    let before = news.charges[path]
    guard charge != before else { return }
    news.charges[path] = charge
    if let before, before.address != charge?.address { report(.charge(before.address, nil)) }
    if let charge { report(.charge(charge.address, charge.percent)) }
  }

  /// Reports that a paired device was removed while bluetoothd and the adapter stayed.
  func reportRemoval(of device: BlueZDevice) {
    guard device.isPaired, objects.device(at: device.path) == nil,
      !news.removals.contains(device.path)
    else { return }
    let before = losses
    Task { [clock] in
      try? await clock.sleep(for: Self.departureTime)
      guard losses == before, objects.tree[device.adapter, BlueZAdapter.interface] != nil,
        objects.device(at: device.path) == nil
      else { return }
      report(.removed(device.address))
    }
  }
}
