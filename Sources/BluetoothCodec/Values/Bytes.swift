/// Octets of a value or a PDU: a slice, so that what is decoded shares the input's storage.
public typealias Bytes = ArraySlice<UInt8>

/// Why some bytes are not what they should be, and where.
///
/// Everything that this module decodes comes from the air or from a kernel: a malformed input is
/// always this error, never a trap.
public struct MalformedBytes: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong.
  public enum Reason: Hashable, Sendable {
    /// The input ends before the field does; `needed` and `available` are in bytes.
    case truncated(needed: Int, available: Int)
    /// Bytes are left over after the last field.
    case trailing(count: Int)
    /// A length field contradicts the input or the specification.
    case badLength(Int)
    /// A field holds a value that the specification does not allow there.
    case badValue(UInt64)
    /// The opcode, event or type is not one that is decoded here.
    case unknownType(UInt64)
    /// The input is longer than the protocol allows; both in bytes.
    case tooLong(count: Int, limit: Int)
  }

  /// What was being decoded, for example "Read By Type Response".
  public var what: String
  /// Offset in bytes from the start of the input.
  public var offset: Int
  /// What is wrong at ``offset``.
  public var reason: Reason

  public init(_ what: String, at offset: Int, _ reason: Reason) {
    self.what = what
    self.offset = offset
    self.reason = reason
  }

  public var description: String {
    let cause =
      switch reason {
      case .truncated(let needed, let available): "needs \(needed) bytes, has \(available)"
      case .trailing(let count): "\(count) bytes too many"
      case .badLength(let length): "impossible length \(length)"
      case .badValue(let value): "impossible value 0x\(String(value, radix: 16))"
      case .unknownType(let type): "unknown type 0x\(String(type, radix: 16))"
      case .tooLong(let count, let limit): "\(count) bytes, at most \(limit) are allowed"
      }
    return "malformed \(what) at byte \(offset): \(cause)"
  }
}
