internal import BluetoothCodec

/// The modes of a Bose headphone, and the live settings of the current mode.
///
/// The first two modes are those of noise control.
struct BoseModes: Sendable {
  /// The current mode, or nil if not reported.
  private var active: UInt8?
  /// The names of the user's own modes, by index.
  private var own: [UInt8: String] = [:]
  /// Whether the headphone comes with four modes instead of two.
  var isUltra = false
  /// The current mode's level, automatic, spatial, wind and cancelling, or nil if not reported.
  private var live: [UInt8]?
  /// The favourite modes, or nil if not reported.
  private var favourites: Favourites?
  /// The requested mode, or nil if none was requested or the request was refused.
  ///
  /// Until the requested mode is active, the headphone still reports the previous one.
  var requested: UInt8?

  /// Whether the headphone has reported a mode, so noise control is one of its modes.
  var isKnown: Bool { active != nil }
  var hasLiveSettings: Bool { live != nil }

  /// The modes that the headphone's button goes through.
  private struct Favourites: Hashable, Sendable {
    /// The number of modes that the headphone has room for.
    var places: UInt8
    /// The favourites: bit n is set for mode n.
    var map: UInt16

    func contains(_ index: UInt8) -> Bool { map >> index & 1 == 1 }
  }

  /// The levels in the live settings, from most cancelling to most ambient sound.
  static let levels: ClosedRange<UInt8> = 0...10

  // MARK: Commands

  /// The indices of the modes of noise control.
  static let noise: [ANCMode: UInt8] = [.noiseCancelling: 0, .transparency: 1]

  /// Returns the index of the mode that a value selects, or nil if the value is of another setting.
  func index(of id: SettingID, _ value: SettingValue) -> UInt8? {
    id == Self.id ? all.first { .choice($0.choice.id) == value }?.index : nil
  }

  /// Returns the live settings with another level, or nil if they were not reported.
  func live(level: UInt8) -> [UInt8]? { live.map { Self.written([level] + $0.dropFirst()) } }

  /// Returns the live settings with another value of a setting, or nil if it is not one of them.
  func live(_ id: SettingID, _ value: SettingValue) -> [UInt8]? {
    guard id == Self.immersive.id, case .choice(let name) = value,
      let index = Self.positions.firstIndex(of: name), var live
    else { return nil }
    live[Self.spatial] = UInt8(clamping: index)
    return Self.written(live)
  }

  /// Returns the payload with another mode added to or removed from the favourites, or nil if the
  /// value is of another setting.
  func favourites(_ id: SettingID, _ value: SettingValue) -> [UInt8]? {
    guard case .toggle(let isOn) = value, let favourites,
      let index = all.first(where: { Self.favourite($0.choice).id == id })?.index
    else { return nil }
    let bit: UInt16 = 1 << index
    let map = isOn ? favourites.map | bit : favourites.map & ~bit
    return [favourites.places, UInt8(map >> 8), UInt8(truncatingIfNeeded: map)]
  }

  /// Returns the live settings as they may be written: automatic and wind are refused unless 0.
  private static func written(_ live: [UInt8]) -> [UInt8] {
    [live[0], 0, live[spatial], 0, live[4]]
  }

  // MARK: Reports

  /// Applies the current mode; FF means none.
  mutating func adopt(active index: UInt8, to reported: inout ReportedValues) {
    active = index
    if let mode = Self.noise.first(where: { $0.value == index })?.key {
      reported.apply(mode)
    } else {
      reported.apply(unnamedMode: index)
    }
    apply(to: &reported)
  }

  /// Applies one entry of the list of modes.
  ///
  /// It has an index, 2 bytes of its prompt, 3 flags of which the second says that the mode is set
  /// up, and a name of 32 bytes.
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

  /// Applies the favourites: the number of places, and a bit map BE16 of modes.
  mutating func adopt(
    favourites reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    let places = try reader.uint8()
    favourites = Favourites(places: places, map: try reader.uint16().byteSwapped)
    applyFavourites(to: &reported)
  }

  /// Reports for each mode with a name whether it is a favourite.
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
  /// The names of the modes that come with the headphone, by index.
  private static let names = ["quiet", "aware", "immersion", "cinema"]
  /// The positions of the sound in the live settings, by number.
  ///
  /// "still" stays in place, and "motion" moves with the head.
  private static let positions = ["off", "still", "motion"]
  private static let spatial = 2
  private static let immersive = SettingDeclaration("immersive-audio", .choices(positions))

  /// Returns the switch of a mode that makes it a favourite.
  private static func favourite(_ mode: SettingChoice) -> SettingDeclaration {
    var declaration = SettingDeclaration(SettingID(rawValue: "favourite-\(mode.id)"))
    declaration.title = "Button: \(mode.title)"
    declaration.label = String(mode.title.prefix(7))
    return declaration
  }

  /// The modes that come with the headphone; quiet and aware are also modes of noise control.
  private var builtIn: ArraySlice<String> { Self.names.prefix(isUltra ? Self.names.count : 2) }

  /// All modes that have a name, with their index.
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
