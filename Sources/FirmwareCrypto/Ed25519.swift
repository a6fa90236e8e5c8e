internal import Crypto

/// A public Ed25519 key (RFC 8032) that verifies signatures.
public struct VerifyingKey: Hashable, Sendable {
  /// Bytes of a key, private or public.
  public static let length = 32
  /// Bytes of a signature.
  public static let signatureLength = 64

  /// The key's 32 bytes.
  public let bytes: [UInt8]

  /// Nil unless there are 32 bytes.
  public init?(bytes: ArraySlice<UInt8>) {
    guard (try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)) != nil else { return nil }
    self.bytes = Array(bytes)
  }

  /// Whether the signature is this key's over exactly these bytes; false for any length but 64.
  public func accepts(signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>) -> Bool {
    guard signature.count == Self.signatureLength,
      let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
    else { return false }
    return key.isValidSignature(signature, for: message)
  }
}

/// A private Ed25519 key, which a maker of firmware keeps to itself.
public struct SigningKey: Sendable {
  /// Why bytes could not be signed: the system gave no randomness.
  public struct Failure: Error, Hashable, Sendable {}

  private let key: Curve25519.Signing.PrivateKey

  /// A new key from the system's randomness.
  public init() { key = Curve25519.Signing.PrivateKey() }

  /// The key that a seed stands for; nil unless there are 32 bytes.
  public init?(seed: ArraySlice<UInt8>) {
    guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return nil }
    self.key = key
  }

  /// The 32 secret bytes.
  public var seed: [UInt8] { Array(key.rawRepresentation) }

  /// The public key that belongs to it.
  public var verifyingKey: VerifyingKey? {
    VerifyingKey(bytes: Array(key.publicKey.rawRepresentation)[...])
  }

  /// 64 bytes.
  public func signature(of message: ArraySlice<UInt8>) throws(Failure) -> [UInt8] {
    guard let signature = try? key.signature(for: message) else { throw Failure() }
    return Array(signature)
  }
}
