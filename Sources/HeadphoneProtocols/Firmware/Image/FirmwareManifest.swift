public import BluetoothCodec

/// The manifest of a firmware image, the first 64 bytes of a file (docs/protocol.md section 7).
///
/// | Offset | Size | Field (little-endian) |
/// | --- | --- | --- |
/// | 0 | 4 | marker "EFW1" |
/// | 4 | 4 | hardware identifier |
/// | 8 | 4 | version: major (1), minor (1), patch (2) |
/// | 12 | 4 | image size in bytes, at least 1 |
/// | 16 | 4 | block size in bytes, a power of two from 512 to 65,536 |
/// | 20 | 1 | minimum charge in percent, 0 to 100 |
/// | 21 | 3 | reserved, 0 |
/// | 24 | 32 | SHA-256 of the image |
/// | 56 | 4 | security counter |
/// | 60 | 4 | reserved, 0 |
public struct FirmwareManifest: Hashable, Sendable {
  /// The length in bytes.
  public static let length = 64
  public static let marker = Array("EFW1".utf8)
  /// The block sizes in bytes, of which only powers of two are valid.
  public static let blockSizes: ClosedRange<UInt32> = 512...65536

  /// The identifier of the hardware on which the image runs.
  public var hardware: UInt32
  public var version: FirmwareVersion
  /// The length of the image in bytes.
  public var imageSize: UInt32
  /// In bytes, a power of two in ``blockSizes``.
  public var blockSize: UInt32
  /// The charge in percent that each bud needs unless it is charging.
  public var minimumBattery: UInt8
  /// The SHA-256 of the image.
  public var digest: [UInt8]
  /// The rollback protection counter; a headphone refuses an image with a lower one.
  public var securityCounter: UInt32

  public init(
    hardware: UInt32, version: FirmwareVersion, imageSize: UInt32, blockSize: UInt32,
    minimumBattery: UInt8, digest: [UInt8], securityCounter: UInt32
  ) {
    self.hardware = hardware
    self.version = version
    self.imageSize = imageSize
    self.blockSize = blockSize
    self.minimumBattery = minimumBattery
    self.digest = digest
    self.securityCounter = securityCounter
  }

  /// Decodes a manifest, and ignores reserved bytes.
  ///
  /// - Throws: if the length or the marker is wrong, a field is out of its range, or the image has
  ///   more than 65,536 blocks.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "firmware manifest")
    for letter in Self.marker { _ = try reader.uint8(in: letter...letter) }
    hardware = try reader.uint32()
    version = FirmwareVersion(word: try reader.uint32())
    imageSize = try reader.uint32()
    guard imageSize > 0 else { throw reader.malformed(.badValue(0), at: reader.offset - 4) }
    blockSize = try reader.uint32()
    guard Self.isBlockSize(blockSize) else {
      throw reader.malformed(.badValue(UInt64(blockSize)), at: reader.offset - 4)
    }
    minimumBattery = try reader.uint8(in: 0...100)
    _ = try reader.read(3)
    digest = Array(try reader.read(32))
    securityCounter = try reader.uint32()
    _ = try reader.read(4)
    try reader.finish()
    guard blockCount <= Int(UInt16.max) + 1 else {
      throw reader.malformed(.badLength(Int(imageSize)), at: 12)
    }
  }

  /// Returns the 64 bytes of the manifest, as they are signed.
  public func encoded() -> [UInt8] {
    var bytes = Self.marker
    bytes.append(littleEndian: hardware)
    bytes.append(littleEndian: version.word)
    bytes.append(littleEndian: imageSize)
    bytes.append(littleEndian: blockSize)
    bytes += [minimumBattery, 0, 0, 0]
    bytes += digest
    bytes.append(littleEndian: securityCounter)
    bytes.append(littleEndian: UInt32(0))
    return bytes
  }

  /// At most 65,536, as command 0x52 numbers blocks with 16 bits.
  public var blockCount: Int { (Int(imageSize) + Int(blockSize) - 1) / Int(blockSize) }

  /// Returns the offsets in the image of a block below ``blockCount``.
  public func range(ofBlock index: Int) -> Range<Int> {
    let start = index * Int(blockSize)
    return start..<min(start + Int(blockSize), Int(imageSize))
  }

  package static func isBlockSize(_ size: UInt32) -> Bool {
    blockSizes.contains(size) && size.nonzeroBitCount == 1
  }
}
