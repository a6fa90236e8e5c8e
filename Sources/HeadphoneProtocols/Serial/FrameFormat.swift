public import BluetoothCodec

/// The framing of a byte stream: marker, length, checksum, end and escape as parameters.
///
/// A frame is `marker, content, checksum, end`. The content is what a protocol reads and writes; it
/// includes the frame's own length field, which ``frame(around:)`` fills in. Makers differ in the
/// parameters only:
///
/// ```swift
/// // Huawei: 5A, length BE16, payload, CRC-16/XMODEM of all before it, high byte first.
/// FrameFormat(
///   marker: [0x5A], length: .init(at: 0, width: 2, isBigEndian: true, adding: 5),
///   check: .xmodem(skipping: 0, isBigEndian: true), longest: 1024)
/// ```
public struct FrameFormat: Hashable, Sendable {
  /// The field of the content that says how long a frame is.
  public struct LengthField: Hashable, Sendable {
    /// Offset in the content, which begins behind the marker; bytes.
    var offset: Int
    /// 1 to 4 bytes.
    var width: Int
    /// Whether the high byte comes first.
    var isBigEndian: Bool
    /// The bits that count; the others are the protocol's and are kept.
    var mask: UInt32
    /// The number that is added to the field's value to get the length of the whole frame, in
    /// bytes.
    var overhead: Int

    init(
      at offset: Int, width: Int = 1, isBigEndian: Bool = false, mask: UInt32 = .max,
      adding overhead: Int
    ) {
      self.offset = offset
      self.width = width
      self.isBigEndian = isBigEndian
      self.mask = mask
      self.overhead = overhead
    }
  }

  /// A byte-stuffing rule: between the markers, each of `values` is written as `byte` and the value
  /// with `bits` flipped.
  public struct Escape: Hashable, Sendable {
    /// The byte that announces an escaped one.
    var byte: UInt8
    /// The values that may not occur between the markers, `byte` among them.
    var values: Set<UInt8>
    /// The bits that are flipped in an escaped value.
    var bits: UInt8
  }

  /// A checksum, the bytes that it covers and their order.
  public enum Check: Hashable, Sendable {
    case none
    /// The low 8 bits of the sum, of the content alone or with the marker.
    case sum(includesMarker: Bool)
    /// CRC-16/XMODEM: polynomial 1021 from 0, not reflected.
    ///
    /// `skipping` counts the bytes of marker and content that it does not cover.
    case xmodem(skipping: Int, isBigEndian: Bool)
    /// CRC-32 of IEEE 802.3 over the content, low byte first.
    case crc32

    /// Bytes of the checksum.
    var width: Int {
      switch self {
      case .none: 0
      case .sum: 1
      case .xmodem: 2
      case .crc32: 4
      }
    }
  }

  /// The first bytes of a frame; empty: any byte begins one.
  var marker: [UInt8]
  /// Where the length is; nil: the end marker alone ends a frame.
  var length: LengthField?
  /// How a frame's bytes are verified.
  var check: Check = .none
  /// The last bytes of a frame; empty: none.
  var end: [UInt8] = []
  /// Nil: markers may occur inside of a frame, and the length says where it ends.
  var escape: Escape?
  /// The longest frame as it is sent, in bytes; it bounds what a reader keeps.
  var longest: Int

  /// Bytes of marker, checksum and end.
  private var overhead: Int { marker.count + check.width + end.count }
}

// MARK: Writing

extension FrameFormat {
  /// The whole frame around a content.
  ///
  /// - Parameter content: with room for the length, which is filled in here.
  public func frame(around content: [UInt8]) -> [UInt8] {
    var content = content
    if let length { length.set(content.count + overhead, in: &content) }
    let body = content + check.value(of: content[...], marker: marker)
    return marker + escaped(body) + end
  }

  /// Content and checksum with the values of ``escape`` replaced.
  private func escaped(_ body: [UInt8]) -> [UInt8] {
    guard let escape else { return body }
    return body.flatMap {
      escape.values.contains($0) ? [escape.byte, $0 ^ escape.bits] : [$0]
    }
  }
}

// MARK: Reading

extension FrameFormat {
  /// The outcome of looking for a frame at the first byte.
  enum Beginning: Hashable, Sendable {
    /// A whole frame of so many bytes.
    case frame(Int)
    /// No frame begins here.
    case nothing
    /// Too few bytes to decide: it may become a frame when more have come.
    case incomplete
  }

  /// The content of one whole frame, with escapes undone.
  ///
  /// - Parameters:
  ///   - frame: from its marker to its end.
  ///   - what: names the frame in an error: "Sony frame".
  /// - Throws: `MalformedBytes` for another marker, a length that is not the frame's, a wrong
  ///   checksum or end, and an escape that stands for no value.
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

  /// Looks for a frame at the first byte.
  ///
  /// Its work is bounded by ``longest``, whatever the bytes are.
  func beginning(of bytes: Bytes) -> Beginning {
    let available = bytes.prefix(marker.count)
    guard available.elementsEqual(marker.prefix(available.count)) else { return .nothing }
    guard available.count == marker.count else { return .incomplete }
    return escape == nil ? counted(bytes) : delimited(bytes)
  }

  /// A frame whose length says where it ends.
  private func counted(_ bytes: Bytes) -> Beginning {
    guard let length else { return .nothing }
    let content = bytes.dropFirst(marker.count)
    guard let total = length.total(in: content) else { return .incomplete }
    guard total >= overhead + length.offset + length.width, total <= longest else {
      return .nothing
    }
    guard bytes.count >= total else { return .incomplete }
    let frame = bytes.prefix(total)
    // The cheap test goes first.
    guard frame.suffix(end.count) == end[...], (try? self.content(of: frame, "frame")) != nil
    else { return .nothing }
    return .frame(total)
  }

  /// A frame that goes to the next end marker; another marker before it means a frame was cut off.
  private func delimited(_ bytes: Bytes) -> Beginning {
    let inside = bytes.dropFirst(marker.count)
    guard let last = end.first, let first = marker.first else { return .nothing }
    let place = inside.prefix(longest).firstIndex { $0 == last || $0 == first }
    guard let place else { return bytes.count > longest ? .nothing : .incomplete }
    // A marker before the end: the frame before it was cut off.
    guard bytes[place] == last else { return .nothing }
    let count = place - bytes.startIndex + 1
    guard (try? content(of: bytes.prefix(count), "frame")) != nil else { return .nothing }
    return .frame(count)
  }
}

extension FrameFormat.LengthField {
  /// The whole frame's length in bytes; nil: the field has not arrived yet.
  func total(in content: Bytes) -> Int? {
    guard content.count >= offset + width else { return nil }
    return overhead + Int(raw(in: content) & mask)
  }

  /// The field with all of its bits.
  private func raw(in content: Bytes) -> UInt32 {
    let field = content.dropFirst(offset).prefix(width)
    return isBigEndian
      ? field.reduce(0) { $0 << 8 | UInt32($1) }
      : field.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Writes a frame's length; bits outside of ``mask`` stay.
  fileprivate func set(_ total: Int, in content: inout [UInt8]) {
    guard content.count >= offset + width, total >= overhead else { return }
    let value = raw(in: content[...]) & ~mask | UInt32(truncatingIfNeeded: total - overhead) & mask
    for index in 0..<width {
      let shift = 8 * (isBigEndian ? width - 1 - index : index)
      content[offset + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }
}

extension FrameFormat.Escape {
  /// The bytes with escapes undone; malformed where an escape stands for no value, or is cut off.
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
  /// The checksum's bytes as they are written.
  fileprivate func value(of content: Bytes, marker: [UInt8]) -> [UInt8] {
    switch self {
    case .none: return []
    case .sum(let includesMarker):
      return [content.reduce(includesMarker ? marker.reduce(0, &+) : 0, &+)]
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
  /// Marker, length and checksum in words: "marker 5A, length at 1, 2 bytes, …".
  var layout: String {
    var parts = marker.isEmpty ? [] : ["marker \(hexadecimal(marker[...]))"]
    if let length { parts.append(length.layout(behind: marker.count)) }
    if let check = check.layout { parts.append(check) }
    if let escape { parts.append("escape \(hexadecimal([escape.byte][...]))") }
    if !end.isEmpty { parts.append("end \(hexadecimal(end[...]))") }
    return parts.joined(separator: ", ")
  }

  /// The bytes that a frame proves.
  var proof: Int { marker.count + check.width + end.count + (length?.width ?? 0) }
}

extension FrameFormat.LengthField {
  /// With its offset in the frame.
  fileprivate func layout(behind marker: Int) -> String {
    let order = width == 1 ? "" : ", \(width) bytes, \(isBigEndian ? "high" : "low") byte first"
    let whole = overhead == 0 ? "of the whole frame" : "\(overhead) less than the whole frame"
    return "length at \(marker + offset)\(order), \(whole)"
  }
}

extension FrameFormat.Check {
  /// Nil: there is none.
  fileprivate var layout: String? {
    switch self {
    case .none: nil
    case .sum(let includesMarker): includesMarker ? "sum of all" : "sum of all behind the marker"
    case .xmodem(let skipping, let isBigEndian):
      "CRC-16/XMODEM from \(skipping), \(isBigEndian ? "high" : "low") byte first"
    case .crc32: "CRC-32"
    }
  }
}
