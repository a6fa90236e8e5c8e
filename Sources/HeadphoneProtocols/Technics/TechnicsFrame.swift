public import BluetoothCodec

/// A frame of Airoha's protocol (RACE), in which Technics's earbuds have their commands.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 1 | marker | 05 |
/// | 1 | 1 | kind | ``Kind`` |
/// | 2 | 2 | length | LE; bytes behind it |
/// | 4 | 2 | command | LE; an answer repeats it |
/// | 6 | n | payload | the command's own; an answer's first byte is 0 for success |
///
/// There is no checksum.
public struct TechnicsFrame: UniformFrame {
  /// Who asks, or what it is an answer to.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// Of the phone; it is answered.
    case command = 0x5A
    case response = 0x5B
    /// Of the phone; it is not answered.
    case order = 0x5C
    /// Of the earbuds, by themselves or behind an answer.
    case report = 0x5D
  }

  package static let format = FrameFormat(
    marker: [0x05], length: .init(at: 1, width: 2, adding: 4), longest: 516)
  private static let mostPayload = 510

  public var kind: Kind
  /// The subject of the frame.
  public var command: UInt16
  /// At most 510 bytes.
  public private(set) var payload: Bytes

  /// A frame of either side; what is longer than 510 bytes is cut off.
  public init(_ kind: Kind, _ command: UInt16, _ payload: [UInt8] = []) {
    self.kind = kind
    self.command = command
    self.payload = payload.prefix(Self.mostPayload)
  }

  /// Decodes one whole frame.
  ///
  /// - Throws: `MalformedBytes` for another beginning, an unknown kind and a wrong length.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "Technics frame"
    var reader = ByteReader(try Self.format.content(of: bytes, what), of: what)
    kind = try reader.value(of: Kind.self)
    _ = try reader.uint16()
    command = try reader.uint16()
    payload = reader.rest()
  }

  /// The whole frame.
  public func encoded() -> [UInt8] {
    var content: [UInt8] = [kind.rawValue, 0, 0]
    content.append(littleEndian: command)
    return Self.format.frame(around: content + payload)
  }
}
