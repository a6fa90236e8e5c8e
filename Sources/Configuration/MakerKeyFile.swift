package struct MakerKeyFile: Hashable, Sendable {
  /// The path: absolute, in the home directory ("~/…"), or relative to the configuration's folder.
  package var path: String
  /// The number of the line that names the file, counted from 1.
  package var line: Int

  package init(path: String, line: Int) {
    self.path = path
    self.line = line
  }
}

extension Section {
  mutating func keyFiles(_ key: String) -> [MakerKeyFile] {
    let paths = texts(key, "a list of files") ?? []
    return paths.map { MakerKeyFile(path: $0, line: line(of: key) ?? 1) }
  }
}
