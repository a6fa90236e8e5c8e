internal import BluetoothCodec
internal import HeadphoneProtocols

/// The way in which a selector names a headphone, strongest match first, ignoring case.
package enum SelectorMatch: Int, Comparable, Sendable {
  case name
  case identifier
  case words
  /// The beginning of the ID, an address, or a word of the name.
  case beginning
  /// A part of the name that begins within a word, such as "xm4" of "WH-1000XM4".
  case inside

  /// Whether no headphone that is discovered later can match better.
  package var isExact: Bool { self <= .identifier }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension HeadphoneState {
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
  /// Returns those with the exact name, else with the ID or address, else all with the beginning or
  /// word, else all that contain the selector.
  package func named(_ selector: String) -> [HeadphoneState] {
    let matches = compactMap { headphone in headphone.match(selector).map { (headphone, $0) } }
    guard let best = matches.map(\.1).min() else { return [] }
    let least = best.isExact || best == .inside ? best : .beginning
    return matches.filter { $0.1 <= least }.map(\.0)
  }

  /// Returns the name that a misspelt selector probably means, compared as a whole and word by
  /// word.
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
  package var only: Element? { count == 1 ? first : nil }
}
