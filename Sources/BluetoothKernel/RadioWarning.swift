public import BluetoothCodec

/// A problem that a radio worked around, or a change that it made to an adapter, for the log.
public enum RadioWarning: Hashable, Sendable {
  /// Malformed bytes from the air or the kernel were dropped.
  case malformed(MalformedBytes)
  /// The total number of malformed packets in a scan, of which only the first were reported singly.
  case manyMalformed(Int)
  /// Another program seems to scan with the adapter; this one uses that scan's reports.
  case anotherScans(adapter: String)
  /// The adapter got the settings that pairing without bluetoothd needs.
  case prepared(adapter: String)
}

extension RadioWarning: CustomStringConvertible {
  public var description: String {
    switch self {
    case .malformed(let error): "left out: \(error)"
    case .manyMalformed(let count): "left out: \(count) malformed pieces of the air in one scan"
    case .anotherScans(let adapter): "another program scans with \(adapter); listening along"
    case .prepared(let adapter):
      "without bluetoothd \(adapter) was prepared for pairing: LE, Secure Connections, bondable"
    }
  }
}
