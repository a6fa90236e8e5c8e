import BluetoothCodec
import GATT
import Testing

@testable import VirtualHeadphones

/// The cipher by the documents' vectors, and the hash by the specification's example.
@Suite struct DatabaseHashTests {
  @Test func aBlockIsEncryptedAsInFIPS197() {
    let cipher = AES128(key: (0..<16).map { $0 })
    #expect(
      cipher.encrypt((0..<16).map { $0 * 0x11 }) == [
        0x69, 0xC4, 0xE0, 0xD8, 0x6A, 0x7B, 0x04, 0x30, 0xD8, 0xCD, 0xB7, 0x80, 0x70, 0xB4, 0xC5,
        0x5A,
      ])
  }

  static let key: [UInt8] = [
    0x2B, 0x7E, 0x15, 0x16, 0x28, 0xAE, 0xD2, 0xA6, 0xAB, 0xF7, 0x15, 0x88, 0x09, 0xCF, 0x4F, 0x3C,
  ]
  static let block: [UInt8] = [
    0x6B, 0xC1, 0xBE, 0xE2, 0x2E, 0x40, 0x9F, 0x96, 0xE9, 0x3D, 0x7E, 0x11, 0x73, 0x93, 0x17, 0x2A,
  ]

  @Test func messagesAreSignedAsInRFC4493() {
    #expect(
      cmac(of: [], key: Self.key) == [
        0xBB, 0x1D, 0x69, 0x29, 0xE9, 0x59, 0x37, 0x28, 0x7F, 0xA3, 0x7D, 0x12, 0x9B, 0x75, 0x67,
        0x46,
      ])
    #expect(
      cmac(of: Self.block, key: Self.key) == [
        0x07, 0x0A, 0x16, 0xB4, 0x6B, 0x4D, 0x41, 0x44, 0xF7, 0x9B, 0xDD, 0x9D, 0xD0, 0x4A, 0x28,
        0x7C,
      ])
  }

  /// Core 5.4, Vol 3, Part G, Appendix B.
  @Test func theSpecificationsTableHasTheSpecificationsHash() {
    let table = AttributeTable([
      ServiceDefinition(
        .gapService,
        [
          CharacteristicDefinition(.deviceName, [.read, .write]),
          CharacteristicDefinition(.appearance, .read),
        ]),
      ServiceDefinition(
        .gattService,
        [
          CharacteristicDefinition(.serviceChanged, .indicate),
          CharacteristicDefinition(.clientSupportedFeatures, [.read, .write]),
          CharacteristicDefinition(.databaseHash, .read),
        ]),
      ServiceDefinition(
        .bit16(0x1808), includes: [3],
        [
          CharacteristicDefinition(
            .bit16(0x2A18), [.read, .indicate, .extended],
            descriptors: [DescriptorDefinition(.extendedProperties, value: [0, 0])])
        ]),
      ServiceDefinition(
        .bit16(0x180F), isPrimary: false, [CharacteristicDefinition(.bit16(0x2A19), .read)]),
    ])
    #expect(table.attributes.last?.handle == 0x0016)
    #expect(
      table.hash.reversed() == [
        0xF1, 0xCA, 0x2D, 0x48, 0xEC, 0xF5, 0x8B, 0xAC, 0x8A, 0x88, 0x30, 0xBB, 0xB9, 0xFB, 0xA9,
        0x90,
      ])
    #expect(table.handle(of: .databaseHash).flatMap(table.value(at:)) == table.hash)
  }
}
