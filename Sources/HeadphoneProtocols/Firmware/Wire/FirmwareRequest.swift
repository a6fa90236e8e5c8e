public import BluetoothCodec

/// A command of a firmware update with its payload, for the side that sends it and for the side
/// that carries it out (docs/protocol.md section 7).
public enum FirmwareRequest: Hashable, Sendable {
  /// The manifest and its signature.
  case begin(header: Bytes)
  /// Only for headphones without FFF5.
  case data(FirmwareFrame)
  /// `index` counts from 0; `checksum`: CRC-32C of the block's bytes.
  case blockDone(index: UInt16, checksum: UInt32)
  /// 0x53: size, digest, signature and counter are checked on the headphone.
  case verify
  /// 0x54: it restarts into the new image on trial, and the link ends.
  case activate
  /// 0x55: the image stays; without this within 60 s the headphone rolls back.
  case confirm
  /// 0x56: what has arrived is forgotten.
  case abort
  /// 0x57: where the headphone is.
  case status

  /// Stands in the packet's third byte: 0x50 to 0x57.
  public var id: CommandID {
    switch self {
    case .begin: .firmwareBegin
    case .data: .firmwareData
    case .blockDone: .firmwareBlockDone
    case .verify: .firmwareVerify
    case .activate: .firmwareActivate
    case .confirm: .firmwareConfirm
    case .abort: .firmwareAbort
    case .status: .firmwareStatus
    }
  }

  /// What stands in the packet behind its length, before it is cut into packets.
  public var payload: [UInt8] {
    switch self {
    case .begin(let header): return Array(header)
    case .data(let frame): return frame.encoded()
    case .blockDone(let index, let checksum):
      var bytes: [UInt8] = []
      bytes.append(littleEndian: index)
      bytes.append(littleEndian: checksum)
      return bytes
    case .verify, .activate, .confirm, .abort, .status: return []
    }
  }

  /// Decodes what a phone asks for; nil if the command is not one of an update.
  ///
  /// - Throws: if the payload is too short; a longer one is accepted.
  public init?(_ id: CommandID, payload: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(payload, of: "firmware command")
    switch id {
    case .firmwareBegin: self = .begin(header: try reader.take(FirmwareImage.headerLength))
    case .firmwareData: self = .data(try FirmwareFrame(decoding: reader.rest()))
    case .firmwareBlockDone:
      self = .blockDone(index: try reader.uint16(), checksum: try reader.uint32())
    case .firmwareVerify: self = .verify
    case .firmwareActivate: self = .activate
    case .firmwareConfirm: self = .confirm
    case .firmwareAbort: self = .abort
    case .firmwareStatus: self = .status
    default: return nil
    }
  }
}

/// Bytes of an image and where they belong: a value of FFF5, or the payload of command 0x51.
public struct FirmwareFrame: Hashable, Sendable {
  /// Bytes of the offset before the data.
  public static let headerLength = 4

  /// From the image's start; bytes.
  public var offset: UInt32
  /// At least one; as many as an ATT value has room for.
  public var bytes: Bytes

  public init(offset: UInt32, bytes: Bytes) {
    self.offset = offset
    self.bytes = bytes
  }

  /// - Throws: if there is no data.
  public init(decoding value: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(value, of: "firmware data")
    offset = try reader.uint32()
    bytes = reader.rest()
    guard !bytes.isEmpty else {
      throw reader.malformed(.truncated(needed: 1, available: 0))
    }
  }

  /// The offset in 4 bytes, little-endian, then the bytes.
  public func encoded() -> [UInt8] {
    var value: [UInt8] = []
    value.reserveCapacity(Self.headerLength + bytes.count)
    value.append(littleEndian: offset)
    value += bytes
    return value
  }
}
