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

  var isInCase: Bool { self == .inCase || self == .inClosedCase }
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
/// | colour left, right (LE) | | 15, 17 | 14, 16 | 14, 16 | 14, 16 |
/// | charging | | | | | ``GalaxyBudsModel/chargingPlace(revision:)`` |
///
/// Further settings: ``GalaxyBudsSetting``. The short state has revision, left, right, two bytes
/// that are not read, places, case, charging.
/// Proven by recordings of Buds2 Pro and Buds4 Pro, and the published tests of another project for
/// Buds, Buds+, Live, Pro, Buds2 and FE.
struct GalaxyBudsState: Hashable, Sendable {
  var generation: GalaxyBudsGeneration
  var revision: UInt8
  /// Nil: the short state does not have it, or it is not known here.
  var model: GalaxyBudsModel?
  /// Whether a confirmation has a result, 0 for success, where other buds have the value: Buds4, and
  /// all that are newer.
  var confirmsByResult = false
  /// The parts that report a level.
  var batteries = BatteryLevels("Galaxy Buds battery")
  /// Which buds are worn, each nil for one that is not connected; nil: not reported.
  var wearing: Wearing?
  /// The number of the mode that is in force; nil: the short state does not have it.
  var noise: UInt8?
  /// The level of ambient sound; nil: not reported, or above what any generation takes.
  var level: UInt8?
  /// Only those of 2019 report it.
  var focusesOnVoice: Bool?
  /// 0: off; else a preset's number plus 1; nil: not reported.
  var equaliser: UInt8?
  var isTouchLocked: Bool?
  /// Which gestures do something, where the lock has to be written with them.
  var gestures: GalaxyBudsGestures?
  /// The actions of touching and holding; nil: not reported.
  var holds: GalaxyBudsHolds?
  /// The bytes of ``GalaxyBudsSetting/all`` that are reported.
  var settings: [SettingID: UInt8] = [:]
  /// Values that cannot be, of which each costs itself alone.
  var mistakes: [MalformedBytes] = []

  /// The highest level of ambient sound of any buds.
  static let mostAmbient: UInt8 = 4

  /// Decodes a full state; bytes that newer firmware adds at the end are ignored.
  ///
  /// - Throws: `MalformedBytes` where the state ends before a field that all have.
  init(
    full bytes: Bytes, _ layout: GalaxyBudsFrame.Layout
  ) throws(MalformedBytes) {
    let what = "Galaxy Buds state"
    let fields = Array(bytes)
    func field(_ place: Int) throws(MalformedBytes) -> UInt8 {
      guard place < fields.count else {
        throw MalformedBytes(
          what, at: place, .truncated(needed: place + 1, available: fields.count))
      }
      return fields[place]
    }
    revision = try field(0)
    let ear = try field(1)
    generation = GalaxyBudsGeneration(layout, ear: ear)
    let colours = [generation == .plus ? 15 : 14, generation == .plus ? 17 : 16].compactMap {
      $0 + 1 < fields.count ? UInt16(fields[$0]) | UInt16(fields[$0 + 1]) << 8 : nil
    }
    model = layout == .first ? .first : GalaxyBudsModel(ear: ear, colours: colours)
    confirmsByResult =
      layout == .later && ear >= Self.firstByResult || [.fourth, .fourthPro].contains(model)
    let charging = model?.chargingPlace(revision: revision).flatMap {
      $0 < fields.count ? fields[$0] : nil
    }
    apply(
      left: try field(2), right: try field(3), case: generation.hasCase ? try field(7) : nil,
      places: try field(6), charging)
    switch generation {
    case .first:
      noise = flag(7, try field(7)).map { $0 ? ANCMode.transparency.rawValue : 0 }
      focusesOnVoice = flag(8, try field(8))
      level = try field(9)
      // Presets 5 to 9 are the same with Dolby's sound.
      let preset = try field(11) % 5 + 1
      equaliser = flag(10, try field(10)).map { $0 ? preset : 0 }
      isTouchLocked = flag(12, try field(12))
    case .plus:
      noise = flag(8, try field(8)).map { $0 ? ANCMode.transparency.rawValue : 0 }
      level = try field(9)
      equaliser = try field(11)
      isTouchLocked = flag(12, try field(12))
    case .live, .pro, .second:
      equaliser = try field(9)
      let touch = try field(10)
      // Of a model that is not known, the newest one's.
      let gestures =
        model.map { $0.gestures(revision: revision) } ?? GalaxyBudsModel.allGestures
      if generation == .second, let gestures {
        isTouchLocked = touch & 0x80 == 0
        self.gestures = GalaxyBudsGestures(bits: touch & 0x7F, named: gestures)
      } else {
        isTouchLocked = flag(10, touch)
      }
      if generation == .second { holds = GalaxyBudsHolds(try field(11)) }
      noise = try field(12)
      if generation != .live, fields.count > 23 { level = fields[23] }
    }
    if generation.levels == nil || level.map({ $0 > Self.mostAmbient }) == true { level = nil }
    for setting in GalaxyBudsSetting.all {
      guard let place = setting.place(self), place < fields.count else { continue }
      settings[setting.declaration.id] = fields[place]
    }
  }

  /// Decodes a short state: batteries and places alone.
  ///
  /// - Throws: as the full state.
  init(
    short bytes: Bytes, _ generation: GalaxyBudsGeneration
  ) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Galaxy Buds short state")
    self.generation = generation
    revision = try reader.uint8()
    let (left, right) = (try reader.uint8(), try reader.uint8())
    _ = try reader.read(2)
    let places = try reader.uint8()
    let caseLevel = generation.hasCase ? try reader.uint8() : nil
    apply(
      left: left, right: right, case: caseLevel, places: places,
      reader.isAtEnd ? nil : try reader.uint8())
  }

  /// Returns a flag, or nil for a byte that is none, which is noted.
  private mutating func flag(_ place: Int, _ raw: UInt8) -> Bool? {
    if raw <= 1 { return raw == 1 }
    mistakes.append(MalformedBytes("Galaxy Buds state", at: place, .badValue(UInt64(raw))))
    return nil
  }

  /// Applies batteries and places.
  ///
  /// A bud at 0 % that is not connected is left out. The case is known while a bud sits in it: else
  /// it reports an old level, or 0, or one above 100 %.
  private mutating func apply(
    left: UInt8, right: UInt8, case level: UInt8?, places raw: UInt8, _ charging: UInt8?
  ) {
    let places = [raw >> 4, raw & 0x0F].map { GalaxyBudsPlace(rawValue: $0) }
    if let left = places[0], let right = places[1],
      generation != .first || left.rawValue <= 1 && right.rawValue <= 1
    {
      // Those of 2019 report worn or not, but not whether a bud is connected.
      wearing =
        generation == .first
        ? Wearing(left: left == .worn, right: right == .worn)
        : Wearing(left: left.isWorn, right: right.isWorn)
    } else {
      mistakes.append(MalformedBytes("Galaxy Buds place", at: 6, .badValue(UInt64(raw))))
    }
    for (part, level, place, bit) in [
      (Part.left, left, places[0], Self.chargingLeft),
      (.right, right, places[1], Self.chargingRight),
    ] where level > 0 || generation != .first && place != .absent {
      batteries.add(part, level, isCharging: charging.map { $0 & bit != 0 }, at: 2)
    }
    if let level, (1...100).contains(level), places.contains(where: { $0?.isInCase == true }) {
      batteries.add(.case, level, isCharging: charging.map { $0 & Self.chargingCase != 0 })
    }
  }

  /// The "ear" of Buds4 Pro.
  private static let firstByResult: UInt8 = 0x0D
  /// Bits of the charging byte.
  private static let chargingLeft: UInt8 = 0x10
  private static let chargingRight: UInt8 = 0x04
  private static let chargingCase: UInt8 = 0x01
}

/// Which gestures of the buds do something.
struct GalaxyBudsGestures: Hashable, Sendable {
  /// A bit for each gesture that does.
  var bits: UInt8
  /// The bits of the gestures that a command names, in this order.
  var named: [UInt8]

  /// The payload of a command for the touch lock.
  func locked(_ isLocked: Bool) -> [UInt8] {
    [isLocked ? 0 : 1] + named.map { bits & $0 == 0 ? 0 : 1 }
  }
}
