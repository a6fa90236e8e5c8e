public import BluetoothCodec

/// A frame of Samsung's Galaxy Buds.
///
/// The layout of the buds of 2019 (``Layout/first``):
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 1 | marker | FE |
/// | 1 | 1 | kind | 0 request; others are kept |
/// | 2 | 1 | size | bytes of number, payload and checksum |
/// | 3 | 1 | number | number of the message |
/// | 4 | n | payload | depends on the number |
/// | 4 + n | 2 | checksum | CRC-16/XMODEM over number and payload, low byte first |
/// | 6 + n | 1 | end | EE |
///
/// In the layout of all other buds (``Layout/later``), these differ:
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 1 | marker | FD |
/// | 1 | 2 | header | LE; lower 10 bits: size as above, upper 6: ``kind`` |
/// | 6 + n | 1 | end | DD |
///
/// The end byte may also occur inside a frame, so only the size tells where the frame ends. The
/// later layout is recorded from Buds2 Pro, the first one published in another project's tests.
///
/// ```swift
/// GalaxyBudsFrame(.later, 0x78, [0x01]).encoded()  // FD 04 10 78 01 D1 91 DD: cancelling on
/// ```
public struct GalaxyBudsFrame: SerialFrame {
  /// The layout, which depends on the service of the channel; the size has 8 or 10 bits.
  public enum Layout: Hashable, Sendable, CaseIterable {
    case first, later
  }

  package static func format(_ layout: Layout) -> FrameFormat {
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

  public static var formats: [FrameFormat] { Layout.allCases.map(format) }

  public static let never: [NeverSent] = ["FD .. ..", "FE .. .."].flatMap { head in
    [
      ("27", "disconnects the buds"), ("30", "makes the buds crash"), ("50", "resets the buds"),
      ("52", "restarts the buds"), ("53", "switches the buds off"), ("B0", "updates the firmware"),
      ("B1", "updates the firmware"), ("B2", "updates the firmware"),
    ].map { NeverSent("\(head) \($0)", $1, source: "timschneeb/GalaxyBudsClient") }
  }

  public var layout: Layout
  /// The kind byte in the first layout; in the later one, the header's bits other than the size.
  public var kind: UInt16
  /// The number of the message.
  public var number: UInt8
  /// The payload, at most 1020 bytes, or 252 in the first layout.
  public var payload: Bytes

  /// The kind of a request, as Samsung's own program writes it.
  public static let request: UInt16 = 0x1000

  /// Creates a frame; the caller keeps the payload within 1020 bytes, or 252 in the first layout.
  ///
  /// The kind is that of a request if it is nil.
  public init(
    _ layout: Layout, _ number: UInt8, _ payload: [UInt8] = [], kind: UInt16? = nil
  ) {
    self.layout = layout
    self.number = number
    self.payload = payload[...]
    self.kind = kind ?? (layout == .first ? 0 : Self.request)
  }

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

  public func encoded() -> [UInt8] {
    let head = [UInt8(truncatingIfNeeded: kind), UInt8(kind >> 8)]
    return Self.format(layout).frame(around: head + [number] + payload)
  }
}
