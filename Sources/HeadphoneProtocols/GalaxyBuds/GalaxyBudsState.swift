internal import BluetoothCodec

/// A generation, which determines the offsets of fields in its states.
enum GalaxyBudsGeneration: Hashable, Sendable {
  case first
  case plus
  /// Buds Live, with cancelling and without ambient sound.
  case live
  case pro
  /// Buds2 and everything newer.
  case second

  /// Creates the generation from byte 1 of the full state: 0 Buds+, 1 Live, 2 Pro, others newer.
  init(_ layout: GalaxyBudsFrame.Layout, ear: UInt8) {
    self =
      layout == .first
      ? .first : [0x00: GalaxyBudsGeneration.plus, 0x01: .live, 0x02: .pro][ear] ?? .second
  }

  var hasCase: Bool { self != .first }

  /// The modes of noise control; the adaptive mode is added once it was reported.
  var modes: [ANCMode] {
    switch self {
    case .first, .plus: [.off, .transparency]
    case .live: [.off, .noiseCancelling]
    case .pro, .second: [.off, .noiseCancelling, .transparency]
    }
  }

  /// The levels of ambient sound of every model in the generation, or nil if there are none.
  var levels: ClosedRange<UInt8>? {
    switch self {
    case .first: 0...4
    case .plus, .second: 0...2
    case .live: nil
    case .pro: 0...3
    }
  }
}

/// The place of a bud: 4 bits of the state, the upper ones for the left bud.
enum GalaxyBudsPlace: UInt8, Hashable, Sendable {
  /// Not connected to the other bud.
  case absent = 0
  /// In the ear, out of it, in the open case, or in the closed case.
  case worn, outside, inCase, inClosedCase

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
/// Further settings are in ``GalaxyBudsSetting``. The short state has revision, left, right, two
/// unread bytes, places, case, charging.
///
/// Recorded from Buds2 Pro and Buds4 Pro, and published in another project's tests for Buds, Buds+,
/// Live, Pro, Buds2 and FE.
struct GalaxyBudsState: Hashable, Sendable {
  var generation: GalaxyBudsGeneration
  var revision: UInt8
  var model: GalaxyBudsModel?
  /// Whether a confirmation has a result, 0 for success, in place of the value: on Buds4 and newer.
  var confirmsByResult = false
  var batteries = BatteryLevels("Galaxy Buds battery")
  /// The wearing state, with nil for a bud that is not connected, or nil if not reported.
  var wearing: Wearing?
  /// The number of the current mode, or nil in a short state.
  var noise: UInt8?
  /// The level of ambient sound, or nil if not reported or above ``mostAmbient``.
  var level: UInt8?
  /// Whether ambient sound focuses on voices, on the buds of 2019 only.
  var focusesOnVoice: Bool?
  /// The equaliser: 0 for off, else the preset from 1 on, or nil if not reported.
  var equaliser: UInt8?
  var isTouchLocked: Bool?
  var gestures: GalaxyBudsGestures?
  var holds: GalaxyBudsHolds?
  var settings: [SettingID: UInt8] = [:]
  /// The errors for impossible values, each of which invalidates only itself.
  var mistakes: [MalformedBytes] = []

  static let mostAmbient: UInt8 = 4

  /// Decodes a full state, and ignores bytes that newer firmware adds at the end.
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
      // Presets 5 to 9 are presets 0 to 4 with Dolby sound.
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
      // An unknown model is assumed to have the gestures of the newest one.
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

  /// Decodes a short state, which has only batteries and places.
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

  /// Returns a flag, or notes a mistake and returns nil for a byte other than 0 and 1.
  private mutating func flag(_ place: Int, _ raw: UInt8) -> Bool? {
    if raw <= 1 { return raw == 1 }
    mistakes.append(MalformedBytes("Galaxy Buds state", at: place, .badValue(UInt64(raw))))
    return nil
  }

  /// Applies batteries and places.
  ///
  /// A bud at 0 % is left out if it is not connected, or cannot report that (buds of 2019). The
  /// level of the case is valid only while a bud is in it: otherwise it is an old level, 0, or
  /// above 100 %.
  private mutating func apply(
    left: UInt8, right: UInt8, case level: UInt8?, places raw: UInt8, _ charging: UInt8?
  ) {
    let places = [raw >> 4, raw & 0x0F].map { GalaxyBudsPlace(rawValue: $0) }
    if let left = places[0], let right = places[1],
      generation != .first || left.rawValue <= 1 && right.rawValue <= 1
    {
      // The buds of 2019 report whether a bud is worn, but not whether it is connected.
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

  /// The model byte ("ear") of Buds4 Pro, from which on confirmations have a result.
  private static let firstByResult: UInt8 = 0x0D
  private static let chargingLeft: UInt8 = 0x10
  private static let chargingRight: UInt8 = 0x04
  private static let chargingCase: UInt8 = 0x01
}

/// The enabled touch gestures, and those that a command names.
struct GalaxyBudsGestures: Hashable, Sendable {
  var bits: UInt8
  /// The bits of the gestures that a command names, in this order.
  var named: [UInt8]

  func locked(_ isLocked: Bool) -> [UInt8] {
    [isLocked ? 0 : 1] + named.map { bits & $0 == 0 ? 0 : 1 }
  }
}
