package import GATT

/// The kinds of headphones that have a driver, by the names of `--driver`.
public enum HeadphoneFamily: String, Hashable, Sendable, CaseIterable {
  /// docs/protocol.md, and profiles of the configuration.
  case earshot
  case nothing
  case soundcore
  /// AirPods and Beats, over the audio side's link.
  case airpods
  /// The standard services alone.
  case standard

  /// The family's language; nil: it has none beside the standard services.
  package var language: (any FamilyProtocol.Type)? {
    switch self {
    case .nothing: NothingProtocol.self
    case .soundcore: SoundcoreProtocol.self
    case .earshot, .airpods, .standard: nil
    }
  }

  /// The family whose services these are: never a question of the name.
  package static func language(
    of database: Database, _ models: ModelCatalog
  ) -> (language: any FamilyProtocol, channel: FamilyChannel)? {
    for language in allCases.compactMap(\.language) {
      if let channel = language.channel(in: database) {
        return (language.init(on: channel, models), channel)
      }
    }
    return nil
  }
}
