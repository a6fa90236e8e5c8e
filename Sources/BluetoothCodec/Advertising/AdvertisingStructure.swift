/// One AD structure: a case for each type of the Assigned Numbers, 2.3 (CSS Part A).
///
/// Types whose content belongs to a protocol of its own (mesh, periodic advertising, shelf labels)
/// are told apart and keep their bytes.
public enum AdvertisingStructure: Hashable, Sendable {
  case flags(AdvertisingFlags)
  /// All of one width on the air; a list is written in the width that its widest UUID needs.
  case serviceUUIDs([BluetoothUUID], isComplete: Bool)
  /// UTF-8 as it was on the air: unsanitised, perhaps not even valid.
  case localName(Bytes, isComplete: Bool)
  /// dBm.
  case txPower(Int8)
  /// 24 bits (Assigned Numbers, 2.8).
  case classOfDevice(UInt32)
  /// 16 bytes: Simple Pairing Hash C-192.
  case pairingHash192(Bytes)
  /// 16 bytes: Simple Pairing Randomizer R-192.
  case pairingRandomizer192(Bytes)
  /// 8 bytes: the Device ID record of an extended inquiry response.
  case deviceID(Bytes)
  /// 16 bytes: Security Manager TK value, the same type as `deviceID` in out-of-band data.
  case temporaryKey(Bytes)
  case outOfBandFlags(OutOfBandFlags)
  /// In units of 1.25 ms; 0xFFFF: no preference.
  case connectionInterval(minimum: UInt16, maximum: UInt16)
  /// Services that the device looks for at its peers; of one width on the air, as `serviceUUIDs`.
  case solicitedServiceUUIDs([BluetoothUUID])
  /// The service, by a UUID of any width, and what it says of itself.
  case serviceData(BluetoothUUID, Bytes)
  /// Whom the advertisement is for, by public addresses.
  case publicTargets([BluetoothAddress])
  /// Whom the advertisement is for, by random addresses.
  case randomTargets([BluetoothAddress])
  /// A category of 10 bits and a subcategory of 6 (Assigned Numbers, 2.6).
  case appearance(UInt16)
  /// In units of 0.625 ms.
  case advertisingInterval(UInt32)
  /// The device's LE address and whether it is random.
  case deviceAddress(PeerAddress)
  case role(AdvertisingRole)
  /// 16 bytes: Simple Pairing Hash C-256.
  case pairingHash256(Bytes)
  /// 16 bytes: Simple Pairing Randomizer R-256.
  case pairingRandomizer256(Bytes)
  /// 16 bytes: LE Secure Connections Confirmation Value.
  case secureConnectionsConfirmation(Bytes)
  /// 16 bytes: LE Secure Connections Random Value.
  case secureConnectionsRandom(Bytes)
  /// UTF-8; the first code point stands for the scheme (Assigned Numbers, 2.7).
  case uri(Bytes)
  /// As the Indoor Positioning Service codes them.
  case indoorPositioning(Bytes)
  /// As the Transport Discovery Service codes them.
  case transportDiscovery(Bytes)
  /// LE features as a bit mask, least significant byte first.
  case supportedFeatures(Bytes)
  /// `instant`: the periodic event from which the 37-bit `map` holds.
  case channelMapUpdate(map: UInt64, instant: UInt16)
  /// PB-ADV: a PDU of the provisioning of a mesh device.
  case meshProvisioning(Bytes)
  /// An encrypted network PDU of a mesh.
  case meshMessage(Bytes)
  /// A beacon of a mesh, such as that of a device without a network.
  case meshBeacon(Bytes)
  /// BIGInfo: where a broadcast's isochronous streams are found.
  case isochronousGroup(Bytes)
  /// 16 bytes or fewer.
  case broadcastCode(Bytes)
  /// 6 bytes: a member of a coordinated set, for example one of two buds.
  case resolvableSetIdentifier(Bytes)
  /// UTF-8, 4 to 32 code points.
  case broadcastName(Bytes)
  /// `randomizer`: 5 bytes; `mic`: 4 bytes.
  case encrypted(randomizer: Bytes, payload: Bytes, mic: Bytes)
  /// When a scanner may answer in a periodic advertising train's subevents.
  case periodicResponseTiming(Bytes)
  /// An encrypted message to electronic shelf labels.
  case electronicShelfLabel(Bytes)
  /// As the 3D Synchronization Profile codes them.
  case threeDimensionalInformation(Bytes)
  /// `company`: an assigned company identifier.
  case manufacturerData(company: UInt16, Bytes)
  /// A type that is not assigned, with its data.
  case other(type: UInt8, Bytes)
}
