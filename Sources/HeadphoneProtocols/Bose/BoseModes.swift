internal import BluetoothCodec

/// The modes, of which the first two are noise control, and the current mode's live settings.
struct BoseModes: Sendable {
  private var active: UInt8?
  /// The names of the user's own modes, by index.
  private var own: [UInt8: String] = [:]
  var isUltra = false
  /// The current mode's level, automatic, spatial, wind and cancelling, or nil if not reported.
  private var live: [UInt8]?
  private var favourites: Favourites?
  /// The requested mode, or nil; until it is active, the headphone reports the previous one.
  var requested: UInt8?

  var isKnown: Bool { active != nil }
  var hasLiveSettings: Bool { live != nil }

  /// The modes that the button cycles through.
  private struct Favourites: Hashable, Sendable {
    /// The maximum number of favourites.
    var places: UInt8
    var map: UInt16

    func contains(_ index: UInt8) -> Bool { map >> index & 1 == 1 }
  }

  /// The levels in the live settings, from most cancelling to most ambient sound.
  static let levels: ClosedRange<UInt8> = 0...10

  // MARK: Commands

  static let noise: [ANCMode: UInt8] = [.noiseCancelling: 0, .transparency: 1]

  /// Returns the index of the mode that a value selects, or nil for another setting.
  func index(of id: SettingID, _ value: SettingValue) -> UInt8? {
    id == Self.id ? all.first { .choice($0.choice.id) == value }?.index : nil
  }

  func live(level: UInt8) -> [UInt8]? { live.map { Self.written([level] + $0.dropFirst()) } }

  /// Returns the live settings with another value of a setting, or nil for another setting.
  func live(_ id: SettingID, _ value: SettingValue) -> [UInt8]? {
    guard id == Self.immersive.id, case .choice(let name) = value,
      let index = Self.positions.firstIndex(of: name), var live
    else { return nil }
    live[Self.spatial] = UInt8(clamping: index)
    return Self.written(live)
  }

  /// Returns the favourites with one mode added or removed, or nil for another setting.
  func favourites(_ id: SettingID, _ value: SettingValue) -> [UInt8]? {
    guard case .toggle(let isOn) = value, let favourites,
      let index = all.first(where: { Self.favourite($0.choice).id == id })?.index
    else { return nil }
    let bit: UInt16 = 1 << index
    let map = isOn ? favourites.map | bit : favourites.map & ~bit
    return [favourites.places, UInt8(map >> 8), UInt8(truncatingIfNeeded: map)]
  }

  /// Returns the live settings as the headphone accepts them: automatic and wind must be 0.
  private static func written(_ live: [UInt8]) -> [UInt8] {
    [live[0], 0, live[spatial], 0, live[4]]
  }

  // MARK: Reports

  /// Applies the current mode, or FF for none.
  mutating func adopt(active index: UInt8, to reported: inout ReportedValues) {
    active = index
    if let mode = Self.noise.first(where: { $0.value == index })?.key {
      reported.apply(mode)
    } else {
      reported.apply(unnamedMode: index)
    }
    apply(to: &reported)
  }

  /// Applies one mode: index (1), prompt (2), flags (3, the second for "set up"), name (32).
  mutating func adopt(
    entry reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    let index = try reader.uint8()
    _ = try reader.read(3)
    let isSetUp = try reader.uint8() != 0
    _ = try reader.uint8()
    let name = textFromAir(try reader.read(32).prefix { $0 != 0 })
    // The modes that come with the headphone have fixed names here.
    guard Int(index) >= builtIn.count else { return }
    let known = all.first { $0.index == index }?.choice
    own[index] = isSetUp && !name.isEmpty ? name : nil
    if let known, own[index] == nil { reported.withdraw(Self.favourite(known).id) }
    apply(to: &reported)
    applyFavourites(to: &reported)
  }

  mutating func adopt(
    live reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    let settings = Array(try reader.read(5))
    let position = Int(settings[Self.spatial])
    if Self.levels.contains(settings[0]) {
      live = settings
      reported.apply(level: settings[0])
    } else {
      reported.reject(reader.malformed(.badValue(UInt64(settings[0])), at: 0))
    }
    if position < Self.positions.count {
      reported.apply(Self.immersive, .choice(Self.positions[position]))
    } else {
      reported.apply(Self.immersive, unnamed: settings[Self.spatial])
    }
  }

  /// Applies the number of places for favourites, and their bit map (BE16).
  mutating func adopt(
    favourites reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    let places = try reader.uint8()
    favourites = Favourites(places: places, map: try reader.uint16().byteSwapped)
    applyFavourites(to: &reported)
  }

  private func applyFavourites(to reported: inout ReportedValues) {
    guard let favourites else { return }
    for (index, choice) in all where index < favourites.places {
      reported.apply(Self.favourite(choice), .toggle(favourites.contains(index)))
    }
  }

  /// Reports the current mode as a setting if there are more modes than those of noise control.
  private func apply(to reported: inout ReportedValues) {
    guard let active, all.count > 2 else { return }
    let declaration = SettingDeclaration(Self.id, .choice(all.map(\.choice)))
    if let choice = all.first(where: { $0.index == active })?.choice {
      reported.apply(declaration, .choice(choice.id))
    } else {
      reported.apply(declaration, unnamed: active)
    }
  }

  // MARK: Names

  private static let id: SettingID = "listening-mode"
  /// The built-in modes, by index.
  private static let names = ["quiet", "aware", "immersion", "cinema"]
  /// The values of spatial sound: "still" stays in place, "motion" moves with the head.
  private static let positions = ["off", "still", "motion"]
  private static let spatial = 2
  private static let immersive = SettingDeclaration("immersive-audio", .choices(positions))

  private static func favourite(_ mode: SettingChoice) -> SettingDeclaration {
    var declaration = SettingDeclaration(SettingID(rawValue: "favourite-\(mode.id)"))
    declaration.title = "Button: \(mode.title)"
    declaration.label = String(mode.title.prefix(7))
    return declaration
  }

  private var builtIn: ArraySlice<String> { Self.names.prefix(isUltra ? Self.names.count : 2) }

  private var all: [(index: UInt8, choice: SettingChoice)] {
    let builtIn = builtIn.enumerated().map { index, id in
      (UInt8(index), SettingChoice(id, title: id.prefix(1).uppercased() + id.dropFirst()))
    }
    return builtIn
      + own.sorted { $0.key < $1.key }.map { index, name in
        (index, SettingChoice("mode-\(index)", title: name))
      }
  }
}
