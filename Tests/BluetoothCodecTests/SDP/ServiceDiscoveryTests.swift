import BluetoothCodec
import TestSupport
import Testing

@Suite struct ServiceDiscoveryTests {
  /// The response with vendor 004C and product 2014, assigned by the Bluetooth SIG.
  private static let response: [UInt8] = [
    0x07, 0x00, 0x01, 0x00, 0x1B, 0x00, 0x18,
    0x35, 0x16, 0x35, 0x14,
    0x09, 0x02, 0x01, 0x09, 0x00, 0x4C, 0x09, 0x02, 0x02, 0x09, 0x20, 0x14,
    0x09, 0x02, 0x05, 0x09, 0x00, 0x01, 0x08, 0x00,
    0x00,
  ]

  @Test func `the question names the record and three attributes`() {
    #expect(
      ServiceDiscovery.product(transaction: 1).request == [
        0x06, 0x00, 0x01, 0x00, 0x15,
        0x36, 0x00, 0x03, 0x19, 0x12, 0x00, 0x02, 0x00,
        0x36, 0x00, 0x09, 0x09, 0x02, 0x01, 0x09, 0x02, 0x02, 0x09, 0x02, 0x05, 0x00,
      ])
  }

  @Test func `the answer tells vendor and product`() throws {
    let records = try ServiceDiscovery.records(in: Self.response)
    #expect(ProductID(records) == ProductID(vendor: 0x004C, product: 0x2014))
  }

  @Test func `a vendor of the USB forum's list is another list's`() throws {
    var usb = Self.response
    usb[28] = 2
    #expect(ProductID(try ServiceDiscovery.records(in: usb)) == nil)
    #expect(ProductID([]) == nil)
  }

  @Test func `another transaction's answer, an error and a malformed continuation are refused`() {
    #expect(throws: MalformedBytes.self) {
      try ServiceDiscovery.records(in: Self.response, to: 2)
    }
    for bytes: [UInt8] in [
      [], [0x01, 0x00, 0x01, 0x00, 0x02, 0x00, 0x03], Self.response.dropLast() + [0x02],
      Self.response + [0x00],
    ] {
      #expect(throws: MalformedBytes.self) { try ServiceDiscovery.records(in: bytes) }
    }
  }

  /// Returns a response with a part of the attribute lists, followed by the continuation state.
  private static func part(_ lists: ArraySlice<UInt8>, then state: [UInt8]) -> [UInt8] {
    let count = UInt8(lists.count)
    return [0x07, 0x00, 0x01, 0x00, count + 3 + UInt8(state.count), 0x00, count] + lists
      + [UInt8(state.count)] + state
  }

  @Test func `a device with a small MTU is asked for part after part`() throws {
    let lists = Self.response[7..<(Self.response.count - 1)]
    var discovery = ServiceDiscovery.product(transaction: 1)
    let first = discovery.request
    #expect(try discovery.receive(Self.part(lists[..<13], then: [0xAB, 0x01])[...]) == nil)
    #expect(discovery.request[5..<(first.count - 1)] == first[5..<(first.count - 1)])
    #expect(discovery.request[4] == first[4] + 2)
    #expect(Array(discovery.request.suffix(3)) == [0x02, 0xAB, 0x01])
    #expect(try discovery.receive(Self.part(lists[13..<20], then: [0x02])[...]) == nil)
    #expect(Array(discovery.request.suffix(2)) == [0x01, 0x02])
    let records = try discovery.receive(Self.part(lists[20...], then: [])[...])
    #expect(records.flatMap { ProductID($0) } == ProductID(vendor: 0x004C, product: 0x2014))
  }

  @Test func `an answer that goes on without content, or for ever, is refused`() throws {
    var empty = ServiceDiscovery.product(transaction: 1)
    #expect(throws: MalformedBytes.self) {
      try empty.receive(Self.part([], then: [0x01])[...])
    }
    var endless = ServiceDiscovery.product(transaction: 1)
    let part = Self.part([UInt8](repeating: 0, count: 200)[...], then: [0x01])
    var parts = 0
    #expect(throws: MalformedBytes.self) {
      while try endless.receive(part[...]) == nil { parts += 1 }
    }
    #expect(parts == 4096 / 200)
    var long = ServiceDiscovery.product(transaction: 1)
    #expect(throws: MalformedBytes.self) {
      try long.receive(Self.part([0], then: [UInt8](repeating: 1, count: 17))[...])
    }
  }

  @Test func `sequences in sequences end before the stack does`() {
    let depth = 200
    let nested = (0..<depth).reduce(into: [UInt8]()) { bytes, _ in
      bytes = [0x36, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }
    let count = UInt16(nested.count)
    let whole = count + 3
    let bytes: [UInt8] =
      [0x07, 0, 1, UInt8(whole >> 8), UInt8(whole & 0xFF), UInt8(count >> 8), UInt8(count & 0xFF)]
      + nested + [0]
    #expect(throws: MalformedBytes.self) { try ServiceDiscovery.records(in: bytes) }
  }

  @Test func `broken answers give an error or a product`() {
    var generator = SeededGenerator(seed: 0x5D9)
    for _ in 0..<20_000 {
      let bytes = Self.response.mutated(by: &generator)
      guard let records = try? ServiceDiscovery.records(in: bytes) else { continue }
      _ = ProductID(records)
    }
  }
}

extension ServiceDiscovery {
  /// Returns the records of a response in one part.
  static func records(in response: [UInt8], to transaction: UInt16 = 1) throws -> Records {
    var discovery = ServiceDiscovery.product(transaction: transaction)
    guard let records = try discovery.receive(response[...]) else { throw Incomplete() }
    return records
  }

  private struct Incomplete: Error {}
}
