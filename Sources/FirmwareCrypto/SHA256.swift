internal import Crypto

/// SHA-256 (FIPS 180-4) of bytes that may come in several portions.
public struct SHA256Digest: Sendable {
  /// Bytes of a digest.
  public static let length = 32

  private var hash = SHA256()

  public init() {}

  /// Adds a portion behind those before it.
  public mutating func update(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
  }

  /// The 32 bytes for all that has come so far.
  public var bytes: [UInt8] { Array(hash.finalize()) }

  /// The digest of bytes that are all there.
  public static func of(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var digest = SHA256Digest()
    digest.update(bytes)
    return digest.bytes
  }
}
