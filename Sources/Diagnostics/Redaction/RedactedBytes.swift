internal import BluetoothCodec

/// The bytes of a packet of which parts are replaced.
///
/// Offsets beyond the end are ignored: even a truncated packet must lose the addresses and keys
/// that it contains.
struct RedactedBytes {
  /// The bytes, always as many as at the start.
  var bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// The byte at an offset; 0 beyond the end.
  func byte(_ offset: Int) -> UInt8 { bytes.indices.contains(offset) ? bytes[offset] : 0 }

  /// The little-endian integer of 16 bits at an offset.
  func word(_ offset: Int) -> UInt16 { UInt16(byte(offset + 1)) << 8 | UInt16(byte(offset)) }

  /// The part of a range that is within the packet.
  private func present(_ offset: Int, _ count: Int) -> Range<Int> {
    let start = min(max(0, offset), bytes.count)
    return start..<min(bytes.count, max(start, start &+ max(0, count)))
  }

  /// Sets a range to zeros.
  mutating func erase(_ offset: Int, _ count: Int) {
    for index in present(offset, count) { bytes[index] = 0 }
  }

  /// Replaces an address of 6 bytes, unless it is truncated.
  mutating func replaceAddress(at offset: Int, _ pseudonyms: inout Pseudonyms) {
    let range = present(offset, 6)
    guard range.count == 6, let address = try? BluetoothAddress(littleEndian: bytes[range]) else {
      return
    }
    bytes.replaceSubrange(
      range, with: pseudonyms.address(for: address).littleEndianBytes)
  }

  /// Replaces a text up to its first zero.
  mutating func replaceText(_ offset: Int, _ count: Int, _ pseudonyms: inout Pseudonyms) {
    let range = present(offset, count)
    let text = Array(bytes[range].prefix { $0 != 0 })
    guard !text.isEmpty else { return }
    bytes.replaceSubrange(
      range.lowerBound..<(range.lowerBound + text.count), with: pseudonyms.text(for: text))
  }

  /// Replaces texts among other bytes: runs of at least five printable characters.
  ///
  /// Versions such as "1.4.2" identify nobody and help to find a fault, so they are kept.
  mutating func replaceTexts(_ offset: Int, _ count: Int, _ pseudonyms: inout Pseudonyms) {
    let range = present(offset, count)
    var start = range.lowerBound
    while start < range.upperBound {
      let run = textRun(from: start, to: range.upperBound)
      if run.isReporting { replaceText(start, run.count, &pseudonyms) }
      start = run.endIndex + 1
    }
  }

  /// The longest run of printable UTF-8 from an offset.
  private func textRun(from start: Int, to end: Int) -> ArraySlice<UInt8> {
    var index = start
    while index < end {
      let length: Int
      switch bytes[index] {
      case 0x20..<0x7F: length = 1
      case 0xC2..<0xE0: length = 2
      case 0xE0..<0xF0: length = 3
      case 0xF0..<0xF5: length = 4
      default: return bytes[start..<index]
      }
      guard index + length <= end,
        String(validating: bytes[index..<(index + length)], as: UTF8.self) != nil
      else { break }
      index += length
    }
    return bytes[start..<index]
  }

  /// Redacts AD structures (Assigned Numbers, 2.3).
  ///
  /// | AD type | replaced |
  /// | --- | --- |
  /// | 08, 09 | the name |
  /// | 17, 18, 1B | addresses |
  /// | 0E, 0F, 1D, 1E | pairing hashes and randomizers |
  /// | FF | manufacturer data, which often has an address; not Apple's |
  mutating func redactAdvertising(_ offset: Int, _ count: Int, _ pseudonyms: inout Pseudonyms) {
    var start = offset
    let end = min(bytes.count, offset + count)
    while start + 1 < end, byte(start) > 0 {
      let length = min(Int(byte(start)), end - start - 1)
      // Types of the Assigned Numbers, 2.3.
      switch byte(start + 1) {
      // Shortened and Complete Local Name.
      case 0x08, 0x09: replaceText(start + 2, length - 1, &pseudonyms)
      // LE Bluetooth Device Address, Public and Random Target Address.
      case 0x1B, 0x17, 0x18:
        for offset in stride(from: 0, to: length - 1, by: 6) {
          replaceAddress(at: start + 2 + offset, &pseudonyms)
        }
      // Simple Pairing Hash and Randomizer.
      case 0x0E, 0x0F, 0x1D, 0x1E:
        erase(start + 2, length - 1)
      case 0xFF where word(start + 2) != Self.apple:
        erase(start + 4, length - 3)
      default: break
      }
      start += length + 1
    }
  }

  /// Apple's company identifier, whose headphones advertise neither names nor addresses in it.
  private static let apple: UInt16 = 0x004C
}

extension ArraySlice<UInt8> {
  /// Whether the run may be a name or a serial number.
  fileprivate var isReporting: Bool {
    guard count >= 5 else { return false }
    let letters = count { $0 >= 0x80 || UInt8(ascii: "A")...UInt8(ascii: "z") ~= $0 }
    let digits = count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return letters > 0 || digits > 6
  }
}
