internal import BluetoothCodec

/// How a selector names a headphone, the strongest first; letters of either case are alike.
public enum SelectorMatch: Int, Comparable, Sendable {
  /// Its whole name.
  case name
  /// Its whole ID, or one of its addresses.
  case identifier
  /// One or more whole words of its name.
  case words
  /// The beginning of its ID, of an address, or of a word of its name.
  case beginning

  /// Whether a headphone that was not heard yet cannot be a better match.
  public var isExact: Bool { self <= .identifier }

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension HeadphoneState {
  /// How `selector` names this headphone; nil: it does not.
  public func match(_ selector: String) -> SelectorMatch? {
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
    return !rests.isEmpty || identifiers.contains { $0.hasPrefix(wanted) } ? .beginning : nil
  }
}

extension Sequence<HeadphoneState> {
  /// The headphones that a selector may name: those of that exact name, else the one with that ID or
  /// address, else all with that beginning or word.
  public func named(_ selector: String) -> [HeadphoneState] {
    let matches = compactMap { headphone in headphone.match(selector).map { (headphone, $0) } }
    let best = matches.map(\.1).min()
    return matches.filter { $0.1 == best || best?.isExact == false }.map(\.0)
  }
}

extension Collection {
  /// The element of a collection that has one alone.
  public var only: Element? { count == 1 ? first : nil }
}
