internal import AudioRoute
internal import Companion
internal import HeadphoneProtocols

extension HeadphoneState {
  /// Returns the state in phrases that can be spoken separately, for a screen reader.
  ///
  /// Without a link only the link's state is included, because an old value would sound current.
  func phrases(name: String, sound: [String]) -> [String] {
    guard link.isReady else { return ["\(name): \(displayable(linkText))"] }
    let wearing = wearing.map { [$0.displayText] } ?? []
    return ["\(name) connected"] + charges + sound + wearing + settingPhrases
  }

  private var charges: [String] {
    Part.allCases.compactMap { part in
      guard let charge = battery?.value[part], charge.level != nil else { return nil }
      return hasOneBattery ? "battery \(charge.displayText)" : "\(part.name) \(charge.displayText)"
    }
  }

  func soundPhrases(in state: State) -> [String] {
    switch state.route(of: self) {
    case .connected(let sink, _):
      ["sound here", "volume \(sink.volume)%" + (sink.isMuted ? ", muted" : "")]
    case .notRouted(_, let sink), .none(let sink):
      sink.map { ["sound on \(displayable($0.description))"] } ?? []
    case .unknown: []
    }
  }

  private var settingPhrases: [String] {
    (capabilities?.controlRows ?? []).compactMap { row in
      guard row.declaration.kind.isSaid, let value = setting(row.declaration.id).confirmed
      else { return nil }
      let words = displayable(words(for: value, of: row.declaration.id))
      guard row.row == .anc else { return "\(row.declaration.title.lowercased()) \(words)" }
      return ANCMode(setting: value) == .off
        ? "noise control off" : "\(words.lowercased()) on"
    }
  }
}

extension SettingDeclaration.Kind {
  /// Whether the setting's value is a word or a number rather than a list.
  fileprivate var isSaid: Bool {
    switch self {
    case .choice, .level, .toggle: true
    default: false
    }
  }
}
