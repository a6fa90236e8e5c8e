/// The octets of a value or a PDU: a slice of the PDU's storage, whose indices need not start at 0.
///
/// A slice keeps the whole PDU in memory; `Array(_:)` copies what is kept for longer.
public typealias Bytes = ArraySlice<UInt8>

/// An error in received bytes, which are treated as hostile and never cause a trap.
public struct MalformedBytes: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Reason: Hashable, Sendable {
    /// The input ends within a field; both numbers are in bytes.
    case truncated(needed: Int, available: Int)
    /// Bytes are left after the last field.
    case trailing(count: Int)
    /// A length field contradicts the input or the specification.
    case badLength(Int)
    /// A field has a value that the specification does not allow.
    case badValue(UInt64)
    /// The opcode, event or type is not a decoded one.
    case unknownType(UInt64)
    /// The input is longer than the protocol allows; both numbers are in bytes.
    case tooLong(count: Int, limit: Int)
  }

  /// The name of the decoded structure, such as "Read By Type Response".
  public var what: String
  /// The offset from the start of the input in bytes.
  public var offset: Int
  public var reason: Reason

  public init(_ what: String, at offset: Int, _ reason: Reason) {
    self.what = what
    self.offset = offset
    self.reason = reason
  }

  /// One line for a log, such as "malformed Read Request at byte 1: needs 2 bytes, has 1".
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
