public import BluetoothCodec
public import BluetoothRadio

/// A service to be declared; ``AttributeTable`` assigns its handles.
///
/// ```swift
/// let battery = ServiceDefinition(
///   .bit16(0x180F), [CharacteristicDefinition(.bit16(0x2A19), [.read, .notify], value: [84])])
/// ```
public struct ServiceDefinition: Hashable, Sendable {
  public var uuid: BluetoothUUID
  /// Whether the service is primary; a secondary service is only included by others.
  public var isPrimary: Bool
  /// The handle of the service declaration, or nil for the next free one.
  public var firstHandle: UInt16?
  /// The indices of the included services in the list of definitions.
  public var includes: [Int]
  /// The characteristics, in the order of their handles.
  public var characteristics: [CharacteristicDefinition]

  public init(
    _ uuid: BluetoothUUID, isPrimary: Bool = true, firstHandle: UInt16? = nil,
    includes: [Int] = [], _ characteristics: [CharacteristicDefinition]
  ) {
    self.uuid = uuid
    self.isPrimary = isPrimary
    self.firstHandle = firstHandle
    self.includes = includes
    self.characteristics = characteristics
  }
}

/// A characteristic to be declared; one that notifies or indicates gets a CCCD.
public struct CharacteristicDefinition: Hashable, Sendable {
  public var uuid: BluetoothUUID
  public var properties: CharacteristicProperties
  /// The initial value, at most 512 bytes.
  public var value: [UInt8]
  /// The values that may be written; any other causes an ATT error.
  public var accepts: AcceptedValues
  /// The security that reading the value requires; reading descriptors requires none.
  public var readSecurity: SecurityLevel
  /// The security that writing the value and its CCCD requires.
  public var writeSecurity: SecurityLevel
  /// The descriptors after the CCCD, in the order of their handles.
  public var descriptors: [DescriptorDefinition]

  public init(
    _ uuid: BluetoothUUID, _ properties: CharacteristicProperties, value: [UInt8] = [],
    accepts: AcceptedValues = .upTo(512), readSecurity: SecurityLevel = .low,
    writeSecurity: SecurityLevel = .low, descriptors: [DescriptorDefinition] = []
  ) {
    self.uuid = uuid
    self.properties = properties
    self.value = value
    self.accepts = accepts
    self.readSecurity = readSecurity
    self.writeSecurity = writeSecurity
    self.descriptors = descriptors
  }
}

/// A read-only descriptor other than the CCCD.
public struct DescriptorDefinition: Hashable, Sendable {
  public var uuid: BluetoothUUID
  /// The initial value, at most 512 bytes.
  public var value: [UInt8]

  public init(_ uuid: BluetoothUUID, value: [UInt8]) {
    self.uuid = uuid
    self.value = value
  }
}

/// The values that a characteristic accepts.
public enum AcceptedValues: Hashable, Sendable {
  /// Any bytes up to this number.
  case upTo(Int)
  /// One byte within this range.
  case byte(ClosedRange<UInt8>)

  func objection(to value: Bytes) -> ATTErrorCode? {
    switch self {
    case .upTo(let count): value.count <= count ? nil : .invalidAttributeValueLength
    case .byte(let range):
      if value.count != 1 {
        .invalidAttributeValueLength
      } else {
        value.allSatisfy(range.contains) ? nil : .valueNotAllowed
      }
    }
  }
}
