public import BluetoothCodec

/// A frame of Sony's headphones: `3E type sequence length(4, BE) payload sum 3C`, with escapes.
public struct SonyFrame: Hashable, Sendable {
  /// What a frame carries, by its published number.
  public enum Kind: Hashable, Sendable {
    case acknowledgement
    /// A command of table 1, or of table 2 (voice guidance, peripherals).
    case command, secondCommand
    /// The same without need of an acknowledgement.
    case shot, secondShot
    /// Another number, for example 2D (large data).
    case other(UInt8)

    init(_ raw: UInt8) {
      switch raw {
      case 0x01: self = .acknowledgement
      case 0x0C: self = .command
      case 0x0E: self = .secondCommand
      case 0x1C: self = .shot
      case 0x1E: self = .secondShot
      default: self = .other(raw)
      }
    }

    var rawValue: UInt8 {
      switch self {
      case .acknowledgement: 0x01
      case .command: 0x0C
      case .secondCommand: 0x0E
      case .shot: 0x1C
      case .secondShot: 0x1E
      case .other(let raw): raw
      }
    }

    /// Whether the receiver has to acknowledge it at once.
    var wantsAcknowledgement: Bool { self == .command || self == .secondCommand }
  }

  /// Length of the unescaped payload at byte 3; a raw 3C always ends a frame.
  static let format = FrameFormat(
    marker: [0x3E], length: .init(at: 2, width: 4, isBigEndian: true, adding: 9),
    check: .sum(includesMarker: false), end: [0x3C],
    escape: .init(byte: 0x3D, values: [0x3C, 0x3D, 0x3E], bits: 0x10), longest: 2048)

  private static let headLength = 6

  public var kind: Kind
  /// 0 or 1.
  public var sequence: UInt8
  /// The first byte is the command, the second mostly what it is about.
  public var payload: Bytes

  public init(_ kind: Kind, sequence: UInt8, payload: Bytes = []) {
    self.kind = kind
    self.sequence = sequence
    self.payload = payload
  }

  /// - Throws: for a wrong length, checksum or escape, and for a sequence number above 1.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let content = try Self.format.content(of: bytes, "Sony frame")
    var reader = ByteReader(content, of: "Sony frame")
    kind = Kind(try reader.uint8())
    sequence = try reader.uint8(in: 0...1)
    _ = try reader.take(4)
    payload = reader.rest()
  }

  /// The whole frame.
  public func encoded() -> [UInt8] {
    Self.format.frame(around: [kind.rawValue, sequence, 0, 0, 0, 0] + payload)
  }
}
