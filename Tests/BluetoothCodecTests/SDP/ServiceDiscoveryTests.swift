import BluetoothCodec
import TestSupport
import Testing

@Suite struct ServiceDiscoveryTests {
  /// Vendor 004C, product 2014, by the Bluetooth SIG's list.
  private static let answer: [UInt8] = [
    0x07, 0x00, 0x01, 0x00, 0x1B, 0x00, 0x18,
    0x35, 0x16, 0x35, 0x14,
    0x09, 0x02, 0x01, 0x09, 0x00, 0x4C, 0x09, 0x02, 0x02, 0x09, 0x20, 0x14,
    0x09, 0x02, 0x05, 0x09, 0x00, 0x01, 0x08, 0x00,
    0x00,
  ]

  @Test func `the question names the record and three attributes`() {
    #expect(
      ServiceDiscovery.productRequest(transaction: 1) == [
        0x06, 0x00, 0x01, 0x00, 0x15,
        0x36, 0x00, 0x03, 0x19, 0x12, 0x00, 0x02, 0x00,
        0x36, 0x00, 0x09, 0x09, 0x02, 0x01, 0x09, 0x02, 0x02, 0x09, 0x02, 0x05, 0x00,
      ])
  }

  @Test func `the answer tells vendor and product`() throws {
    let records = try ServiceDiscovery.records(in: Self.answer[...], to: 1)
    #expect(ProductID(records) == ProductID(vendor: 0x004C, product: 0x2014))
  }

  @Test func `a vendor of the USB forum's list is another list's`() throws {
    var usb = Self.answer
    usb[28] = 2
    #expect(ProductID(try ServiceDiscovery.records(in: usb[...], to: 1)) == nil)
    #expect(ProductID([]) == nil)
  }

  @Test func `another answer, an error, and one that goes on are refused`() {
    #expect(throws: MalformedBytes.self) {
      try ServiceDiscovery.records(in: Self.answer[...], to: 2)
    }
    for bytes: [UInt8] in [
      [], [0x01, 0x00, 0x01, 0x00, 0x02, 0x00, 0x03], Self.answer.dropLast() + [0x02],
      Self.answer + [0x00],
    ] {
      #expect(throws: MalformedBytes.self) { try ServiceDiscovery.records(in: bytes[...], to: 1) }
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
    #expect(throws: MalformedBytes.self) { try ServiceDiscovery.records(in: bytes[...], to: 1) }
  }

  @Test func `broken answers give an error or a product`() {
    var generator = SeededGenerator(seed: 0x5D9)
    for _ in 0..<20_000 {
      let bytes = Self.answer.mutated(by: &generator)
      guard let records = try? ServiceDiscovery.records(in: bytes[...], to: 1) else { continue }
      _ = ProductID(records)
    }
  }
}
