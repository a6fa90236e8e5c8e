public import BluetoothCodec

/// A frame of Edifier's headphones: `AA EC` (phone) or `BB EC`, `CC EC` (headphone), command,
/// length(BE16), payload, sum of all before it.
///
/// The payload is sent with each byte XOR A5, over which the sum counts.
public struct EdifierFrame: UniformFrame {
  /// Who has sent a frame: the two begin differently, and old firmware as a third.
  public enum Sender: UInt8, Hashable, Sendable, CaseIterable {
    case phone = 0xAA
    case headphone = 0xBB
    case oldHeadphone = 0xCC
  }

  private static let mask: UInt8 = 0xA5

  /// The framing of either side, whose first byte is the sender's.
  package static let format = FrameFormat(
    marker: [], length: .init(at: 3, width: 2, isBigEndian: true, adding: 6),
    check: .sum(includesMarker: true), longest: 262)

  public var sender: Sender
  /// The question's number; an answer has the same.
  public var command: UInt8
  /// At most 256 bytes, as they are meant.
  public private(set) var payload: [UInt8]

  /// Cuts off what is longer than 256 bytes.
  public init(_ sender: Sender, _ command: UInt8, _ payload: [UInt8] = []) {
    self.sender = sender
    self.command = command
    self.payload = Array(payload.prefix(256))
  }

  /// - Throws: for another beginning, a wrong length or sum.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "Edifier frame"
    var reader = ByteReader(try Self.format.content(of: bytes, what), of: what)
    sender = try reader.value(of: Sender.self)
    _ = try reader.uint8(in: 0xEC...0xEC)
    command = try reader.uint8()
    _ = try reader.read(2)
    payload = reader.rest().map { $0 ^ Self.mask }
  }

  /// The whole frame.
  public func encoded() -> [UInt8] {
    Self.format.frame(
      around: [sender.rawValue, 0xEC, command, 0, 0] + payload.map { $0 ^ Self.mask })
  }
}
