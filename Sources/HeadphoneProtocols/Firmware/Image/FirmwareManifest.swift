public import BluetoothCodec
internal import FirmwareCrypto

/// What an image says of itself: the first 64 bytes of a `.fw` file (docs/protocol.md section 7).
public struct FirmwareManifest: Hashable, Sendable {
  /// Bytes.
  public static let length = 64
  /// The first four bytes of every image file.
  public static let marker = Array("EFW1".utf8)
  /// Bytes; a power of two.
  public static let blockSizes: ClosedRange<UInt32> = 512...65536

  /// The kind of hardware that the image runs on.
  public var hardware: UInt32
  /// Of the image; only a higher one than what runs is sent, unless a person insists.
  public var version: FirmwareVersion
  /// Bytes.
  public var imageSize: UInt32
  /// Bytes; a power of two in ``blockSizes``.
  public var blockSize: UInt32
  /// %; a bud with less, and not charging, is not updated.
  public var minimumBattery: UInt8
  /// SHA-256 of the image.
  public var digest: [UInt8]
  /// Never goes down: a headphone refuses an image with a lower one.
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

  /// Decodes 64 bytes; reserved ones are ignored.
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
    _ = try reader.take(3)
    digest = Array(try reader.take(SHA256Digest.length))
    securityCounter = try reader.uint32()
    _ = try reader.take(4)
    try reader.finish()
    guard blockCount <= Int(UInt16.max) + 1 else {
      throw reader.malformed(.badLength(Int(imageSize)), at: 12)
    }
  }

  /// The 64 bytes that are signed.
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

  /// How many blocks the image has; the last may be shorter.
  ///
  /// At most 65,536, as command 0x52 counts them in a u16.
  public var blockCount: Int { (Int(imageSize) + Int(blockSize) - 1) / Int(blockSize) }

  /// The bytes of a block, from the image's start.
  public func range(ofBlock index: Int) -> Range<Int> {
    let start = index * Int(blockSize)
    return start..<min(start + Int(blockSize), Int(imageSize))
  }

  static func isBlockSize(_ size: UInt32) -> Bool {
    blockSizes.contains(size) && size.nonzeroBitCount == 1
  }
}
