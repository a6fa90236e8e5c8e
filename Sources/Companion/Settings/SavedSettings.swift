package import HeadphoneProtocols

/// The settings of a headphone in a file of the user, such as before a factory reset.
package struct SavedSettings: Hashable, Sendable {
  package var headphone: String?
  package var model: String?
  package var driver: String?
  package var firmware: String?
  /// The local date and time: "2026-11-29 15:05:20", or with a T between them.
  package var time: String?
  /// The values in the headphone's order.
  package var wishes: [Scene.Wish]
  /// The lines of the settings in the file, from 1; empty if it was not read from a file.
  package var lines: [SettingID: Int] = [:]

  package init(wishes: [Scene.Wish] = []) { self.wishes = wishes }

  package init(of headphone: HeadphoneState, at timestamp: Timestamp) {
    self.headphone = headphone.name
    model = headphone.information.model
    driver = headphone.driver
    firmware = headphone.information.firmware
    time = "\(timestamp.date) \(timestamp.clock)"
    wishes = headphone.keptSettings.compactMap(headphone.wish)
  }
}

extension HeadphoneState {
  /// The settings whose values can be kept and set again.
  var keptSettings: [SettingDeclaration] {
    (capabilities?.declarations ?? []).filter { declaration in
      switch declaration.kind {
      case .action, .reading, .pairedDevices: false
      case .toggle, .choice, .level, .bands, .text: true
      }
    }
  }

  /// The settings that the headphone has and does not report, so that they cannot be saved.
  package var unreportedSettings: [SettingID] {
    keptSettings.filter { wish($0) == nil }.map(\.id)
  }

  /// Returns the confirmed value of a setting, or nil if it is unknown or no longer accepted.
  func wish(_ declaration: SettingDeclaration) -> Scene.Wish? {
    guard let value = settings[declaration.id].confirmed, declaration.accepts(value) else {
      return nil
    }
    return Scene.Wish(declaration.id, value.text)
  }

  /// Returns the value of a wish, or nil if the headphone lacks the setting or the value.
  func value(of wish: Scene.Wish) -> SettingValue? {
    guard let declaration = capabilities?.declaration(of: wish.setting) else { return nil }
    return try? declaration.value(of: wish.word)
  }

  /// Whether settings are of this model or, without a model, of this driver and name.
  package func hasModel(of saved: SavedSettings) -> Bool {
    if let model = saved.model, let own = information.model { return model == own }
    return saved.driver == driver && saved.headphone == name
  }

  /// Returns the mistakes in a file of this model, with the line and the correction.
  ///
  /// A known setting that this headphone lacks is no mistake: its firmware may have been another.
  package func mistakes(in saved: SavedSettings) -> [(line: Int, what: String)] {
    let declared = capabilities?.declarations ?? []
    return saved.wishes.compactMap { wish in
      guard let line = saved.lines[wish.setting] else { return nil }
      guard let declaration = declared.first(where: { $0.id == wish.setting }) else {
        guard !wish.setting.isKnown,
          let near = declared.map(\.id.rawValue).nearest(to: wish.setting.rawValue)
        else { return nil }
        let name = displayable(wish.setting.rawValue)
        return (line, "there is no setting \"\(name)\"; did you mean \"\(near)\"?")
      }
      do throws(SettingRefusal) {
        _ = try declaration.value(of: wish.word)
        return nil
      } catch {
        return (line, "\(error.what): \(error.advice)")
      }
    }
  }
}

/// The steps from a headphone's present settings to saved ones, one command at a time.
///
/// A setting that can only be changed in one noise control mode is changed in that mode, and the
/// mode comes last. The headphone may change a setting together with another, such as the
/// equaliser's bands with its preset, so that a setting may have to be set again. It may refuse a
/// value because another one is not set yet, so a refused value is sent once more.
package struct SettingsRestoration: Sendable {
  package enum Outcome: Hashable, Sendable {
    case same
    case set
    case lacking
    case notAccepted
    case refused(String)
    /// The headphone accepted the value, and reports this other one.
    case notKept(String)
    case notSent
  }

  package struct Result: Hashable, Sendable {
    package var wish: Scene.Wish
    package var outcome: Outcome
  }

  private let wishes: [Scene.Wish]
  private let wasSame: Set<SettingID>
  /// The wishes in the order in which they are set.
  private let sequence: [Scene.Wish]
  private var attempts: [SettingID: Int] = [:]
  private var refusals: [SettingID: Refusal] = [:]
  package private(set) var current: SettingID?
  private var count = 0
  private var isStopped = false

  private struct Refusal: Sendable {
    var why: String
    /// The number of commands sent before; a later command may have made the value acceptable.
    var count: Int
    var isFinal: Bool
  }

  /// The maximum number of commands for a setting: twice its mode and its value.
  private static let mostAttempts = 4

  /// Creates the restoration, and notes the values that the headphone already has.
  package init(_ saved: SavedSettings, on headphone: HeadphoneState) {
    wishes = saved.wishes
    wasSame = Set(wishes.filter(headphone.has).map(\.setting))
    var all = wishes
    let mode = headphone.capabilities?.declaration(of: .noiseMode).flatMap(headphone.wish)
    if let mode, !all.contains(where: { $0.setting == .noiseMode }) { all.append(mode) }
    let ranks = all.map { wish in
      switch wish.setting {
      case .noiseMode: 3
      case .equaliserBands: 2
      case let id: headphone.capabilities?.declaration(of: id)?.modes == nil ? 1 : 0
      }
    }
    sequence = (0...3).flatMap { rank in zip(all, ranks).filter { $1 == rank }.map(\.0) }
  }

  package mutating func next(on headphone: HeadphoneState) -> HeadphoneCommand? {
    guard !isStopped else { return nil }
    let left = sequence.filter { wish in
      headphone.value(of: wish) != nil && !headphone.has(wish)
        && attempts[wish.setting, default: 0] < Self.mostAttempts
    }
    let refused = left.filter { wish in
      refusals[wish.setting].map { !$0.isFinal && $0.count < count } ?? false
    }
    for wish in left.filter({ refusals[$0.setting] == nil }) + refused {
      let id = wish.setting
      guard let value = headphone.value(of: wish) else { continue }
      refusals[id]?.isFinal = true
      current = id
      count += 1
      attempts[id, default: 0] += 1
      guard let mode = headphone.modeNeeded(for: id) else {
        return headphone.command(setting: id, to: value)
      }
      return headphone.command(setting: .noiseMode, to: mode.settingValue)
    }
    return nil
  }

  package mutating func refuse(_ why: String) {
    guard let current else { return }
    refusals[current] = Refusal(why: why, count: count, isFinal: refusals[current] != nil)
  }

  package mutating func stop() { isStopped = true }

  /// Whether the headphone has the saved bands of the equaliser, or none are saved.
  package func hasBands(on headphone: HeadphoneState) -> Bool {
    wishes.first { $0.setting == .equaliserBands }.map(headphone.has) ?? true
  }

  /// Returns the outcome for each setting, in the order of the file.
  package func results(on headphone: HeadphoneState) -> [Result] {
    wishes.map { Result(wish: $0, outcome: outcome(of: $0, on: headphone)) }
  }

  private func outcome(of wish: Scene.Wish, on headphone: HeadphoneState) -> Outcome {
    let id = wish.setting
    guard headphone.capabilities?.declaration(of: id) != nil else { return .lacking }
    guard headphone.value(of: wish) != nil else { return .notAccepted }
    if headphone.has(wish) { return wasSame.contains(id) ? .same : .set }
    if let refusal = refusals[id] { return .refused(refusal.why) }
    return isStopped ? .notSent : .notKept(headphone.settings[id].confirmed?.text ?? "unknown")
  }
}

extension HeadphoneState {
  fileprivate func has(_ wish: Scene.Wish) -> Bool {
    guard let value = value(of: wish) else { return false }
    return settings[wish.setting].confirmed == value
  }

  /// Returns the mode to select before a setting can be changed, or nil if it can be now.
  fileprivate func modeNeeded(for id: SettingID) -> ANCMode? {
    guard let declaration = capabilities?.declaration(of: id),
      declaration.restriction(in: anc.confirmed) != nil
    else { return nil }
    return declaration.modes?.first { command(setting: .noiseMode, to: $0.settingValue) != nil }
  }
}
