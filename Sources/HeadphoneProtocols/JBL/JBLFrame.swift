public import BluetoothCodec

/// A frame of JBL's headphones: `AA command length payload`, without a checksum.
///
/// Proven by recordings of TUNE230NC.
public struct JBLFrame: UniformFrame {
  package static let format = FrameFormat(
    marker: [0xAA], length: .init(at: 1, adding: 3), longest: 258)

  /// The subject of the frame, which an answer repeats.
  public var command: UInt8
  /// At most 255 bytes.
  public private(set) var payload: Bytes

  /// A frame of either side; what is longer than 255 bytes is cut off.
  public init(_ command: UInt8, _ payload: [UInt8] = []) {
    self.command = command
    self.payload = payload.prefix(Int(UInt8.max))
  }

  /// Decodes one whole frame.
  ///
  /// - Throws: `MalformedBytes` for another beginning and a wrong length.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "JBL frame"
    var reader = ByteReader(try Self.format.content(of: bytes, what), of: what)
    command = try reader.uint8()
    _ = try reader.uint8()
    payload = reader.rest()
  }

  /// The whole frame.
  public func encoded() -> [UInt8] { Self.format.frame(around: [command, 0] + payload) }
}
