package import BluetoothCodec
package import Companion

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
package struct Pseudonyms: Hashable, Sendable {
  struct Replacement: Hashable {
    var old: [UInt8]
    var new: [UInt8]
  }

  private var addresses: [BluetoothAddress: BluetoothAddress] = [:]
  private var texts: [[UInt8]: [UInt8]] = [:]
  /// The replacements to search for, by their first two bytes, the longest first.
  private var searched: [UInt16: [Replacement]] = [:]

  /// The limits for replaced texts, and for those that may be texts only by chance.
  private static let (mostTexts, mostByChance) = (10_000, 5_000)

  package init(known: [KnownHeadphone] = [], others: [String] = []) {
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
  package mutating func learn(_ texts: [String]) {
    for text in texts where text.utf8.count > 2 { _ = self.text(for: Array(text.utf8)) }
  }

  /// Returns the replacement of an address: 00:00:00:00:00:01 and so on.
  ///
  /// It keeps the two bits that determine the kind of a random address (Core 5.4, Vol 6, Part B,
  /// 1.3.2). Addresses of all zeros or ones identify nobody and are kept.
  package mutating func address(for address: BluetoothAddress) -> BluetoothAddress {
    guard address.value != 0, address.value != 0xFFFF_FFFF_FFFF else { return address }
    if let known = addresses[address] { return known }
    let number = UInt64(addresses.count + 1)
    let new = BluetoothAddress(value: address.value & 0xC000_0000_0000 | number)
    addresses[address] = new
    let (old, bytes) = (address.littleEndianBytes, new.littleEndianBytes)
    search(for: old, replacing: bytes)
    search(for: old.reversed(), replacing: bytes.reversed())
    return new
  }

  func isKnown(_ address: BluetoothAddress) -> Bool { addresses[address] != nil }

  /// Returns the replacement of a text, of the same length: "name1" and so on, dots above a limit.
  ///
  /// - Parameter isSearched: Whether the text is replaced from now on wherever it occurs; false for
  ///   what may be a text only by chance.
  package mutating func text(for text: [UInt8], isSearched: Bool = true) -> [UInt8] {
    let new =
      texts[text] ?? newText(of: text.count, isSearched ? Self.mostTexts : Self.mostByChance)
    guard let new else { return [UInt8](repeating: UInt8(ascii: "."), count: text.count) }
    texts[text] = new
    if isSearched { search(for: text, replacing: new) }
    return new
  }

  private func newText(of count: Int, _ most: Int) -> [UInt8]? {
    guard texts.count < most else { return nil }
    let name = Array("name\(texts.count + 1)".utf8)
    let dots = [UInt8](repeating: UInt8(ascii: "."), count: max(0, count - name.count))
    return Array((name + dots).suffix(count))
  }

  private mutating func search(for old: [UInt8], replacing new: [UInt8]) {
    guard let head = Self.head(old[...]) else { return }
    let others = searched[head, default: []]
    guard !others.contains(where: { $0.old == old }) else { return }
    let place = others.firstIndex { $0.old.count < old.count } ?? others.endIndex
    searched[head, default: []].insert(Replacement(old: old, new: new), at: place)
  }

  private static func head(_ bytes: ArraySlice<UInt8>) -> UInt16? {
    guard let first = bytes.first, let second = bytes.dropFirst().first else { return nil }
    return UInt16(first) << 8 | UInt16(second)
  }

  /// Returns the longest known address or text at the beginning of `bytes`, in constant time.
  func known(
    at bytes: ArraySlice<UInt8>, where isMeant: ([UInt8]) -> Bool = { _ in true }
  ) -> Replacement? {
    guard let head = Self.head(bytes) else { return nil }
    return searched[head]?.first { bytes.starts(with: $0.old) && isMeant($0.old) }
  }

  /// Replaces all occurrences of known addresses and texts, whatever the bytes mean.
  func replaceKnown(in bytes: inout [UInt8]) {
    var start = 0
    while start < bytes.count {
      guard let known = known(at: bytes[start...], where: { $0.count > 3 }) else {
        start += 1
        continue
      }
      bytes.replaceSubrange(start..<(start + known.old.count), with: known.new)
      start += known.old.count
    }
  }
}
