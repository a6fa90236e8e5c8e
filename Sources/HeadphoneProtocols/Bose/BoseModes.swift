internal import BluetoothCodec

/// The modes of a headphone of Bose's, of which the first two are noise control, and the live settings
/// of the one in force.
struct BoseModes: Sendable {
  /// The mode in force; nil: not reported.
  private var active: UInt8?
  /// The names of the wearer's own modes, by their index.
  private var own: [UInt8: String] = [:]
  /// Whether all four modes come with the headphone.
  var isUltra = false
  /// Level, automatic, spatial, wind and cancelling of the mode in force; nil: not reported.
  private var live: [UInt8]?
  /// The mode that was ordered: until it is active, the one before is still reported.
  ///
  /// Nil: none was ordered, or it was refused.
  var requested: UInt8?

  /// Whether noise control is one of several modes.
  var isKnown: Bool { active != nil }
  var hasLiveSettings: Bool { live != nil }

  /// The levels of live settings, from most cancelling to most of the outside.
  static let levels: ClosedRange<UInt8> = 0...10

  // MARK: Orders

  /// The modes that are noise control, by their index.
  static let noise: [ANCMode: UInt8] = [.noiseCancelling: 0, .transparency: 1]

  /// The index of a value of the setting; nil: it is of another setting.
  func index(of id: SettingID, _ value: SettingValue) -> UInt8? {
    id == Self.id ? all.first { .choice($0.choice.id) == value }?.index : nil
  }

  /// Returns the live settings with another level; nil: they were not reported.
  func live(level: UInt8) -> [UInt8]? { live.map { Self.written([level] + $0.dropFirst()) } }

  /// Returns the live settings with another value of a setting; nil: it is none of theirs.
  func live(_ id: SettingID, _ value: SettingValue) -> [UInt8]? {
    guard id == Self.immersive.id, case .choice(let name) = value,
      let index = Self.positions.firstIndex(of: name), var live
    else { return nil }
    live[Self.spatial] = UInt8(clamping: index)
    return Self.written(live)
  }

  /// The settings as they may be written: automatic and wind are refused but as 0.
  private static func written(_ live: [UInt8]) -> [UInt8] {
    [live[0], 0, live[spatial], 0, live[4]]
  }

  // MARK: Reports

  /// Adopts the mode in force, which FF says that there is none.
  mutating func adopt(active index: UInt8, to reported: inout ReportedValues) {
    active = index
    if let mode = Self.noise.first(where: { $0.value == index })?.key {
      reported.apply(mode)
    } else {
      reported.apply(unnamedMode: index)
    }
    apply(to: &reported)
  }

  /// Adopts one entry of the list of modes: index, 2 bytes of its prompt, 3 flags of which the second
  /// says that it is set up, name of 32 bytes.
  mutating func adopt(
    entry reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    let index = try reader.uint8()
    _ = try reader.read(3)
    let isSetUp = try reader.uint8() != 0
    _ = try reader.uint8()
    let name = textFromAir(try reader.read(32).prefix { $0 != 0 })
    // The first ones have names of their own here.
    guard Int(index) >= builtIn.count else { return }
    own[index] = isSetUp && !name.isEmpty ? name : nil
    apply(to: &reported)
  }

  /// Adopts the live settings.
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

  /// Reports the mode in force where there are others than noise control's.
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
  /// The modes that come with the headphone, by their index.
  private static let names = ["quiet", "aware", "immersion", "cinema"]
  /// Where sound comes from in live settings, by number: a place that stays, or that moves along.
  private static let positions = ["off", "still", "motion"]
  private static let spatial = 2
  private static let immersive = SettingDeclaration("immersive-audio", .choices(positions))

  /// The modes that come with the headphone: quiet and aware are noise control's, too.
  private var builtIn: ArraySlice<String> { Self.names.prefix(isUltra ? Self.names.count : 2) }

  /// All modes that have a name, by their index.
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
