public import BluetoothCodec

/// A request to the preset control point (Hearing Access Service 1.0, 3.2).
///
/// | opcode | request | parameters |
/// | --- | --- | --- |
/// | 01 | read presets | first index, most records |
/// | 04 | write preset name | index, name |
/// | 05, 08 | set active preset, and the same on both aids | index |
/// | 06, 09 | set next preset, and the same on both aids | |
/// | 07, 0A | set previous preset, and the same on both aids | |
public enum PresetRequest: Hashable, Sendable {
  /// Neither number may be 0, as some aids then stop working.
  case read(from: UInt8, count: UInt8)
  /// Renames the preset with an index.
  case writeName(UInt8, String)
  /// Selects the preset with an index.
  case activate(UInt8, isSynchronised: Bool = false)
  case activateNext(isSynchronised: Bool = false)
  case activatePrevious(isSynchronised: Bool = false)

  public static let readAll = PresetRequest.read(from: 1, count: 0xFF)

  /// Decodes a request as a hearing aid receives it.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "preset request")
    let opcode = try reader.uint8()
    switch opcode {
    case 0x01: self = .read(from: try reader.uint8(), count: try reader.uint8())
    case 0x04:
      let index = try reader.uint8()
      let name = reader.rest()
      guard HearingPreset.nameLengths.contains(name.count) else {
        throw reader.malformed(.badLength(name.count), at: 2)
      }
      self = .writeName(index, textFromAir(name))
    case 0x05, 0x08: self = .activate(try reader.uint8(), isSynchronised: opcode == 0x08)
    case 0x06, 0x09: self = .activateNext(isSynchronised: opcode == 0x09)
    case 0x07, 0x0A: self = .activatePrevious(isSynchronised: opcode == 0x0A)
    default: throw reader.malformed(.unknownType(UInt64(opcode)), at: 0)
    }
    try reader.finish()
  }

  /// Returns the bytes to write.
  public func encoded() -> [UInt8] {
    switch self {
    case .read(let first, let count): [0x01, first, count]
    case .writeName(let index, let name): [0x04, index] + Array(name.utf8)
    case .activate(let index, let isSynchronised): [isSynchronised ? 0x08 : 0x05, index]
    case .activateNext(let isSynchronised): [isSynchronised ? 0x09 : 0x06]
    case .activatePrevious(let isSynchronised): [isSynchronised ? 0x0A : 0x07]
    }
  }
}

/// An indication of the preset control point (Hearing Access Service 1.0, 3.2).
///
/// | opcode | message | parameters |
/// | --- | --- | --- |
/// | 02 | read preset response | last (1), record |
/// | 03 00 | preset changed: generic update | last (1), previous index (1), record |
/// | 03 01, 03 02, 03 03 | preset deleted, available, unavailable | last (1), index (1) |
public enum PresetMessage: Hashable, Sendable {
  case record(HearingPreset, isLast: Bool)
  /// A new or changed record; there are no other records between `before` and its index.
  case updated(HearingPreset, before: UInt8, isLast: Bool)
  /// The preset with this index was deleted.
  case deleted(UInt8, isLast: Bool)
  /// The preset with this index has become available or unavailable.
  case availability(UInt8, isAvailable: Bool, isLast: Bool)

  /// Decodes an indication.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "preset message")
    let opcode = try reader.uint8()
    switch opcode {
    case 0x02:
      let isLast = try reader.flag()
      self = .record(try HearingPreset(&reader), isLast: isLast)
    case 0x03:
      let change = try reader.uint8()
      let isLast = try reader.flag()
      let index = try reader.uint8()
      switch change {
      case 0x00: self = .updated(try HearingPreset(&reader), before: index, isLast: isLast)
      case 0x01: self = .deleted(index, isLast: isLast)
      case 0x02, 0x03:
        self = .availability(index, isAvailable: change == 0x02, isLast: isLast)
      default: throw reader.malformed(.unknownType(UInt64(change)), at: 1)
      }
      try reader.finish()
    default: throw reader.malformed(.unknownType(UInt64(opcode)), at: 0)
    }
  }

  public var isLast: Bool {
    switch self {
    case .record(_, let isLast), .updated(_, _, let isLast), .deleted(_, let isLast),
      .availability(_, _, let isLast):
      isLast
    }
  }
}

/// ATT errors of the preset control point (Hearing Access Service 1.0, 1.5).
///
/// Implementations differ in which of the last three they use for an unknown index.
public enum PresetError {
  public static let invalidOpcode = ATTErrorCode(rawValue: 0x80)
  public static let nameNotWritable = ATTErrorCode(rawValue: 0x81)
  public static let synchronisationNotSupported = ATTErrorCode(rawValue: 0x82)
  /// There is no such preset, or it is not available.
  public static let notPossible = ATTErrorCode(rawValue: 0x83)
  /// The name is empty or has more than 40 bytes.
  public static let invalidLength = ATTErrorCode(rawValue: 0x84)

  /// Returns whether the error may mean that the preset does not exist or is not available.
  package static func meansOutdated(_ code: ATTErrorCode) -> Bool {
    [nameNotWritable, notPossible, .outOfRange].contains(code)
  }
}
