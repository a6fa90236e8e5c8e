/// What stands in the place of what must not be known: the same for the same, of the same length.
public struct Pseudonyms: Hashable, Sendable {
  private var addresses: [BluetoothAddress: BluetoothAddress] = [:]
  private var texts: [[UInt8]: [UInt8]] = [:]

  public init() {}

  /// 00:00:00:00:00:01 and so on; the two bits that tell the kind of a random address stay.
  ///
  /// Addresses of all zeros or ones name nobody, and stay.
  public mutating func address(for address: BluetoothAddress) -> BluetoothAddress {
    guard address.value != 0, address.value != 0xFFFF_FFFF_FFFF else { return address }
    if let known = addresses[address] { return known }
    let number = UInt64(addresses.count + 1)
    let new = BluetoothAddress(value: address.value & 0xC000_0000_0000 | number)
    addresses[address] = new
    return new
  }

  /// "name1", or "name1......" and so on: as long as `text`.
  public mutating func text(for text: [UInt8]) -> [UInt8] {
    if let known = texts[text] { return known }
    let name = Array("name\(texts.count + 1)".utf8)
    let dots = [UInt8](repeating: UInt8(ascii: "."), count: max(0, text.count - name.count))
    let new = Array((name + dots).suffix(text.count))
    texts[text] = new
    return new
  }

  /// Puts what is known already in the place of every occurrence, whatever the bytes mean.
  func replaceKnown(in bytes: inout [UInt8]) {
    for (address, new) in addresses {
      let (old, new) = (address.littleEndianBytes, new.littleEndianBytes)
      Self.replace(old, by: new, in: &bytes)
      Self.replace(old.reversed(), by: new.reversed(), in: &bytes)
    }
    for (text, new) in texts where text.count > 3 { Self.replace(text, by: new, in: &bytes) }
  }

  private static func replace(_ old: [UInt8], by new: [UInt8], in bytes: inout [UInt8]) {
    guard let first = old.first, bytes.count >= old.count else { return }
    var start = 0
    while start <= bytes.count - old.count {
      if bytes[start] == first, bytes[start..<(start + old.count)].elementsEqual(old) {
        bytes.replaceSubrange(start..<(start + old.count), with: new)
        start += old.count
      } else {
        start += 1
      }
    }
  }
}
