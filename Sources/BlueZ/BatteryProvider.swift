internal import BluetoothCodec
internal import BluetoothRadio
internal import DBus

/// The batteries that this program provides to the desktop (org.bluez.BatteryProvider1).
///
/// There is an object for each paired device that has no other battery in bluetoothd. bluetoothd
/// 5.66 ignores the charge of an unpaired device, even after it is paired later, and prefers a GATT
/// battery.
struct BatteryProvider {
  static let manager = "org.bluez.BatteryProviderManager1"
  static let interface = "org.bluez.BatteryProvider1"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
  static let root = "/org/earshot/batteries"
  static let source = "Earshot"

  /// The charges in percent, by the object path of the device.
  private(set) var charges: [String: UInt8] = [:]

  mutating func update(
    _ wanted: [HeadphoneCharge], in objects: BlueZObjects, of adapter: BlueZAdapter
  ) -> [DBusSignal] {
    var charges: [String: UInt8] = [:]
    for charge in wanted {
      let devices = charge.addresses.compactMap { objects.device($0, of: adapter) }
      guard let device = devices.first(where: \.isPaired), objects.charge(of: device.path) == nil
      else { continue }
      charges[device.path] = charge.percent
    }
    defer { self.charges = charges }
    let changes = Set(charges.keys).union(self.charges.keys).sorted()
    return changes.compactMap { device in
      switch (self.charges[device], charges[device]) {
      case (let old?, let new?) where old != new:
        DBusSignal(
          "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: Self.path(of: device),
          [.string(Self.interface), .options(["Percentage": .byte(new)]), .strings([])])
      case (nil, let new?):
        DBusSignal(
          "InterfacesAdded", of: Self.objectManager, at: Self.root,
          [.objectPath(Self.path(of: device)), Self.interfaces(of: device, new)])
      case (.some, nil):
        DBusSignal(
          "InterfacesRemoved", of: Self.objectManager, at: Self.root,
          [.objectPath(Self.path(of: device)), .strings([Self.interface])])
      default: nil
      }
    }
  }

  /// The reply to bluetoothd's GetManagedObjects, "a{oa{sa{sv}}}".
  var objects: DBusValue {
    .dictionary(
      key: "o", value: "a{sa{sv}}",
      charges.reduce(into: [:]) {
        $0[.objectPath(Self.path(of: $1.key))] = Self.interfaces(of: $1.key, $1.value)
      })
  }

  private static func path(of device: String) -> String {
    "\(root)/\(device.split(separator: "/").last ?? "")"
  }

  private static func interfaces(of device: String, _ percent: UInt8) -> DBusValue {
    .dictionary(
      key: "s", value: "a{sv}",
      [
        .string(interface): .options([
          "Device": .objectPath(device), "Percentage": .byte(percent), "Source": .string(source),
        ])
      ])
  }
}

extension BlueZClient {
  struct Batteries {
    fileprivate var wanted: [HeadphoneCharge] = []
    fileprivate var provider = BatteryProvider()
    fileprivate var adapter: String?

    mutating func end() {
      provider = BatteryProvider()
      adapter = nil
    }
  }

  /// Provides these charges to bluetoothd, and no others from now on.
  func share(_ charges: [HeadphoneCharge]) async {
    batteries.wanted = charges
    if !charges.isEmpty { await load() }
    updateProvider()
  }

  func updateProvider() {
    guard !batteries.wanted.isEmpty || !batteries.provider.charges.isEmpty,
      case .present(let owner) = phase,
      let adapter = try? adapter(), objects.tree[adapter.path, BatteryProvider.manager] != nil
    else { return }
    let signals = batteries.provider.update(batteries.wanted, in: objects, of: adapter)
    guard batteries.adapter == nil else {
      guard let connection else { return }
      return connection.assumeIsolated { connection in
        for signal in signals { connection.emit(signal, to: owner) }
      }
    }
    guard !batteries.provider.charges.isEmpty else { return }
    batteries.adapter = adapter.path
    Task { await registerProvider(at: adapter.path, of: owner) }
  }

  private func registerProvider(at adapter: String, of owner: String) async {
    await connection?.export(at: BatteryProvider.root) { [weak self] request in
      await self?.replyToProviderCall(request) ?? .unknownMethod
    }
    let error = await failure(
      "RegisterBatteryProvider", of: BatteryProvider.manager, at: adapter,
      [.objectPath(BatteryProvider.root)], within: DBusConnection.replyTimeout)
    // The registration is tried again when a charge or a device changes.
    if error != nil, batteries.adapter == adapter, phase == .present(owner: owner) {
      batteries.adapter = nil
    }
  }

  private func replyToProviderCall(_ request: DBusRequest) -> DBusReply {
    guard case .present(request.sender) = phase, request.member == "GetManagedObjects" else {
      return .unknownMethod
    }
    return .values([batteries.provider.objects])
  }
}
