/// A file with a vendor's public key, as the configuration names it.
public struct MakerKeyFile: Hashable, Sendable {
  /// Absolute, relative to the home directory ("~/…"), or to the configuration's folder.
  public var path: String
  /// The line that names it; counts from 1.
  public var line: Int

  public init(path: String, line: Int) {
    self.path = path
    self.line = line
  }
}

extension Section {
  /// The files of a list, or one in the place of a list of one.
  mutating func keyFiles(_ key: String) -> [MakerKeyFile] {
    let paths = texts(key, "a list of files") ?? []
    return paths.map { MakerKeyFile(path: $0, line: line(of: key) ?? 1) }
  }
}
