internal import BluetoothCodec
internal import HeadphoneProtocols

/// How a selector names a headphone, the strongest match first, ignoring case.
package enum SelectorMatch: Int, Comparable, Sendable {
  case name
  /// Its whole ID or one of its addresses.
  case identifier
  /// One or more whole words of its name.
  case words
  /// The beginning of its ID, of an address, or of a word of its name.
  case beginning
  /// A part of its name that begins within a word, such as "xm4" of "WH-1000XM4".
  case inside

  /// Whether an undiscovered headphone cannot match better.
  package var isExact: Bool { self <= .identifier }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension HeadphoneState {
  /// Returns how `selector` names this headphone, or nil if it does not.
  package func match(_ selector: String) -> SelectorMatch? {
    let wanted = selector.lowercased()
    guard !wanted.isEmpty else { return nil }
    let name = name.lowercased()
    if wanted == name { return .name }
    let identifiers =
      ([id.rawValue, address.address.description] + (publicAddress.map { [$0] } ?? [])
      + memberAddresses.map(\.address.description)).map { $0.lowercased() }
    if identifiers.contains(wanted) { return .identifier }
    // The name from each of its words on.
    let rests = name.indices.filter { $0 == name.startIndex || name[name.index(before: $0)] == " " }
      .map { name[$0...] }.filter { $0.hasPrefix(wanted) }
    if rests.contains(where: { $0.dropFirst(wanted.count).first == " " || $0 == wanted }) {
      return .words
    }
    if !rests.isEmpty || identifiers.contains(where: { $0.hasPrefix(wanted) }) { return .beginning }
    return wanted.count > 1 && name.contains(wanted) ? .inside : nil
  }
}

extension Sequence<HeadphoneState> {
  /// The headphones that a selector may name: those of that exact name, else the one with that ID or
  /// address, else all with that beginning or word, else all that contain it.
  package func named(_ selector: String) -> [HeadphoneState] {
    let matches = compactMap { headphone in headphone.match(selector).map { (headphone, $0) } }
    guard let best = matches.map(\.1).min() else { return [] }
    let least = best.isExact || best == .inside ? best : .beginning
    return matches.filter { $0.1 <= least }.map(\.0)
  }

  /// The name of the headphone that a misspelt selector was probably meant to be, by the whole name
  /// or one of its words; or nil if no name is that near.
  package func nearestName(to selector: String) -> String? {
    let names = map(\.name)
    if let name = names.nearest(to: selector) { return name }
    return names.first { name in
      name.split(separator: " ").map(String.init).filter { $0.count > 3 }.nearest(to: selector)
        != nil
    }
  }
}

extension Collection {
  /// The only element, or nil if there are none or several.
  package var only: Element? { count == 1 ? first : nil }
}
