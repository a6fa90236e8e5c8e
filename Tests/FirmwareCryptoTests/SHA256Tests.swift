import FirmwareCrypto
import Testing

@Suite struct SHA256Tests {
  @Test func `digests the examples of FIPS 180-4`() {
    #expect(
      hex(SHA256Digest.of([UInt8]("abc".utf8)[...]))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hex(SHA256Digest.of([]))
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test func `takes a message in portions, whatever indices they have`() {
    let message = [UInt8]("a message of several portions".utf8)
    var digest = SHA256Digest()
    digest.update(message[..<7])
    digest.update(message[7..<7])
    digest.update(message[7...])
    #expect(digest.bytes == SHA256Digest.of(message[...]))
  }
}

func hex(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

func bytes(_ hex: String) -> [UInt8] {
  let digits = Array(hex)
  return stride(from: 0, to: digits.count, by: 2).compactMap {
    UInt8(String(digits[$0...$0 + 1]), radix: 16)
  }
}
