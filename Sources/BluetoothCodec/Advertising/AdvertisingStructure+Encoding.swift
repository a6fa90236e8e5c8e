extension AdvertisingStructure {
  /// Appends the type and the data; the length in front is the caller's.
  func append(to bytes: inout [UInt8]) {
    bytes.append(type.rawValue)
    switch self {
    case .flags(let flags): bytes.append(flags.rawValue)
    case .serviceUUIDs(let uuids, _), .solicitedServiceUUIDs(let uuids):
      let width = Self.width(of: uuids)
      for uuid in uuids { bytes.append(uuid, count: width) }
    case .serviceData(let uuid, let data):
      bytes.append(uuid, count: Self.width(of: [uuid]))
      bytes += data
    case .txPower(let power): bytes.append(UInt8(bitPattern: power))
    case .classOfDevice(let value): bytes.append(contentsOf: value.littleEndianPrefix(3))
    case .outOfBandFlags(let flags): bytes.append(flags.rawValue)
    case .connectionInterval(let minimum, let maximum):
      bytes.append(littleEndian: minimum)
      bytes.append(littleEndian: maximum)
    case .publicTargets(let addresses), .randomTargets(let addresses):
      for address in addresses { bytes.append(address) }
    case .appearance(let value): bytes.append(littleEndian: value)
    case .advertisingInterval(let interval):
      bytes.append(contentsOf: interval.littleEndianPrefix(Self.width(of: interval)))
    case .deviceAddress(let peer):
      bytes.append(peer.address)
      bytes.append(peer.kind.rawValue)
    case .role(let role): bytes.append(role.rawValue)
    case .channelMapUpdate(let map, let instant):
      bytes.append(contentsOf: map.littleEndianPrefix(5))
      bytes.append(littleEndian: instant)
    case .encrypted(let randomizer, let payload, let mic):
      bytes += randomizer
      bytes += payload
      bytes += mic
    case .manufacturerData(let company, let data):
      bytes.append(littleEndian: company)
      bytes += data
    case .localName(let data, _), .other(_, let data), .pairingHash192(let data),
      .pairingRandomizer192(let data), .deviceID(let data), .temporaryKey(let data),
      .pairingHash256(let data), .pairingRandomizer256(let data),
      .secureConnectionsConfirmation(let data), .secureConnectionsRandom(let data),
      .uri(let data), .indoorPositioning(let data), .transportDiscovery(let data),
      .supportedFeatures(let data), .meshProvisioning(let data), .meshMessage(let data),
      .meshBeacon(let data), .isochronousGroup(let data), .broadcastCode(let data),
      .resolvableSetIdentifier(let data), .broadcastName(let data),
      .periodicResponseTiming(let data), .electronicShelfLabel(let data),
      .threeDimensionalInformation(let data):
      bytes += data
    }
  }

  /// The type that stands for this case, by completeness and width.
  var type: AdvertisingType {
    switch self {
    case .flags: .flags
    case .serviceUUIDs(let uuids, let isComplete):
      switch Self.width(of: uuids) {
      case 2: isComplete ? .completeServices16 : .incompleteServices16
      case 4: isComplete ? .completeServices32 : .incompleteServices32
      default: isComplete ? .completeServices128 : .incompleteServices128
      }
    case .localName(_, let isComplete): isComplete ? .completeName : .shortenedName
    case .txPower: .txPower
    case .classOfDevice: .classOfDevice
    case .pairingHash192: .pairingHash192
    case .pairingRandomizer192: .pairingRandomizer192
    case .deviceID, .temporaryKey: .deviceIDOrTemporaryKey
    case .outOfBandFlags: .outOfBandFlags
    case .connectionInterval: .connectionInterval
    case .solicitedServiceUUIDs(let uuids):
      switch Self.width(of: uuids) {
      case 2: .solicitation16
      case 4: .solicitation32
      default: .solicitation128
      }
    case .serviceData(let uuid, _):
      switch Self.width(of: [uuid]) {
      case 2: .serviceData16
      case 4: .serviceData32
      default: .serviceData128
      }
    case .publicTargets: .publicTargets
    case .randomTargets: .randomTargets
    case .appearance: .appearance
    case .advertisingInterval(let interval):
      Self.width(of: interval) == 2 ? .advertisingInterval : .longAdvertisingInterval
    case .deviceAddress: .deviceAddress
    case .role: .role
    case .pairingHash256: .pairingHash256
    case .pairingRandomizer256: .pairingRandomizer256
    case .secureConnectionsConfirmation: .secureConnectionsConfirmation
    case .secureConnectionsRandom: .secureConnectionsRandom
    case .uri: .uri
    case .indoorPositioning: .indoorPositioning
    case .transportDiscovery: .transportDiscovery
    case .supportedFeatures: .supportedFeatures
    case .channelMapUpdate: .channelMapUpdate
    case .meshProvisioning: .meshProvisioning
    case .meshMessage: .meshMessage
    case .meshBeacon: .meshBeacon
    case .isochronousGroup: .isochronousGroup
    case .broadcastCode: .broadcastCode
    case .resolvableSetIdentifier: .resolvableSetIdentifier
    case .broadcastName: .broadcastName
    case .encrypted: .encrypted
    case .periodicResponseTiming: .periodicResponseTiming
    case .electronicShelfLabel: .electronicShelfLabel
    case .threeDimensionalInformation: .threeDimensionalInformation
    case .manufacturerData: .manufacturerData
    case .other(let type, _): AdvertisingType(rawValue: type)
    }
  }

  /// Bytes of each UUID in a list: those that the widest of them needs.
  private static func width(of uuids: [BluetoothUUID]) -> Int {
    uuids.reduce(2) { widest, uuid in
      max(widest, uuid.short16 != nil ? 2 : uuid.short32 != nil ? 4 : 16)
    }
  }

  /// Bytes of an advertising interval: 2, or 3 and 4 in the long type.
  private static func width(of interval: UInt32) -> Int {
    interval <= 0xFFFF ? 2 : interval <= 0xFF_FFFF ? 3 : 4
  }
}
