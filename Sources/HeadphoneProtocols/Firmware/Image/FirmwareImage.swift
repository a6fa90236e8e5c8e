public import BluetoothCodec

/// A firmware file: a manifest, its signature and the image (docs/protocol.md section 7).
///
/// | Offset | Size | Content |
/// | --- | --- | --- |
/// | 0 | 64 | ``FirmwareManifest`` |
/// | 64 | 64 | Ed25519 signature of the manifest (RFC 8032) |
/// | 128 | image size | the image, bound to the manifest by its SHA-256 |
///
/// The module `FirmwareCrypto` makes images from files: their length and digest match the manifest. It
/// also verifies the signature.
public struct FirmwareImage: Hashable, Sendable {
  public let manifest: FirmwareManifest
  /// The manifest and its signature, byte for byte as in the file and in command 0x50.
  public let header: [UInt8]
  /// The bytes that the headphone stores.
  public let payload: Bytes

  /// The length in bytes of a signature: 64.
  package static let signatureLength = 64
  public static let headerLength = FirmwareManifest.length + signatureLength

  /// Creates an image whose digest and length are those of the manifest.
  package init(manifest: FirmwareManifest, header: [UInt8], payload: Bytes) {
    self.manifest = manifest
    self.header = header
    self.payload = payload
  }

  /// 16 KiB: smaller blocks need more commands, larger ones take longer to send again.
  public static let usualBlockSize: UInt32 = 16384

  /// The 64 signed bytes, including reserved ones as in the file.
  public var manifestBytes: Bytes { header[..<FirmwareManifest.length] }

  /// The Ed25519 signature of ``manifestBytes``: 64 bytes.
  public var signature: Bytes { header[FirmwareManifest.length...] }

  /// Returns the whole file.
  public func encoded() -> [UInt8] { header + payload }

  func bytes(_ range: Range<Int>) -> Bytes {
    payload[payload.startIndex + range.lowerBound..<payload.startIndex + range.upperBound]
  }

  func checksum(ofBlock index: Int) -> UInt32 {
    CRC32C.checksum(of: bytes(manifest.range(ofBlock: index)))
  }
}
