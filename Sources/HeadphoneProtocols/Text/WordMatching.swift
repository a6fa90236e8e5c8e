/// Matching of typed words against existing names.
///
/// ```swift
/// let names = ["off", "noise-cancelling", "transparency"]
/// names.meant(by: "tra")              // "transparency"
/// names.nearest(to: "transparancy")   // "transparency"
/// ```
extension Sequence where Element == String {
  /// Returns the name that equals `word`, or else the only one that starts with it or, if none does,
  /// has a later part that starts with it, as "cancelling" in "noise-cancelling", ignoring case; nil
  /// if none or several do.
  public func meant(by word: String) -> String? {
    let word = word.lowercased()
    if let name = first(where: { $0.lowercased() == word }) { return name }
    var longer = begun(by: word)
    if longer.isEmpty, !word.isEmpty {
      longer = filter { name in
        name.lowercased().split { $0 == "-" || $0 == " " }.contains { $0.hasPrefix(word) }
      }
    }
    return longer.count == 1 ? longer[0] : nil
  }

  /// Returns the names that start with `word`, ignoring case; none for an empty word.
  public func begun(by word: String) -> [String] {
    let word = word.lowercased()
    return word.isEmpty ? [] : filter { $0.lowercased().hasPrefix(word) }
  }

  /// Returns the name that a misspelt word probably means, or nil; one letter in four may be wrong.
  ///
  /// - Complexity: O(*m* × *n*) for each name, in the lengths of word and name.
  public func nearest(to word: String) -> String? {
    let word = word.lowercased()
    let limit = Swift.min(3, Swift.max(1, (word.count + 1) / 4))
    let distances = map { ($0, $0.lowercased().distance(to: word)) }
    return distances.filter { $0.1 <= limit }.min { $0.1 < $1.1 }?.0
  }
}

extension String {
  /// Returns the number of letters to change, insert, remove or swap with their neighbour (optimal
  /// string alignment).
  fileprivate func distance(to other: String) -> Int {
    let (letters, others) = (Array(self), Array(other))
    var rows = [Array(0...others.count)]
    for (index, letter) in letters.enumerated() {
      var row = [index + 1]
      for place in others.indices {
        let isSame = letter == others[place]
        var least = Swift.min(
          rows[index][place] + (isSame ? 0 : 1), rows[index][place + 1] + 1, row[place] + 1)
        if index > 0, place > 0, letter == others[place - 1], letters[index - 1] == others[place] {
          least = Swift.min(least, rows[index - 1][place - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[letters.count][others.count]
  }
}

extension ANCMode {
  /// Short and other common names of the modes of noise control.
  public static let aliases: [String: ANCMode] = [
    "nc": .noiseCancelling, "anc": .noiseCancelling, "on": .noiseCancelling,
    "cancelling": .noiseCancelling, "noise-canceling": .noiseCancelling,
    "tr": .transparency, "amb": .transparency, "ambient": .transparency, "aware": .transparency,
    "transparent": .transparency, "hear-through": .transparency,
    "auto": .adaptive,
  ]
}
