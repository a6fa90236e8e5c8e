/// The known structure of a server's attributes.
///
/// ```swift
/// for service in client.database.services {
///   print(service.uuid, service.range.start, "to", service.range.end)
///   for characteristic in service.characteristics {
///     print("  ", characteristic.uuid, characteristic.properties)
///   }
/// }
/// ```
public struct Database: Hashable, Sendable {
  /// All services in handle order, including secondary ones.
  public var services: [Service]

  public init(services: [Service] = []) { self.services = services }

  /// Returns all services of a type, of which a headphone may have several.
  public func services(_ uuid: BluetoothUUID) -> [Service] { services.filter { $0.uuid == uuid } }

  /// Returns the first service of a type, or nil if there is none.
  public func service(_ uuid: BluetoothUUID) -> Service? { services.first { $0.uuid == uuid } }

  /// Returns the first characteristic of a type in any service, or nil if there is none.
  public func characteristic(_ uuid: BluetoothUUID) -> Characteristic? {
    for service in services {
      if let found = service.characteristic(uuid) { return found }
    }
    return nil
  }

  /// Returns the characteristic whose value has this handle, or nil if there is none.
  public func characteristic(handle: UInt16) -> Characteristic? {
    services.first { $0.range.contains(handle) }?.characteristics.first { $0.handle == handle }
  }
}
