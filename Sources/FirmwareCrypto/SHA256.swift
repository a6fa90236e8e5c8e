internal import CSodium

/// A SHA-256 digest (FIPS 180-4) of bytes that may arrive in portions.
public struct SHA256Digest: Sendable {
  /// The length of a digest in bytes: 32.
  public static let length = Int(crypto_hash_sha256_BYTES)

  private var state = crypto_hash_sha256_state()

  /// Creates a digest without bytes.
  public init() { crypto_hash_sha256_init(&state) }

  /// Appends a portion.
  public mutating func update(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBufferPointer {
      _ = crypto_hash_sha256_update(&state, $0.baseAddress, UInt64($0.count))
    }
  }

  /// The 32-byte digest of all portions so far, after which more may follow.
  public var bytes: [UInt8] {
    var (copy, digest) = (state, [UInt8](repeating: 0, count: Self.length))
    crypto_hash_sha256_final(&copy, &digest)
    return digest
  }

  /// Returns the 32-byte digest of one portion.
  public static func of(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var digest = SHA256Digest()
    digest.update(bytes)
    return digest.bytes
  }
}
