/// One AD structure (Core Specification Supplement, Part A).
///
/// The types that are relevant for headphones have cases; all others keep their bytes.
///
/// | AD type | case | data (octets) |
/// | --- | --- | --- |
/// | 01 | `flags` | flags (1) |
/// | 02 to 07 | `serviceUUIDs` | UUIDs (2, 4 or 16 each) |
/// | 08, 09 | `localName` | UTF-8 |
/// | 0A | `txPower` | dBm (1, signed) |
/// | 16, 20, 21 | `serviceData` | UUID (2, 4 or 16), data |
/// | 19 | `appearance` | category and subcategory (2) |
/// | 2E | `resolvableSetIdentifier` | hash (3), random part (3) |
/// | FF | `manufacturerData` | company (2), data |
public enum AdvertisingStructure: Hashable, Sendable {
  /// Discoverability and transports (1.3).
  case flags(AdvertisingFlags)
  /// Services, all of one UUID size on the air (1.1).
  ///
  /// A list is encoded in the size that its largest UUID needs.
  case serviceUUIDs([BluetoothUUID], isComplete: Bool)
  /// A name in UTF-8 as received (1.2): unsanitised, perhaps not even valid.
  case localName(Bytes, isComplete: Bool)
  /// The transmit power in dBm (1.5).
  case txPower(Int8)
  /// The data of a service, whose UUID may have any size (1.11).
  case serviceData(BluetoothUUID, Bytes)
  /// The external appearance: a category of 10 bits and a subcategory of 6 (1.12).
  case appearance(UInt16)
  /// Six bytes that identify a member of a coordinated set, for example one of two buds.
  case resolvableSetIdentifier(Bytes)
  /// The data of a company with an assigned identifier (1.4).
  case manufacturerData(company: UInt16, Bytes)
  /// Any other AD type with its data.
  case other(type: UInt8, Bytes)
}
