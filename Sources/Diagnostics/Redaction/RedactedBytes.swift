internal import BluetoothCodec

/// Bytes in which parts are being replaced; what is not there is left alone.
///
/// A packet that is shorter than it should be must not stop what is still to be hidden in it.
struct RedactedBytes {
  var bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  func byte(_ offset: Int) -> UInt8 { bytes.indices.contains(offset) ? bytes[offset] : 0 }

  func word(_ offset: Int) -> UInt16 { UInt16(byte(offset + 1)) << 8 | UInt16(byte(offset)) }

  /// The part of a range that is there.
  private func present(_ offset: Int, _ count: Int) -> Range<Int> {
    let start = min(max(0, offset), bytes.count)
    return start..<min(bytes.count, max(start, start &+ max(0, count)))
  }

  mutating func erase(_ offset: Int, _ count: Int) {
    for index in present(offset, count) { bytes[index] = 0 }
  }

  mutating func replaceAddress(at offset: Int, _ pseudonyms: inout Pseudonyms) {
    let range = present(offset, 6)
    guard range.count == 6, let address = try? BluetoothAddress(littleEndian: bytes[range]) else {
      return
    }
    bytes.replaceSubrange(
      range, with: pseudonyms.address(for: address).littleEndianBytes)
  }

  /// A whole text, up to its first zero.
  mutating func replaceText(_ offset: Int, _ count: Int, _ pseudonyms: inout Pseudonyms) {
    let range = present(offset, count)
    let text = Array(bytes[range].prefix { $0 != 0 })
    guard !text.isEmpty else { return }
    bytes.replaceSubrange(
      range.lowerBound..<(range.lowerBound + text.count), with: pseudonyms.text(for: text))
  }

  /// The texts that stand between other bytes: five letters, digits and so on in a row at least.
  ///
  /// Versions ("1.4.2") are no names and help who looks for a fault: they stay.
  mutating func replaceTexts(_ offset: Int, _ count: Int, _ pseudonyms: inout Pseudonyms) {
    let range = present(offset, count)
    var start = range.lowerBound
    while start < range.upperBound {
      let run = textRun(from: start, to: range.upperBound)
      if run.isReporting { replaceText(start, run.count, &pseudonyms) }
      start = run.endIndex + 1
    }
  }

  /// Characters in a row, none of control; what is no UTF-8 ends it.
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

  /// The structures of advertising data: names, and what makers add (an address, often).
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

  /// What Apple's headphones advertise has neither names nor addresses.
  private static let apple: UInt16 = 0x004C
}

extension ArraySlice<UInt8> {
  /// Whether it may be a name or a serial number.
  fileprivate var isReporting: Bool {
    guard count >= 5 else { return false }
    let letters = count { $0 >= 0x80 || UInt8(ascii: "A")...UInt8(ascii: "z") ~= $0 }
    let digits = count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return letters > 0 || digits > 6
  }
}
