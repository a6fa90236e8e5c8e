internal import BluetoothCodec

/// The bytes of a packet in which parts are replaced.
///
/// Offsets beyond the end are ignored: even a truncated packet must be redacted.
struct RedactedBytes {
  var bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Returns the byte at an offset, or 0 beyond the end.
  func byte(_ offset: Int) -> UInt8 { bytes.indices.contains(offset) ? bytes[offset] : 0 }

  func word(_ offset: Int) -> UInt16 { UInt16(byte(offset + 1)) << 8 | UInt16(byte(offset)) }

  private func present(_ offset: Int, _ count: Int) -> Range<Int> {
    let start = min(max(0, offset), bytes.count)
    return start..<min(bytes.count, max(start, start &+ max(0, count)))
  }

  mutating func erase(_ offset: Int, _ count: Int) {
    for index in present(offset, count) { bytes[index] = 0 }
  }

  /// Replaces an address of 6 bytes; a truncated address is erased.
  mutating func replaceAddress(at offset: Int, _ pseudonyms: inout Pseudonyms) {
    let range = present(offset, 6)
    guard range.count == 6, let address = try? BluetoothAddress(littleEndian: bytes[range]) else {
      return erase(offset, 6)
    }
    bytes.replaceSubrange(
      range, with: pseudonyms.address(for: address).littleEndianBytes)
  }

  /// Replaces a name up to its first zero, here and from now on everywhere.
  mutating func replaceName(_ offset: Int, _ count: Int, _ pseudonyms: inout Pseudonyms) {
    let range = present(offset, count)
    let name = Array(bytes[range].prefix { $0 != 0 })
    guard !name.isEmpty else { return }
    bytes.replaceSubrange(
      range.lowerBound..<(range.lowerBound + name.count), with: pseudonyms.text(for: name))
  }

  /// Replaces texts among other bytes: runs of at least five printable characters.
  ///
  /// Versions such as "1.4.2" identify nobody and are kept.
  mutating func replaceTexts(_ offset: Int, _ count: Int, _ pseudonyms: inout Pseudonyms) {
    let range = present(offset, count)
    var start = range.lowerBound
    while start < range.upperBound {
      let run = textRun(from: start, to: range.upperBound)
      if run.mayIdentify {
        bytes.replaceSubrange(
          run.indices, with: pseudonyms.text(for: Array(run), isSearched: false))
      }
      start = run.endIndex + 1
    }
  }

  /// Returns the longest run of printable UTF-8 from an offset.
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

  /// Redacts AD structures (Assigned Numbers, 2.3); manufacturer data often contains an address.
  mutating func redactAdvertising(_ offset: Int, _ count: Int, _ pseudonyms: inout Pseudonyms) {
    var start = offset
    let end = min(bytes.count, offset + count)
    while start + 1 < end, byte(start) > 0 {
      let length = min(Int(byte(start)), end - start - 1)
      switch byte(start + 1) {
      // Shortened and Complete Local Name, Broadcast Name.
      case 0x08, 0x09, 0x30: replaceName(start + 2, length - 1, &pseudonyms)
      // LE Bluetooth Device Address, with a byte for its type.
      case 0x1B: replaceAddress(at: start + 2, &pseudonyms)
      // Public and Random Target Addresses.
      case 0x17, 0x18:
        for offset in stride(from: 0, to: length - 1, by: 6) {
          replaceAddress(at: start + 2 + offset, &pseudonyms)
        }
      // Simple Pairing Hash and Randomizer.
      case 0x0E, 0x0F, 0x1D, 0x1E:
        erase(start + 2, length - 1)
      case 0xFF where word(start + 2) != Self.apple:
        erase(start + 4, length - 3)
      case 0x01...0x07, 0x0A, 0x0D, 0x10...0x15, 0x19, 0x1A, 0x1C, 0x1F, 0xFF: break
      case 0x20: replaceTexts(start + 6, length - 5, &pseudonyms)
      case 0x21: replaceTexts(start + 18, length - 17, &pseudonyms)
      case 0x16: replaceTexts(start + 4, length - 3, &pseudonyms)
      default: replaceTexts(start + 2, length - 1, &pseudonyms)
      }
      start += length + 1
    }
    // The bytes after an empty structure have no meaning.
    erase(start, end - start)
  }

  /// Apple's company identifier; its manufacturer data contains neither names nor addresses.
  private static let apple: UInt16 = 0x004C
}

extension ArraySlice<UInt8> {
  fileprivate var mayIdentify: Bool {
    guard count >= 5 else { return false }
    // Of ASCII, only letters have a lower case in this range.
    let letters = count { $0 >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
    let digits = count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return letters > 0 || digits > 6
  }
}
