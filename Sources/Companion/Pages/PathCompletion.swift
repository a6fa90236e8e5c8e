/// The completion of a path that is being typed, by Tab.
///
/// ```swift
/// let completion = PathCompletion(
///   of: "~/Down", among: [.init(name: "Downloads", isFolder: true)])
/// completion?.text  // "~/Downloads/"
/// ```
public struct PathCompletion: Hashable, Sendable {
  /// An entry of the folder.
  public struct Entry: Hashable, Sendable {
    /// The entry's name, without the folder.
    public var name: String
    /// Whether more can follow behind a "/".
    public var isFolder: Bool

    public init(name: String, isFolder: Bool) {
      self.name = name
      self.isFolder = isFolder
    }
  }

  /// The path, as far as all matching entries agree.
  public var text: String
  /// The matching entries if there are several, sorted; folders end with "/".
  public var names: [String]

  /// The folder of a path's last component, as it was typed; empty: the current one.
  public static func folder(of path: String) -> String {
    if path == "~" { return "~/" }
    return path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Completes the last component of a path; nil: no entry begins so.
  ///
  /// Hidden entries count only where a dot was typed, and names that a terminal cannot show never.
  ///
  /// - Parameters:
  ///   - path: as it was typed.
  ///   - entries: the content of its folder.
  public init?(of path: String, among entries: [Entry]) {
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
  /// The characters with which both begin.
  fileprivate func commonPrefix(with other: String) -> Substring {
    prefix(zip(self, other).prefix { $0 == $1 }.count)
  }
}

extension State {
  /// Takes a completion into the open entry, unless something was typed since then.
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
