internal import BluetoothCodec
internal import BluetoothRadio
internal import DBus

extension BlueZClient {
  /// ATT's time-out of 30 s (Core 5.4, Vol 3, Part F, 3.3.3), and some time for bluetoothd.
  private static let attributeTimeout: Duration = .seconds(32)
  private static let resolvingTimeout: Duration = .seconds(5)

  struct Followers {
    fileprivate var sinks: [String: @Sendable (RemoteEvent) -> Void] = [:]

    func end() {
      for sink in sinks.values { sink(.bluetoothdGone) }
    }
  }

  enum RemoteEvent: Hashable {
    case value(path: String, [UInt8])
    /// bluetoothd exports an attribute that it did not export before, or no longer exports one.
    case attributes(isAddition: Bool)
    case disconnected
    case bluetoothdGone
  }

  func onLoop(_ body: @Sendable () -> Void) { body() }

  func withObjects(_ body: @Sendable (DBusObjectTree) -> Void) { body(objects.tree) }

  /// Returns the attributes of a headphone whose link bluetoothd holds, once it has read them all.
  func attributes(of peer: PeerAddress) async -> (device: String, RemoteAttributes)? {
    guard await isPresent, let adapter = try? adapter(),
      let device = objects.device(peer.address, of: adapter), device.isConnected
    else { return nil }
    let isResolved = await until(within: Self.resolvingTimeout) {
      $0.device(at: device.path)?.areServicesResolved == true
    }
    let path = device.path
    guard isResolved, let value = RemoteAttributes.values(in: objects.tree, of: path).min() else {
      return nil
    }
    let mtu = await mtu(at: value)
    return (path, RemoteAttributes(objects.tree, of: path, mtu: mtu))
  }

  /// Reads the ATT_MTU in bytes, whose changes bluetoothd does not signal if objects outlive a
  /// link.
  private func mtu(at path: String) async -> UInt16 {
    let values = try? await call(
      "Get", of: Self.properties, at: path,
      [.string(RemoteAttributes.characteristicInterface), .string("MTU")])
    return values?.first?.content.integer.flatMap(UInt16.init(exactly:))
      ?? RemoteAttributes.leastMTU
  }

  func reportAttributes(_ signal: DBusSignal, at path: String) {
    guard signal.member != "PropertiesChanged", RemoteAttributes.handle(path) != nil else { return }
    for (device, sink) in followers.sinks where path.hasPrefix(device + "/") {
      sink(.attributes(isAddition: signal.member == "InterfacesAdded"))
    }
  }

  func serviceRecords(of address: BluetoothAddress) async -> ServiceRecords? {
    guard await isPresent, let adapter = try? adapter(),
      let device = objects.device(address, of: adapter),
      device.product != nil || !device.services.isEmpty
    else { return nil }
    return ServiceRecords(serialServices: device.services, product: device.product)
  }

  func isPaired(_ device: String) -> Bool { objects.device(at: device)?.isPaired == true }

  /// Reports the events of a link on the loop, in order, until `unfollow(_:)`.
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

  /// Enables or disables notifications; bluetoothd counts the references of all its clients.
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
