public import BluetoothCodec

/// A firmware update command with its payload, for either side (docs/protocol.md section 7).
///
/// | Command | Payload (little-endian) |
/// | --- | --- |
/// | 0x50 begin | manifest (64), signature (64) |
/// | 0x51 data | offset (4), bytes |
/// | 0x52 block done | block index (2), CRC-32C (4) |
/// | 0x53 to 0x57 | none |
public enum FirmwareRequest: Hashable, Sendable {
  /// Announces an image by its manifest and signature; answered by a ``FirmwareStart``.
  case begin(header: Bytes)
  /// Sends a part of the image to a headphone without FFF5.
  case data(FirmwareFrame)
  /// Checks a block by its CRC-32C; `index` counts from 0.
  case blockDone(index: UInt16, checksum: UInt32)
  /// Verifies the size, digest, signature and counter of the image on the headphone.
  case verify
  /// Restarts into the new image on trial, which ends the link.
  case activate
  /// Makes the image permanent; without this within 60 s the headphone rolls back.
  case confirm
  case abort
  /// Answered by a ``FirmwareStatus``.
  case status

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

  /// The payload, before it is divided into packets.
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

  /// Decodes a command on the headphone's side, or returns nil for others; extra bytes are ignored.
  public init?(_ id: CommandID, payload: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(payload, of: "firmware command")
    switch id {
    case .firmwareBegin: self = .begin(header: try reader.read(FirmwareImage.headerLength))
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

/// A part of an image: the value of a write to FFF5, or the payload of command 0x51.
///
/// | Offset | Size | Field |
/// | --- | --- | --- |
/// | 0 | 4 | offset from the start of the image, little-endian |
/// | 4 | 1 or more | bytes of the image |
public struct FirmwareFrame: Hashable, Sendable {
  /// The length of the offset in bytes.
  public static let headerLength = 4

  /// The offset of the first byte from the start of the image.
  public var offset: UInt32
  /// The bytes of the image, at least one.
  public var bytes: Bytes

  public init(offset: UInt32, bytes: Bytes) {
    self.offset = offset
    self.bytes = bytes
  }

  /// Decodes a frame of at least 5 bytes.
  public init(decoding value: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(value, of: "firmware data")
    offset = try reader.uint32()
    bytes = reader.rest()
    guard !bytes.isEmpty else {
      throw reader.malformed(.truncated(needed: 1, available: 0))
    }
  }

  /// Returns the frame as it is sent.
  public func encoded() -> [UInt8] {
    var value: [UInt8] = []
    value.reserveCapacity(Self.headerLength + bytes.count)
    value.append(littleEndian: offset)
    value += bytes
    return value
  }
}
