public import BluetoothCodec

/// A setting and its value, in the same bytes for reports and commands.
public struct AACPControl: Hashable, Sendable {
  /// Which setting, by its published number; one that is not known keeps its number.
  public enum Identifier: Hashable, Sendable {
    case noiseControl
    case adaptiveStrength
    /// Bytes of it are kept in ``AACPControl/value``.
    case other(UInt8)

    init(_ raw: UInt8) {
      switch raw {
      case 0x0D: self = .noiseControl
      case 0x2E: self = .adaptiveStrength
      default: self = .other(raw)
      }
    }

    var rawValue: UInt8 {
      switch self {
      case .noiseControl: 0x0D
      case .adaptiveStrength: 0x2E
      case .other(let raw): raw
      }
    }
  }

  /// Stands in the first byte after the opcode.
  public var identifier: Identifier
  /// Of noise control 1 to 4 for off, cancelling, transparency and adaptive; of strength 0 to 100.
  public var value: UInt8
  /// Three more bytes, of no meaning to the settings that are known here.
  public var more: Bytes

  /// With zeros in the bytes that mean nothing.
  public init(_ identifier: Identifier, _ value: UInt8) {
    self.identifier = identifier
    self.value = value
    more = [0, 0, 0]
  }

  /// Reads the five bytes after the opcode; further ones are ignored.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "AACP control")
    identifier = Identifier(try reader.uint8())
    value = try reader.uint8()
    more = try reader.take(3)
  }

  /// Five bytes: what follows the opcode.
  public func encoded() -> [UInt8] { [identifier.rawValue, value] + more }
}
