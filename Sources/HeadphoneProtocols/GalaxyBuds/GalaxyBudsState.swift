internal import BluetoothCodec

/// The generations of Galaxy Buds, whose states have their fields at other offsets.
enum GalaxyBudsGeneration: Hashable, Sendable {
  /// Galaxy Buds of 2019.
  case first
  /// Buds+ (2020).
  case plus
  /// Buds Live, with cancelling and without ambient sound.
  case live
  /// Buds Pro.
  case pro
  /// Buds2 and everything newer.
  case second

  /// The generation by framing and model.
  ///
  /// - Parameter ear: byte 1 of the full state: 0 Buds+, 1 Live, 2 Pro; all others are newer.
  init(_ layout: GalaxyBudsFrame.Layout, ear: UInt8) {
    self =
      layout == .first
      ? .first : [0x00: GalaxyBudsGeneration.plus, 0x01: .live, 0x02: .pro][ear] ?? .second
  }

  /// Whether the state has the case's battery.
  var hasCase: Bool { self != .first }

  /// The modes of noise control; adaptive is added where it was reported.
  var modes: [ANCMode] {
    switch self {
    case .first, .plus: [.off, .transparency]
    case .live: [.off, .noiseCancelling]
    case .pro, .second: [.off, .noiseCancelling, .transparency]
    }
  }

  /// The levels of ambient sound that every model of the generation takes; nil: none.
  var levels: ClosedRange<UInt8>? {
    switch self {
    case .first: 0...4
    case .plus, .second: 0...2
    case .live: nil
    case .pro: 0...3
    }
  }
}

/// Where a bud is, as 4 bits of the state: the upper ones are the left bud's.
enum GalaxyBudsPlace: UInt8, Hashable, Sendable {
  /// Not connected to the other one.
  case absent = 0
  /// In the ear, out of it, and in the open or closed case.
  case worn, outside, inCase, inClosedCase

  /// Whether the bud is worn; nil: it is not connected.
  var isWorn: Bool? { self == .absent ? nil : self == .worn }
}

/// The full state (message 0x61) or the short one (0x60).
///
/// Offsets of the full state, in bytes:
///
/// | field | 2019 | Buds+ | Live | Pro | Buds2 and later |
/// | --- | --- | --- | --- | --- | --- |
/// | revision | 0 | 0 | 0 | 0 | 0 |
/// | model ("ear") | 1 | 1 | 1 | 1 | 1 |
/// | battery left, right (%) | 2, 3 | 2, 3 | 2, 3 | 2, 3 | 2, 3 |
/// | places (4 bits each) | 6 | 6 | 6 | 6 | 6 |
/// | battery of the case (%) | | 7 | 7 | 7 | 7 |
/// | noise control | 7 (flag) | 8 (flag) | 12 | 12 | 12 |
/// | focus on voice | 8 | | | | |
/// | level of ambient sound | 9 | 9 | | 23 | 23 |
/// | equaliser | 10 (flag), 11 | 11 | 9 | 9 | 9 |
/// | touch lock | 12 | 12 | 10 | 10 | 10: bit 7 clear, and gestures |
/// | touching and holding | | | | | 11 (``GalaxyBudsHolds``) |
/// | charging | | | | | 36 or 43 by model and revision |
///
/// Further settings: ``GalaxyBudsSetting``. The short state has revision, left, right, two bytes
/// that are not read, places, case, charging.
/// Proven by recordings of Buds2 Pro and the published tests of another project for Buds, Buds+,
/// Buds Pro, Buds2 and Buds FE.
struct GalaxyBudsState: Hashable, Sendable {
  /// The parts that report a level.
  var batteries: BatteryLevels
  /// Which buds are worn; nil for one that is not connected.
  var wearing: Wearing
  /// The model's name; nil: the short state does not have it, or it has none here.
  var model: String?
  /// Nil: the short state does not have it.
  var noise: ANCMode?
  /// The level of ambient sound; nil: not reported, or above what any generation takes.
  var level: UInt8?
  /// Only those of 2019 report it.
  var focusesOnVoice: Bool?
  /// 0: off; else a preset's number plus 1; nil: not reported, or a preset without a name here.
  var equaliser: UInt8?
  var isTouchLocked: Bool?
  /// Which gestures do something, where the lock has to be written with them.
  var gestures: UInt8?
  /// The actions of touching and holding; nil: not reported.
  var holds: GalaxyBudsHolds?
  /// The values of ``GalaxyBudsSetting/all`` that are reported and have a name.
  var settings: [SettingID: SettingValue] = [:]

  /// The models whose number is known, by recordings but for the Buds Live.
  private static let models: [UInt8: String] = [
    0x00: "Galaxy Buds+", 0x01: "Galaxy Buds Live", 0x02: "Galaxy Buds Pro", 0x03: "Galaxy Buds2",
    0x04: "Galaxy Buds2 Pro", 0x06: "Galaxy Buds FE",
  ]
  /// The highest level of ambient sound of any buds.
  static let mostAmbient: UInt8 = 4
  /// Bits of the charging byte.
  private static let chargingLeft: UInt8 = 0x10
  private static let chargingRight: UInt8 = 0x04
  private static let chargingCase: UInt8 = 0x01

  /// Decodes a full state; bytes that newer firmware adds at the end are ignored.
  ///
  /// - Throws: `MalformedBytes` where the state ends before a field, and for a place above 4 and a
  ///   flag above 1.
  init(
    full bytes: Bytes, _ layout: GalaxyBudsFrame.Layout
  ) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Galaxy Buds state")
    let revision = try reader.uint8()
    let ear = try reader.uint8()
    let generation = GalaxyBudsGeneration(layout, ear: ear)
    model = layout == .first ? "Galaxy Buds" : Self.models[ear]
    let fields = Array(bytes)
    func field(_ place: Int) throws(MalformedBytes) -> UInt8 {
      guard place < fields.count else {
        throw MalformedBytes(
          "Galaxy Buds state", at: place, .truncated(needed: place + 1, available: fields.count))
      }
      return fields[place]
    }
    func flag(_ place: Int) throws(MalformedBytes) -> Bool {
      let raw = try field(place)
      guard raw <= 1 else {
        throw MalformedBytes("Galaxy Buds state", at: place, .badValue(UInt64(raw)))
      }
      return raw == 1
    }
    let places = try Self.places(try field(6), generation)
    wearing = Self.wearing(places, generation)
    var charging: UInt8?
    if let place = Self.chargingPlace(ear: ear, revision: revision), place < fields.count {
      charging = fields[place]
    }
    batteries = Self.batteries(
      left: try field(2), right: try field(3),
      case: generation.hasCase ? try field(7) : nil, places, generation, charging)
    switch generation {
    case .first:
      noise = try flag(7) ? .transparency : .off
      focusesOnVoice = try flag(8)
      level = try field(9)
      // Presets 5 to 9 are the same with Dolby's sound.
      equaliser = try flag(10) ? try field(11) % 5 + 1 : 0
      isTouchLocked = try flag(12)
    case .plus:
      noise = try flag(8) ? .transparency : .off
      level = try field(9)
      equaliser = try field(11)
      isTouchLocked = try flag(12)
    case .live, .pro, .second:
      equaliser = try field(9)
      let touch = try field(10)
      isTouchLocked = generation == .second ? touch & 0x80 == 0 : try flag(10)
      if generation == .second {
        gestures = touch & 0x7F
        holds = GalaxyBudsHolds(try field(11))
      }
      noise = try Self.mode(try field(12))
      if generation != .live, fields.count > 23 { level = fields[23] }
    }
    if generation.levels == nil || level.map({ $0 > Self.mostAmbient }) == true { level = nil }
    if let equaliser, equaliser > 5 { self.equaliser = nil }
    for setting in GalaxyBudsSetting.all {
      guard let place = setting.place(generation, ear), place < fields.count else { continue }
      settings[setting.declaration.id] = setting.value(of: fields[place])
    }
  }

  /// Decodes a short state: batteries and places alone.
  ///
  /// - Throws: as the full state.
  init(
    short bytes: Bytes, _ layout: GalaxyBudsFrame.Layout, _ generation: GalaxyBudsGeneration
  ) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Galaxy Buds short state")
    _ = try reader.uint8()
    let (left, right) = (try reader.uint8(), try reader.uint8())
    _ = try reader.read(2)
    let places = try Self.places(try reader.uint8(), generation)
    wearing = Self.wearing(places, generation)
    let caseLevel = generation.hasCase ? try reader.uint8() : nil
    batteries = Self.batteries(
      left: left, right: right, case: caseLevel, places, generation,
      reader.isAtEnd ? nil : try reader.uint8())
  }

  /// The mode of a number; malformed above 3.
  static func mode(_ raw: UInt8) throws(MalformedBytes) -> ANCMode {
    guard let mode = ANCMode(rawValue: raw) else {
      throw MalformedBytes("Galaxy Buds noise control", at: 0, .badValue(UInt64(raw)))
    }
    return mode
  }

  /// Which buds are worn, of the byte behind the mode of message 0x77: 1 in the upper 4 bits for the
  /// left one, in the lower ones for the right one, as the buds of 2019 report it.
  static func wearing(_ raw: UInt8) -> Wearing {
    Wearing(left: raw >> 4 == 1, right: raw & 0x0F == 1)
  }

  private typealias Places = (left: GalaxyBudsPlace, right: GalaxyBudsPlace)

  /// Both places of a byte; those of 2019 have worn and not worn alone.
  private static func places(
    _ byte: UInt8, _ generation: GalaxyBudsGeneration
  ) throws(MalformedBytes) -> Places {
    guard let left = GalaxyBudsPlace(rawValue: byte >> 4),
      let right = GalaxyBudsPlace(rawValue: byte & 0xF),
      generation != .first || left.rawValue <= 1 && right.rawValue <= 1
    else { throw MalformedBytes("Galaxy Buds place", at: 6, .badValue(UInt64(byte))) }
    return (left, right)
  }

  /// Which buds are worn.
  ///
  /// Those of 2019 report worn or not, but not whether a bud is connected.
  private static func wearing(
    _ places: Places, _ generation: GalaxyBudsGeneration
  ) -> Wearing {
    generation == .first
      ? Wearing(left: places.left == .worn, right: places.right == .worn)
      : Wearing(left: places.left.isWorn, right: places.right.isWorn)
  }

  /// The levels of the parts that are there.
  ///
  /// A bud at 0 % that is not connected is left out, and so is a case at 0 or above 100 %, which
  /// stands for unknown.
  private static func batteries(
    left: UInt8, right: UInt8, case level: UInt8?, _ places: Places,
    _ generation: GalaxyBudsGeneration, _ charging: UInt8?
  ) -> BatteryLevels {
    var batteries = BatteryLevels("Galaxy Buds battery")
    for (part, level, place, bit) in [
      (Part.left, left, places.left, chargingLeft), (.right, right, places.right, chargingRight),
    ] {
      let isThere = generation == .first ? level > 0 : level > 0 || place != .absent
      guard isThere else { continue }
      batteries.add(part, level, isCharging: charging.map { $0 & bit != 0 }, at: 2)
    }
    if let level, (1...100).contains(level) {
      batteries.add(.case, level, isCharging: charging.map { $0 & chargingCase != 0 })
    }
    return batteries
  }

  /// The charging byte's offset in a model's full state; nil: none, or unknown.
  private static func chargingPlace(ear: UInt8, revision: UInt8) -> Int? {
    switch ear {
    case 0x03: revision >= 10 ? 36 : nil
    case 0x04: revision >= 11 ? 43 : nil
    case 0x06: 43
    default: nil
    }
  }
}
