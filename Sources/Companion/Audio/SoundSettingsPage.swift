import AudioRoute
import HeadphoneProtocols

extension UserCommand {
  package static let soundSettings = UserCommand(
    "sound-settings", keys: ["V"], "sound settings: comes back, safe volume, sync, buttons",
    label: "Sound"
  ) { state, _ in state.open(.soundSettings(line: 0)) }
}

extension PageKind {
  package static let soundSettings = PageKind(
    "Sound settings",
    commands: [
      PageCommand(.left, "previous value", label: "Change") { $0.stepSoundSetting(by: -1, at: $1) },
      PageCommand(.right, "next value", label: "Change") { $0.stepSoundSetting(by: 1, at: $1) },
      PageCommand(.accept, "next value") { $0.stepSoundSetting(by: 1, at: $1) },
      PageCommand(.soundSettings, "close the page") { state, _ in state.open(state.page) },
    ] + PageCommand.lines,
    lines: { state in state.soundSettingRows.map { PageLine("\($0.setting.title): \($0.value)") } })
}

package struct SoundSettingRow: Hashable, Sendable {
  package var setting: SoundSetting
  package var value: String
  /// The owner of the value: "this headphone", "all headphones" or "default".
  package var origin: String
}

extension State {
  package var soundSettingRows: [SoundSettingRow] {
    let headphone = headphones.selected
    return SoundSetting.allCases.map { setting in
      let own = setting.scope == .computer ? nil : headphone.flatMap(soundRules.own(of:))
      let origin =
        own?.preferences[setting] != nil
        ? "this headphone"
        : setting.scope != .headphone && soundRules.all[setting] != nil
          ? setting.scope == .computer ? "" : "all headphones" : "default"
      return SoundSettingRow(
        setting: setting,
        value: displayable(
          setting.displayText(soundRules.value(of: setting, for: headphone))),
        origin: origin)
    }
  }

  mutating func turnOffset(by step: Int, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected else { return [] }
    let present = soundRules.number(.offset, for: headphone) ?? soundOffset(of: headphone) ?? 0
    let value = SoundSetting.offset.value(after: .number(present), by: step)
    return change(soundRules.change(of: .offset, to: value, for: headphone), at: timestamp)
  }

  /// Returns the headphone's offset at the sound server in ms, or nil if it has no output now.
  package func soundOffset(of headphone: HeadphoneState) -> Int? {
    audioMatch(for: headphone)?.card?.output?.offset
  }

  /// The selected headphone's offset and the server's latency, such as "+120 ms, server 45 ms".
  package var offsetText: String? {
    guard let headphone = headphones.selected, let offset = soundOffset(of: headphone) else {
      return nil
    }
    let shown = soundRules.number(.offset, for: headphone) ?? offset
    let latency = audioMatch(for: headphone)?.sink?.latency.map { ", server \($0 - offset) ms" }
    return "\(shown > 0 ? "+" : "")\(shown) ms" + (latency ?? "")
  }

  fileprivate mutating func stepSoundSetting(by step: Int, at timestamp: Timestamp) -> [Effect] {
    guard let setting = page.line.flatMap({ SoundSetting.allCases.element(at: $0) }) else {
      return []
    }
    let headphone = headphones.selected
    guard setting.scope != .headphone || headphone != nil else {
      return noteNotConnected(at: timestamp)
    }
    if setting == .offset { return turnOffset(by: step, at: timestamp) }
    let value = setting.value(after: soundRules.value(of: setting, for: headphone), by: step)
    return change(soundRules.change(of: setting, to: value, for: headphone), at: timestamp)
  }
}
