internal import BluetoothCodec

/// The generations of Galaxy Buds, whose states have their fields in other places.
enum GalaxyBudsGeneration: Hashable, Sendable {
  /// Galaxy Buds of 2019.
  case first
  case plus
  case live
  case pro
  /// Buds2 and everything newer.
  case second

  /// - Parameter ear: the state's number of the model.
  init(_ layout: GalaxyBudsFrame.Layout, ear: UInt8) {
    self =
      layout == .first
      ? .first : [0x00: GalaxyBudsGeneration.plus, 0x01: .live, 0x02: .pro][ear] ?? .second
  }

  var hasCase: Bool { self != .first }

  var modes: [ANCMode] {
    switch self {
    case .first, .plus: [.off, .transparency]
    case .live: [.off, .noiseCancelling]
    case .pro, .second: [.off, .noiseCancelling, .transparency]
    }
  }

  /// The levels of ambient sound that every model of the generation takes; nil: it has none.
  var levels: ClosedRange<UInt8>? {
    switch self {
    case .first: 0...4
    case .plus, .second: 0...2
    case .live: nil
    case .pro: 0...3
    }
  }
}

/// A bud's location, as a nibble.
enum GalaxyBudsPlace: UInt8, Hashable, Sendable {
  case absent = 0
  case worn, outside, inCase, inClosedCase

  /// Nil: the bud is not there to tell.
  var isWorn: Bool? { self == .absent ? nil : self == .worn }
}

/// The full state (message 61) or the short one (message 60).
struct GalaxyBudsState: Hashable, Sendable {
  var batteries: [Part: Battery] = [:]
  var wearing: Wearing
  var noise: ANCMode?
  /// Of ambient sound.
  var level: UInt8?
  var focusesOnVoice: Bool?
  /// 0: off; else a preset's number plus 1; nil: not reported.
  var equaliser: UInt8?
  var isTouchLocked: Bool?
  /// Which gestures do something, where the lock has to be written with them.
  var gestures: UInt8?

  private static let chargingLeft: UInt8 = 0x10
  private static let chargingRight: UInt8 = 0x04
  private static let chargingCase: UInt8 = 0x01

  /// Reads a full state: what newer firmware adds at the end is left alone.
  init(
    full bytes: Bytes, _ layout: GalaxyBudsFrame.Layout
  ) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Galaxy Buds state")
    let revision = try reader.uint8()
    let ear = try reader.uint8()
    let generation = GalaxyBudsGeneration(layout, ear: ear)
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
    batteries = try Self.batteries(
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
      if generation == .second { gestures = touch & 0x7F }
      noise = try Self.mode(try field(12))
      if generation != .live, fields.count > 23 { level = fields[23] }
    }
    if let level, level > generation.levels?.upperBound ?? 0 { self.level = nil }
    if let equaliser, equaliser > 5 { self.equaliser = nil }
  }

  /// Reads a short state: batteries and places alone.
  init(
    short bytes: Bytes, _ layout: GalaxyBudsFrame.Layout, _ generation: GalaxyBudsGeneration
  ) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Galaxy Buds short state")
    _ = try reader.uint8()
    let (left, right) = (try reader.uint8(), try reader.uint8())
    _ = try reader.take(2)
    let places = try Self.places(try reader.uint8(), generation)
    wearing = Self.wearing(places, generation)
    let caseLevel = generation.hasCase ? try reader.uint8() : nil
    batteries = try Self.batteries(
      left: left, right: right, case: caseLevel, places, generation,
      reader.isAtEnd ? nil : try reader.uint8())
  }

  static func mode(_ raw: UInt8) throws(MalformedBytes) -> ANCMode {
    guard let mode = ANCMode(rawValue: raw) else {
      throw MalformedBytes("Galaxy Buds noise control", at: 0, .badValue(UInt64(raw)))
    }
    return mode
  }

  private typealias Places = (left: GalaxyBudsPlace, right: GalaxyBudsPlace)

  private static func places(
    _ byte: UInt8, _ generation: GalaxyBudsGeneration
  ) throws(MalformedBytes) -> Places {
    guard let left = GalaxyBudsPlace(rawValue: byte >> 4),
      let right = GalaxyBudsPlace(rawValue: byte & 0xF),
      generation != .first || left.rawValue <= 1 && right.rawValue <= 1
    else { throw MalformedBytes("Galaxy Buds place", at: 6, .badValue(UInt64(byte))) }
    return (left, right)
  }

  /// The first generation reports worn or not, but not whether a bud is present.
  private static func wearing(
    _ places: Places, _ generation: GalaxyBudsGeneration
  ) -> Wearing {
    generation == .first
      ? Wearing(left: places.left == .worn, right: places.right == .worn)
      : Wearing(left: places.left.isWorn, right: places.right.isWorn)
  }

  /// A bud that is not there, and a case above 100 % or at 0, tell nothing.
  private static func batteries(
    left: UInt8, right: UInt8, case level: UInt8?, _ places: Places,
    _ generation: GalaxyBudsGeneration, _ charging: UInt8?
  ) throws(MalformedBytes) -> [Part: Battery] {
    var batteries: [Part: Battery] = [:]
    for (part, level, place, bit) in [
      (Part.left, left, places.left, chargingLeft), (.right, right, places.right, chargingRight),
    ] {
      guard level <= 100 else {
        throw MalformedBytes("Galaxy Buds battery", at: 2, .badValue(UInt64(level)))
      }
      let isThere = generation == .first ? level > 0 : level > 0 || place != .absent
      guard isThere else { continue }
      batteries[part] = Battery(level: level, isCharging: charging.map { $0 & bit != 0 })
    }
    if let level, (1...100).contains(level) {
      batteries[.case] = Battery(
        level: level, isCharging: charging.map { $0 & chargingCase != 0 })
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
