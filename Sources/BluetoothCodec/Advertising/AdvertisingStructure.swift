/// An AD structure (CSS Part A); types that do not matter for headphones keep their bytes.
public enum AdvertisingStructure: Hashable, Sendable {
  case flags(AdvertisingFlags)
  /// Services (1.1), encoded in the size that the largest UUID needs.
  case serviceUUIDs([BluetoothUUID], isComplete: Bool)
  /// The name as received (1.2): unsanitised, possibly not valid UTF-8.
  case localName(Bytes, isComplete: Bool)
  /// The transmit power in dBm (1.5).
  case txPower(Int8)
  /// The data of a service, whose UUID may have any size (1.11).
  case serviceData(BluetoothUUID, Bytes)
  /// The appearance, a category of 10 bits and a subcategory of 6 (1.12).
  case appearance(UInt16)
  /// Six bytes that identify a member of a coordinated set, for example one of two earbuds.
  case resolvableSetIdentifier(Bytes)
  /// The data of a company, by its assigned identifier (1.4).
  case manufacturerData(company: UInt16, Bytes)
  /// Any other AD type and its data.
  case other(type: UInt8, Bytes)
}

extension AdvertisingStructure {
  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    let type = AdvertisingType(rawValue: try reader.uint8())
    do throws(MalformedBytes) {
      self = try Self.decode(type, &reader)
      try reader.finish()
    } catch {
      // The type's name costs an allocation, so only errors get it.
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
    case .serviceData16: return .serviceData(try reader.uuid(2), reader.rest())
    case .serviceData32: return .serviceData(try reader.uuid(4), reader.rest())
    case .serviceData128: return .serviceData(try reader.uuid(16), reader.rest())
    case .shortenedName: return .localName(reader.rest(), isComplete: false)
    case .completeName: return .localName(reader.rest(), isComplete: true)
    case .txPower: return .txPower(try reader.int8())
    case .appearance: return .appearance(try reader.uint16())
    case .manufacturerData:
      return .manufacturerData(company: try reader.uint16(), reader.rest())
    case .resolvableSetIdentifier: return .resolvableSetIdentifier(try reader.read(6))
    default: return .other(type: type.rawValue, reader.rest())
    }
  }

  /// Decodes the first octet of the flags; an empty field is 0, and later octets are ignored.
  private static func bits(
    _ reader: inout ByteReader
  ) throws(MalformedBytes) -> AdvertisingFlags {
    AdvertisingFlags(rawValue: reader.rest().first ?? 0)
  }

  /// Decodes UUIDs of `width` bytes, dropping an incomplete one at the end.
  private static func uuids(
    _ width: Int, _ reader: inout ByteReader
  ) throws(MalformedBytes) -> [BluetoothUUID] {
    var uuids: [BluetoothUUID] = []
    uuids.reserveCapacity(reader.remaining / width)
    while reader.remaining >= width { uuids.append(try reader.uuid(width)) }
    _ = reader.rest()
    return uuids
  }
}

extension AdvertisingStructure {
  /// Appends the type and the data; the caller writes the length before them.
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

  private static func width(of uuids: [BluetoothUUID]) -> Int {
    uuids.reduce(2) { widest, uuid in
      max(widest, uuid.short16 != nil ? 2 : uuid.short32 != nil ? 4 : 16)
    }
  }
}

/// The Flags AD type (CSS Part A, 1.3).
///
/// An earbud that advertises `06` has no BR/EDR side at this address; `02` or `1A` is dual-mode.
public struct AdvertisingFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let leLimitedDiscoverable = AdvertisingFlags(rawValue: 1 << 0)
  public static let leGeneralDiscoverable = AdvertisingFlags(rawValue: 1 << 1)
  /// Single-mode: the device has no BR/EDR side.
  public static let brEdrNotSupported = AdvertisingFlags(rawValue: 1 << 2)
  public static let simultaneousController = AdvertisingFlags(rawValue: 1 << 3)
}

struct AdvertisingType: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
  var rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }
  init(integerLiteral value: UInt8) { rawValue = value }

  static let flags: Self = 0x01
  static let incompleteServices16: Self = 0x02
  static let completeServices16: Self = 0x03
  static let incompleteServices32: Self = 0x04
  static let completeServices32: Self = 0x05
  static let incompleteServices128: Self = 0x06
  static let completeServices128: Self = 0x07
  static let shortenedName: Self = 0x08
  static let completeName: Self = 0x09
  static let txPower: Self = 0x0A
  static let serviceData16: Self = 0x16
  static let appearance: Self = 0x19
  static let serviceData32: Self = 0x20
  static let serviceData128: Self = 0x21
  static let resolvableSetIdentifier: Self = 0x2E
  static let manufacturerData: Self = 0xFF
}

extension AdvertisingType: CustomStringConvertible {
  var description: String { "AD structure 0x\(hexadecimal(rawValue, width: 2))" }
}
