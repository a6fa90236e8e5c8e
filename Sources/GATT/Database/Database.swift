public import BluetoothCodec

/// The structure of a peripheral's attributes, as far as it is known.
public struct Database: Hashable, Sendable {
  /// In handle order, secondary ones included.
  public var services: [Service]

  public init(services: [Service] = []) { self.services = services }

  /// All services of this type: a headphone may have several Battery services.
  public func services(_ uuid: BluetoothUUID) -> [Service] { services.filter { $0.uuid == uuid } }

  /// The first service of this type.
  public func service(_ uuid: BluetoothUUID) -> Service? { services.first { $0.uuid == uuid } }

  /// The first characteristic of this type in any service.
  public func characteristic(_ uuid: BluetoothUUID) -> Characteristic? {
    for service in services {
      if let found = service.characteristic(uuid) { return found }
    }
    return nil
  }

  /// The characteristic whose value has this handle.
  public func characteristic(handle: UInt16) -> Characteristic? {
    services.first { $0.range.contains(handle) }?.characteristics.first { $0.handle == handle }
  }
}
