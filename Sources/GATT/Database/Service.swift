public import BluetoothCodec

/// A service of the server, with what has been discovered of it.
public struct Service: Hashable, Sendable {
  /// The service's type.
  public var uuid: BluetoothUUID
  /// The handles from its declaration to its last attribute.
  public var range: ATTHandleRange
  /// Whether it is primary; a secondary service exists only to be included by others.
  public var isPrimary: Bool
  /// Its characteristics in handle order; empty also until they are discovered.
  public var characteristics: [Characteristic]
  /// The included services in handle order; empty also until
  /// ``GATTClient/discoverIncludedServices(of:)``.
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

  /// The first characteristic of a type; `nil` if there is none.
  public func characteristic(_ uuid: BluetoothUUID) -> Characteristic? {
    characteristics.first { $0.uuid == uuid }
  }
}

/// A reference from one service to another one (Core 5.4, Vol 3, Part G, 3.2).
public struct IncludedService: Hashable, Sendable {
  /// The handle of the include declaration.
  public var handle: UInt16
  /// The handles from the included service's declaration to its last attribute.
  public var range: ATTHandleRange
  /// The included service's type.
  public var uuid: BluetoothUUID

  public init(handle: UInt16, range: ATTHandleRange, uuid: BluetoothUUID) {
    self.handle = handle
    self.range = range
    self.uuid = uuid
  }
}

/// A characteristic: a value with its properties and descriptors (Core 5.4, Vol 3, Part G, 3.3).
public struct Characteristic: Hashable, Sendable {
  /// The characteristic's type.
  public var uuid: BluetoothUUID
  /// The procedures that its declaration permits.
  public var properties: CharacteristicProperties
  /// The handle of the declaration.
  public var declaration: UInt16
  /// The handle of the value, which is read, written and subscribed to.
  public var handle: UInt16
  /// The handle of the last attribute that belongs to it.
  public var end: UInt16
  /// Its descriptors; `nil` if they are not discovered yet.
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

  /// The handles that may be descriptors; `nil` if there is no room for any.
  public var descriptorRange: ATTHandleRange? {
    guard handle < end else { return nil }
    return ATTHandleRange(start: handle + 1, end: end)
  }

  /// The first known descriptor of a type; `nil` if there is none.
  public func descriptor(_ uuid: BluetoothUUID) -> Descriptor? {
    descriptors?.first { $0.uuid == uuid }
  }
}

/// A descriptor of a characteristic (Core 5.4, Vol 3, Part G, 3.3.3).
public struct Descriptor: Hashable, Sendable {
  /// The descriptor's type.
  public var uuid: BluetoothUUID
  /// The handle of the descriptor, by which its value is read and written.
  public var handle: UInt16

  public init(uuid: BluetoothUUID, handle: UInt16) {
    self.uuid = uuid
    self.handle = handle
  }
}
