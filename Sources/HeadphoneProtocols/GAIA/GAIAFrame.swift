public import BluetoothCodec

/// A frame of Qualcomm's GAIA over RFCOMM, which several makers use with their own commands.
///
/// It consists of `FF version flags length vendor(BE16) command(BE16) payload`. Flags, for a
/// checksum or a longer length, are rejected, as no headphone was recorded with any.
public struct GAIAFrame: UniformFrame {
  package static let format = FrameFormat(
    marker: [0xFF], length: .init(at: 2, adding: 8), longest: 263)

  public static let never: [NeverSent] = [
    (
      "04 95 06 07", "takes the headphone off the air until it is switched off and on",
      "DanSmith888/omarchy-momentum4"
    ),
    ("04 95 00 40", "resets the headphone", "zaval/sennheiser-desktop-client"),
    ("04 95 14 06", "forgets all paired devices", "zaval/sennheiser-desktop-client"),
    ("00 1D 0C", "updates the firmware", "zaval/sennheiser-desktop-client"),
    ("00 1D 0D", "updates the firmware", "zaval/sennheiser-desktop-client"),
    ("00 1D 10 04 04", "restarts some headphones", "ncr/omarchy-headphones"),
  ].map { NeverSent("FF .. .. .. \($0)", $1, source: $2) }

  /// The version, 3 or 4, of which a headphone responds with its own; Moondrop's app starts with 1.
  public var version: UInt8
  /// The company that defined the command, by its assigned number.
  public var vendor: UInt16
  /// The number of a query or command, including the bits that make it a response.
  public var command: UInt16
  /// The payload, at most 255 bytes.
  public private(set) var payload: Bytes

  /// Creates a frame of either side, with a payload truncated to 255 bytes.
  public init(
    version: UInt8 = 3, vendor: UInt16, _ command: UInt16, _ payload: [UInt8] = []
  ) {
    self.version = version
    self.vendor = vendor
    self.command = command
    self.payload = payload.prefix(Int(UInt8.max))
  }

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

  public func encoded() -> [UInt8] {
    let numbers = [vendor, command].flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    return Self.format.frame(around: [version, 0, 0] + numbers + payload)
  }
}
