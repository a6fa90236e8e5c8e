internal import BluetoothCodec
internal import HeadphoneProtocols
internal import TOML

extension Section {
  /// Reads the strings of a driver file; the checks of their bytes follow with the table.
  mutating func driverStrings() -> DriverStrings {
    var strings: [DriverString] = []
    sections("string", "[[string]]") { section, line in
      let id = section.text("id")
      let direction: Direction? = section.choice("direction")
      let bytes = section.bytes("bytes")
      // What only people read may be empty.
      for key in ["meaning", "proof", "model", "bad"] {
        _ = section.value(key, "a text in quotes") { value -> Bool? in
          if case .string = value { true } else { nil }
        }
      }
      let reads = section.texts("reads")
      let after = section.texts("after") ?? []
      let isAsked = section.flag("asks") ?? false
      let sets = section.text("sets")
      guard let direction, let bytes else {
        if section.line(of: "direction") == nil || section.line(of: "bytes") == nil {
          section.note(line, "[[string]] needs \"direction\" and \"bytes\"")
        }
        return
      }
      var string = DriverString(line: line, isFromHeadphone: direction == .from, bytes: bytes)
      (string.id, string.reads, string.after) = (id, reads, after)
      (string.isAsked, string.sets) = (isAsked, sets)
      strings.append(string)
    }
    return DriverStrings(strings)
  }

  private enum Direction: String, CaseIterable { case to, from }
}

struct DriverStrings {
  private let strings: [DriverString]

  init(_ strings: [DriverString]) { self.strings = strings }

  /// Returns a mistake for each string that a driver with the table contradicts.
  func mistakes(of table: DriverTable) -> [ConfigurationMistake] {
    strings.compactMap { string in
      table.contradiction(of: string, among: strings).map {
        ConfigurationMistake(line: string.line, displayable("\(string.id ?? "this string"): \($0)"))
      }
    }
  }
}
