internal import CSodium

/// A public Ed25519 key (RFC 8032), which verifies the signatures of firmware.
public struct VerifyingKey: Hashable, Sendable {
  /// The length of a public key and of a seed in bytes: 32.
  public static let length = Int(crypto_sign_ed25519_PUBLICKEYBYTES)
  /// The length of a signature in bytes: 64.
  public static let signatureLength = Int(crypto_sign_ed25519_BYTES)

  /// The 32 bytes of the key (RFC 8032, 5.1.5).
  public let bytes: [UInt8]

  /// Creates a key from its bytes, or returns nil unless there are 32.
  public init?(bytes: ArraySlice<UInt8>) {
    guard bytes.count == Self.length else { return nil }
    self.init(unchecked: Array(bytes))
  }

  fileprivate init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  /// Returns whether the signature is this key's over exactly these bytes.
  ///
  /// The result is false for any length but 64, and for every signature by a key of small order,
  /// which would otherwise verify any message.
  public func accepts(signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>) -> Bool {
    guard signature.count == Self.signatureLength else { return false }
    return message.withUnsafeBufferPointer {
      crypto_sign_ed25519_verify_detached(
        Array(signature), $0.baseAddress, UInt64($0.count), bytes) == 0
    }
  }
}

/// A private Ed25519 key, for makers of firmware and for tests.
public struct SigningKey: Sendable {
  /// The 32 secret bytes from which both halves of the key are derived (RFC 8032, 5.1.5).
  public let seed: [UInt8]
  public let verifyingKey: VerifyingKey
  /// The seed and the public key, 64 bytes, in libsodium's form.
  private let secret: [UInt8]

  /// Creates a key from the kernel's random numbers (`getrandom`).
  public init() {
    var random = SystemRandomNumberGenerator()
    let seed = (0..<VerifyingKey.length).map { _ in UInt8.random(in: .min ... .max, using: &random)
    }
    self.init(unchecked: seed)
  }

  /// Creates the key of a seed, or returns nil unless there are 32 bytes.
  public init?(seed: ArraySlice<UInt8>) {
    guard seed.count == VerifyingKey.length else { return nil }
    self.init(unchecked: Array(seed))
  }

  private init(unchecked seed: [UInt8]) {
    var publicKey = [UInt8](repeating: 0, count: VerifyingKey.length)
    var secret = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_SECRETKEYBYTES))
    crypto_sign_ed25519_seed_keypair(&publicKey, &secret, seed)
    self.seed = seed
    self.secret = secret
    verifyingKey = VerifyingKey(unchecked: publicKey)
  }

  /// Returns the signature over a message: 64 bytes, always the same for the same message.
  public func signature(of message: ArraySlice<UInt8>) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: VerifyingKey.signatureLength)
    message.withUnsafeBufferPointer {
      _ = crypto_sign_ed25519_detached(
        &signature, nil, $0.baseAddress, UInt64($0.count), secret)
    }
    return signature
  }
}
