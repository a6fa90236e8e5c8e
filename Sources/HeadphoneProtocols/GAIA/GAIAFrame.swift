public import BluetoothCodec

/// A frame of Qualcomm's GAIA over RFCOMM: `FF version flags length vendor(BE16) command(BE16)
/// payload`.
///
/// Headphones of several makers speak it, each with commands under its own vendor. Flags announce a
/// checksum or a longer length; no headphone has been recorded with either, and they are refused.
public struct GAIAFrame: UniformFrame {
  package static let format = FrameFormat(
    marker: [0xFF], length: .init(at: 2, adding: 8), longest: 263)

  /// 3 or 4; a headphone answers with the one that it has.
  public var version: UInt8
  /// The company whose command it is.
  public var vendor: UInt16
  /// The number of a question or command, and the bits that make it an answer.
  public var command: UInt16
  /// At most 255 bytes.
  public private(set) var payload: Bytes

  /// A frame of either side; what is longer than 255 bytes is cut off.
  public init(
    version: UInt8 = 3, vendor: UInt16, _ command: UInt16, _ payload: [UInt8] = []
  ) {
    self.version = version
    self.vendor = vendor
    self.command = command
    self.payload = payload.prefix(Int(UInt8.max))
  }

  /// - Throws: for flags, and for a length that is not the frame's.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "GAIA frame"
    var reader = ByteReader(try Self.format.content(of: bytes, what), of: what)
    version = try reader.uint8(in: 1...4)
    _ = try reader.uint8(in: 0...0)
    _ = try reader.uint8()
    vendor = try reader.uint16().byteSwapped
    command = try reader.uint16().byteSwapped
    payload = reader.rest()
  }

  /// The whole frame.
  public func encoded() -> [UInt8] {
    let numbers = [vendor, command].flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    return Self.format.frame(around: [version, 0, 0] + numbers + payload)
  }
}
