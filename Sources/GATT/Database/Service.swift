public import BluetoothCodec

/// A service of the peripheral, with what has been discovered of it.
public struct Service: Hashable, Sendable {
  public var uuid: BluetoothUUID
  /// From its declaration to its last attribute.
  public var range: ATTHandleRange
  /// False for a secondary service, which is there only to be included by others.
  public var isPrimary: Bool
  /// In handle order.
  public var characteristics: [Characteristic]
  /// In handle order; empty until ``GATTClient/discoverIncludedServices(of:)``, or if there are none.
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

  /// The first characteristic of this type.
  public func characteristic(_ uuid: BluetoothUUID) -> Characteristic? {
    characteristics.first { $0.uuid == uuid }
  }
}

/// A service that another one refers to.
public struct IncludedService: Hashable, Sendable {
  /// Handle of the include declaration.
  public var handle: UInt16
  /// From the included service's declaration to its last attribute.
  public var range: ATTHandleRange
  public var uuid: BluetoothUUID

  public init(handle: UInt16, range: ATTHandleRange, uuid: BluetoothUUID) {
    self.handle = handle
    self.range = range
    self.uuid = uuid
  }
}

/// A characteristic of a service.
public struct Characteristic: Hashable, Sendable {
  public var uuid: BluetoothUUID
  public var properties: CharacteristicProperties
  /// Handle of the declaration.
  public var declaration: UInt16
  /// Handle of the value.
  public var handle: UInt16
  /// Handle of the last attribute that belongs to it.
  public var end: UInt16
  /// Nil: not discovered yet.
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

  /// Handles that can hold descriptors; nil if there is no room for any.
  public var descriptorRange: ATTHandleRange? {
    guard handle < end else { return nil }
    return ATTHandleRange(start: handle + 1, end: end)
  }

  /// The first known descriptor of this type.
  public func descriptor(_ uuid: BluetoothUUID) -> Descriptor? {
    descriptors?.first { $0.uuid == uuid }
  }
}

/// A descriptor of a characteristic.
public struct Descriptor: Hashable, Sendable {
  public var uuid: BluetoothUUID
  /// Of the descriptor itself, which is where its value is read and written.
  public var handle: UInt16

  public init(uuid: BluetoothUUID, handle: UInt16) {
    self.uuid = uuid
    self.handle = handle
  }
}
