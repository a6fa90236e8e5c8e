import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio

/// A small server for tests, whose handles are in comments beside the attributes.
enum ServerExample {
  static let name: [UInt8] = Array("Kopfhörer im Kasten, lang genug".utf8)

  static let services: [ServiceDefinition] = [
    // 0001
    ServiceDefinition(
      .gattService,
      [
        // 0002 0003 0004
        CharacteristicDefinition(.serviceChanged, .indicate),
        // 0005 0006
        CharacteristicDefinition(
          .clientSupportedFeatures, [.read, .write], value: [0], accepts: .upTo(1)),
        // 0007 0008
        CharacteristicDefinition(.databaseHash, .read),
      ]),
    // 0010
    ServiceDefinition(
      .bit16(0x180F), firstHandle: 0x10,
      [
        // 0011 0012 0013 0014
        CharacteristicDefinition(
          .bit16(0x2A19), [.read, .notify], value: [80],
          descriptors: [DescriptorDefinition(.presentationFormat, value: [4, 0, 0, 0, 1, 0x0D, 1])])
      ]),
    // 0015
    ServiceDefinition(
      BluetoothUUID(high: 0x1234_5678_1234_5678, low: 0x1234_5678_9ABC_DEF0),
      [
        // 0016 0017
        CharacteristicDefinition(
          .bit16(0xFFF1), [.read, .write], value: [0], accepts: .byte(0...3)),
        // 0018 0019
        CharacteristicDefinition(
          .bit16(0xFFF3), [.write, .writeWithoutResponse], writeSecurity: .medium),
        // 001A 001B 001C
        CharacteristicDefinition(.bit16(0xFFF4), [.notify, .indicate], writeSecurity: .medium),
        // 001D 001E
        CharacteristicDefinition(.deviceName, [.read, .write], value: name, accepts: .upTo(40)),
        // 001F 0020
        CharacteristicDefinition(.bit16(0xFFFE), .read, value: [1], readSecurity: .medium),
      ]),
  ]

  static func server(_ options: GATTServer.Options = .init()) -> GATTServer {
    GATTServer(services, options: options)
  }

  static func encrypted() -> GATTServer {
    var server = server()
    server.security = .medium
    return server
  }
}

extension GATTServer {
  /// Returns the only PDU sent in response, or empty bytes if there is none.
  mutating func response(to pdu: Bytes) -> [UInt8] {
    for case .send(let response) in receive(pdu) { return Array(response) }
    return []
  }
}
