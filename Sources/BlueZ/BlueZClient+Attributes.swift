internal import Bluetooth
internal import BluetoothCodec
internal import DBus

extension BlueZClient {
  /// The time of ATT itself (Core 5.4, Vol 3, Part F, 3.3.3), and a little for bluetoothd.
  private static let attributeTimeout: Duration = .seconds(32)
  /// The time for bluetoothd to read a headphone's services.
  private static let resolvingTimeout: Duration = .seconds(5)

  /// Subscribers to links that bluetoothd holds.
  struct Followers {
    fileprivate var sinks: [String: @Sendable (RemoteEvent) -> Void] = [:]

    /// bluetoothd is gone, and its links with it.
    func end() {
      for sink in sinks.values { sink(.disconnected) }
    }
  }

  /// What happens on a link that bluetoothd holds.
  enum RemoteEvent: Hashable {
    /// The headphone sent a value; the path is the characteristic's.
    case value(path: String, [UInt8])
    case disconnected
  }

  func onLoop(_ body: @Sendable () -> Void) { body() }

  /// The attributes of a headphone whose link bluetoothd holds, once it has read them all.
  func attributes(of peer: PeerAddress) async -> (device: String, RemoteAttributes)? {
    guard await isPresent, let adapter = try? adapter(),
      let device = objects.device(peer.address, of: adapter), device.isConnected
    else { return nil }
    let isResolved = await until(within: Self.resolvingTimeout) {
      $0.device(at: device.path)?.areServicesResolved == true
    }
    let attributes = RemoteAttributes(objects.tree, of: device.path)
    return isResolved && !attributes.isEmpty ? (device.path, attributes) : nil
  }

  /// What bluetoothd has read of a device's service records; nil: nothing.
  func serviceRecords(of address: BluetoothAddress) async -> ServiceRecords? {
    guard await isPresent, let adapter = try? adapter(),
      let device = objects.device(address, of: adapter),
      device.product != nil || !device.services.isEmpty
    else { return nil }
    return ServiceRecords(serialServices: device.services, product: device.product)
  }

  func isPaired(_ device: String) -> Bool { objects.device(at: device)?.isPaired == true }

  /// Reports the events of a link until ``unfollow(_:)``; on the loop, in order.
  func follow(_ device: String, _ sink: @escaping @Sendable (RemoteEvent) -> Void) {
    followers.sinks[device] = sink
  }

  func unfollow(_ device: String) { followers.sinks[device] = nil }

  func reportDisconnection(of device: String) { followers.sinks[device]?(.disconnected) }

  func reportValue(_ signal: DBusSignal) {
    guard signal.interface == Self.properties,
      signal.arguments.first?.string == RemoteAttributes.characteristicInterface,
      let value = signal.arguments.dropFirst().first?.table?["Value"]?.bytes
    else { return }
    for (device, sink) in followers.sinks where signal.path.hasPrefix(device + "/") {
      sink(.value(path: signal.path, value))
    }
  }

  func readValue(at path: String, from offset: Int) async throws(DBusError) -> [UInt8] {
    let options: [String: DBusValue] =
      offset == 0 ? [:] : ["offset": .uint16(UInt16(clamping: offset))]
    let values = try await call(
      "ReadValue", of: interface(ofValueAt: path), at: path, [.options(options)],
      within: Self.attributeTimeout)
    guard let bytes = values.first?.bytes else { throw .malformed("ReadValue") }
    return bytes
  }

  func writeValue(
    _ value: [UInt8], at path: String, isCommand: Bool
  ) async throws(DBusError) {
    let options: [String: DBusValue] =
      objects.tree[path, RemoteAttributes.characteristicInterface] == nil
      ? [:] : ["type": .string(isCommand ? "command" : "request")]
    try await call(
      "WriteValue", of: interface(ofValueAt: path), at: path, [.bytes(value), .options(options)],
      within: Self.attributeTimeout)
  }

  /// Enables or disables notifications.
  ///
  /// Ref-counted by bluetoothd: other programs may receive them, too.
  func notify(_ isOn: Bool, at path: String) async throws(DBusError) {
    try await call(
      isOn ? "StartNotify" : "StopNotify", of: RemoteAttributes.characteristicInterface, at: path,
      within: Self.attributeTimeout)
  }

  private func interface(ofValueAt path: String) -> String {
    objects.tree[path, RemoteAttributes.descriptorInterface] == nil
      ? RemoteAttributes.characteristicInterface : RemoteAttributes.descriptorInterface
  }
}
