public import BluetoothCodec

/// What a radio noticed and went on: something for the log.
public enum RadioNotice: Hashable, Sendable {
  /// Bytes from the air or the kernel that were not what they should be; they were left out.
  case malformed(MalformedBytes)
  /// Another program scans with the adapter; this one listens along.
  case anotherScans(adapter: String)
}
