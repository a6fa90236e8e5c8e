public import BluetoothCodec

/// A frame of Soundcore's headphones.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 5 | prefix | phone: 08 EE 00 00 00; headphone: 09 FF 00 00 01 |
/// | 5 | 2 | command | in the order of its digits: 0x0101 is 01 01 |
/// | 7 | 2 | length | LE; bytes of the whole frame: 10 and those of the body |
/// | 9 | n | body | depends on the command |
/// | 9 + n | 1 | checksum | low 8 bits of the sum of all bytes before it |
///
/// Over LE, a frame may span several values; over RFCOMM, it is part of a stream. Confirmed by
/// recordings of Life Q30, P31i and Space One Pro, and by the published tests of another project.
///
/// ```swift
/// // 08 EE 00 00 00 06 01 0A 00 07 requests the sound modes.
/// SoundcoreFrame(.phone, 0x0601).encoded()
/// ```
public struct SoundcoreFrame: SerialFrame {
  /// The side that sent a frame, according to the prefix.
  public enum Sender: Hashable, Sendable, CaseIterable {
    case phone, headphone

    var prefix: [UInt8] {
      switch self {
      case .phone: [0x08, 0xEE, 0x00, 0x00, 0x00]
      case .headphone: [0x09, 0xFF, 0x00, 0x00, 0x01]
      }
    }
  }

  package static func format(of sender: Sender) -> FrameFormat {
    FrameFormat(
      marker: sender.prefix, length: .init(at: 2, width: 2, adding: 0),
      check: .sum(includesMarker: true), longest: longest)
  }

  public static var formats: [FrameFormat] { Sender.allCases.map(format) }

  public static let never: [NeverSent] = [
    NeverSent(
      "08 EE 00 00 00 04 82", "resets what all presses do", source: "Oppzippy/OpenSCQ30")
  ]

  private static let (longest, overhead) = (1024, 10)

  public var sender: Sender
  /// The two bytes of the command as one number, high byte first.
  public var command: UInt16
  /// The bytes between length and checksum.
  public private(set) var body: Bytes

  /// Creates a frame of at most 1024 bytes, truncating the body.
  public init(_ sender: Sender, _ command: UInt16, _ body: Bytes = []) {
    self.sender = sender
    self.command = command
    self.body = body.prefix(Self.longest - Self.overhead)
  }

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "Soundcore frame"
    guard let sender = Sender.allCases.first(where: { bytes.starts(with: $0.prefix) }) else {
      throw MalformedBytes(what, at: 0, .unknownType(UInt64(bytes.first ?? 0)))
    }
    self.sender = sender
    var reader = ByteReader(try Self.format(of: sender).content(of: bytes, what), of: what)
    command = UInt16(try reader.uint8()) << 8
    command |= UInt16(try reader.uint8())
    _ = try reader.uint16()
    body = reader.rest()
  }

  public func encoded() -> [UInt8] {
    let header = [UInt8(command >> 8), UInt8(truncatingIfNeeded: command), 0, 0]
    return Self.format(of: sender).frame(around: header + body)
  }
}
