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

  /// An address from the lower 48 bits of a number.
  public init(value: UInt64) { self.value = value & 0xFFFF_FFFF_FFFF }

  /// Decodes 6 bytes, least significant first, as HCI and the kernel order them.
  ///
  /// - Throws: ``MalformedBytes`` for another number of bytes.
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
  /// Parses "F0:F1:F2:F3:F4:F5", in upper or lower case; `nil` for any other form.
  public init?(_ text: String) {
    let octets = text.split(separator: ":", omittingEmptySubsequences: false)
    guard octets.count == 6 else { return nil }
    var value: UInt64 = 0
    for octet in octets {
      guard let octet = number(hexadecimal: octet, count: 2) else { return nil }
      value = value << 8 | octet
    }
    self.init(value: value)
  }

  /// The upper-case form, for example "F0:F1:F2:F3:F4:F5".
  public var description: String {
    stride(from: 40, through: 0, by: -8)
      .map { hexadecimal(value >> UInt64($0) & 0xFF, width: 2) }
      .joined(separator: ":")
  }
}
