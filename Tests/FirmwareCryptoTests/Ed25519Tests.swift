import FirmwareCrypto
import Testing

/// The test vectors of RFC 8032, 7.1.
@Suite struct Ed25519Tests {
  struct Example: Sendable {
    var seed: String
    var key: String
    var message: String
    var signature: String
  }

  static let examples = [
    Example(
      seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      message: "",
      signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb882"
        + "1590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    Example(
      seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      message: "72",
      signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1"
        + "e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
  ]

  @Test(arguments: examples) func `accepts the RFC's signatures`(example: Example) throws {
    let key = try #require(VerifyingKey(bytes: bytes(example.key)[...]))
    #expect(
      key.accepts(signature: bytes(example.signature)[...], of: bytes(example.message)[...]))
  }

  @Test(arguments: examples) func `derives the RFC's public keys`(example: Example) throws {
    let key = try #require(SigningKey(seed: bytes(example.seed)[...]))
    #expect(key.verifyingKey.bytes == bytes(example.key))
    #expect(key.seed == bytes(example.seed))
  }

  @Test func `accepts what its own key has signed, and nothing else`() throws {
    let key = SigningKey()
    let message: [UInt8] = Array(0..<64)
    let signature = key.signature(of: message[...])
    let verifying = key.verifyingKey
    #expect(verifying.accepts(signature: signature[...], of: message[...]))
    #expect(!verifying.accepts(signature: signature[...], of: message.dropLast()))
    #expect(!verifying.accepts(signature: signature.dropLast(), of: message[...]))
    for bit in 0..<8 {
      var wrong = signature
      wrong[bit * 7] ^= 1 << UInt8(bit)
      #expect(!verifying.accepts(signature: wrong[...], of: message[...]))
    }
    let other = SigningKey().verifyingKey
    #expect(!other.accepts(signature: signature[...], of: message[...]))
  }

  @Test func `takes no key of another length`() {
    #expect(VerifyingKey(bytes: [1, 2, 3]) == nil)
    #expect(SigningKey(seed: [UInt8](repeating: 1, count: 33)[...]) == nil)
  }
}
