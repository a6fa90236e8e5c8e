public import BluetoothCodec

/// A frame of Samsung's Galaxy Buds: a number, a payload, and CRC-16/XMODEM over both.
///
/// The buds of 2019 write `FE type size number payload crc EE`; all others
/// `FD header(2, LE) number payload crc DD`, whose header is the size and bits of a kind.
public struct GalaxyBudsFrame: Hashable, Sendable {
  /// Which of the two framings.
  public enum Layout: Hashable, Sendable, CaseIterable {
    case first, later
  }

  static func format(_ layout: Layout) -> FrameFormat {
    switch layout {
    case .first:
      FrameFormat(
        marker: [0xFE], length: .init(at: 1, adding: 4),
        check: .xmodem(skipping: 3, isBigEndian: false), end: [0xEE], longest: 259)
    case .later:
      FrameFormat(
        marker: [0xFD], length: .init(at: 0, width: 2, mask: 0x3FF, adding: 4),
        check: .xmodem(skipping: 3, isBigEndian: false), end: [0xDD], longest: 1027)
    }
  }

  public var layout: Layout
  /// The type of the first framing; of the later one the header's bits beside the size.
  public var kind: UInt16
  /// What the payload is about.
  public var number: UInt8
  /// At most 1020 bytes; 252 in the first framing.
  public var payload: Bytes

  /// As Samsung's own program begins a request.
  public static let request: UInt16 = 0x1000

  /// - Parameter kind: nil: a request's.
  public init(
    _ layout: Layout, _ number: UInt8, _ payload: [UInt8] = [], kind: UInt16? = nil
  ) {
    self.layout = layout
    self.number = number
    self.payload = payload[...]
    self.kind = kind ?? (layout == .first ? 0 : Self.request)
  }

  /// - Throws: for a wrong length, checksum or end.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "Galaxy Buds frame"
    layout = bytes.first == 0xFE ? .first : .later
    let content = try Self.format(layout).content(of: bytes, what)
    var reader = ByteReader(content, of: what)
    let head = try reader.uint16()
    kind = layout == .first ? head & 0xFF : head & ~0x3FF
    number = try reader.uint8()
    payload = reader.rest()
  }

  /// The whole frame.
  public func encoded() -> [UInt8] {
    let head = [UInt8(truncatingIfNeeded: kind), UInt8(kind >> 8)]
    return Self.format(layout).frame(around: head + [number] + payload)
  }
}
