public import BluetoothCodec

/// A frame of JBL's headphones, recorded from TUNE230NC: `AA command length payload`, no checksum.
public struct JBLFrame: UniformFrame {
  package static let format = FrameFormat(
    marker: [0xAA], length: .init(at: 1, adding: 3), longest: 258)

  /// The command, which a response repeats.
  public var command: UInt8
  /// The payload, at most 255 bytes.
  public private(set) var payload: Bytes

  /// Creates a frame, truncating the payload to 255 bytes.
  public init(_ command: UInt8, _ payload: [UInt8] = []) {
    self.command = command
    self.payload = payload.prefix(Int(UInt8.max))
  }

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "JBL frame"
    var reader = ByteReader(try Self.format.content(of: bytes, what), of: what)
    command = try reader.uint8()
    _ = try reader.uint8()
    payload = reader.rest()
  }

  public func encoded() -> [UInt8] { Self.format.frame(around: [command, 0] + payload) }
}
