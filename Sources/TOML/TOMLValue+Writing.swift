extension TOMLValue {
  /// Parses a string, number, date or word in TOML notation, or returns nil for anything else.
  package init?(scalar text: String) {
    let document = TOMLDocument(parsing: "value = \(text)".utf8)
    guard document.mistakes.isEmpty, document.root.entries.count == 1,
      let value = document.root["value"]?.node.value, value.isScalar
    else { return nil }
    self = value
  }

  var isScalar: Bool {
    switch self {
    case .array, .table: false
    case .string, .integer, .float, .bool, .dateTime: true
    }
  }

  package static func key(_ name: String) -> String {
    !name.isEmpty && name.unicodeScalars.allSatisfy(\.isBareKey) ? name : quoted(name)
  }

  package static func quoted(_ text: String) -> String {
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
}

extension TOMLTable {
  subscript(path: [String]) -> TOMLValue? {
    path.reduce(.table(self)) { value, key in
      guard case .table(let table)? = value else { return nil }
      return table[key]?.node.value
    }
  }
}
