internal import BluetoothCodec

/// Noise control of Soundcore's headphones: the mode, and what each mode is like.
///
/// | offset | field | meaning |
/// | --- | --- | --- |
/// | 0 | mode | 0 cancelling, 1 transparency, 2 off |
/// | 1 | scene | 0 transport, 1 outdoor, 2 indoor, 3 custom; of 4 bytes |
/// | 1 | strength | upper 4 bits: 1 to 5, or to 3; from 6 bytes on |
/// | 2 | transparency | 0 full, of the Space Q45 talk; 1 vocal |
/// | 3 | kind | 0 manual, 1 adaptive, 2 scene; from 6 bytes on |
/// | 4 | wind | bit 0; from 6 bytes on |
/// | 5 | strength of transparency | 1 to 5; headbands of 6 bytes |
///
/// A command repeats all bytes but what it changes. What follows the mode counts in a mode or kind of
/// its own, so that a command in another one goes there and back. The four bytes of the Liberty 4 Pro
/// are others: its mode alone is read, and that of models of which it is not known what follows. Proven
/// by recordings of Life Q30, P31i and Space One Pro, and by the published tests of another project for
/// nine further models.
enum SoundcoreSoundModes {
  /// A setting, and the bytes that have to be in force where it counts.
  struct Field {
    /// A byte that has to have one of some values.
    struct Need {
      var place: Int
      var values: [UInt8]
    }

    fileprivate var field: SettingField
    /// The mode before the kind, which counts in it.
    fileprivate var needs: [Need] = []

    var declaration: SettingDeclaration { field.declaration }
  }

  /// The modes by their number.
  static let modes: [ANCMode] = [.noiseCancelling, .transparency, .off]

  /// The models of which the mode alone is known: Liberty 4 Pro, Liberty Buds, P31i and R60i NC.
  private static let modeAlone: Set<UInt16> = [0x3954, 0x1200, 0x1202]
  /// The models with three strengths: Space A40, Liberty 3 Pro and Sport X20.
  private static let ofThreeStrengths: Set<UInt16> = [0x3936, 0x3952, 0x3968]
  /// The models whose transparency has one kind: Space One, Space One Pro and P30i.
  private static let ofOneTransparency: Set<UInt16> = [0x3035, 0x3062, 0x3959]

  /// The settings of a model besides the mode; empty: none is known of it.
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
  /// Applies the field's value in sound modes; a level beyond its range is rejected.
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

  /// Returns the sound modes to send for a value, or nil if the field does not have it.
  ///
  /// Where the field does not count, they go to where it does, and back to `present` behind it.
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
