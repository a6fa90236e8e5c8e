internal import Companion

extension Configuration {
  /// Replaces names, and all of the hooks' commands, which may identify a person or be secret.
  package mutating func replaceNames(by replacement: (String) -> String) {
    if case .matching(let selector) = connection.rule {
      connection.rule = .matching(replacement(selector))
    }
    preferences.replaceNames(by: replacement)
  }
}

extension Preferences {
  fileprivate mutating func replaceNames(by replacement: (String) -> String) {
    for hook in hooks.keys { hooks[hook] = .shell("…") }
    for index in sound.ofHeadphones.indices {
      sound.ofHeadphones[index].selector = replacement(sound.ofHeadphones[index].selector)
    }
    for index in corrections.indices {
      let own = corrections[index]
      corrections[index] = CorrectionPreference(
        headphone: replacement(own.headphone),
        correction: own.correction.contains("/") ? replacement(own.correction) : own.correction)
    }
    for index in scenes.indices {
      scenes[index].name = replacement(scenes[index].name)
      scenes[index].output = scenes[index].output.map(replacement)
      scenes[index].when = scenes[index].occasion.map { occasion in
        switch occasion {
        case .output(Scene.headphone), .call: occasion.word
        case .output(let name): replacement(name)
        case .program(let name): Scene.Occasion.program(replacement(name)).word
        }
      }
    }
  }
}

extension ConfigurationMistake {
  /// This mistake with the user's text, except the outermost table's name, replaced by dots.
  package var withoutNames: ConfigurationMistake {
    let text = String(withoutTable.map { "“”".contains($0) ? "\"" : $0 })
    // Invalid TOML is quoted without quotation marks.
    if let here = text.firstRange(of: "expected here: ") {
      return ConfigurationMistake(line: line, text[..<here.upperBound] + "…")
    }
    // After the first text of the user, the marks may be part of that text.
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    let foreign = parts.indices.first { $0 % 2 == 1 && !Self.words.contains(String(parts[$0])) }
    guard let foreign, let last = parts.last else {
      return ConfigurationMistake(line: line, text)
    }
    let shown = parts[..<foreign] + ["…", last]
    return ConfigurationMistake(line: line, shown.joined(separator: "\""))
  }

  private static let words: Set<String> = Configuration.tables.reduce(into: []) { words, table in
    words.insert(table.name)
    for key in table.keys {
      words.insert(key.name)
      words.formUnion(key.words)
    }
  }

  private var withoutTable: String {
    guard let start = what.firstIndex(of: "["), let end = what.lastIndex(of: "]"), start < end,
      let point = what[start..<end].firstIndex(of: ".")
    else { return what }
    return what[...point] + "…" + what[end...]
  }
}
