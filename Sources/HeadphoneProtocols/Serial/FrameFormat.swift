public import BluetoothCodec

/// The framing of a byte stream: marker, length, checksum, end and escape.
///
/// A frame is `marker, content, checksum, end`. A protocol reads and writes the content, which
/// includes the length field that ``frame(around:)`` fills in.
///
/// ```swift
/// // Huawei: 5A, length BE16, payload, CRC-16/XMODEM of all bytes before it, high byte first.
/// FrameFormat(
///   marker: [0x5A], length: .init(at: 0, width: 2, isBigEndian: true, adding: 5),
///   check: .xmodem(skipping: 0, isBigEndian: true), longest: 1024)
/// ```
public struct FrameFormat: Hashable, Sendable {
  /// The field of the content that determines the length of the frame.
  public struct LengthField: Hashable, Sendable {
    /// The offset in bytes in the content, which begins after the marker.
    var offset: Int
    /// The width in bytes, 1 to 4, or the smallest width if ``isVariable``.
    var width: Int
    /// Whether the field has only as many bytes as its value needs, each with 7 bits, lowest first,
    /// and bit 7 set in all but the last.
    var isVariable: Bool
    var isBigEndian: Bool
    /// The bits that contain the length; the others belong to the protocol and are kept.
    var mask: UInt32
    /// The number to add to the field's value for the length of the whole frame, not counting the
    /// bytes of a variable field after its first.
    var overhead: Int

    init(
      at offset: Int, width: Int = 1, isVariable: Bool = false, isBigEndian: Bool = false,
      mask: UInt32 = .max, adding overhead: Int
    ) {
      self.offset = offset
      self.width = width
      self.isVariable = isVariable
      self.isBigEndian = isBigEndian
      self.mask = mask
      self.overhead = overhead
    }
  }

  /// A byte-stuffing rule: between the markers, each of `values` is written as `byte` followed by
  /// the value with `bits` inverted.
  public struct Escape: Hashable, Sendable {
    /// The byte that precedes an escaped value.
    var byte: UInt8
    var values: Set<UInt8>
    var bits: UInt8
  }

  /// A checksum, the bytes that it covers and their order.
  public enum Check: Hashable, Sendable {
    case none
    /// The low 8 bits of the sum of the content, or of marker and content.
    case sum(includesMarker: Bool)
    /// The low 16 bits of the sum of marker, content and the given number, high byte first.
    case sum16(adding: UInt16)
    /// CRC-16/XMODEM of marker and content without the first `skipping` bytes: polynomial 1021,
    /// initial value 0, not reflected.
    case xmodem(skipping: Int, isBigEndian: Bool)
    /// CRC-32 of IEEE 802.3 over the content, low byte first.
    case crc32

    var width: Int {
      switch self {
      case .none: 0
      case .sum: 1
      case .sum16, .xmodem: 2
      case .crc32: 4
      }
    }
  }

  /// The first bytes of a frame, or empty if any byte may begin one.
  var marker: [UInt8]
  /// The length field, or nil if only the end marker ends a frame.
  var length: LengthField?
  var check: Check = .none
  /// The last bytes of a frame, or empty if frames have no end marker.
  var end: [UInt8] = []
  /// The byte stuffing, or nil if markers may occur within a frame, whose length then determines
  /// where it ends.
  var escape: Escape?
  /// The length of the longest encoded frame in bytes, which limits what a reader buffers.
  var longest: Int

  private var overhead: Int { marker.count + check.width + end.count }
}

// MARK: Writing

extension FrameFormat {
  /// Returns the whole frame around a content, whose length field is filled in.
  public func frame(around content: [UInt8]) -> [UInt8] {
    var content = content
    if let length { length.set(content.count + overhead, in: &content) }
    let body = content + check.value(of: content[...], marker: marker)
    return marker + escaped(body) + end
  }

  /// Returns a frame of the same length with another content and a valid checksum, or nil if there
  /// is none or `frame` is not a frame.
  ///
  /// An escaped value is replaced with another value that needs an escape. The last other byte that
  /// changes is varied until the frame, with escapes in its checksum, has its old length.
  package func frame(_ frame: Bytes, changing change: (Bytes) -> [UInt8]) -> [UInt8]? {
    guard let content = try? content(of: frame, "frame") else { return nil }
    var changed = change(content)
    let places = zip(content, changed).enumerated()
      .filter { $0.element.0 != $0.element.1 }.map(\.offset)
    guard var last = places.last else { return Array(frame) }
    for (place, old) in zip(places, places.map { content[content.startIndex + $0] }) {
      if let escape, escape.values.contains(old) {
        changed[place] = escape.values.filter { $0 != old }.min() ?? old
      } else {
        last = place
      }
    }
    for value in [changed[last]] + (0x20..<0x7F) {
      changed[last] = value
      let new = self.frame(around: changed)
      if new.count == frame.count { return new }
    }
    return nil
  }

  private func escaped(_ body: [UInt8]) -> [UInt8] {
    guard let escape else { return body }
    return body.flatMap {
      escape.values.contains($0) ? [escape.byte, $0 ^ escape.bits] : [$0]
    }
  }
}

// MARK: Reading

extension FrameFormat {
  enum Beginning: Hashable, Sendable {
    case frame(Int)
    case nothing
    /// The bytes may begin a frame that is not complete yet.
    case incomplete
  }

  /// Returns the content of one whole frame, with escapes undone; `what` names the frame in errors.
  public func content(
    of frame: Bytes, _ what: String
  ) throws(MalformedBytes) -> Bytes {
    var reader = ByteReader(frame, of: what)
    guard try reader.read(marker.count) == marker[...] else {
      throw reader.malformed(.unknownType(UInt64(frame.first ?? 0)), at: 0)
    }
    guard frame.count <= longest else {
      throw reader.malformed(.tooLong(count: frame.count, limit: longest))
    }
    var body = try reader.read(max(0, reader.remaining - end.count))
    guard reader.rest() == end[...] else { throw reader.malformed(.badLength(frame.count)) }
    if let escape { body = try escape.undone(body, what) }
    guard body.count >= check.width else { throw reader.malformed(.badLength(frame.count)) }
    let content = body.dropLast(check.width)
    if let length {
      let total = length.total(in: content)
      guard total == content.count + overhead else {
        throw reader.malformed(.badLength(total ?? content.count), at: marker.count + length.offset)
      }
    }
    guard Array(body.suffix(check.width)) == check.value(of: content, marker: marker) else {
      throw reader.malformed(.badValue(UInt64(body.last ?? 0)), at: frame.count - end.count)
    }
    return content
  }

  /// Returns marker and content of a whole frame, with escapes undone, or nil if it is not a frame.
  func unescaped(_ frame: Bytes) -> [UInt8]? {
    (try? content(of: frame, "frame")).map { marker + $0 }
  }

  /// Looks for a frame at the first byte of `bytes`, examining at most ``longest`` bytes.
  func beginning(of bytes: Bytes) -> Beginning {
    let available = bytes.prefix(marker.count)
    guard available.elementsEqual(marker.prefix(available.count)) else { return .nothing }
    guard available.count == marker.count else { return .incomplete }
    return escape == nil ? counted(bytes) : delimited(bytes)
  }

  private func counted(_ bytes: Bytes) -> Beginning {
    guard let length else { return .nothing }
    let content = bytes.dropFirst(marker.count)
    guard let total = length.total(in: content) else { return .incomplete }
    guard total >= overhead + length.offset + length.width, total <= longest else {
      return .nothing
    }
    guard bytes.count >= total else { return .incomplete }
    let frame = bytes.prefix(total)
    // The end is compared first because that is cheaper than the checksum.
    guard frame.suffix(end.count) == end[...], (try? self.content(of: frame, "frame")) != nil
    else { return .nothing }
    return .frame(total)
  }

  private func delimited(_ bytes: Bytes) -> Beginning {
    let inside = bytes.dropFirst(marker.count)
    guard let last = end.first, let first = marker.first else { return .nothing }
    let place = inside.prefix(longest).firstIndex { $0 == last || $0 == first }
    guard let place else { return bytes.count > longest ? .nothing : .incomplete }
    // Another marker before the end means that the frame before it was cut off.
    guard bytes[place] == last else { return .nothing }
    let count = place - bytes.startIndex + 1
    guard (try? content(of: bytes.prefix(count), "frame")) != nil else { return .nothing }
    return .frame(count)
  }
}

extension FrameFormat.LengthField {
  private static let mostBytes = 4

  func total(in content: Bytes) -> Int? {
    guard let field = bytes(in: content) else { return nil }
    return overhead + field.count - width + Int(raw(field) & mask)
  }

  private func bytes(in content: Bytes) -> Bytes? {
    let rest = content.dropFirst(offset)
    guard isVariable else { return rest.count >= width ? rest.prefix(width) : nil }
    let most = rest.prefix(Self.mostBytes)
    if let last = most.firstIndex(where: { $0 < 0x80 }) { return most[...last] }
    return most.count == Self.mostBytes ? most : nil
  }

  private func raw(_ field: Bytes) -> UInt32 {
    if isVariable { return field.reversed().reduce(0) { $0 << 7 | UInt32($1 & 0x7F) } }
    return isBigEndian
      ? field.reduce(0) { $0 << 8 | UInt32($1) }
      : field.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Writes the length of a frame whose field has its present width, keeping the bits outside
  /// ``mask``.
  fileprivate func set(_ total: Int, in content: inout [UInt8]) {
    guard let field = bytes(in: content[...]) else { return }
    let number = total - overhead - (field.count - width)
    guard number >= 0 else { return }
    let value = raw(field) & ~mask | UInt32(truncatingIfNeeded: number) & mask
    content.replaceSubrange(field.indices, with: bytes(of: value))
  }

  private func bytes(of value: UInt32) -> [UInt8] {
    guard isVariable else {
      return (0..<width).map { index in
        let shift = 8 * (isBigEndian ? width - 1 - index : index)
        return UInt8(truncatingIfNeeded: value >> shift)
      }
    }
    let low = UInt8(value & 0x7F)
    return value < 0x80 ? [low] : [low | 0x80] + bytes(of: value >> 7)
  }
}

extension FrameFormat.Escape {
  /// Returns the bytes with escapes undone, or throws if an escape is invalid or cut off.
  fileprivate func undone(_ body: Bytes, _ what: String) throws(MalformedBytes) -> Bytes {
    var plain: [UInt8] = []
    var isEscaped = false
    for (offset, value) in body.enumerated() {
      if isEscaped {
        guard values.contains(value ^ bits) else {
          throw MalformedBytes(what, at: offset, .badValue(UInt64(value)))
        }
        plain.append(value ^ bits)
        isEscaped = false
      } else if value == byte {
        isEscaped = true
      } else {
        plain.append(value)
      }
    }
    guard !isEscaped else { throw MalformedBytes(what, at: body.count, .badLength(body.count)) }
    return plain[...]
  }
}

extension FrameFormat.Check {
  fileprivate func value(of content: Bytes, marker: [UInt8]) -> [UInt8] {
    switch self {
    case .none: return []
    case .sum(let includesMarker):
      return [content.reduce(includesMarker ? marker.reduce(0, &+) : 0, &+)]
    case .sum16(let number):
      let sum = (marker + content).reduce(number) { $0 &+ UInt16($1) }
      return [UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum)]
    case .xmodem(let skipping, let isBigEndian):
      let sum = Self.xmodem((marker + content).dropFirst(skipping))
      let bytes = [UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum)]
      return isBigEndian ? bytes : bytes.reversed()
    case .crc32:
      var bytes: [UInt8] = []
      bytes.append(littleEndian: Self.crc32(content))
      return bytes
    }
  }

  private static func xmodem(_ bytes: Bytes) -> UInt16 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in
        sum & 0x8000 != 0 ? sum << 1 ^ 0x1021 : sum << 1
      }
    }
  }

  private static func crc32(_ bytes: Bytes) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
      }
    }
  }
}

// MARK: Words

extension FrameFormat {
  /// Marker, length and checksum in words, such as "marker 5A, length at 1, 2 bytes, …".
  var layout: String {
    var parts = marker.isEmpty ? [] : ["marker \(hexadecimal(marker[...]))"]
    if let length { parts.append(length.layout(behind: marker.count)) }
    if let check = check.layout { parts.append(check) }
    if let escape { parts.append("escape \(hexadecimal([escape.byte][...]))") }
    if !end.isEmpty { parts.append("end \(hexadecimal(end[...]))") }
    return parts.joined(separator: ", ")
  }

  /// The number of bytes that distinguish a frame from other bytes.
  var proof: Int { marker.count + check.width + end.count + (length?.width ?? 0) }
}

extension FrameFormat.LengthField {
  /// Returns the description of the field, with its offset in a frame with a marker of this length.
  fileprivate func layout(behind marker: Int) -> String {
    let order =
      isVariable
      ? ", 7 bits a byte"
      : width == 1 ? "" : ", \(width) bytes, \(isBigEndian ? "high" : "low") byte first"
    let whole = overhead == 0 ? "of the whole frame" : "\(overhead) less than the whole frame"
    return "length at \(marker + offset)\(order), \(whole)"
  }
}

extension FrameFormat.Check {
  fileprivate var layout: String? {
    switch self {
    case .none: nil
    case .sum(let includesMarker): includesMarker ? "sum of all" : "sum of all behind the marker"
    case .sum16(let number): "sum of all and \(hexadecimal(number, width: 4)), high byte first"
    case .xmodem(let skipping, let isBigEndian):
      "CRC-16/XMODEM from \(skipping), \(isBigEndian ? "high" : "low") byte first"
    case .crc32: "CRC-32"
    }
  }
}
