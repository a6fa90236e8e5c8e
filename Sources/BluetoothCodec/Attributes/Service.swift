/// A service of the server, as far as it was discovered.
public struct Service: Hashable, Sendable {
  public var uuid: BluetoothUUID
  public var range: ATTHandleRange
  /// Whether the service is primary; other services include a secondary one.
  public var isPrimary: Bool
  /// The characteristics in handle order; empty until they are discovered.
  public var characteristics: [Characteristic]
  /// The included services, empty until `discoverIncludedServices(of:)` of a client.
  public var includedServices: [IncludedService]

  public init(
    uuid: BluetoothUUID, range: ATTHandleRange, isPrimary: Bool = true,
    characteristics: [Characteristic] = [], includedServices: [IncludedService] = []
  ) {
    self.uuid = uuid
    self.range = range
    self.isPrimary = isPrimary
    self.characteristics = characteristics
    self.includedServices = includedServices
  }

  /// Returns the first characteristic of a type, or nil if there is none.
  public func characteristic(_ uuid: BluetoothUUID) -> Characteristic? {
    characteristics.first { $0.uuid == uuid }
  }
}

/// A reference from one service to another (Core 5.4, Vol 3, Part G, 3.2).
public struct IncludedService: Hashable, Sendable {
  /// The handle of the include declaration.
  public var handle: UInt16
  public var range: ATTHandleRange
  public var uuid: BluetoothUUID

  public init(handle: UInt16, range: ATTHandleRange, uuid: BluetoothUUID) {
    self.handle = handle
    self.range = range
    self.uuid = uuid
  }
}

/// A characteristic: a value with its properties and descriptors (Core 5.4, Vol 3, Part G, 3.3).
public struct Characteristic: Hashable, Sendable {
  public var uuid: BluetoothUUID
  public var properties: CharacteristicProperties
  /// The handle of the declaration.
  public var declaration: UInt16
  /// The handle of the value, to read, write and subscribe to.
  public var handle: UInt16
  /// The handle of the last attribute of the characteristic.
  public var end: UInt16
  /// The descriptors, or nil until they are discovered.
  public var descriptors: [Descriptor]?

  public init(
    uuid: BluetoothUUID, properties: CharacteristicProperties, declaration: UInt16,
    handle: UInt16, end: UInt16, descriptors: [Descriptor]? = nil
  ) {
    self.uuid = uuid
    self.properties = properties
    self.declaration = declaration
    self.handle = handle
    self.end = end
    self.descriptors = descriptors
  }

  /// The handles that may be descriptors, or nil if there is no room for any.
  public var descriptorRange: ATTHandleRange? {
    guard handle < end else { return nil }
    return ATTHandleRange(start: handle + 1, end: end)
  }

  /// Returns the first known descriptor of a type, or nil if there is none.
  public func descriptor(_ uuid: BluetoothUUID) -> Descriptor? {
    descriptors?.first { $0.uuid == uuid }
  }
}

/// A descriptor of a characteristic (Core 5.4, Vol 3, Part G, 3.3.3).
public struct Descriptor: Hashable, Sendable {
  public var uuid: BluetoothUUID
  /// The handle of the descriptor, to read and write its value.
  public var handle: UInt16

  public init(uuid: BluetoothUUID, handle: UInt16) {
    self.uuid = uuid
    self.handle = handle
  }
}
