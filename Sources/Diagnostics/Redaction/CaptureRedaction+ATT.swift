internal import BluetoothCodec
internal import HeadphoneProtocols

/// ACL data: keys of pairing, names and serial numbers in attribute values.
extension CaptureRedaction {
  /// The type of characteristic declarations in a Read By Type request.
  private static let characteristicDeclarations: Bytes = [0x03, 0x28]
  /// The type of include declarations in a Read By Type request.
  private static let includeDeclarations: Bytes = [0x02, 0x28]

  /// Redacts an ACL packet, by its L2CAP channel.
  ///
  /// | channel | replaced |
  /// | --- | --- |
  /// | 0x0004 ATT | texts in values |
  /// | 0x0006, 0x0007 Security Manager | keys and their inputs |
  /// | 0x0001, 0x0005 signalling | nothing |
  /// | any other, and continuing fragments | all texts |
  ///
  /// - Parameters:
  ///   - bytes: the packet.
  ///   - connection: the connection handle.
  ///   - start: the offset of the connection handle.
  mutating func redactData(_ bytes: inout RedactedBytes, connection: UInt16, from start: Int) {
    let boundary = bytes.byte(start + 1) >> 4 & 0b11
    let payload = start + 8
    // A continuing fragment has no channel, so all texts are replaced.
    guard boundary != 0b01 else {
      return replaceTexts(&bytes, start + 4, bytes.bytes.count)
    }
    switch bytes.word(start + 6) {
    case 0x0004: redactAttributes(&bytes, connection, from: payload)
    case 0x0006, 0x0007: redactPairing(&bytes, from: payload)
    // Signalling has no texts; other channels may contain anything.
    case 0x0001, 0x0005: break
    default: replaceTexts(&bytes, payload, bytes.bytes.count)
    }
  }

  /// Erases the Security Manager's keys and their inputs (Core 5.4, Vol 3, Part H, 3.5 and 3.6).
  private mutating func redactPairing(_ bytes: inout RedactedBytes, from start: Int) {
    switch bytes.byte(start) {
    case 0x03, 0x04, 0x06, 0x07, 0x08, 0x0A, 0x0C, 0x0D:
      bytes.erase(start + 1, bytes.bytes.count)
    case 0x09: replaceAddress(&bytes, at: start + 2)
    default: break
    }
  }

  /// Replaces texts in attribute values (Core 5.4, Vol 3, Part F, 3.4).
  ///
  /// A packet of docs/protocol.md gets a new checksum.
  private mutating func redactAttributes(
    _ bytes: inout RedactedBytes, _ connection: UInt16, from start: Int
  ) {
    let value: Int
    switch bytes.byte(start) {
    case 0x08:
      asked[connection] = bytes.bytes[min(start + 5, bytes.bytes.count)...]
      return
    // Read By Type Response; declarations contain UUIDs only.
    case 0x09:
      let type = asked[connection]
      guard
        ![Self.characteristicDeclarations, Self.includeDeclarations].contains(where: {
          type?.elementsEqual($0) == true
        })
      else { return }
      value = start + 2
    case 0x0B, 0x0D, 0x0F, 0x21: value = start + 1
    case 0x12, 0x52, 0x1B, 0x1D, 0x23, 0xD2: value = start + 3
    case 0x16, 0x17: value = start + 5
    default: return
    }
    let count = bytes.bytes.count - value
    if let code = BroadcastSecrets.range(in: bytes.bytes.dropFirst(value)) {
      bytes.erase(value + code.lowerBound, code.count)
    }
    guard count >= 7, bytes.byte(value) == 0xA5, Int(bytes.byte(value + 5)) + 7 == count else {
      return replaceTexts(&bytes, value, count)
    }
    // A complete packet of the control service ends in the sum of its other bytes.
    replaceTexts(&bytes, value + 6, count - 7)
    let last = bytes.bytes.count - 1
    bytes.bytes[last] = bytes.bytes[value..<last].reduce(0, &+)
  }
}
