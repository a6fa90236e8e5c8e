/// Noise control of Soundcore's headphones: the mode, and what each mode is like.
///
/// | offset | field | meaning |
/// | --- | --- | --- |
/// | 0 | mode | 0 cancelling, 1 transparency, 2 off |
/// | 1 | scene | 0 transport, 1 outdoor, 2 indoor, 3 custom; of 4 bytes |
/// | 1 | strength | upper 4 bits: 1 to 5; from 6 bytes on |
/// | 2 | transparency | 0 full, of headbands of 6 bytes talk; 1 vocal |
/// | 3 | kind | 0 manual, 1 adaptive, 2 scene; from 6 bytes on |
/// | 4 | wind | bit 0; from 6 bytes on |
/// | 5 | strength of transparency | 1 to 5; headbands of 6 bytes |
///
/// A command repeats all bytes but what it changes. The four bytes of the Liberty 4 Pro are others:
/// its mode alone is read. Proven by recordings of Life Q30, P31i and Space One Pro, and by the
/// published tests of another project for nine further models.
enum SoundcoreSoundModes {
  /// The modes by their number.
  static let modes: [ANCMode] = [.noiseCancelling, .transparency, .off]

  /// The Liberty 4 Pro, whose four bytes are mode, slider, aeroplane and wind.
  private static let slider: UInt16 = 0x3954

  /// The settings of a model besides the mode; empty: none is known of it.
  static func fields(_ layout: SoundcoreLayout?, number: UInt16?) -> [SettingField] {
    guard let layout, layout.soundModes != nil, number != slider else { return [] }
    guard layout.modesWidth >= 6 else { return [scene, transparency("full")] }
    return !layout.hasBuds && layout.modesWidth == 6
      ? [strength, kind, wind, transparency("talk"), ambientStrength]
      : [strength, kind, wind, transparency("full")]
  }

  private static let strengths = SettingDeclaration.Kind.level(SettingRange(1...5))
  private static let strength = SettingField(
    SettingDeclaration(
      "cancelling-strength", strengths, title: "Cancelling strength", label: "Depth",
      group: .noise), at: 1, mask: 0xF0)
  private static let scene = SettingField(
    SettingDeclaration(
      "cancelling-scene",
      SettingDeclaration.choices(["transport", "outdoor", "indoor", "custom"]),
      title: "Cancelling scene", label: "Scene", group: .noise), at: 1)
  private static let kind = SettingField(
    SettingDeclaration(
      "cancelling-kind", SettingDeclaration.choices(["manual", "adaptive", "scene"]),
      title: "Cancelling kind", label: "Kind", group: .noise), at: 3)
  private static let wind = SettingField(
    SettingDeclaration(
      "wind-reduction", .toggle, title: "Wind noise reduction", label: "Wind", group: .noise),
    at: 4, mask: 0x01)
  private static let ambientStrength = SettingField(
    SettingDeclaration(
      "transparency-strength", strengths, title: "Transparency strength", label: "Ambient",
      group: .noise), at: 5)

  private static func transparency(_ first: String) -> SettingField {
    SettingField(
      SettingDeclaration(
        "transparency-kind", SettingDeclaration.choices([first, "vocal"]),
        title: "Transparency kind", label: "Hear", group: .noise), at: 2)
  }
}
