/// The part of the user's configuration that the reducer acts on.
///
/// A key that the app follows is a property here and a declaration in `Configuration.tables`.
package struct Preferences: Hashable, Sendable {
  package var thresholds = BatteryThresholds()
  package var autoPause = AutoPause.off
  /// The treatment of headphones' sound, from `[sound]` and `[headphones.NAME]`.
  package var sound = SoundRules()
  package var notifications = NotificationRules()
  /// The commands that the process with the link runs on events.
  package var hooks: [Hook: HookCommand] = [:]
  package var scenes: [Scene] = []
  package var corrections: [CorrectionPreference] = []
  package var themes = Themes()

  package init() {}

  package var buttons: ButtonMode {
    guard case .word(let word)? = sound.all[.buttons] else { return .auto }
    return ButtonMode(rawValue: word) ?? .auto
  }
}

extension State {
  mutating func adopt(
    _ new: Preferences, isResident: Bool, at timestamp: Timestamp
  ) -> [Effect] {
    if new.sound != preferences.sound {
      soundRules = new.sound
      if let changedSoundSetting { soundRules.apply(changedSoundSetting) }
    }
    preferences = new
    self.isResident = isResident
    // One command neither runs hooks nor pauses playback.
    if !isResident { (preferences.hooks, preferences.autoPause) = ([:], .off) }
    if page.kind == .scenes { page = page.with(line: bounded(page.line ?? 0)) }
    let released = preferences.autoPause == .off ? releaseSound() + forgetWearPause() : []
    return released + careForSound(at: timestamp)
  }
}
