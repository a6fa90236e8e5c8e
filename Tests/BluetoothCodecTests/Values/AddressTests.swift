import BluetoothCodec
import TestSupport
import Testing

@Suite struct AddressTests {
  @Test func `text reads both ways`() {
    let address = BluetoothAddress(value: 0xF0F1_F2F3_F4F5)
    #expect(BluetoothAddress("F0:F1:F2:F3:F4:F5") == address)
    #expect(BluetoothAddress("f0:f1:f2:f3:f4:f5") == address)
    #expect(address.description == "F0:F1:F2:F3:F4:F5")
    #expect(BluetoothAddress(value: 0).description == "00:00:00:00:00:00")
  }

  @Test(arguments: [
    "", "F0", "F0:F1:F2:F3:F4", "F0:F1:F2:F3:F4:F5:F6", "F0-F1-F2-F3-F4-F5", "F:F1:F2:F3:F4:F5",
    "F0:F1:F2:F3:F4:F5:", "F0:F1:F2:F3:F4:G5", "F0:F1:F2:F3:F4:+5", ":F0:F1:F2:F3:F4:F5",
    "F0:F1:F2:F3:F4:F5\0", "F0:F1:F2:F3:F4\0F5", "F0:F1:F2:F3:F4:F\0", "F0:F1:F2:F3:F4:é",
  ])
  func `other text is refused`(_ text: String) { #expect(BluetoothAddress(text) == nil) }

  /// libbluetooth parses addresses, but Earshot promises the accepted form.
  @Test func `an address is six pairs of digits with colons between, and nothing else is`() {
    var random = SeededGenerator(seed: 49)
    for _ in 0..<10_000 {
      let address = BluetoothAddress(value: .random(in: 0...UInt64.max, using: &random))
      var text = Array(address.description.utf8)
      #expect(BluetoothAddress(address.description.lowercased()) == address)
      if let place = text.indices.randomElement(using: &random) {
        text[place] = .random(in: 0...0x7F, using: &random)
      }
      let changed = String(decoding: text, as: UTF8.self)
      let isAddress = text.enumerated().allSatisfy { place, byte in
        place % 3 == 2
          ? byte == UInt8(ascii: ":") : "0123456789ABCDEFabcdef".utf8.contains(byte)
      }
      #expect((BluetoothAddress(changed) != nil) == isAddress, "\(changed.debugDescription)")
    }
  }

  @Test func `bytes are least significant first`() throws {
    let address = BluetoothAddress(value: 0xF0F1_F2F3_F4F5)
    #expect(try BluetoothAddress(littleEndian: hex("F5F4F3F2F1F0")) == address)
    #expect(digits(address.littleEndianBytes) == digits(hex("F5F4F3F2F1F0")))
    #expect(throws: MalformedBytes.self) { try BluetoothAddress(littleEndian: hex("F5F4F3F2F1")) }
    #expect(throws: MalformedBytes.self) {
      try BluetoothAddress(littleEndian: hex("F5F4F3F2F1F000"))
    }
  }

  @Test func `bits above 48 are dropped`() {
    #expect(BluetoothAddress(value: .max) == BluetoothAddress(value: 0xFFFF_FFFF_FFFF))
  }

  @Test(arguments: [
    ("C0:00:00:00:00:01", PeerAddress.RandomKind.static),
    ("FF:00:00:00:00:01", .static),
    ("7F:00:00:00:00:01", .resolvablePrivate),
    ("40:00:00:00:00:01", .resolvablePrivate),
    ("3F:00:00:00:00:01", .nonResolvablePrivate),
    ("80:00:00:00:00:01", .reserved),
  ])
  func `a random address tells its kind by its upper bits`(
    _ text: String, _ kind: PeerAddress.RandomKind
  ) throws {
    let address = try #require(BluetoothAddress(text))
    let peer = PeerAddress(address, .random)
    #expect(peer.randomKind == kind)
    #expect(peer.isIdentity == (kind == .static))
    #expect(PeerAddress(address, .public).randomKind == nil)
    #expect(PeerAddress(address, .public).isIdentity)
  }

  @Test func `a peer address says what it is`() {
    let address = BluetoothAddress(value: 0xF0F1_F2F3_F4F5)
    #expect(PeerAddress(address, .random).description == "F0:F1:F2:F3:F4:F5 (random static)")
    #expect(PeerAddress(address, .public).description == "F0:F1:F2:F3:F4:F5 (public)")
  }
}
