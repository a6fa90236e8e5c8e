public import FirmwareCrypto

/// The maker of the virtual headphones: its key is no secret, so that anyone can sign for them.
public enum VirtualVendor {
  /// The 32 bytes of its private key.
  public static let seed = [UInt8]("earshot virtual maker, no secret".utf8)

  /// Signs images for the virtual headphones; nil never: the seed has 32 bytes.
  public static let key = SigningKey(seed: seed[...])

  /// The key that the virtual headphones trust.
  public static let keys = [key?.verifyingKey].compactMap { $0 }
}
