public import BluetoothCodec

/// A frame of Edifier's headphones, in one of three framings.
///
/// | framing | frame |
/// | --- | --- |
/// | masked | sender, EC, command, length(BE16), payload XOR A5, low 8 bits of the sum |
/// | plain | the same with the payload unchanged |
/// | old | sender, length(1) of command and payload, command, payload, sum + 2019 (hex)(BE16) |
///
/// The bytes do not show whether a frame is masked or plain. Recorded from W860NB Pro (masked) and
/// W820NB (old); FitBuds Turbo is known to use plain frames.
public struct EdifierFrame: SerialFrame {
  /// The sender: a headphone has a second number for the outcome of commands.
  public enum Sender: UInt8, Hashable, Sendable, CaseIterable {
    case phone = 0xAA
    case headphone = 0xBB
    case result = 0xCC
  }

  /// The forms of a frame; `old` is that of older models.
  public enum Framing: Hashable, Sendable {
    case masked, plain, old
  }

  private static let application: UInt8 = 0xEC
  private static let mask: UInt8 = 0xA5

  package static func format(of sender: Sender, _ framing: Framing) -> FrameFormat {
    switch framing {
    case .masked, .plain:
      FrameFormat(
        marker: [sender.rawValue, application],
        length: .init(at: 1, width: 2, isBigEndian: true, adding: 6),
        check: .sum(includesMarker: true), longest: 262)
    case .old:
      FrameFormat(
        marker: [sender.rawValue], length: .init(at: 0, adding: 4), check: .sum16(adding: 0x2019),
        longest: 64)
    }
  }

  // The second byte may be anything: EC, or a length in the old framing.
  public static let never: [NeverSent] = [
    ("07", "resets the headphone"), ("CD", "disconnects the headphone"),
    ("CE", "switches the headphone off"),
    ("CF", "makes the headphone pair again"),
  ].map { NeverSent("AA .. \($0)", $1, source: "wh201906/mEDIFIER") }

  public static var formats: [FrameFormat] {
    Sender.allCases.flatMap { [format(of: $0, .masked), format(of: $0, .old)] }
  }

  public var framing: Framing
  public var sender: Sender
  /// The number of a query or command, repeated in the response.
  public var command: UInt8
  /// The payload without the mask.
  public private(set) var payload: [UInt8]

  /// Creates a frame, with a payload truncated to 256 bytes, or 59 in the old framing.
  public init(
    _ sender: Sender, _ command: UInt8, _ payload: [UInt8] = [], in framing: Framing = .masked
  ) {
    self.framing = framing
    self.sender = sender
    self.command = command
    self.payload = Array(payload.prefix(framing == .old ? 59 : 256))
  }

  /// Decodes one whole frame, as masked if it may be masked or plain.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "Edifier frame"
    guard let sender = bytes.first.flatMap(Sender.init(rawValue:)) else {
      throw MalformedBytes(what, at: 0, .unknownType(UInt64(bytes.first ?? 0)))
    }
    self.sender = sender
    framing = bytes.dropFirst().first == Self.application ? .masked : .old
    let content = try Self.format(of: sender, framing).content(of: bytes, what)
    var reader = ByteReader(content, of: what)
    if framing == .old { _ = try reader.uint8() }
    command = try reader.uint8()
    if framing == .masked { _ = try reader.read(2) }
    payload = framing == .masked ? reader.rest().map { $0 ^ Self.mask } : Array(reader.rest())
  }

  /// Decodes one whole frame of a known framing, and rejects others.
  package init(decoding bytes: Bytes, in framing: Framing) throws(MalformedBytes) {
    let frame = try EdifierFrame(decoding: bytes)
    guard (frame.framing == .old) == (framing == .old) else {
      throw MalformedBytes("Edifier frame", at: 0, .unknownType(UInt64(bytes.first ?? 0)))
    }
    self = framing == .plain ? frame.asPlain : frame
  }

  /// The plain frame with the same bytes as this masked one.
  var asPlain: EdifierFrame {
    EdifierFrame(sender, command, payload.map { $0 ^ Self.mask }, in: .plain)
  }

  public func encoded() -> [UInt8] {
    let content =
      switch framing {
      case .masked: [command, 0, 0] + payload.map { $0 ^ Self.mask }
      case .plain: [command, 0, 0] + payload
      case .old: [0, command] + payload
      }
    return Self.format(of: sender, framing).frame(around: content)
  }
}
