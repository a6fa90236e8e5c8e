package import CBluetooth

/// A 48-bit device address (BD_ADDR; Core 5.4, Vol 2, Part B, 1.2).
///
/// ```swift
/// let address = BluetoothAddress("F0:F1:F2:F3:F4:F5")
/// print(address?.value == 0xF0F1_F2F3_F4F5)        // true
/// print(address?.littleEndianBytes.first == 0xF5)  // true
/// ```
public struct BluetoothAddress: Hashable, Sendable {
  /// The address as a number: F0:F1:F2:F3:F4:F5 is 0xF0F1F2F3F4F5.
  public let value: UInt64

  /// Creates an address from the lower 48 bits of a number.
  public init(value: UInt64) { self.value = value & 0xFFFF_FFFF_FFFF }

  /// Decodes 6 bytes, least significant first, as in HCI and the kernel.
  public init(littleEndian bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "address")
    self = try reader.address()
    try reader.finish()
  }

  /// The 6 bytes, least significant first.
  public var littleEndianBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(self)
    return bytes
  }
}

extension BluetoothAddress: LosslessStringConvertible, CustomStringConvertible {
  /// Parses "F0:F1:F2:F3:F4:F5" in upper or lower case, or returns nil for any other form.
  public init?(_ text: String) {
    var octets = bdaddr_t()
    // The library reads a text only up to a zero byte.
    guard text.utf8.count == Self.textLength, str2ba(text, &octets) == 0 else { return nil }
    self.init(octets)
  }

  public var description: String {
    var octets = bdaddr_t(self)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Self.textLength + 1) { text in
      guard let start = text.baseAddress else { return "" }
      ba2str(&octets, start)
      return String(cString: start)
    }
  }

  private static let textLength = 17
}

extension BluetoothAddress {
  package init(_ octets: bdaddr_t) {
    self.init(
      value: withUnsafeBytes(of: octets) { $0.reversed().reduce(0) { $0 << 8 | UInt64($1) } })
  }
}

extension bdaddr_t {
  /// Converts to the form of libbluetooth and the kernel: 6 bytes, least significant first.
  package init(_ address: BluetoothAddress) {
    self.init()
    withUnsafeMutableBytes(of: &self) { $0.copyBytes(from: address.littleEndianBytes) }
  }
}
