extension AdvertisingStructure {
  /// Appends the type and the data; the caller adds the length before them.
  func append(to bytes: inout [UInt8]) {
    bytes.append(type.rawValue)
    switch self {
    case .flags(let flags): bytes.append(flags.rawValue)
    case .serviceUUIDs(let uuids, _):
      let width = Self.width(of: uuids)
      for uuid in uuids { bytes.append(uuid, count: width) }
    case .serviceData(let uuid, let data):
      bytes.append(uuid, count: Self.width(of: [uuid]))
      bytes += data
    case .txPower(let power): bytes.append(UInt8(bitPattern: power))
    case .appearance(let value): bytes.append(littleEndian: value)
    case .manufacturerData(let company, let data):
      bytes.append(littleEndian: company)
      bytes += data
    case .localName(let data, _), .resolvableSetIdentifier(let data), .other(_, let data):
      bytes += data
    }
  }

  /// The AD type for this case, by completeness and UUID size.
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
    case .serviceData(let uuid, _):
      switch Self.width(of: [uuid]) {
      case 2: .serviceData16
      case 4: .serviceData32
      default: .serviceData128
      }
    case .appearance: .appearance
    case .resolvableSetIdentifier: .resolvableSetIdentifier
    case .manufacturerData: .manufacturerData
    case .other(let type, _): AdvertisingType(rawValue: type)
    }
  }

  /// The size of each UUID in a list in bytes: that of the largest one.
  private static func width(of uuids: [BluetoothUUID]) -> Int {
    uuids.reduce(2) { widest, uuid in
      max(widest, uuid.short16 != nil ? 2 : uuid.short32 != nil ? 4 : 16)
    }
  }
}
