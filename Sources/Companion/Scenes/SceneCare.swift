import AudioRoute
import HeadphoneProtocols

/// What scenes of calls and programs have done to a headphone.
struct SceneCare: Hashable, Sendable {
  /// The scenes in force, in the order of the configuration.
  var running: [Running] = []
  /// The values to set back, in the order in which they were first changed.
  var changes: [Change] = []

  struct Running: Hashable, Sendable, Identifiable {
    var scene: Scene
    /// Whether call or program have ended, but may go on within a moment.
    var isEnding = false
    /// The settings that somebody has changed meanwhile, which the scene leaves alone.
    var released: Set<SettingID> = []

    var id: Scene.ID { scene.id }
  }

  struct Change: Hashable, Sendable {
    var setting: SettingID
    /// The value before, or nil if it is not known.
    var before: Value?
    var since: SettingValue
  }

  struct Value: Hashable, Sendable {
    var setting: SettingID
    var value: SettingValue
  }
}

/// Scenes that apply during calls, and while a program plays.
///
/// | event | reaction |
/// | --- | --- |
/// | a program records from the microphone of a ready headphone | the scenes of calls begin there |
/// | a program plays, on any output | its scenes begin on the selected headphone, if that is ready |
/// | a headphone becomes ready meanwhile | the same |
/// | 3 s pass without call or program | the scene ends, and what it has changed is set back |
/// | several scenes in force have a setting | the first of them in the configuration counts |
/// | somebody else changes a setting | the scenes in force leave it alone from then on |
/// | the headphone goes | its scenes end, and what they have changed is set back when it returns |
extension State {
  /// The time in which a program may go on, as with the next song.
  private static let pause: Duration = .seconds(3)

  /// Begins and ends the scenes; called after each action.
  mutating func followOccasions(at timestamp: Timestamp) -> [Effect] {
    guard isResident else { return [] }
    let lasting = preferences.scenes.filter { $0.occasion?.isLasting == true }
    guard !lasting.isEmpty || headphones.contains(where: { $0.care.scenes != SceneCare() }) else {
      return []
    }
    return headphones.map(\.id).flatMap { follow(lasting, on: $0, at: timestamp) }
  }

  mutating func endScene(
    _ name: Scene.ID, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    releaseChanges(of: id)
    guard let headphone = headphones[id],
      let ended = headphone.care.scenes.running.first(where: { $0.id == name && $0.isEnding })
    else { return [] }
    headphones.update(id) { $0.care.scenes.running.removeAll { $0.id == name } }
    let kept = ended.scene.settings.map(\.setting).filter(ended.released.contains).map {
      headphone.capabilities?.declaration(of: $0)?.title.lowercased() ?? $0.displayText
    }
    let rest = kept.isEmpty ? "" : "; \(kept.joined(separator: ", ")) changed meanwhile, and stays"
    return say(
      "Scene \(displayable(name)) is over\(rest)", id, naming: id != headphones.selected?.id,
      at: timestamp) + settleScenes(of: id, at: timestamp)
  }

  private mutating func follow(
    _ lasting: [Scene], on id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    let (running, changes) = (headphone.care.scenes.running, headphone.care.scenes.changes)
    guard headphone.link.isReady else {
      guard !running.isEmpty else { return [] }
      headphones.update(id) { $0.care.scenes.running = [] }
      return running.filter(\.isEnding).map { .cancelTimer(.scene(id, $0.id)) }
    }
    let due = lasting.filter { isDue($0, on: headphone) }
    var effects: [Effect] = []
    for (index, scene) in running.enumerated() {
      let isDue = due.contains { $0.id == scene.id }
      guard isDue == scene.isEnding else { continue }
      headphones.update(id) { $0.care.scenes.running[index].isEnding = !isDue }
      let timer = TimerID.scene(id, scene.id)
      effects.append(isDue ? .cancelTimer(timer) : .startTimer(timer, .exactly(Self.pause)))
    }
    let begun = due.filter { scene in !running.contains { $0.id == scene.id } }
    guard !begun.isEmpty || running.isEmpty && !changes.isEmpty else { return effects }
    releaseChanges(of: id)
    let order = preferences.scenes.map(\.id)
    headphones.update(id) {
      $0.care.scenes.running += begun.map { SceneCare.Running(scene: $0) }
      $0.care.scenes.running.sort {
        (order.firstIndex(of: $0.id) ?? .max) < (order.firstIndex(of: $1.id) ?? .max)
      }
    }
    for scene in begun { effects += announce(scene, on: id, at: timestamp) }
    return effects + settleScenes(of: id, at: timestamp)
  }

  private func isDue(_ scene: Scene, on headphone: HeadphoneState) -> Bool {
    switch scene.occasion {
    case .call: return !programsRecording(from: headphone).isEmpty
    case .program(let name):
      guard case .running(let sound) = audio, sound.playing.contains(where: { $0.isCalled(name) })
      else { return false }
      let owner = headphones.first { $0.care.scenes.running.contains { $0.id == scene.id } }
      return (owner ?? headphones.selected)?.id == headphone.id
    case .output, nil: return false
    }
  }

  /// Forgets the changes of which the headphone has another value now, which the scenes in force
  /// leave alone from then on.
  private mutating func releaseChanges(of id: HeadphoneID) {
    headphones.update(id) { headphone in
      let changed = headphone.care.scenes.changes.filter {
        headphone.shown($0.setting) != $0.since
      }
      let settings = Set(changed.map(\.setting))
      headphone.care.scenes.changes.removeAll { settings.contains($0.setting) }
      for index in headphone.care.scenes.running.indices {
        headphone.care.scenes.running[index].released.formUnion(settings)
      }
    }
  }

  /// Sets what the scenes in force want, and sets back what none of them wants any more.
  private mutating func settleScenes(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    var effects: [Effect] = []
    var wanted: Set<SettingID> = []
    for running in headphones[id]?.care.scenes.running ?? [] {
      for wish in running.scene.settings where !running.released.contains(wish.setting) {
        guard let headphone = headphones[id], let value = headphone.value(ofScene: wish),
          wanted.insert(wish.setting).inserted
        else { continue }
        headphones.update(id) { $0.care.scenes.note(wish.setting, value, of: headphone) }
        guard headphone.shown(wish.setting) != value else { continue }
        effects += set(SceneCare.Value(setting: wish.setting, value: value), of: id, at: timestamp)
      }
    }
    // In reverse, so that a level that one mode has is set back before the mode.
    for change in (headphones[id]?.care.scenes.changes ?? []).reversed()
    where !wanted.contains(change.setting) {
      headphones.update(id) { $0.care.scenes.changes.removeAll { $0 == change } }
      guard let before = change.before,
        before != SceneCare.Value(setting: change.setting, value: change.since)
      else { continue }
      effects += set(before, of: id, at: timestamp)
    }
    return effects
  }

  private mutating func set(
    _ wanted: SceneCare.Value, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    guard wanted.setting == .correction else {
      return want(wanted.value, of: wanted.setting, on: id)
    }
    return follow(.changed(.on(wanted.value == .toggle(true))), of: id, at: timestamp)
  }
}

extension SceneCare {
  fileprivate mutating func note(
    _ setting: SettingID, _ value: SettingValue, of headphone: HeadphoneState
  ) {
    if let index = changes.firstIndex(where: { $0.setting == setting }) {
      changes[index].since = value
    } else {
      changes.append(Change(setting: setting, before: headphone.present(setting), since: value))
    }
  }
}

extension Scene {
  /// The wishes, with the correction as one of them.
  fileprivate var settings: [Wish] {
    wishes + (correction.map { [Wish(.correction, $0)] } ?? [])
  }
}

extension SettingID {
  /// The measured correction in scenes; no headphone has such a setting.
  fileprivate static let correction: SettingID = "correction"
}

extension HeadphoneState {
  fileprivate func shown(_ setting: SettingID) -> SettingValue? {
    setting == .correction ? .toggle(correction.choice.isOn) : settings[setting].shown
  }

  fileprivate func value(ofScene wish: Scene.Wish) -> SettingValue? {
    guard wish.setting == .correction else { return value(of: wish) }
    return ["on": .toggle(true), "off": .toggle(false)][wish.word]
  }

  /// Returns what sets the present value of a setting again, or nil if none is known to do so.
  ///
  /// Gains do for the custom preset, and the preset for the gains of any other.
  fileprivate func present(_ setting: SettingID) -> SceneCare.Value? {
    var setting = setting
    if [.equaliserPreset, .equaliserBands].contains(setting) {
      let preset = settings[.equaliserPreset].shown
      let isCustom = preset == nil || preset == EQPreset.custom.settingValue
      setting = isCustom ? .equaliserBands : .equaliserPreset
    }
    guard let value = shown(setting),
      setting == .correction || capabilities?.declaration(of: setting)?.accepts(value) == true
    else { return nil }
    return SceneCare.Value(setting: setting, value: value)
  }
}
