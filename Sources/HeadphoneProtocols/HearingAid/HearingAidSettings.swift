/// The settings of hearing aids, which are the same for all makers.
extension SettingID {
  /// The choice of a preset of one or both hearing aids.
  public static let preset: SettingID = "preset"
  /// Returns the choice of one aid's preset, if the two have different lists.
  public static func preset(of side: Side) -> SettingID {
    SettingID(rawValue: "preset-\(side)")
  }
  public static let presetName: SettingID = "preset-name"
  /// Returns the level of one side's offset to the volume of both.
  public static func offset(of side: Side) -> SettingID {
    SettingID(rawValue: "offset-\(side)")
  }
  public static let microphoneMuted: SettingID = "microphone-muted"
  /// The report of Audio Streaming for Hearing Aids: side, set, codec.
  public static let asha: SettingID = "asha"

  /// The same setting of the other aid (and whether that is the left aid), or nil without sides.
  package var otherSide: (id: SettingID, isLeft: Bool)? {
    switch self {
    case .preset(of: .left): (.preset(of: .right), false)
    case .preset(of: .right): (.preset(of: .left), true)
    case .offset(of: .left): (.offset(of: .right), false)
    case .offset(of: .right): (.offset(of: .left), true)
    default: nil
    }
  }

  package func isOfOther(than side: Side) -> Bool {
    let other: Side = side == .left ? .right : .left
    return self == .preset(of: other) || self == .offset(of: other)
  }
}

extension SettingDeclaration {
  package static func preset(
    _ id: SettingID, _ choices: [(id: String, title: String)]
  ) -> SettingDeclaration {
    SettingDeclaration(id, .choice(choices.map { SettingChoice($0.id, title: $0.title) }))
  }

  package static let presetName = SettingDeclaration(
    .presetName, .text(HearingPreset.nameLengths))

  package static func offset(_ id: SettingID) -> SettingDeclaration {
    SettingDeclaration(id, .level(SettingRange(OutputState.offsets, step: 15)))
  }

  package static let microphoneMuted = SettingDeclaration(.microphoneMuted)

  package static let asha = SettingDeclaration(.asha, .reading)

  /// Returns the declaration of an input's gain, whose identifier starts with `name`.
  package static func inputGain(
    _ name: String, _ title: String, _ gain: InputGain
  ) -> SettingDeclaration {
    SettingDeclaration(
      SettingID(rawValue: name + "-gain"),
      .level(
        SettingRange(
          Int(gain.range.lowerBound)...Int(gain.range.upperBound), unit: gain.unitText)),
      title: "\(title), gain", label: "Input", group: .sound)
  }
  package static func inputMuted(_ name: String, _ title: String) -> SettingDeclaration {
    SettingDeclaration(
      SettingID(rawValue: name + "-muted"), .toggle, title: "\(title), muted", label: "In off",
      group: .sound)
  }
  package static func inputAutomatic(_ name: String, _ title: String) -> SettingDeclaration {
    SettingDeclaration(
      SettingID(rawValue: name + "-automatic"), .toggle, title: "\(title): automatic gain",
      label: "In auto", group: .sound)
  }
}
