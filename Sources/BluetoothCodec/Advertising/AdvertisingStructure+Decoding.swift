extension AdvertisingStructure {
  /// Decodes a type and its data: all that `reader` has.
  ///
  /// - Throws: ``MalformedBytes`` with the type's name.
  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    let type = AdvertisingType(rawValue: try reader.uint8())
    do throws(MalformedBytes) {
      self = try Self.decode(type, &reader)
      try reader.finish()
    } catch {
      // The name costs an allocation, which only errors pay for.
      throw MalformedBytes(type.description, at: error.offset, error.reason)
    }
  }

  /// Decodes the data of a type; unknown types keep their bytes.
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
    case .serviceData16: return .serviceData(try reader.uuid(2), reader.rest())
    case .serviceData32: return .serviceData(try reader.uuid(4), reader.rest())
    case .serviceData128: return .serviceData(try reader.uuid(16), reader.rest())
    case .shortenedName: return .localName(reader.rest(), isComplete: false)
    case .completeName: return .localName(reader.rest(), isComplete: true)
    case .txPower: return .txPower(try reader.int8())
    case .appearance: return .appearance(try reader.uint16())
    case .manufacturerData:
      return .manufacturerData(company: try reader.uint16(), reader.rest())
    case .resolvableSetIdentifier: return .resolvableSetIdentifier(try reader.take(6))
    default: return .other(type: type.rawValue, reader.rest())
    }
  }

  /// The first octet of the flags: later specifications may add further ones, and an empty field is
  /// zero.
  private static func bits(
    _ reader: inout ByteReader
  ) throws(MalformedBytes) -> AdvertisingFlags {
    AdvertisingFlags(rawValue: reader.rest().first ?? 0)
  }

  /// A list of UUIDs of 2, 4 or 16 bytes each.
  private static func uuids(
    _ width: Int, _ reader: inout ByteReader
  ) throws(MalformedBytes) -> [BluetoothUUID] {
    var uuids: [BluetoothUUID] = []
    uuids.reserveCapacity(reader.remaining / width)
    while !reader.isAtEnd { uuids.append(try reader.uuid(width)) }
    return uuids
  }
}
