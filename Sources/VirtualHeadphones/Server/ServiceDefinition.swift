public import Bluetooth
public import BluetoothCodec
public import GATT

/// A service as a model declares it; handles come with the ``AttributeTable``.
public struct ServiceDefinition: Hashable, Sendable {
  public var uuid: BluetoothUUID
  /// Else it is only there to be included.
  public var isPrimary: Bool
  /// Where the service begins; nil: right after the one before.
  public var firstHandle: UInt16?
  /// Indices, in the table, of the services that this one includes.
  public var includes: [Int]
  /// In the order of their handles.
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

/// A characteristic: its CCCD follows by itself where it notifies or indicates.
public struct CharacteristicDefinition: Hashable, Sendable {
  public var uuid: BluetoothUUID
  public var properties: CharacteristicProperties
  /// At first; at most 512 bytes.
  public var value: [UInt8]
  /// What may be written; anything else is refused with an error.
  public var accepts: AcceptedValues
  /// For the value, not for its descriptors.
  public var readSecurity: SecurityLevel
  /// For the value and for the CCCD.
  public var writeSecurity: SecurityLevel
  /// Behind the CCCD, in the order of their handles.
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
  /// At most 512 bytes.
  public var value: [UInt8]

  public init(_ uuid: BluetoothUUID, value: [UInt8]) {
    self.uuid = uuid
    self.value = value
  }
}

/// What may be written to a value.
public enum AcceptedValues: Hashable, Sendable {
  /// Any bytes of at most this count.
  case upTo(Int)
  /// One byte in this range.
  case byte(ClosedRange<UInt8>)

  /// The most bytes that a value may have.
  var limit: Int {
    switch self {
    case .upTo(let count): count
    case .byte: 1
    }
  }

  /// The error that a written value deserves.
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
