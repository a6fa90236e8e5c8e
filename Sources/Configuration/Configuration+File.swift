internal import HeadphoneProtocols
internal import TOML

extension Configuration {
  /// Reads a configuration of any bytes; never fails.
  ///
  /// A mistake invalidates only its own line. docs/configuration.md describes the tables and keys.
  ///
  /// - Returns: The configuration, and the mistakes in the order of their lines.
  package static func read(
    _ text: some Sequence<UInt8>
  ) -> (configuration: Configuration, mistakes: [ConfigurationMistake]) {
    let document = TOMLDocument(parsing: text)
    var configuration = Configuration()
    var root = Section(document.root)
    for table in tables {
      root.section(table.name) { table.read(&$0, &configuration) }
    }
    let broken = document.mistakes.map { ConfigurationMistake(line: $0.line, displayable($0.what)) }
    return (configuration, (broken + root.end()).sorted())
  }

  /// The configuration as a file with every key and its value, for `earshot config show`.
  package var toml: String {
    Self.tables.flatMap { $0.write(self) }.map { name, rows in
      (["[\(name)]"] + rows.map { "\($0.0) = \($0.1)" }).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}

func list(_ texts: [String]) -> String {
  "[" + texts.map(TOMLValue.quoted).joined(separator: ", ") + "]"
}
