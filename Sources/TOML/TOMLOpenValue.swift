/// Whether a value continues on the next line: an array, or a multi-line string, that is still open.
struct TOMLOpenValue {
  private var depth = 0
  /// The quote of an open multi-line string.
  private var quote: UInt8?

  var isOpen: Bool { depth > 0 || quote != nil }

  /// Reads the next line, or the part of a line behind its key.
  mutating func read(_ line: ArraySlice<UInt8>) {
    var rest = line
    while let byte = rest.first {
      if let quote {
        readLongText(&rest, quote)
        continue
      }
      switch byte {
      case UInt8(ascii: "#"): return
      case UInt8(ascii: "\""), UInt8(ascii: "'"): readQuote(&rest, byte)
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      rest = rest.dropFirst()
    }
  }

  /// The first index of a byte outside of quotes.
  static func end(of line: ArraySlice<UInt8>, at byte: UInt8) -> Int? {
    var rest = line
    while let next = rest.first {
      if next == byte { return rest.startIndex }
      if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { skipText(&rest, next) }
      rest = rest.dropFirst()
    }
    return nil
  }

  /// Leaves as the next byte the last quote of a string, or the last of three opening ones.
  private mutating func readQuote(_ rest: inout ArraySlice<UInt8>, _ quote: UInt8) {
    let quotes = rest.prefix { $0 == quote }.count
    switch quotes {
    case 1: Self.skipText(&rest, quote)
    case 2: rest = rest.dropFirst()
    default:
      rest = rest.dropFirst(2)
      self.quote = quote
    }
  }

  private mutating func readLongText(_ rest: inout ArraySlice<UInt8>, _ quote: UInt8) {
    let quotes = rest.prefix { $0 == quote }.count
    if quotes >= 3 { self.quote = nil }
    let isEscape = rest.first == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"")
    rest = rest.dropFirst(isEscape ? 2 : max(quotes, 1))
  }

  /// Skips from the first quote of a string to the last, which is the next byte then.
  static func skipText(_ rest: inout ArraySlice<UInt8>, _ quote: UInt8) {
    rest = rest.dropFirst()
    while let byte = rest.first, byte != quote {
      let isEscape = byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"")
      rest = rest.dropFirst(isEscape ? 2 : 1)
    }
  }
}
