public import BluetoothCodec
public import FirmwareCrypto

/// A firmware file: manifest, signature and image (docs/protocol.md section 7).
public struct FirmwareImage: Hashable, Sendable {
  /// What the first 64 bytes of ``header`` say.
  public var manifest: FirmwareManifest
  /// The manifest and its signature as they stand in the file, and as command 0x50 sends them.
  public let header: [UInt8]
  /// What runs on the headphone.
  public let payload: Bytes

  /// Bytes of the manifest and its signature.
  public static let headerLength = FirmwareManifest.length + VerifyingKey.signatureLength

  /// Reads a file; checks its form, its length and its digest, not who has signed it.
  ///
  /// - Throws: `.notFirmware`, `.truncated`, `.tooLong`, `.digestWrong`.
  public init(decoding file: Bytes) throws(FirmwareRefusal) {
    guard file.starts(with: FirmwareManifest.marker) else { throw .notFirmware(nil) }
    guard file.count >= Self.headerLength else {
      throw .truncated(expected: Self.headerLength, actual: file.count)
    }
    let manifest: FirmwareManifest
    do {
      manifest = try FirmwareManifest(decoding: file.prefix(FirmwareManifest.length))
    } catch {
      throw .notFirmware(error)
    }
    let expected = Self.headerLength + Int(manifest.imageSize)
    guard file.count >= expected else { throw .truncated(expected: expected, actual: file.count) }
    guard file.count == expected else { throw .tooLong(expected: expected, actual: file.count) }
    self.manifest = manifest
    header = Array(file.prefix(Self.headerLength))
    payload = file.dropFirst(Self.headerLength)
    guard SHA256Digest.of(payload) == manifest.digest else { throw .digestWrong }
  }

  /// The file that a maker's tool writes; without a key the signature is 64 zeros.
  public init(
    packing payload: [UInt8], hardware: UInt32, version: FirmwareVersion,
    blockSize: UInt32 = Self.usualBlockSize, minimumBattery: UInt8 = 30, securityCounter: UInt32,
    key: SigningKey? = nil
  ) throws(FirmwarePackingError) {
    guard FirmwareManifest.isBlockSize(blockSize) else { throw .blockSize(blockSize) }
    guard minimumBattery <= 100 else { throw .minimumBattery(minimumBattery) }
    guard let size = UInt32(exactly: payload.count), size > 0 else { throw .size(payload.count) }
    let manifest = FirmwareManifest(
      hardware: hardware, version: version, imageSize: size, blockSize: blockSize,
      minimumBattery: minimumBattery, digest: SHA256Digest.of(payload[...]),
      securityCounter: securityCounter)
    guard manifest.blockCount <= Int(UInt16.max) + 1 else { throw .size(payload.count) }
    self.manifest = manifest
    self.payload = payload[...]
    let bytes = manifest.encoded()
    header = try bytes + Self.signature(of: bytes, by: key)
  }

  /// 16 KiB: each block costs one more packet, and a lost block is sent again whole.
  public static let usualBlockSize: UInt32 = 16384

  /// The same image with this key's signature.
  public func signed(by key: SigningKey) throws(FirmwarePackingError) -> FirmwareImage {
    FirmwareImage(
      manifest: manifest,
      header: try manifestBytes + Self.signature(of: manifestBytes[...], by: key),
      payload: payload)
  }

  private init(manifest: FirmwareManifest, header: [UInt8], payload: Bytes) {
    self.manifest = manifest
    self.header = header
    self.payload = payload
  }

  private static func signature(
    of manifest: some Collection<UInt8>, by key: SigningKey?
  ) throws(FirmwarePackingError) -> [UInt8] {
    guard let key else { return [UInt8](repeating: 0, count: VerifyingKey.signatureLength) }
    do {
      return try key.signature(of: Array(manifest)[...])
    } catch {
      throw .signing
    }
  }

  /// The 64 bytes that are signed, with the reserved ones as they are in the file.
  public var manifestBytes: Bytes { header[..<FirmwareManifest.length] }

  /// 64 bytes: Ed25519 over ``manifestBytes`` (RFC 8032).
  public var signature: Bytes { header[FirmwareManifest.length...] }

  /// Whether one of these keys has signed the manifest.
  public func isSigned(byAnyOf keys: [VerifyingKey]) -> Bool {
    keys.contains { $0.accepts(signature: signature, of: manifestBytes) }
  }

  /// The whole file.
  public func encoded() -> [UInt8] { header + payload }

  /// Bytes of the image by their offsets from its start.
  func bytes(_ range: Range<Int>) -> Bytes {
    payload[payload.startIndex + range.lowerBound..<payload.startIndex + range.upperBound]
  }

  /// What command 0x52 says of a block.
  func checksum(ofBlock index: Int) -> UInt32 {
    CRC32C.checksum(of: bytes(manifest.range(ofBlock: index)))
  }
}

/// Why an image could not be made.
public enum FirmwarePackingError: Error, Hashable, Sendable {
  /// Not a power of two from 512 to 65,536 bytes.
  case blockSize(UInt32)
  /// Above 100 %.
  case minimumBattery(UInt8)
  /// No bytes, or more than 65,536 blocks.
  case size(Int)
  /// The system gave no randomness to sign with.
  case signing

  /// What was wrong, as a sentence without its full stop.
  public var explanation: String {
    switch self {
    case .blockSize(let size):
      "a block of \(size) bytes: a power of two from 512 to 65536 is wanted"
    case .minimumBattery(let percent): "a minimum battery of \(percent) %: 0 to 100 is wanted"
    case .size(let bytes): "an image of \(bytes) bytes: 1 byte to 65536 blocks is wanted"
    case .signing: "the system gave no randomness to sign with"
    }
  }
}
