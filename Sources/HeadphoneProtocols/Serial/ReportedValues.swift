/// What a headphone has reported so far, and the capabilities and events that follow from it.
///
/// A protocol decodes bytes and hands the values over: only a change becomes an event, and a
/// setting is there once it has been reported.
struct ReportedValues: Hashable, Sendable {
  private(set) var batteries: [Part: Battery] = [:]
  private(set) var wearing: Wearing?
  private(set) var noise: ANCMode?
  /// The level of ambient sound, in the headphone's own steps.
  private(set) var level: UInt8?
  private(set) var volume: HeadphoneVolume?
  private(set) var equaliser: [BandGain]?
  private var values: [SettingID: SettingValue] = [:]
  /// In the order in which they were reported first.
  private var declarations: [SettingDeclaration] = []

  /// The setting's value; nil: the headphone has not reported it.
  subscript(id: SettingID) -> SettingValue? { values[id] }

  /// Whether the switch was reported on; nil: it was not reported.
  func isOn(_ id: SettingID) -> Bool? {
    if case .toggle(let isOn)? = values[id] { isOn } else { nil }
  }

  /// By what was reported; modes, ranges and bands are the protocol's to add.
  var capabilities: Capabilities {
    var able = Capabilities()
    able.batteries = Part.allCases.filter { batteries[$0] != nil }
    able.hasCase = batteries[.case] != nil
    able.hasVolume = volume != nil
    able.settings = declarations
    return able
  }

  /// Forgets that a setting is there.
  mutating func withdraw(_ id: SettingID) {
    values[id] = nil
    declarations.removeAll { $0.id == id }
  }

  /// Takes the parts that a report names; the others stay as they were.
  mutating func take(_ parts: [Part: Battery]) -> [HeadphoneEvent] {
    let before = batteries
    batteries.merge(parts) { $1 }
    return batteries == before ? [] : [.batteryChanged(batteries)]
  }

  mutating func take(_ reported: Wearing) -> [HeadphoneEvent] {
    defer { wearing = reported }
    return wearing == reported ? [] : [.wearingChanged(reported)]
  }

  mutating func take(_ mode: ANCMode) -> [HeadphoneEvent] {
    defer { noise = mode }
    return noise == mode ? [] : [.ancChanged(mode)]
  }

  mutating func take(level reported: UInt8) -> [HeadphoneEvent] {
    defer { level = reported }
    return level == reported ? [] : [.ancLevelChanged(reported)]
  }

  mutating func take(_ reported: HeadphoneVolume) -> [HeadphoneEvent] {
    defer { volume = reported }
    return volume == reported ? [] : [.volumeChanged(reported)]
  }

  /// Takes the gains of all bands, under the preset that they belong to.
  mutating func take(_ preset: EQPreset, _ gains: [BandGain]) -> [HeadphoneEvent] {
    defer { equaliser = gains }
    return equaliser == gains ? [] : [.eqChanged(preset, bands: gains)]
  }

  /// Takes a setting's value, which declares the setting; a value that it cannot have is dropped.
  mutating func take(
    _ declaration: SettingDeclaration, _ value: SettingValue
  ) -> [HeadphoneEvent] {
    guard declaration.accepts(value) else { return [] }
    if let index = declarations.firstIndex(where: { $0.id == declaration.id }) {
      declarations[index] = declaration
    } else {
      declarations.append(declaration)
    }
    return values.updateValue(value, forKey: declaration.id) == value
      ? [] : [.settingChanged(declaration.id, value)]
  }

  /// Checks that the headphone reports what was ordered; an acknowledgement alone proves nothing.
  ///
  /// - Throws: `unsupported` where it reports another value.
  func confirm(_ command: HeadphoneCommand) throws(HeadphoneError) {
    switch command {
    case .setANC(let mode) where noise != mode:
      throw .unsupported("noise control mode \"\(mode)\"")
    case .setANCLevel(let requested) where level != requested:
      throw .unsupported("a level of \(requested)")
    case .set(let id, let value) where values[id] != nil && values[id] != value:
      throw .unsupported("\(id.displayText) \(value.text)")
    default: break
    }
  }
}

extension SettingDeclaration {
  /// A choice whose titles are its identifiers in words: "when-taken-off" is "When taken off".
  static func choices(_ ids: [String]) -> Kind {
    .choice(
      ids.map { id in
        let words = id.split(separator: "-").joined(separator: " ")
        return SettingChoice(id, title: words.prefix(1).uppercased() + words.dropFirst())
      })
  }
}
