public import BluetoothCodec
public import Companion

/// The replacements for addresses, names and serial numbers.
///
/// Equal texts get equal replacements of the same length. A capture and a report that start with
/// the same known headphones have the same replacements for them.
///
/// ```swift
/// var pseudonyms = Pseudonyms()
/// let aurora = pseudonyms.text(for: Array("Aurora".utf8))
/// print(String(decoding: aurora, as: UTF8.self))  // name1.
/// ```
public struct Pseudonyms: Hashable, Sendable {
  private var addresses: [BluetoothAddress: BluetoothAddress] = [:]
  private var texts: [[UInt8]: [UInt8]] = [:]
  /// All texts with a replacement, the longest first, since one may be a part of another.
  private(set) var knownTexts: [[UInt8]] = []

  /// The replacements for known texts and addresses.
  ///
  /// - Parameters:
  ///   - known: headphones whose addresses, names and serial numbers are replaced.
  ///   - others: further texts, such as the names of the machine and the user.
  public init(known: [KnownHeadphone] = [], others: [String] = []) {
    for headphone in known {
      let addresses = [
        headphone.publicAddress.flatMap(BluetoothAddress.init(_:)), headphone.address.address,
        headphone.bondAddress?.address,
      ]
      for address in addresses.compactMap(\.self) { _ = self.address(for: address) }
      learn([headphone.name, headphone.serial?.number].compactMap(\.self))
    }
    learn(others)
  }

  /// Adds replacements for texts of three bytes or more.
  mutating func learn(_ texts: [String]) {
    for text in texts where text.utf8.count > 2 { _ = self.text(for: Array(text.utf8)) }
  }

  /// The replacement of an address: 00:00:00:00:00:01 and so on.
  ///
  /// It keeps the two bits that determine the kind of a random address (Core 5.4, Vol 6, Part B,
  /// 1.3.2). Addresses of all zeros or ones identify nobody and are kept.
  ///
  /// - Complexity: O(1).
  public mutating func address(for address: BluetoothAddress) -> BluetoothAddress {
    guard address.value != 0, address.value != 0xFFFF_FFFF_FFFF else { return address }
    if let known = addresses[address] { return known }
    let number = UInt64(addresses.count + 1)
    let new = BluetoothAddress(value: address.value & 0xC000_0000_0000 | number)
    addresses[address] = new
    return new
  }

  /// The replacement of a text: "name1" and so on, padded with dots or truncated to the length of
  /// `text`.
  public mutating func text(for text: [UInt8]) -> [UInt8] {
    if let known = texts[text] { return known }
    let name = Array("name\(texts.count + 1)".utf8)
    let dots = [UInt8](repeating: UInt8(ascii: "."), count: max(0, text.count - name.count))
    let new = Array((name + dots).suffix(text.count))
    texts[text] = new
    let place = knownTexts.firstIndex { $0.count < text.count } ?? knownTexts.endIndex
    knownTexts.insert(text, at: place)
    return new
  }

  /// Replaces all occurrences of known addresses and texts, whatever the bytes mean.
  func replaceKnown(in bytes: inout [UInt8]) {
    for (address, new) in addresses {
      let (old, new) = (address.littleEndianBytes, new.littleEndianBytes)
      Self.replace(old, by: new, in: &bytes)
      Self.replace(old.reversed(), by: new.reversed(), in: &bytes)
    }
    for text in knownTexts where text.count > 3 {
      Self.replace(text, by: texts[text] ?? text, in: &bytes)
    }
  }

  /// Replaces all occurrences of some bytes by others of the same length.
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
