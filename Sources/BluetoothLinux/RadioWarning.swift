public import BluetoothCodec

/// A problem that a radio worked around, or a change that it made to an adapter, for the log.
public enum RadioWarning: Hashable, Sendable {
  /// Malformed bytes from the air or the kernel, which were dropped.
  case malformed(MalformedBytes)
  /// The total of malformed packets, of which not all were reported one by one.
  case manyMalformed(Int)
  /// Another program scans with the adapter, or seems to; this one uses its reports.
  case anotherScans(adapter: String)
  /// Without bluetoothd the adapter got the settings that pairing needs.
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
