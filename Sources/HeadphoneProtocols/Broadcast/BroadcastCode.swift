internal import BluetoothCodec

/// The Broadcast_Code of an encrypted broadcast; descriptions do not show its bytes.
///
/// As text it has 4 to 16 bytes of UTF-8, padded with zeros (Core 5.4, Vol 3, Part C, 3.2.6).
public struct BroadcastCode: Hashable, Sendable {
  /// The lengths of a code as text, in bytes of UTF-8.
  public static let lengths = 4...16
  package static let size = 16

  private let bytes: [UInt8]

  /// Creates a code from typed text, or fails if the text is too short or too long.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard Self.lengths.contains(bytes.count) else { return nil }
    self.bytes = bytes + Array(repeating: 0, count: Self.size - bytes.count)
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    bytes = Array(try reader.read(Self.size))
  }

  package func encoded() -> [UInt8] { bytes }
}

extension BroadcastCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "a code" }
  public var debugDescription: String { description }
  /// No children, as `dump` would show the bytes.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
