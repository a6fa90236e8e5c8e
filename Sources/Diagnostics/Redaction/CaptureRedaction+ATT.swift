internal import BluetoothCodec
internal import HeadphoneProtocols

/// ACL data: keys of pairing, names and serial numbers in attribute values.
extension CaptureRedaction {
  private static let characteristicDeclarations: Bytes = [0x03, 0x28]
  private static let includeDeclarations: Bytes = [0x02, 0x28]

  struct Link {
    /// The type in the latest Read By Type request, which its response does not repeat.
    var asked: Bytes?
    var channels = ConnectedChannels()
    /// Whether the latest PDU, including its fragments, is erased, by direction.
    var isErased: [Bool: Bool] = [:]
  }

  /// The minimum length of PDUs that are taken for sound on channels of unknown purpose.
  ///
  /// Channels that were connected before the capture are recognised by this length, and by an RTP
  /// header without contributors and with a dynamic payload type.
  private static let shortestSound = 40
  /// The length in bytes of the header of sound that is kept.
  private static let soundHeader = 12

  /// Redacts an ACL packet, depending on its L2CAP channel.
  ///
  /// Continuing fragments contain no channel: they are erased if they belong to sound or pairing,
  /// else their texts are replaced.
  mutating func redactData(_ bytes: inout RedactedBytes, isReceived: Bool, from start: Int) {
    let connection = bytes.word(start) & 0x0FFF
    let (payload, end) = (start + 8, bytes.bytes.count)
    guard bytes.byte(start + 1) >> 4 & 0b11 != 0b01 else {
      if links[connection]?.isErased[isReceived] == true {
        bytes.erase(start + 4, end)
      } else {
        replaceTexts(&bytes, start + 4, end)
      }
      return
    }
    let channel = bytes.word(start + 6)
    let isSound = isSound(bytes, isReceived, of: links[connection], at: start + 4)
    links[connection, default: Link()].isErased[isReceived] =
      isSound || [0x0006, 0x0007].contains(channel)
    guard !isSound else { return bytes.erase(payload + Self.soundHeader, end) }
    switch channel {
    case 0x0001:
      links[connection, default: Link()].channels.receive(
        signals: bytes.bytes.dropFirst(payload), isReceived: isReceived)
    case 0x0004: redactAttributes(&bytes, connection, from: payload)
    case 0x0006, 0x0007: redactPairing(&bytes, from: payload)
    // Signalling has no texts; other channels may contain anything.
    case 0x0005: break
    default:
      // A frame of RFCOMM ends with its checksum, which does not cover the data.
      let serial = try? RFCOMMFrame(decoding: bytes.bytes.dropFirst(payload))
      let data = serial.map { (end - 1 - $0.data.count)..<(end - 1) }
      redactMessage(&bytes, data ?? min(payload, end)..<end)
    }
  }

  /// Replaces the texts of a message.
  ///
  /// Frames of a known vendor keep their lengths and get valid checksums.
  private mutating func redactMessage(_ bytes: inout RedactedBytes, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let message = bytes.bytes[range]
    bytes.bytes.replaceSubrange(
      range,
      with: KnownFraming.frames(message) { redact(content: $0) } ?? redact(content: message))
  }

  private func isSound(
    _ bytes: RedactedBytes, _ isReceived: Bool, of link: Link?, at start: Int
  ) -> Bool {
    let channel = bytes.word(start + 2)
    guard channel >= 0x0040 else { return false }
    if link?.channels.isSound(channel, isReceived: isReceived) == true { return true }
    let psm = link?.channels.psm(of: channel, isReceived: isReceived) ?? ConnectedChannels.sound
    return psm == ConnectedChannels.sound
      && bytes.word(start) >= Self.shortestSound && bytes.byte(start + 4) == 0x80
      && bytes.byte(start + 5) & 0x7F >= 96
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
  private mutating func redactAttributes(
    _ bytes: inout RedactedBytes, _ connection: UInt16, from start: Int
  ) {
    let value: Int
    switch bytes.byte(start) {
    case 0x08:
      links[connection, default: Link()].asked = bytes.bytes.dropFirst(start + 5)
      return
    // Read By Type Response; declarations contain only UUIDs.
    case 0x09:
      let type = links[connection]?.asked
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
    let end = bytes.bytes.count
    guard value < end else { return }
    if let code = BroadcastSecrets.range(in: bytes.bytes[value...]) {
      bytes.erase(value + code.lowerBound, code.count)
    }
    redactMessage(&bytes, value..<end)
  }
}
