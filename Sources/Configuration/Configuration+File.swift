internal import HeadphoneProtocols
internal import TOML

extension Configuration {
  /// Reads a configuration; never fails.
  ///
  /// Each mistake costs only its own line: the rest applies, with defaults for what is missing. The
  /// tables and keys are those of `tables` (docs/configuration.md).
  ///
  /// - Parameter text: the contents of the file, any bytes.
  /// - Returns: the configuration, and the mistakes in the order of their lines.
  public static func read(
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

  /// The configuration as a file: every key with its value, as `earshot config show` prints it.
  public var toml: String {
    Self.tables.flatMap { $0.write(self) }.map { name, rows in
      (["[\(name)]"] + rows.map { "\($0.0) = \($0.1)" }).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}

/// An array of strings in TOML.
func list(_ texts: [String]) -> String {
  "[" + texts.map(quoted).joined(separator: ", ") + "]"
}

/// A key in TOML, quoted if necessary.
func key(_ name: String) -> String {
  let isBare = name.utf8.allSatisfy { byte in
    let scalar = Unicode.Scalar(byte)
    return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-"
      || scalar == "_"
  }
  return isBare && !name.isEmpty && name.utf8.allSatisfy { $0 < 0x80 } ? name : quoted(name)
}

/// A basic string in TOML.
func quoted(_ text: String) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": quoted += "\\\(scalar)"
    case _ where scalar.properties.generalCategory == .control:
      let digits = String(scalar.value, radix: 16)
      quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "\""
}
