public import BluetoothCodec

/// What a client writes to the preset control point (Hearing Access Service 1.0, 3.2).
///
/// | opcode | request | then |
/// | --- | --- | --- |
/// | 01 | read presets | first index, most records |
/// | 04 | write preset name | index, name |
/// | 05, 08 | set active preset, and the same on both aids | index |
/// | 06, 09 | set next preset, and the same on both aids | |
/// | 07, 0A | set previous preset, and the same on both aids | |
public enum PresetRequest: Hashable, Sendable {
  /// Neither number may be 0, which some aids do not recover from.
  case read(from: UInt8, count: UInt8)
  /// Renames the preset with an index.
  case writeName(UInt8, String)
  /// Selects the preset with an index.
  case activate(UInt8, isSynchronised: Bool = false)
  /// Selects the next available preset.
  case activateNext(isSynchronised: Bool = false)
  /// Selects the previous available preset.
  case activatePrevious(isSynchronised: Bool = false)

  /// The request for all records.
  public static let readAll = PresetRequest.read(from: 1, count: 0xFF)

  /// Decodes a request as a hearing aid receives it.
  ///
  /// - Throws: ``/BluetoothCodec/MalformedBytes`` for an unknown opcode or an impossible length.
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

  /// The bytes to be written.
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

/// What a hearing aid indicates on the preset control point (Hearing Access Service 1.0, 3.2).
///
/// | opcode | message | then |
/// | --- | --- | --- |
/// | 02 | read preset response | last (1), record |
/// | 03 00 | preset changed: generic update | last (1), index before (1), record |
/// | 03 01, 03 02, 03 03 | preset deleted, available, unavailable | last (1), index (1) |
public enum PresetMessage: Hashable, Sendable {
  /// A record of a reading.
  case record(HearingPreset, isLast: Bool)
  /// The record is new or changed, and there is none between `before` and its index.
  case updated(HearingPreset, before: UInt8, isLast: Bool)
  /// The preset with an index is gone.
  case deleted(UInt8, isLast: Bool)
  /// The preset with an index can be chosen from now on, or no longer.
  case availability(UInt8, isAvailable: Bool, isLast: Bool)

  /// - Throws: ``/BluetoothCodec/MalformedBytes`` for an unknown message or an impossible length.
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

  /// The bytes that a hearing aid indicates.
  public func encoded() -> [UInt8] {
    switch self {
    case .record(let preset, let isLast): [0x02, isLast ? 1 : 0] + preset.encoded()
    case .updated(let preset, let before, let isLast):
      [0x03, 0x00, isLast ? 1 : 0, before] + preset.encoded()
    case .deleted(let index, let isLast): [0x03, 0x01, isLast ? 1 : 0, index]
    case .availability(let index, let isAvailable, let isLast):
      [0x03, isAvailable ? 0x02 : 0x03, isLast ? 1 : 0, index]
    }
  }

  /// Whether the batch of messages ends with this one.
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
  /// An opcode that the aid does not know.
  public static let invalidOpcode = ATTErrorCode(rawValue: 0x80)
  /// The name of this preset cannot be written.
  public static let nameNotWritable = ATTErrorCode(rawValue: 0x81)
  /// The aid does not pass presets on.
  public static let synchronisationNotSupported = ATTErrorCode(rawValue: 0x82)
  /// No such preset, or not now.
  public static let notPossible = ATTErrorCode(rawValue: 0x83)
  /// A name without bytes, or with more than 40.
  public static let invalidLength = ATTErrorCode(rawValue: 0x84)

  /// Whether an aid may mean that it has no such preset, or not now.
  package static func meansOutdated(_ code: ATTErrorCode) -> Bool {
    [nameNotWritable, notPossible, .outOfRange].contains(code)
  }
}
