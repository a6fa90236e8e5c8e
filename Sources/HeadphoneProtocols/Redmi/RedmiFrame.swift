public import BluetoothCodec

/// A frame of Redmi's earbuds ("MMA").
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 3 | marker | FE DC BA |
/// | 3 | 1 | type | bit 7: request; bit 6: needs a response |
/// | 4 | 1 | opcode | a response repeats that of its request |
/// | 5 | 2 | length | BE; number of bytes from the status up to the end marker |
/// | 7 | 1 | status | in responses only; 0: success |
/// | | 1 | sequence | a response repeats that of its request |
/// | | n | payload | |
/// | | 1 | end | EF |
///
/// There is no checksum. Two independent projects agree on the layout.
public struct RedmiFrame: UniformFrame {
  /// The type of a frame.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case request = 0xC4
    case earbudsRequest = 0xC0
    case report = 0xC7
    case response = 0x04
  }

  package static let format = FrameFormat(
    marker: [0xFE, 0xDC, 0xBA], length: .init(at: 2, width: 2, isBigEndian: true, adding: 8),
    end: [0xEF], longest: 519)
  private static let mostPayload = 509

  public var kind: Kind
  /// The number of the command or report, which a response repeats.
  public var opcode: UInt8
  /// The status, 0 for success, or nil if the frame is not a response.
  public private(set) var status: UInt8?
  /// The sequence number of a request, which its response repeats.
  public var sequence: UInt8
  /// The payload, at most 509 bytes.
  public private(set) var payload: Bytes

  /// Creates a frame, truncating the payload to 509 bytes; a response has the status 0 (success).
  public init(_ kind: Kind, _ opcode: UInt8, sequence: UInt8, _ payload: [UInt8] = []) {
    self.kind = kind
    self.opcode = opcode
    status = kind == .response ? 0 : nil
    self.sequence = sequence
    self.payload = payload.prefix(Self.mostPayload)
  }

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "Redmi frame"
    var reader = ByteReader(try Self.format.content(of: bytes, what), of: what)
    kind = try reader.value(of: Kind.self)
    opcode = try reader.uint8()
    _ = try reader.read(2)
    status = try kind == .response ? reader.uint8() : nil
    sequence = try reader.uint8()
    payload = reader.rest()
  }

  public func encoded() -> [UInt8] {
    Self.format.frame(
      around: [kind.rawValue, opcode, 0, 0] + (status.map { [$0] } ?? []) + [sequence] + payload)
  }
}
