public import BluetoothCodec

/// The streams and the metadata of a subgroup of a broadcast.
public struct BroadcastSubgroup: Hashable, Sendable {
  /// BIS_Sync: bit *n* is the stream (BIS) with index *n* + 1.
  public var streams: UInt32
  /// The metadata as received.
  public var metadata: [UInt8]

  /// No preference; in a receive state, the headphone could not synchronise with the streams.
  public static let any: UInt32 = 0xFFFF_FFFF

  var isPlayed: Bool { streams != 0 && streams != Self.any }

  public init(_ streams: UInt32, _ metadata: [UInt8] = []) {
    self.streams = streams
    self.metadata = metadata
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    streams = try reader.uint32()
    let length = try reader.uint8()
    metadata = Array(try reader.read(Int(length)))
  }

  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: streams)
    return bytes + [UInt8(truncatingIfNeeded: metadata.count)] + metadata
  }
}

/// PA_Sync, the synchronisation with the periodic advertising (BASS 1.0, 3.1).
public enum PeriodicSync: UInt8, Hashable, Sendable {
  case off
  /// By a transfer (PAST) that the assistant promises.
  case transfer
  /// By scanning for the periodic advertising.
  case scan
}

/// An operation on the control point (Broadcast Audio Scan Service 1.0, 3.1).
///
/// | opcode | operation | parameters |
/// | --- | --- | --- |
/// | 00, 01 | Remote Scan Stopped, Started | |
/// | 02 | Add Source | type, address (6), set, broadcast (3), sync, interval (2), subgroups |
/// | 03 | Modify Source | source, sync, interval (2), subgroups |
/// | 04 | Set Broadcast_Code | source, code (16) |
/// | 05 | Remove Source | source |
public enum BroadcastScanOperation: Hashable, Sendable {
  case scanStopped
  case scanStarted
  /// `interval` is in units of 1.25 ms, or ``unknownInterval``.
  case addSource(BroadcastSource, PeriodicSync, interval: UInt16, [BroadcastSubgroup])
  /// Modifies the source with this Source_ID.
  case modifySource(UInt8, PeriodicSync, interval: UInt16, [BroadcastSubgroup])
  /// Sets the code of the source with this Source_ID.
  case setCode(UInt8, BroadcastCode)
  /// Removes the source with this Source_ID.
  case removeSource(UInt8)

  public static let unknownInterval: UInt16 = 0xFFFF

  /// Decodes an operation as a headphone receives it.
  ///
  /// - Throws: ``/BluetoothCodec/MalformedBytes``: `unknownType` for an opcode, `badValue` for a
  ///   field, other reasons for a length.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "broadcast scan operation")
    let opcode = try reader.uint8()
    switch opcode {
    case 0x00: self = .scanStopped
    case 0x01: self = .scanStarted
    case 0x02:
      let source = try BroadcastSource(&reader)
      let sync = try reader.choice(PeriodicSync.self)
      self = .addSource(
        source, sync, interval: try reader.uint16(), try Self.subgroups(&reader, sync))
    case 0x03:
      let source = try reader.uint8()
      let sync = try reader.choice(PeriodicSync.self)
      self = .modifySource(
        source, sync, interval: try reader.uint16(), try Self.subgroups(&reader, sync))
    case 0x04: self = .setCode(try reader.uint8(), try BroadcastCode(&reader))
    case 0x05: self = .removeSource(try reader.uint8())
    default: throw reader.malformed(.unknownType(UInt64(opcode)), at: 0)
    }
    try reader.finish()
  }

  /// Reads subgroups; a stream may be in only one, and requires the periodic advertising.
  private static func subgroups(
    _ reader: inout ByteReader, _ sync: PeriodicSync
  ) throws(MalformedBytes) -> [BroadcastSubgroup] {
    let subgroups = try BroadcastSubgroup.list(&reader)
    var seen: UInt32 = 0
    for streams in subgroups.map(\.streams) where streams != 0 {
      guard sync != .off, streams == BroadcastSubgroup.any || seen & streams == 0 else {
        throw reader.malformed(.badValue(UInt64(streams)))
      }
      if streams != BroadcastSubgroup.any { seen |= streams }
    }
    return subgroups
  }

  /// Returns the bytes to write.
  public func encoded() -> [UInt8] {
    switch self {
    case .scanStopped: [0x00]
    case .scanStarted: [0x01]
    case .addSource(let source, let sync, let interval, let subgroups):
      [0x02] + source.encoded() + Self.encoded(sync, interval, subgroups)
    case .modifySource(let source, let sync, let interval, let subgroups):
      [0x03, source] + Self.encoded(sync, interval, subgroups)
    case .setCode(let source, let code): [0x04, source] + code.encoded()
    case .removeSource(let source): [0x05, source]
    }
  }

  private static func encoded(
    _ sync: PeriodicSync, _ interval: UInt16, _ subgroups: [BroadcastSubgroup]
  ) -> [UInt8] {
    var bytes = [sync.rawValue]
    bytes.append(littleEndian: interval)
    return bytes + subgroups.encoded()
  }
}

extension BroadcastSubgroup {
  static func list(_ reader: inout ByteReader) throws(MalformedBytes) -> [BroadcastSubgroup] {
    var subgroups: [BroadcastSubgroup] = []
    let count = try reader.uint8()
    for _ in 0..<count { subgroups.append(try BroadcastSubgroup(&reader)) }
    return subgroups
  }
}

extension [BroadcastSubgroup] {
  package func encoded() -> [UInt8] {
    [UInt8(truncatingIfNeeded: count)] + flatMap { $0.encoded() }
  }
}

/// A source by address, advertising set and broadcast.
public struct BroadcastSource: Hashable, Sendable {
  public var address: PeerAddress
  /// The advertising set (SID), 0 to 15.
  public var set: UInt8
  public var broadcast: BroadcastID

  public init(_ address: PeerAddress, set: UInt8, _ broadcast: BroadcastID) {
    self.address = address
    self.set = set
    self.broadcast = broadcast
  }

  /// Returns whether both are the same source, although a private address may differ.
  func isSame(as other: BroadcastSource) -> Bool {
    broadcast == other.broadcast && set == other.set && address.kind == other.address.kind
  }

  /// Reads address type (1), address (6), set (1) and broadcast (3).
  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    let offset = reader.offset
    let kind = try reader.choice(PeerAddress.Kind.self)
    guard kind != .classic else {
      throw reader.malformed(.badValue(UInt64(kind.rawValue)), at: offset)
    }
    address = PeerAddress(try reader.address(), kind)
    set = try reader.uint8()
    guard set <= 0x0F else { throw reader.malformed(.badValue(UInt64(set)), at: offset + 7) }
    broadcast = BroadcastID(rawValue: try reader.uint24())
  }

  package func encoded() -> [UInt8] {
    [address.kind.rawValue] + address.address.littleEndianBytes + [set] + broadcast.encoded()
  }
}

/// The ATT errors of the control point (Broadcast Audio Scan Service 1.0, 1.6).
public enum BroadcastScanError {
  public static let opcodeNotSupported = ATTErrorCode(rawValue: 0x80)
  public static let invalidSource = ATTErrorCode(rawValue: 0x81)
}
