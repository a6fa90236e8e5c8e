extension AdvertisingStructure {
  /// Reads a type and its data: all that `reader` has.
  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    let type = AdvertisingType(rawValue: try reader.uint8())
    do throws(MalformedBytes) {
      self = try Self.decode(type, &reader)
      try reader.finish()
    } catch {
      // The name costs an allocation: it is made only where it is wanted.
      throw MalformedBytes(type.description, at: error.offset, error.reason)
    }
  }

  private static func decode(
    _ type: AdvertisingType, _ reader: inout ByteReader
  ) throws(MalformedBytes) -> AdvertisingStructure {
    switch type {
    case .flags: return .flags(try bits(&reader))
    case .incompleteServices16: return .serviceUUIDs(try uuids(2, &reader), isComplete: false)
    case .completeServices16: return .serviceUUIDs(try uuids(2, &reader), isComplete: true)
    case .incompleteServices32: return .serviceUUIDs(try uuids(4, &reader), isComplete: false)
    case .completeServices32: return .serviceUUIDs(try uuids(4, &reader), isComplete: true)
    case .incompleteServices128: return .serviceUUIDs(try uuids(16, &reader), isComplete: false)
    case .completeServices128: return .serviceUUIDs(try uuids(16, &reader), isComplete: true)
    case .solicitation16: return .solicitedServiceUUIDs(try uuids(2, &reader))
    case .solicitation32: return .solicitedServiceUUIDs(try uuids(4, &reader))
    case .solicitation128: return .solicitedServiceUUIDs(try uuids(16, &reader))
    case .serviceData16: return .serviceData(try reader.uuid(2), reader.rest())
    case .serviceData32: return .serviceData(try reader.uuid(4), reader.rest())
    case .serviceData128: return .serviceData(try reader.uuid(16), reader.rest())
    case .shortenedName: return .localName(reader.rest(), isComplete: false)
    case .completeName: return .localName(reader.rest(), isComplete: true)
    case .txPower: return .txPower(try reader.int8())
    case .appearance: return .appearance(try reader.uint16())
    case .manufacturerData:
      return .manufacturerData(company: try reader.uint16(), reader.rest())
    case .classOfDevice: return .classOfDevice(try reader.uint24())
    case .publicTargets: return .publicTargets(try addresses(&reader))
    case .randomTargets: return .randomTargets(try addresses(&reader))
    case .deviceAddress: return .deviceAddress(try deviceAddress(&reader))
    case .connectionInterval:
      return .connectionInterval(minimum: try reader.uint16(), maximum: try reader.uint16())
    case .advertisingInterval: return .advertisingInterval(UInt32(try reader.uint16()))
    case .longAdvertisingInterval:
      let isWide = reader.remaining == 4
      return .advertisingInterval(isWide ? try reader.uint32() : try reader.uint24())
    case .role: return .role(try reader.choice(AdvertisingRole.self))
    case .channelMapUpdate:
      let low = try reader.uint32()
      let map = UInt64(low) | UInt64(try reader.uint8()) << 32
      return .channelMapUpdate(map: map, instant: try reader.uint16())
    case .encrypted:
      let randomizer = try reader.take(5)
      let payload = try reader.take(reader.remaining - 4)
      return .encrypted(randomizer: randomizer, payload: payload, mic: reader.rest())
    default: return try security(type, &reader)
    }
  }

  /// What pairing puts into out-of-band data, mostly of fixed size.
  private static func security(
    _ type: AdvertisingType, _ reader: inout ByteReader
  ) throws(MalformedBytes) -> AdvertisingStructure {
    switch type {
    case .pairingHash192: return .pairingHash192(try reader.take(16))
    case .pairingRandomizer192: return .pairingRandomizer192(try reader.take(16))
    case .deviceIDOrTemporaryKey:
      return reader.remaining == 8
        ? .deviceID(reader.rest()) : .temporaryKey(try reader.take(16))
    case .outOfBandFlags: return .outOfBandFlags(OutOfBandFlags(rawValue: try reader.uint8()))
    case .pairingHash256: return .pairingHash256(try reader.take(16))
    case .pairingRandomizer256: return .pairingRandomizer256(try reader.take(16))
    case .secureConnectionsConfirmation:
      return .secureConnectionsConfirmation(try reader.take(16))
    case .secureConnectionsRandom: return .secureConnectionsRandom(try reader.take(16))
    case .resolvableSetIdentifier: return .resolvableSetIdentifier(try reader.take(6))
    default: return foreign(type, reader.rest())
    }
  }

  /// Types whose content belongs to a protocol of its own.
  private static func foreign(_ type: AdvertisingType, _ data: Bytes) -> AdvertisingStructure {
    switch type {
    case .uri: .uri(data)
    case .indoorPositioning: .indoorPositioning(data)
    case .transportDiscovery: .transportDiscovery(data)
    case .supportedFeatures: .supportedFeatures(data)
    case .meshProvisioning: .meshProvisioning(data)
    case .meshMessage: .meshMessage(data)
    case .meshBeacon: .meshBeacon(data)
    case .isochronousGroup: .isochronousGroup(data)
    case .broadcastCode: .broadcastCode(data)
    case .broadcastName: .broadcastName(data)
    case .periodicResponseTiming: .periodicResponseTiming(data)
    case .electronicShelfLabel: .electronicShelfLabel(data)
    case .threeDimensionalInformation: .threeDimensionalInformation(data)
    default: .other(type: type.rawValue, data)
    }
  }

  /// The flags' first byte; a longer field is a later specification's, none at all is all zero.
  private static func bits(
    _ reader: inout ByteReader
  ) throws(MalformedBytes) -> AdvertisingFlags {
    AdvertisingFlags(rawValue: reader.rest().first ?? 0)
  }

  private static func uuids(
    _ width: Int, _ reader: inout ByteReader
  ) throws(MalformedBytes) -> [BluetoothUUID] {
    var uuids: [BluetoothUUID] = []
    uuids.reserveCapacity(reader.remaining / width)
    while !reader.isAtEnd { uuids.append(try reader.uuid(width)) }
    return uuids
  }

  private static func addresses(
    _ reader: inout ByteReader
  ) throws(MalformedBytes) -> [BluetoothAddress] {
    var addresses: [BluetoothAddress] = []
    while !reader.isAtEnd { addresses.append(try reader.address()) }
    return addresses
  }

  private static func deviceAddress(
    _ reader: inout ByteReader
  ) throws(MalformedBytes) -> PeerAddress {
    let address = try reader.address()
    return PeerAddress(address, try reader.uint8() & 1 == 1 ? .random : .public)
  }
}
