internal import BluetoothCodec

/// The sound modes of Soundcore's headphones: the mode of noise control, and the settings of each
/// mode.
///
/// | offset | field | meaning |
/// | --- | --- | --- |
/// | 0 | mode | 0 cancelling, 1 transparency, 2 off |
/// | 1 | scene | 0 transport, 1 outdoor, 2 indoor, 3 custom; if there are 4 bytes |
/// | 1 | strength | upper 4 bits: 1 to 5, or to 3; if there are 6 bytes or more |
/// | 2 | transparency | 0 full (Space Q45: talk), 1 vocal |
/// | 3 | kind | 0 manual, 1 adaptive, 2 scene; if there are 6 bytes or more |
/// | 4 | wind | bit 0; if there are 6 bytes or more |
/// | 5 | strength of transparency | 1 to 5; headbands with 6 bytes |
///
/// A command changes some bytes and repeats the others. A setting applies only in its own mode or
/// kind; to set it in another one, commands switch to that mode and back. The four bytes of the
/// Liberty 4 Pro have other meanings, so only its mode is used, as on models whose other bytes are
/// unknown. Confirmed by recordings of Life Q30, P31i and Space One Pro, and by the published tests
/// of another project for nine further models.
enum SoundcoreSoundModes {
  struct Field {
    struct Need {
      var place: Int
      var values: [UInt8]
    }

    fileprivate var field: SettingField
    /// The required bytes, with the mode before the kind, since a kind applies only in its mode.
    fileprivate var needs: [Need] = []

    var declaration: SettingDeclaration { field.declaration }
  }

  static let modes: [ANCMode] = [.noiseCancelling, .transparency, .off]

  /// The models with only the mode known: Liberty 4 Pro, Liberty Buds, P31i and R60i NC.
  private static let modeAlone: Set<UInt16> = [0x3954, 0x1200, 0x1202]
  /// The models with three strengths: Space A40, Liberty 3 Pro and Sport X20.
  private static let ofThreeStrengths: Set<UInt16> = [0x3936, 0x3952, 0x3968]
  /// The models with only one kind of transparency: Space One, Space One Pro and P30i.
  private static let ofOneTransparency: Set<UInt16> = [0x3035, 0x3062, 0x3959]

  /// Returns the settings of a model besides the mode, or empty if none is known.
  static func fields(_ layout: SoundcoreLayout?, number: UInt16?) -> [Field] {
    guard let layout, layout.soundModes != nil else { return [] }
    func isAmong(_ models: Set<UInt16>) -> Bool { number.map(models.contains) ?? false }
    guard !isAmong(modeAlone) else { return [] }
    guard layout.modesWidth >= 6 else {
      return [Field(field: scene), Field(field: ofTransparency("full"))]
    }
    let isHeadband = !layout.hasBuds && layout.modesWidth == 6
    let fields = [
      Field(
        field: isAmong(ofThreeStrengths) ? weakStrength : strength, needs: [cancelling, manual]),
      Field(field: kind, needs: [cancelling]),
      Field(field: wind, needs: [Field.Need(place: 0, values: [0, 1])]),
    ]
    let kinds =
      isAmong(ofOneTransparency)
      ? [] : [Field(field: ofTransparency(isHeadband ? "talk" : "full"), needs: [transparency])]
    return fields + kinds
      + (isHeadband ? [Field(field: ambientStrength, needs: [transparency])] : [])
  }

  private static let cancelling = Field.Need(place: 0, values: [0])
  private static let transparency = Field.Need(place: 0, values: [1])
  private static let manual = Field.Need(place: 3, values: [0])

  private static let strengths = SettingDeclaration.Kind.level(SettingRange(1...5))
  private static let strength = ofStrength(strengths)
  private static let weakStrength = ofStrength(.level(SettingRange(1...3)))
  private static let scene = SettingField(
    SettingDeclaration(
      "cancelling-scene", .choices(["transport", "outdoor", "indoor", "custom"])), at: 1)
  private static let kind = SettingField(
    SettingDeclaration("cancelling-kind", .choices(["manual", "adaptive", "scene"])), at: 3)
  private static let wind = SettingField(
    SettingDeclaration("wind-reduction"), at: 4, mask: 0x01)
  private static let ambientStrength = SettingField(
    SettingDeclaration("transparency-strength", strengths), at: 5)

  private static func ofStrength(_ levels: SettingDeclaration.Kind) -> SettingField {
    SettingField(SettingDeclaration("cancelling-strength", levels), at: 1, mask: 0xF0)
  }

  private static func ofTransparency(_ first: String) -> SettingField {
    SettingField(SettingDeclaration("transparency-kind", .choices([first, "vocal"])), at: 2)
  }
}

extension SoundcoreSoundModes.Field {
  /// Applies the field's value in the sound modes; a level beyond its range is rejected.
  func apply(_ bytes: [UInt8], to reported: inout ReportedValues) {
    guard let number = field.number(in: bytes) else { return }
    if let value = field.value(in: bytes) {
      reported.apply(declaration, value)
    } else if case .choice = declaration.kind {
      reported.apply(declaration, unnamed: number)
    } else {
      reported.reject(MalformedBytes("Soundcore sound modes", at: 0, .badValue(UInt64(number))))
    }
  }

  /// Returns the sound modes to send for a value, in order, or nil if the field does not have it;
  /// they switch to a mode where the field applies, and back, if necessary.
  func steps(to value: SettingValue, from present: [UInt8]) -> [[UInt8]]? {
    guard field.bytes(of: value, in: present) != nil else { return nil }
    let detour = needs.filter { need in
      need.place < present.count && !need.values.contains(present[need.place])
    }
    var (now, steps) = (present, [[UInt8]]())
    for need in detour {
      now[need.place] = need.values[0]
      steps.append(now)
    }
    now = field.bytes(of: value, in: now) ?? now
    steps.append(now)
    for need in detour.reversed() {
      now[need.place] = present[need.place]
      steps.append(now)
    }
    return steps
  }
}
