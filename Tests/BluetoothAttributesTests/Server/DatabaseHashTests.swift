import BluetoothCodec
import Testing

@testable import BluetoothAttributes

@Suite struct DatabaseHashTests {
  /// Core 5.4, Vol 3, Part G, Appendix B.
  @Test func `the specification's table has the specification's hash`() {
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
