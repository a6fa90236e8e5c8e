package import Companion
internal import HeadphoneProtocols
package import JSON

package struct SoundSettingsReport: ObjectReport, Hashable {
  private let headphone: String?
  private let entries: [Entry]

  private enum Origin: String, JSONWord {
    case headphone, all
    case standard = "default"
  }

  private struct Entry: JSONObject, Hashable {
    var setting: SoundSetting
    var value: SoundValue?
    var origin: Origin

    static let properties: [Property<Self>] = [
      Property("name", \.setting.name),
      Property("title", \.setting.title),
      Property("value", \.value, "null: none"),
      Property("of", \.origin, "where the value comes from"),
      Property("accepts", \.setting.accepted, "in words"),
    ]
  }

  /// Creates the report of one setting or all; without a headphone, of the computer's values.
  package init(_ rules: SoundRules, of headphone: HeadphoneState?, only: SoundSetting? = nil) {
    self.headphone = headphone?.name
    let own = headphone.flatMap(rules.own(of:))?.preferences
    entries = SoundSetting.allCases.filter { only == nil || $0 == only }
      .filter { headphone != nil || $0.scope != .headphone }
      .map { setting in
        let isOwn = setting.scope != .computer && own?[setting] != nil
        let isOfAll = setting.scope != .headphone && rules.all[setting] != nil
        return Entry(
          setting: setting, value: rules.value(of: setting, for: headphone),
          origin: isOwn ? .headphone : isOfAll ? .all : .standard)
      }
  }

  package var text: String {
    entries.map { entry in
      "\(entry.setting.name)  \(entry.setting.displayText(entry.value))  (\(entry.origin.rawValue))"
    }.joined(separator: "\n")
  }

  package func text(_ style: TextStyle) -> String {
    guard style != .plain else { return text }
    return style.table(
      ["setting", "value", "of", "accepts"],
      entries.map { entry in
        [
          entry.setting.name, entry.setting.displayText(entry.value), entry.origin.rawValue,
          entry.setting.accepted,
        ]
      })
  }

  package static let schemaName = SchemaName(
    "audio-setting", "`earshot audio setting --json` and `earshot audio offset --json`")

  package static let properties: [Property<Self>] = [
    Property("headphone", \.headphone, "null: the settings are the computer's"),
    Property("settings", \.entries),
  ]
}

extension SoundSetting {
  package var accepted: String {
    switch kind {
    case .words(let words): words.joined(separator: ", ")
    case .number(let range, _, let unit): "\(range.lowerBound) to \(range.upperBound) \(unit)"
    }
  }

  /// Returns the setting with this name or unambiguous beginning.
  package static func named(_ name: String) throws(CommandError) -> SoundSetting {
    let meant = allCases.map(\.name).meant(by: name)
    guard let setting = allCases.first(where: { $0.name == meant }) else {
      throw .unavailable(
        "no sound setting \"\(displayable(name))\"\n"
          + "there is \(allCases.map(\.name).joined(separator: ", "))")
    }
    return setting
  }

  /// Returns the value of a word, or of a number with or without its unit, or nil for `default`.
  package func value(meant word: String) throws(CommandError) -> SoundValue? {
    let word = word.lowercased()
    guard word != "default" else { return nil }
    var value: SoundValue?
    switch kind {
    case .words(let words): if let meant = words.meant(by: word) { value = .word(meant) }
    case .number(_, _, let unit):
      let digits = word.hasSuffix(unit) ? String(word.dropLast(unit.count)) : word
      if let number = Int(digits) { value = .number(number) }
    }
    guard let value, accepts(value) else {
      throw .usage("\(name) takes \(accepted), not \"\(displayable(word))\"")
    }
    return value
  }
}
