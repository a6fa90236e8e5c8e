internal import Glibc

/// The replacement of colour numbers in curses' output by 24-bit colours.
///
/// "ESC [ 38;5;N m" becomes "ESC [ 38;2;R;G;B m" (ITU-T T.416, 13.1.8). Curses itself would have to
/// change the terminal's palette, or need a terminal type that few machines have.
enum TrueColor {
  static var isOffered: Bool {
    let words = getenv("COLORTERM").map { String(cString: $0) }
    return words == "truecolor" || words == "24bit"
  }

  /// Returns the output of one frame with colour numbers replaced.
  ///
  /// - Parameters:
  ///   - bytes: The output of one frame; no sequence is split between frames.
  ///   - meanings: The 24-bit colour of each number; if empty, the bytes are returned unchanged.
  static func translated(_ bytes: [UInt8], _ meanings: [Int32: RGB]) -> [UInt8] {
    guard !meanings.isEmpty else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    var place = 0
    while place < bytes.count {
      if let found = color(in: bytes, at: place), let rgb = meanings[found.number] {
        result += "\u{1B}[\(found.kind)8;2;".utf8
        result += [16, 8, 0].map { "\(rgb.value >> $0 & 0xFF)" }.joined(separator: ";").utf8
        result.append(UInt8(ascii: "m"))
        place = found.end
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return result
  }

  /// Returns the sequence "ESC [ 38;5;N m" or "ESC [ 48;5;N m" at `start`, if any.
  private static func color(
    in bytes: [UInt8], at start: Int
  ) -> (kind: Int, number: Int32, end: Int)? {
    guard bytes[start] == 0x1B, start + 7 < bytes.count, bytes[start + 1] == UInt8(ascii: "["),
      bytes[start + 2] == UInt8(ascii: "3") || bytes[start + 2] == UInt8(ascii: "4"),
      bytes[start + 3] == UInt8(ascii: "8"), isSeparator(bytes[start + 4]),
      bytes[start + 5] == UInt8(ascii: "5"), isSeparator(bytes[start + 6])
    else { return nil }
    var number: Int32 = 0
    var place = start + 7
    while place < min(bytes.count, start + 10), (0x30...0x39).contains(bytes[place]) {
      number = number * 10 + Int32(bytes[place] - 0x30)
      place += 1
    }
    guard place < bytes.count, bytes[place] == UInt8(ascii: "m") else { return nil }
    return (Int(bytes[start + 2]) - 0x30, number, place + 1)
  }

  /// Whether the byte separates parameters: ";" for xterm, ":" for ITU-T T.416.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":")
  }
}
