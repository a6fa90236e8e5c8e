internal import BluetoothCodec

/// The layout of frames as a driver file writes it: bytes in hexadecimal, and words for the fields.
///
/// ```swift
/// // The frames of docs/protocol.md, for example, with one more byte for flags.
/// try FrameLayout("A5 01 command sequence .. length payload", FrameOptions(check: .sum))
/// ```
///
/// | word | bytes |
/// | --- | --- |
/// | `AA` | this byte |
/// | `..` | one byte, which is 00 in what is sent |
/// | `command` | the number of the request or command |
/// | `length` | the bytes of the payload, or of more than that (`FrameOptions.uncounted`) |
/// | `sequence` | a number that counts the requests |
/// | `status` | 1 byte in answers, 0 for success |
/// | `xor` | 1 byte, the exclusive or of all bytes before it |
/// | `payload` | the values |
///
/// `command:2` has two bytes, high byte first, and `command:2le` two bytes, low byte first.
package struct FrameLayout: Hashable, Sendable {
  enum Number: String, Hashable, Sendable, CaseIterable {
    case command, length, sequence, status
  }

  enum Part: Hashable, Sendable {
    case byte(UInt8)
    case anyByte
    case number(Number, width: Int, isLittleEndian: Bool)
    case exclusiveOr

    var width: Int { if case .number(_, let width, _) = self { width } else { 1 } }
  }

  package struct Mistake: Error, Hashable, Sendable {
    package var what: String
  }

  /// The parts before the payload, including the marker.
  let head: [Part]
  let hasTrailingExclusiveOr: Bool
  /// The offset of the first byte that an exclusive or covers.
  private let checkedFrom: Int
  let format: FrameFormat

  /// Parses a layout, and throws for an unknown word or for options that do not fit.
  package init(_ text: String, _ options: FrameOptions = FrameOptions()) throws(Mistake) {
    var (head, tail): ([Part], [Part]) = ([], [])
    var hasPayload = false
    for word in text.split(separator: " ").map(String.init) {
      if word == "payload" {
        if hasPayload { throw Mistake(what: "a frame has \"payload\" once") }
        hasPayload = true
      } else if hasPayload {
        tail.append(try Part(word))
      } else {
        head.append(try Part(word))
      }
    }
    guard hasPayload else { throw Mistake(what: "a frame needs the word \"payload\"") }
    for number in Number.allCases {
      let count = head.count { $0.number == number }
      if count > 1 { throw Mistake(what: "a frame has \"\(number.rawValue)\" once") }
    }
    guard head.contains(where: { $0.number == .command }) else {
      throw Mistake(what: "a frame needs the word \"command\" before the payload")
    }
    if tail.first == .exclusiveOr {
      tail.removeFirst()
      hasTrailingExclusiveOr = true
    } else {
      hasTrailingExclusiveOr = false
    }
    let end = tail.compactMap(\.byte)
    guard end.count == tail.count else {
      throw Mistake(what: "after the payload there may be \"xor\" and bytes such as \"EE\"")
    }
    let exclusiveOrs = head.count { $0 == .exclusiveOr } + (hasTrailingExclusiveOr ? 1 : 0)
    if exclusiveOrs + (options.check == .none ? 0 : 1) > 1 {
      throw Mistake(what: "a frame has one checksum: \"xor\" or the key \"check\"")
    }
    self.head = head
    checkedFrom = options.checkedFrom
    let constants = head.prefix { $0.byte != nil }.compactMap(\.byte)
    let (check, marker) = try options.check(behind: constants, isExclusiveOr: exclusiveOrs > 0)
    let fixed =
      head.reduce(0) { $0 + $1.width } + (hasTrailingExclusiveOr ? 1 : 0) + check.width + end.count
    var length: FrameFormat.LengthField?
    var offset = 0
    for part in head {
      if case .number(.length, let width, let isLittleEndian) = part {
        length = .init(
          at: offset - marker.count, width: width, isBigEndian: !isLittleEndian,
          adding: options.uncounted ?? fixed)
      }
      offset += part.width
    }
    let most = length.map { $0.width == 1 ? $0.overhead + 0xFF : 1024 } ?? 512
    let longest = options.longest ?? max(most, fixed)
    guard (fixed...max(most, fixed)).contains(longest) else {
      throw Mistake(what: "\"longest\" is from \(fixed) to \(max(most, fixed)) with this layout")
    }
    format = FrameFormat(marker: marker, length: length, check: check, end: end, longest: longest)
  }

  /// Whether a length ends a frame; without one, each value of a characteristic is one frame.
  package var hasLength: Bool { format.length != nil }

  private var mostPayload: Int {
    let fixed = head.reduce(0) { $0 + $1.width } + (hasTrailingExclusiveOr ? 1 : 0)
    return max(0, format.longest - fixed - format.check.width - format.end.count)
  }

  package var mostCommand: UInt16 {
    head.contains { $0.number == .command && $0.width == 1 } ? 0xFF : .max
  }
}

/// The options of a layout that its text does not contain.
package struct FrameOptions: Hashable, Sendable {
  /// The checksum at the end of a frame, before its last constant bytes.
  package enum Check: String, Hashable, Sendable, CaseIterable {
    case none, sum, sum16, crc16
    case crc16LowFirst = "crc16-low-first"
    case crc32
  }

  package var check = Check.none
  /// The offset of the first byte that the checksum covers.
  package var checkedFrom = 0
  /// The number that is added to `sum16`.
  package var checkAdds: UInt16 = 0
  /// The bytes of a frame that its length does not count, or nil for all but the payload.
  package var uncounted: Int?
  /// The maximum length of a frame, or nil for what the length field allows, at most 1024.
  package var longest: Int?

  package init(check: Check = .none) { self.check = check }

  /// Returns the checksum and the marker: the constant bytes outside of the checksum's range.
  fileprivate func check(
    behind constants: [UInt8], isExclusiveOr: Bool
  ) throws(FrameLayout.Mistake) -> (FrameFormat.Check, marker: [UInt8]) {
    guard
      checkedFrom <= constants.count || isExclusiveOr || check == .crc16
        || check == .crc16LowFirst
    else {
      throw FrameLayout.Mistake(
        what: "\"check-from\" is beyond the bytes that begin every frame: \(constants.count)")
    }
    let behind = Array(constants.prefix(checkedFrom))
    return switch check {
    case .none: (.none, constants)
    case .sum where checkedFrom == 0: (.sum(includesMarker: true), constants)
    case .sum: (.sum(includesMarker: false), behind)
    case .sum16 where checkedFrom == 0: (.sum16(adding: checkAdds), constants)
    case .sum16: throw FrameLayout.Mistake(what: "\"sum16\" covers the whole frame before it")
    case .crc16: (.xmodem(skipping: checkedFrom, isBigEndian: true), constants)
    case .crc16LowFirst: (.xmodem(skipping: checkedFrom, isBigEndian: false), constants)
    case .crc32: (.crc32, behind)
    }
  }
}

extension FrameLayout.Part {
  var byte: UInt8? { if case .byte(let byte) = self { byte } else { nil } }

  var number: FrameLayout.Number? {
    if case .number(let number, _, _) = self { number } else { nil }
  }

  fileprivate init(_ word: String) throws(FrameLayout.Mistake) {
    if word == ".." {
      self = .anyByte
    } else if word == "xor" {
      self = .exclusiveOr
    } else if word.count == 2, let byte = UInt8(word, radix: 16) {
      self = .byte(byte)
    } else {
      let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = parts.first, let number = FrameLayout.Number(rawValue: String(first)) else {
        throw FrameLayout.Mistake(
          what: "a frame consists of bytes such as \"AA\", \"..\" for any byte, and the words "
            + "\(FrameLayout.words), not \"\(displayable(word))\"")
      }
      let widths = ["1": (1, false), "2": (2, false), "2le": (2, true)]
      guard let (width, isLittleEndian) = parts.count == 1 ? (1, false) : widths[String(parts[1])]
      else {
        throw FrameLayout.Mistake(
          what:
            "\"\(displayable(word))\": a width is 1, 2 (high byte first) or 2le (low byte first)"
        )
      }
      if number == .status, width > 1 { throw FrameLayout.Mistake(what: "\"status\" has one byte") }
      self = .number(number, width: width, isLittleEndian: isLittleEndian)
    }
  }
}

extension FrameLayout {
  package static let words =
    (Number.allCases.map(\.rawValue) + ["xor", "payload"]).joined(separator: ", ")

  struct Frame: Hashable, Sendable {
    var command: UInt16 = 0
    var status: UInt8 = 0
    var payload: Bytes = []
  }

  /// Returns a whole frame, with a payload truncated to the maximum.
  func frame(_ command: UInt16, sequence: UInt16 = 0, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var places: [Int] = []
    for part in head {
      switch part {
      case .byte(let byte): bytes.append(byte)
      case .anyByte: bytes.append(0)
      case .exclusiveOr:
        places.append(bytes.count)
        bytes.append(0)
      case .number(let number, let width, let isLittleEndian):
        let value = number == .command ? command : number == .sequence ? sequence : 0
        let pair = [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)].suffix(width)
        bytes += isLittleEndian ? pair.reversed() : Array(pair)
      }
    }
    bytes += payload.prefix(mostPayload)
    if hasTrailingExclusiveOr {
      places.append(bytes.count)
      bytes.append(0)
    }
    var frame = format.frame(around: Array(bytes.dropFirst(format.marker.count)))
    for place in places { frame[place] = exclusiveOr(of: frame[...], before: place) }
    return frame
  }

  private func exclusiveOr(of frame: Bytes, before place: Int) -> UInt8 {
    frame.prefix(place).dropFirst(checkedFrom).reduce(0, ^)
  }

  func decode(_ frame: Bytes, _ what: String) throws(MalformedBytes) -> Frame {
    let whole = format.marker + (try format.content(of: frame, what))
    var reader = ByteReader(whole[...], of: what)
    var decoded = Frame()
    for part in head {
      let place = reader.offset
      switch part {
      case .byte(let byte): _ = try reader.uint8(in: byte...byte)
      case .anyByte: _ = try reader.uint8()
      case .exclusiveOr:
        let value = try reader.uint8()
        guard value == exclusiveOr(of: whole[...], before: place) else {
          throw reader.impossible(value)
        }
      case .number(let number, let width, let isLittleEndian):
        let field = try reader.read(width)
        let value = (isLittleEndian ? field.reversed() : Array(field)).reduce(UInt16(0)) {
          $0 << 8 | UInt16($1)
        }
        switch number {
        case .command: decoded.command = value
        case .status: decoded.status = UInt8(truncatingIfNeeded: value)
        case .length, .sequence: break
        }
      }
    }
    guard reader.remaining > 0 || !hasTrailingExclusiveOr else {
      throw reader.malformed(.badLength(frame.count))
    }
    decoded.payload = try reader.read(reader.remaining - (hasTrailingExclusiveOr ? 1 : 0))
    if hasTrailingExclusiveOr {
      let place = reader.offset
      let value = try reader.uint8()
      guard value == exclusiveOr(of: whole[...], before: place) else {
        throw reader.impossible(value)
      }
    }
    return decoded
  }
}
