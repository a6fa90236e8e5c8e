/// One AD structure (Core Specification Supplement, Part A).
///
/// The types that headphones advertise and this program understands have cases; any other keeps its
/// bytes.
public enum AdvertisingStructure: Hashable, Sendable {
  case flags(AdvertisingFlags)
  /// All of one width on the air; a list is written in the width that its widest UUID needs.
  case serviceUUIDs([BluetoothUUID], isComplete: Bool)
  /// UTF-8 as received: unsanitised, perhaps not even valid.
  case localName(Bytes, isComplete: Bool)
  /// dBm.
  case txPower(Int8)
  /// A service by a UUID of any width, and its data.
  case serviceData(BluetoothUUID, Bytes)
  /// A category of 10 bits and a subcategory of 6 (Assigned Numbers, 2.6).
  case appearance(UInt16)
  /// 6 bytes that identify a member of a coordinated set, for example one of two buds.
  case resolvableSetIdentifier(Bytes)
  /// `company`: an assigned company identifier.
  case manufacturerData(company: UInt16, Bytes)
  /// Any other type, with its data.
  case other(type: UInt8, Bytes)
}
