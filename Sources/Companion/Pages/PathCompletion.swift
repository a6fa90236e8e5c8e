/// The completion of a typed path by Tab: "~/Down" becomes "~/Downloads/".
package struct PathCompletion: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// The name without the folder.
    package var name: String
    package var isFolder: Bool

    package init(name: String, isFolder: Bool) {
      self.name = name
      self.isFolder = isFolder
    }
  }

  /// The path, completed as far as all matching entries agree.
  package var text: String
  /// The matching entries, sorted, with "/" after folders; empty if only one matches.
  package var names: [String]

  /// Returns the folder part of `path` as typed, or an empty string for the current folder.
  package static func folder(of path: String) -> String {
    if path == "~" { return "~/" }
    return path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Completes the last component of `path`, or fails if no entry starts with it.
  ///
  /// Hidden entries match only after a typed dot, and names with control characters never do.
  /// `entries` are those of ``folder(of:)``.
  package init?(of path: String, among entries: [Entry]) {
    let folder = Self.folder(of: path)
    let typed = path == "~" ? "" : String(path.dropFirst(folder.count))
    let names = entries.filter { entry in
      entry.name.hasPrefix(typed) && entry.name != "." && entry.name != ".."
        && (typed.hasPrefix(".") || !entry.name.hasPrefix("."))
        && entry.name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }.map { $0.name + ($0.isFolder ? "/" : "") }.sorted()
    guard let first = names.first else { return nil }
    let common = names.dropFirst().reduce(first[...]) { $0.commonPrefix(with: $1) }
    text = folder + common
    self.names = names.count == 1 ? [] : names
  }
}

extension Substring {
  fileprivate func commonPrefix(with other: String) -> Substring {
    prefix(zip(self, other).prefix { $0 == $1 }.count)
  }
}

extension State {
  /// Puts `completion` into the open entry, unless its text has changed.
  mutating func adopt(_ completion: PathCompletion?, of path: String) -> [Effect] {
    guard case .entry(let entry) = dialog, entry.purpose.isPath, entry.text == path else {
      return []
    }
    var completed = TextEntry(entry.purpose, text: completion?.text ?? path)
    completed.names = completion?.names ?? []
    if completion == nil { completed.complaint = "nothing there begins like this" }
    dialog = .entry(completed)
    return []
  }
}
