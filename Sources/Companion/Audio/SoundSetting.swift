/// A setting for the sound of headphones on this computer, for configuration, screen, shell and
/// JSON.
///
/// ```swift
/// static let ceiling = SoundSetting(
///   "volume-ceiling", "Volume ceiling", .number(10...100, step: 5, unit: "%"), for: .both, …)
/// ```
package struct SoundSetting: Sendable {
  package enum Kind: Hashable, Sendable {
    case words([String])
    case number(ClosedRange<Int>, step: Int, unit: String)
  }

  package enum Scope: Hashable, Sendable {
    case computer
    /// The computer, and any headphone with a separate value.
    case both
    case headphone
  }

  package let name: String
  package let title: String
  package let kind: Kind
  package let scope: Scope
  private let summary: String
  private let section: String?
  package let unlessGiven: String
  package let standard: SoundValue?
  package let example: SoundValue

  /// The effect and the values in Markdown, for docs/configuration.md.
  package var values: String {
    summary + (section.map { " ([more](audio.md#\($0)))" } ?? "")
  }

  /// The effect and the values, in plain words.
  package var displayText: String { summary.replacing("`", with: "") }

  private init(
    _ name: String, _ title: String, _ kind: Kind, for scope: Scope, _ summary: String,
    section: String? = nil, unlessGiven: String, standard: SoundValue? = nil, example: SoundValue
  ) {
    self.name = name
    self.title = title
    self.kind = kind
    self.scope = scope
    self.summary = summary
    self.section = section
    self.unlessGiven = unlessGiven
    self.standard = standard
    self.example = example
  }

  package var words: [String] { if case .words(let words) = kind { words } else { [] } }

  package func accepts(_ value: SoundValue) -> Bool {
    switch (kind, value) {
    case (.words(let words), .word(let word)): words.contains(word)
    case (.number(let range, _, _), .number(let number)): range.contains(number)
    default: false
    }
  }

  package func displayText(_ value: SoundValue?) -> String {
    switch (kind, value) {
    case (.number(_, _, let unit), .number(let number)?):
      unit == "%" ? "\(number)%" : "\(number) \(unit)"
    case (_, let value?): value.text
    case (_, nil): "none"
    }
  }

  /// Returns the value `step` places after `value`, or nil for none beyond the end of a limit.
  func value(after value: SoundValue?, by step: Int) -> SoundValue? {
    switch kind {
    case .words(let words):
      guard case .word(let word)? = value, let place = words.firstIndex(of: word) else {
        return words.first.map(SoundValue.word)
      }
      return .word(words[(place + step + words.count) % words.count])
    case .number(let range, let size, _):
      guard case .number(let number)? = value else {
        // An offset starts at 0, a limit at its upper end.
        return step < 0 || range.contains(0)
          ? .number(range.contains(0) ? step * size : range.upperBound - size) : nil
      }
      let next = number + step * size
      if range.contains(next) { return .number(next) }
      // A limit above its upper end has no effect.
      return next > range.upperBound && !range.contains(0) ? nil : value
    }
  }
}

package enum SoundValue: Hashable, Sendable {
  case word(String)
  case number(Int)

  /// The value as typed in the shell.
  package var text: String {
    switch self {
    case .word(let word): word
    case .number(let number): "\(number)"
    }
  }
}

extension SoundSetting: Hashable, CaseIterable {
  package static func == (one: SoundSetting, other: SoundSetting) -> Bool { one.name == other.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  package static let ceiling = SoundSetting(
    "volume-ceiling", "Volume ceiling", .number(10...100, step: 5, unit: "%"), for: .both,
    "%, 10 to 100: a headphone that becomes louder is put back to this at once, whatever raised it",
    section: "safe-volume", unlessGiven: "none", example: .number(80))

  package static let firstVolume = SoundSetting(
    "first-volume", "First volume", .number(5...100, step: 5, unit: "%"), for: .both,
    "%, 5 to 100: sound that would be louder begins at this, on a headphone that is new to this "
      + "computer; with a value for one headphone, each time that one connects",
    section: "safe-volume", unlessGiven: "50", standard: .number(50), example: .number(30))

  package static let following = SoundSetting(
    "sound", "When it comes back", .words(["leave", "follow"]), for: .both,
    "`follow`: when the headphone is back, its sound is connected again, and plays there if it did "
      + "before; `leave`: the sound server, bluetoothd and the headphone decide",
    section: "sound-that-comes-back", unlessGiven: "`leave`", standard: .word("leave"),
    example: .word("follow"))

  package static let offset = SoundSetting(
    "offset", "Sync offset", .number(-2000...2000, step: 10, unit: "ms"), for: .headphone,
    "ms, -2000 to 2000: what players add to the delay of the sound, so that sound and pictures match",
    section: "sync-offset", unlessGiven: "as the sound server keeps it", example: .number(120))

  package static let profile = SoundSetting(
    "profile", "Profile", .words(["keep", "leave"]), for: .both,
    "`keep`: the profile and codec that were chosen here are set again when the headphone reconnects, "
      + "where the sound server forgets them; `leave`: as the sound server has them",
    section: "profile-and-codec", unlessGiven: "`keep`", standard: .word("keep"),
    example: .word("leave"))

  package static let buttons = SoundSetting(
    "buttons", "Buttons", .words(ButtonMode.allCases.map(\.rawValue)), for: .computer,
    "what handles the buttons of headphones: `auto` the desktop if it does, else Earshot; "
      + "`on` Earshot; `off` other programs",
    section: "the-headphones-buttons", unlessGiven: "`auto`",
    standard: .word(ButtonMode.auto.rawValue), example: .word("on"))

  package static let allCases = [following, ceiling, firstVolume, offset, profile, buttons]
}

package struct SoundPreferences: Hashable, Sendable {
  private var values: [SoundSetting: SoundValue] = [:]

  package init() {}

  package subscript(setting: SoundSetting) -> SoundValue? {
    get { values[setting] }
    set { values[setting] = newValue }
  }

  package var isEmpty: Bool { values.isEmpty }
}

package struct HeadphoneSoundPreferences: Hashable, Sendable {
  /// The start of the identity, address or name, as in the configuration.
  package var selector: String
  package var preferences: SoundPreferences

  package init(selector: String, preferences: SoundPreferences = SoundPreferences()) {
    self.selector = selector
    self.preferences = preferences
  }
}

package struct SoundRules: Hashable, Sendable {
  package var all: SoundPreferences
  package var ofHeadphones: [HeadphoneSoundPreferences]

  package init(
    all: SoundPreferences = SoundPreferences(), ofHeadphones: [HeadphoneSoundPreferences] = []
  ) {
    self.all = all
    self.ofHeadphones = ofHeadphones
  }

  /// Returns the values of `headphone` by its best matching selector.
  package func own(of headphone: HeadphoneState) -> HeadphoneSoundPreferences? {
    let matches = ofHeadphones.compactMap { own in headphone.match(own.selector).map { (own, $0) } }
    return matches.min { $0.1 < $1.1 }?.0
  }

  /// Returns the value for `headphone`, or for the computer if it is nil; nil without a value.
  package func value(of setting: SoundSetting, for headphone: HeadphoneState?) -> SoundValue? {
    let own = setting.scope == .computer ? nil : headphone.flatMap(own(of:))?.preferences[setting]
    return own ?? (setting.scope == .headphone ? nil : all[setting]) ?? setting.standard
  }

  func number(_ setting: SoundSetting, for headphone: HeadphoneState) -> Int? {
    guard case .number(let number)? = value(of: setting, for: headphone) else { return nil }
    return number
  }

  func word(_ setting: SoundSetting, for headphone: HeadphoneState) -> String? {
    guard case .word(let word)? = value(of: setting, for: headphone) else { return nil }
    return word
  }

  /// Returns the change for `headphone`, or for the computer if the setting has that scope.
  package func change(
    of setting: SoundSetting, to value: SoundValue?, for headphone: HeadphoneState?
  ) -> SoundSettingChange {
    guard setting.scope != .computer, let headphone else {
      return SoundSettingChange(setting, value)
    }
    let own = own(of: headphone)?.selector
    return SoundSettingChange(
      setting, value, selector: own ?? headphone.publicAddress ?? headphone.id.rawValue,
      remark: own == nil ? headphone.name : nil)
  }

  /// Applies `change` as the configuration file will.
  package mutating func apply(_ change: SoundSettingChange) {
    guard let selector = change.selector else { return all[change.setting] = change.value }
    if let place = ofHeadphones.firstIndex(where: { $0.selector == selector }) {
      ofHeadphones[place].preferences[change.setting] = change.value
    } else {
      var own = HeadphoneSoundPreferences(selector: selector)
      own.preferences[change.setting] = change.value
      ofHeadphones.append(own)
    }
  }
}

package struct SoundSettingChange: Hashable, Sendable {
  package var setting: SoundSetting
  package var value: SoundValue?
  /// The selector of the headphone's table; nil for the computer.
  package var selector: String?
  /// The headphone's name, written as a remark beside a new table.
  package var remark: String?

  package init(
    _ setting: SoundSetting, _ value: SoundValue?, selector: String? = nil, remark: String? = nil
  ) {
    self.setting = setting
    self.value = value
    self.selector = selector
    self.remark = remark
  }
}

extension State {
  /// Changes a setting at once, and in the file after the last of several key presses.
  mutating func change(_ change: SoundSettingChange, at timestamp: Timestamp) -> [Effect] {
    var change = change
    var effects: [Effect] = []
    if let earlier = changedSoundSetting {
      if earlier.setting == change.setting, earlier.selector == change.selector {
        change.remark = change.remark ?? earlier.remark
      } else {
        effects += saveSoundSetting()
      }
    }
    soundRules.apply(change)
    changedSoundSetting = change
    return effects + [.startTimer(.soundSetting, .exactly(.milliseconds(400)))]
      + careForSound(at: timestamp)
  }

  mutating func saveSoundSetting() -> [Effect] {
    guard let change = changedSoundSetting else { return [] }
    changedSoundSetting = nil
    return [.cancelTimer(.soundSetting), .changeConfiguration(.sound(change))]
  }
}
