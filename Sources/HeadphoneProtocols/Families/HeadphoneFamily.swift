package import BluetoothCodec
package import GATT

/// The kinds of headphones that have a driver, by the names of `--driver`.
public enum HeadphoneFamily: String, Hashable, Sendable, CaseIterable {
  /// docs/protocol.md, and profiles of the configuration.
  case earshot
  case nothing
  case soundcore
  /// AirPods and Beats, over the audio side's link.
  case airpods
  /// Sony's, over a serial channel of the audio side.
  case sony
  /// Samsung's, the same way.
  case galaxyBuds = "galaxy-buds"
  /// Bose's, the same way.
  case bose
  /// Huawei's and Honor's, the same way.
  case huawei
  /// Oppo's, Realme's and OnePlus's, over a serial channel of the audio side.
  case oppo
  /// The standard services alone.
  case standard

  /// The family's language; nil: it has none beside the standard services.
  package var language: (any FamilyProtocol.Type)? {
    switch self {
    case .nothing: NothingProtocol.self
    case .soundcore: SoundcoreProtocol.self
    case .earshot, .airpods, .sony, .galaxyBuds, .bose, .huawei, .oppo, .standard: nil
    }
  }

  /// The family's language on a serial channel of the audio side; nil: it speaks on none.
  package var serialLanguage: (any SerialProtocol.Type)? {
    switch self {
    case .sony: SonyProtocol.self
    case .galaxyBuds: GalaxyBudsProtocol.self
    case .bose: BoseProtocol.self
    case .huawei: HuaweiProtocol.self
    case .oppo: OppoProtocol.self
    case .nothing: NothingProtocol.self
    case .soundcore: SoundcoreSerialProtocol.self
    case .earshot, .airpods, .standard: nil
    }
  }

  /// Whether its controls are on the audio side alone, whose address is enough to call it.
  public var isOnAudioSide: Bool {
    self == .airpods || serialLanguage != nil && language == nil
  }

  /// The family that speaks on one of a device's services, and on which: never a question of the
  /// name.
  ///
  /// - Parameter vendor: of the Device ID record; nil: it has none.
  package static func serial(
    _ services: [BluetoothUUID], vendor: UInt16?
  ) -> (language: any SerialProtocol.Type, service: SerialService, uuid: BluetoothUUID)? {
    for language in allCases.compactMap(\.serialLanguage) {
      for service in language.services {
        if let uuid = service.match(services, vendor: vendor) { return (language, service, uuid) }
      }
    }
    return nil
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
