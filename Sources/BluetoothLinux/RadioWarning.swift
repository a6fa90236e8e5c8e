public import BluetoothCodec

/// What a radio noticed and went on: something for the log.
public enum RadioWarning: Hashable, Sendable {
  /// Bytes from the air or the kernel that were not what they should be; they were left out.
  case malformed(MalformedBytes)
  /// More malformed packets than were reported one by one; their number in all.
  case manyMalformed(Int)
  /// Another program scans with the adapter, or seems to; this one listens along.
  case anotherScans(adapter: String)
}

extension RadioWarning: CustomStringConvertible {
  public var description: String {
    switch self {
    case .malformed(let error): "left out: \(error)"
    case .manyMalformed(let count): "left out: \(count) malformed pieces of the air in one scan"
    case .anotherScans(let adapter): "another program scans with \(adapter); listening along"
    }
  }
}
