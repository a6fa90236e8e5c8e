public import BluetoothCodec

/// The structure of a server's attributes, as far as it is known.
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

  /// All services of a type: a headphone may have several Battery services.
  public func services(_ uuid: BluetoothUUID) -> [Service] { services.filter { $0.uuid == uuid } }

  /// The first service of a type; `nil` if there is none.
  public func service(_ uuid: BluetoothUUID) -> Service? { services.first { $0.uuid == uuid } }

  /// The first characteristic of a type in any service; `nil` if there is none.
  public func characteristic(_ uuid: BluetoothUUID) -> Characteristic? {
    for service in services {
      if let found = service.characteristic(uuid) { return found }
    }
    return nil
  }

  /// The characteristic whose value has a handle; `nil` if there is none.
  public func characteristic(handle: UInt16) -> Characteristic? {
    services.first { $0.range.contains(handle) }?.characteristics.first { $0.handle == handle }
  }
}
