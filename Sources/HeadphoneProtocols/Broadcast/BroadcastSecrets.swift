package import BluetoothCodec

/// Broadcast codes in attribute values, recognised by the form of the value.
package enum BroadcastSecrets {
  /// Returns the offsets of a code in Set Broadcast_Code or a receive state, or nil.
  package static func range(in value: Bytes) -> Range<Int>? {
    let operation: UInt8 = 0x04
    if value.count == 2 + BroadcastCode.size, value.first == operation { return 2..<value.count }
    let code = 14..<14 + BroadcastCode.size
    guard value.count >= code.lowerBound,
      value[value.startIndex + code.lowerBound - 1] == ReceiveState.Encryption.badCode.rawValue,
      value[value.startIndex + 1] <= 1, value[value.startIndex + 8] <= 0x0F
    else { return nil }
    return code.clamped(to: 0..<value.count)
  }
}
