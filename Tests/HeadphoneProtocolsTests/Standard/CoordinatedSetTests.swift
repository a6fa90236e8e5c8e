import BluetoothCodec
import HeadphoneProtocols
import Testing
import VirtualHeadphones

/// Keys of coordinated sets, with the sample data of CSIS 1.0, Appendix A.
@Suite struct CoordinatedSetTests {
  private let key = SetKey(reversed("457d7d0921a1fd22cecd8c86dd72cccd"))
  private let longTermKey = SecretKey(reversed("676e1b9bd448696f061ec6223ce5ced9"))

  /// Returns the key least significant byte first, as it is transmitted.
  private static func reversed(_ digits: String) -> Bytes {
    let nibbles = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: nibbles.count, by: 2)
      .map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }.reversed()[...]
  }

  @Test func `a member's identifier is the hash, then what it is of`() throws {
    let key = try #require(key)
    #expect(key.identifier(random: 0x69F563) == [0xDA, 0x48, 0x19, 0x63, 0xF5, 0x69])
    #expect(key.resolves([0xDA, 0x48, 0x19, 0x63, 0xF5, 0x69]))
  }

  @Test(
    arguments: [
      [0xDA, 0x48, 0x19, 0x63, 0xF5, 0x68], [0xDB, 0x48, 0x19, 0x63, 0xF5, 0x69], [], [0xDA],
      [0xDA, 0x48, 0x19, 0x63, 0xF5, 0x69, 0x00],
    ] as [[UInt8]])
  func `another set's identifier, or none at all, is not resolved`(_ bytes: [UInt8]) throws {
    #expect(try !#require(key).resolves(bytes[...]))
  }

  @Test func `the link's key encrypts the set's key, and gives it back`() throws {
    let (key, longTermKey) = (try #require(key), try #require(longTermKey))
    let encrypted = SetKey(Self.reversed("170a3835e13524a07e2562d5f25fd346"))
    #expect(key.converted(by: longTermKey) == encrypted)
    #expect(encrypted?.converted(by: longTermKey) == key)
  }

  @Test func `a key is reported as it is, or encrypted`() throws {
    let key = try #require(key)
    #expect(try ReceivedSetKey(decoding: [1] + key.bytes[...]) == .plain(key))
    #expect(try ReceivedSetKey(decoding: [0] + key.bytes[...]) == .encrypted(key))
    for reported in [ReceivedSetKey.plain(key), .encrypted(key)] {
      #expect(try ReceivedSetKey(decoding: reported.encoded()[...]) == reported)
    }
  }

  @Test(arguments: [[], [1], [2, 0], Array(repeating: 1, count: 18)] as [[UInt8]])
  func `what is no key is refused`(_ bytes: [UInt8]) {
    #expect(throws: MalformedBytes.self) { try ReceivedSetKey(decoding: bytes[...]) }
  }

  @Test(
    arguments: [
      ([1, 0, 0, 0], .left), ([2, 0, 0, 0], .right), ([0x10, 0x04, 0, 0], .left),
      ([0, 0, 0, 0x08], .right), ([3, 0, 0, 0], nil), ([4, 0, 0, 0], nil), ([0, 0, 0, 0], nil),
      ([1], nil),
    ] as [([UInt8], Side?)])
  func `a bud's side is where it plays`(_ locations: [UInt8], _ side: Side?) {
    #expect(Side(locations: locations[...]) == side)
  }
}
