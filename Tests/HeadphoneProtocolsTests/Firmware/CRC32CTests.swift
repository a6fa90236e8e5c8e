import HeadphoneProtocols
import Testing

@Suite struct CRC32CTests {
  @Test func `gives the examples of RFC 3720, B.4`() {
    #expect(CRC32C.checksum(of: [UInt8](repeating: 0, count: 32)[...]) == 0x8A91_36AA)
    #expect(CRC32C.checksum(of: [UInt8](repeating: 0xFF, count: 32)[...]) == 0x62A8_AB43)
    #expect(CRC32C.checksum(of: [UInt8](0..<32)[...]) == 0x46DD_794E)
    #expect(CRC32C.checksum(of: [UInt8]((0..<32).reversed())[...]) == 0x113F_DB5C)
    let readCommand: [UInt8] = [
      0x01, 0xC0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0,
      0x14, 0, 0, 0, 0x18, 0x28, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0,
    ]
    #expect(CRC32C.checksum(of: readCommand[...]) == 0xD996_3A56)
  }

  @Test func `gives the usual check value, whatever indices the bytes have`() {
    let bytes = [UInt8]("x123456789".utf8)
    #expect(CRC32C.checksum(of: bytes.dropFirst()) == 0xE306_9283)
    #expect(CRC32C.checksum(of: []) == 0)
  }
}
