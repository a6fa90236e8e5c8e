/// A value of a setting, of the kind that its declaration defines.
public enum SettingValue: Hashable, Sendable {
  case toggle(Bool)
  /// The identifier of a choice.
  case choice(String)
  /// A level in the unit of its declaration.
  case level(Int)
  /// The gains in tenths of a dB, starting with the lowest band.
  case bands([Int])
  /// UTF-8 text.
  case text(String)
  case pairedDevices([PairedDevice])
  /// The value of an action, which executes it.
  case done
}

extension SettingValue {
  /// The value as written on the command line, such as "on", "-1.5,0,3" or "done".
  public var text: String {
    switch self {
    case .toggle(let isOn): isOn ? "on" : "off"
    case .choice(let id): id
    case .level(let level): "\(level)"
    case .bands(let gains): gains.map(Self.decibels).joined(separator: ",")
    case .text(let text): text
    case .pairedDevices(let devices): devices.connectedText
    case .done: "done"
    }
  }

  fileprivate static func decibels(_ tenths: Int) -> String {
    let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
    return (tenths < 0 ? "-" : "") + "\(whole)" + (rest == 0 ? "" : ".\(rest)")
  }
}

extension [PairedDevice] {
  fileprivate var connectedText: String {
    let connected = filter(\.isConnected).map(\.title)
    return connected.isEmpty ? "none" : connected.joined(separator: ", ")
  }
}

/// The error for a word or value that a setting does not accept, with those that it accepts.
public struct SettingRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The setting and what it accepts, such as "volume takes 0 to 100".
  public var description: String
  /// The error and the advice, one line each.
  package let what, advice: String

  init(_ declaration: SettingDeclaration, word: String, takes: String) {
    // A word that starts with a digit is a wrong number, and not misspelt.
    let near =
      (word.first?.isNumber == true ? nil : declaration.words.nearest(to: word))
      .map { "; did you mean \"\($0)\"?" } ?? ""
    if case .reading = declaration.kind {
      what = "\(declaration.id.rawValue) is read-only"
      description = what
      advice = "the headphone alone sets it; `earshot setting` lists what can be changed"
      return
    }
    description = "\(declaration.id.rawValue) takes \(takes)\(near)"
    what = "\(declaration.id.rawValue) takes no \"\(displayable(word))\"\(near)"
    advice = "it takes \(takes)"
  }
}

extension SettingDeclaration {
  /// Returns whether `value` is valid for the setting.
  public func accepts(_ value: SettingValue) -> Bool {
    switch (kind, value) {
    case (.toggle, .toggle), (.action, .done): true
    case (.choice(let choices), .choice(let id)): choices.contains { $0.id == id }
    case (.level(let range), .level(let level)): range.contains(level)
    case (.bands(let bands, let range), .bands(let gains)):
      gains.count == bands.count && gains.allSatisfy(range.contains)
    case (.text(let length), .text(let text)):
      length.contains(text.utf8.count) && displayable(text) == text
        && (length.contains(0) || !text.allSatisfy(\.isWhitespace))
    case (.reading, .text(let text)): displayable(text) == text
    case (.pairedDevices, .pairedDevices(let devices)):
      Set(devices.map(\.address)).count == devices.count
    default: false
    }
  }

  /// Returns the value for a word on the command line, the inverse of ``SettingValue/text``.
  public func value(of word: String) throws(SettingRefusal) -> SettingValue {
    let value: SettingValue? =
      switch kind {
      case .toggle:
        ["on", "off", "yes", "no", "true", "false"].meant(by: word)
          .map { .toggle(["on", "yes", "true"].contains($0)) }
      case .choice(let choices): Self.choice(word, among: choices, of: id).map { .choice($0) }
      case .level: Int(word).map { .level($0) }
      case .bands: Self.gains(word).map { .bands($0) }
      case .text: .text(word)
      case .action: word.lowercased() == "do" ? .done : nil
      case .reading, .pairedDevices: nil
      }
    guard let value, accepts(value) else {
      throw SettingRefusal(self, word: word, takes: acceptedWords)
    }
    return value
  }

  /// Returns the identifier of the choice with this name, alias (noise control only) or unambiguous
  /// prefix, or nil if there is none.
  private static func choice(
    _ word: String, among choices: [SettingChoice], of id: SettingID
  ) -> String? {
    let names = choices.map(\.id)
    if names.contains(word) { return word }
    if id == .noiseMode, let mode = ANCMode.aliases[word.lowercased()], names.contains(mode.name) {
      return mode.name
    }
    return names.meant(by: word)
  }

  /// Returns the value for the screen, with its title or unit.
  public func displayText(for value: SettingValue) -> String {
    switch (kind, value) {
    case (.choice(let choices), .choice(let id)):
      choices.first { $0.id == id }?.title ?? id
    case (.level(let range), .level(let level)):
      range.unit.isEmpty ? "\(level)" : "\(level) \(range.unit)"
    default: value.text
    }
  }

  /// The words that the command line accepts, or empty if they cannot be listed.
  public var words: [String] {
    switch kind {
    case .toggle: ["on", "off"]
    case .choice(let choices): choices.map(\.id)
    case .action: ["do"]
    case .level, .bands, .text, .reading, .pairedDevices: []
    }
  }

  /// The accepted words as text, such as "on or off" or "0 to 20".
  public var acceptedWords: String {
    switch kind {
    case .toggle, .choice, .action: Self.list(words)
    case .level(let range):
      "\(range.bounds.lowerBound) to \(range.bounds.upperBound)"
        + (range.isStrict && range.step > 1 ? " in steps of \(range.step)" : "")
    case .bands(let bands, let range):
      "\(bands.count) gains of \(SettingValue.decibels(range.bounds.lowerBound)) to "
        + "\(SettingValue.decibels(range.bounds.upperBound)) dB in steps of "
        + "\(SettingValue.decibels(range.step)), separated by commas"
    case .reading: "read-only"
    case .pairedDevices: "no value: `earshot multipoint` changes it"
    case .text(let length): "\(length.lowerBound) to \(length.upperBound) bytes of text"
    }
  }

  /// Returns the value after a number of steps, negative to go back, to the next choice or level,
  /// or nil if keys cannot change it.
  public func step(_ value: SettingValue?, by step: Int) -> SettingValue? {
    switch (kind, value) {
    case (.toggle, .toggle(let isOn)?): return .toggle(!isOn)
    case (.toggle, nil): return .toggle(true)
    case (.choice(let choices), _):
      guard !choices.isEmpty else { return nil }
      guard case .choice(let id)? = value, let index = choices.firstIndex(where: { $0.id == id })
      else { return .choice(choices[0].id) }
      let count = choices.count
      return .choice(choices[((index + step) % count + count) % count].id)
    case (.level(let range), _):
      let bounds = range.bounds
      guard case .level(let level)? = value else { return .level(bounds.lowerBound) }
      let (moved, overflow) = level.addingReportingOverflow(range.step * step)
      guard !overflow else { return nil }
      let next = min(max(moved, bounds.lowerBound), bounds.upperBound)
      return next == level ? nil : .level(next)
    case (.action, _): return .done
    case (.bands, _), (.text, _), (.toggle, _), (.reading, _), (.pairedDevices, _): return nil
    }
  }

  private static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else {
      return words.first ?? "no value"
    }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func gains(_ list: String) -> [Int]? {
    var gains: [Int] = []
    for word in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard let decibels = Double(word), let tenths = Int(exactly: (decibels * 10).rounded()),
        abs(decibels * 10 - Double(tenths)) < 0.001
      else { return nil }
      gains.append(tenths)
    }
    return gains
  }
}
