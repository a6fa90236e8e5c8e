public import BluetoothCodec
public import HeadphoneProtocols

extension FirmwareImage {
  /// Decodes a file, and verifies its form, length and digest, but not its signature.
  ///
  /// - Throws: ``FirmwareRefusal/notFirmware(_:)`` without a valid manifest;
  ///   ``FirmwareRefusal/truncated(expected:actual:)`` or
  ///   ``FirmwareRefusal/tooLong(expected:actual:)`` if the length differs from the manifest's;
  ///   ``FirmwareRefusal/digestWrong`` if the image is damaged.
  /// - Complexity: O(*n*) for the digest.
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
    let payload = file.dropFirst(Self.headerLength)
    guard SHA256Digest.of(payload) == manifest.digest else { throw .digestWrong }
    self.init(
      manifest: manifest, header: Array(file.prefix(Self.headerLength)), payload: payload)
  }

  /// Creates a file from an image, as a maker's tool does.
  ///
  /// - Parameters:
  ///   - blockSize: the length of a block in bytes, a power of two from 512 to 65,536.
  ///   - minimumBattery: the charge in percent that each bud needs.
  ///   - securityCounter: the rollback protection counter, which never decreases.
  ///   - key: the signing key; without one the signature is 64 zeros, which no key accepts.
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
    let bytes = manifest.encoded()
    self.init(
      manifest: manifest, header: bytes + Self.signature(of: bytes, by: key),
      payload: payload[...])
  }

  /// Returns a copy of the file, signed by `key`.
  public func signed(by key: SigningKey) -> FirmwareImage {
    FirmwareImage(
      manifest: manifest,
      header: manifestBytes + Self.signature(of: manifestBytes[...], by: key),
      payload: payload)
  }

  /// Returns whether any of `keys` verifies the signature.
  public func isSigned(byAnyOf keys: [VerifyingKey]) -> Bool {
    keys.contains { $0.accepts(signature: signature, of: manifestBytes) }
  }

  private static func signature(
    of manifest: some Collection<UInt8>, by key: SigningKey?
  ) -> [UInt8] {
    key?.signature(of: Array(manifest)[...])
      ?? [UInt8](repeating: 0, count: VerifyingKey.signatureLength)
  }
}

/// The reason why a file cannot be created.
public enum FirmwarePackingError: Error, Hashable, Sendable {
  /// The block size is not a power of two from 512 to 65,536 bytes.
  case blockSize(UInt32)
  /// The minimum charge is above 100 %.
  case minimumBattery(UInt8)
  /// The image is empty or has more than 65,536 blocks; with its length in bytes.
  case size(Int)

  /// The reason, as a sentence without a full stop.
  public var explanation: String {
    switch self {
    case .blockSize(let size):
      "the block size must be a power of two from 512 to 65536, not \(size)"
    case .minimumBattery(let percent): "the minimum battery must be 0 to 100 %, not \(percent) %"
    case .size(let bytes): "the payload must have 1 byte to 65536 blocks, not \(bytes) bytes"
    }
  }
}
