public import BluetoothCodec

/// A control: a setting with its value, in the same bytes for reports and commands.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | identifier |
/// | 1 | 1 | value |
/// | 2 | 3 | further bytes, mostly 0 |
public struct AACPControl: Hashable, Sendable {
  /// The published number of a control; unknown ones keep their number.
  public enum Identifier: Hashable, Sendable {
    /// 0x0D: 1 off, 2 noise cancelling, 3 transparency, 4 adaptive.
    case noiseControl
    /// 0x2E: 0 to 100.
    case adaptiveStrength
    /// Any other control, such as a switch for conversation awareness.
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

  public var identifier: Identifier
  /// The first byte, whose meaning depends on the control.
  public var value: UInt8
  /// Three more bytes, mostly 0; some controls have a value in the first one.
  public var more: Bytes

  /// Creates a control whose last three bytes are zero.
  public init(_ identifier: Identifier, _ value: UInt8) {
    self.identifier = identifier
    self.value = value
    more = [0, 0, 0]
  }

  package init(_ identifier: UInt8, bytes: [UInt8]) {
    self.identifier = Identifier(identifier)
    value = bytes.first ?? 0
    more = bytes.dropFirst()
  }

  /// Decodes the five bytes after the opcode; further bytes are ignored.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "AACP control")
    identifier = Identifier(try reader.uint8())
    value = try reader.uint8()
    more = try reader.read(3)
  }

  package var bytes: [UInt8] { [value] + more }

  /// Returns the five bytes after the opcode.
  public func encoded() -> [UInt8] { [identifier.rawValue] + bytes }
}
