/// A set of distinct identifiers made from names.
///
/// ```swift
/// var identifiers = UniqueIdentifiers()
/// identifiers.add("music-5", number: 1)  // "music-5"
/// identifiers.add("music", number: 2)    // "music"
/// identifiers.add("music", number: 5)    // "music-5-5"
/// ```
package struct UniqueIdentifiers {
  private var taken: Set<String>

  /// Creates an empty set that never returns any of `reserved`.
  package init(besides reserved: Set<String> = []) { taken = reserved }

  /// Adds and returns an identifier, with the number appended as often as necessary.
  package mutating func add(_ identifier: String, number: Int) -> String {
    var unique = identifier
    while !taken.insert(unique).inserted { unique += "-\(number)" }
    return unique
  }
}
