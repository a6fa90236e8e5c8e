/// The settings of hearing aids, which are the same for all makers.
extension SettingID {
  /// The preset of a hearing aid, or of both: a choice.
  public static let preset: SettingID = "preset"
  /// The preset of one aid where the two have different ones: a choice.
  public static func preset(of side: Side) -> SettingID {
    SettingID(rawValue: "preset-\(side)")
  }
  /// The name of the active preset: text.
  public static let presetName: SettingID = "preset-name"
  /// How much louder one side is than the volume of both: a level.
  public static func offset(of side: Side) -> SettingID {
    SettingID(rawValue: "offset-\(side)")
  }
  /// Whether all its microphones are muted: a switch.
  public static let microphoneMuted: SettingID = "microphone-muted"
  /// What Audio Streaming for Hearing Aids reports: side, set, codec.
  public static let asha: SettingID = "asha"

  /// The same setting of the aid on the other side, and whether that is the left one; nil: it is of
  /// no side.
  package var otherSide: (id: SettingID, isLeft: Bool)? {
    switch self {
    case .preset(of: .left): (.preset(of: .right), false)
    case .preset(of: .right): (.preset(of: .left), true)
    case .offset(of: .left): (.offset(of: .right), false)
    case .offset(of: .right): (.offset(of: .left), true)
    default: nil
    }
  }

  /// Whether it is a setting of the aid on the other side.
  package func isOfOther(than side: Side) -> Bool {
    let other: Side = side == .left ? .right : .left
    return self == .preset(of: other) || self == .offset(of: other)
  }
}

extension SettingDeclaration {
  /// The declaration of a preset.
  ///
  /// - Parameter choices: identifiers and titles.
  package static func preset(
    _ id: SettingID, _ choices: [(id: String, title: String)]
  ) -> SettingDeclaration {
    let kind = Kind.choice(choices.map { SettingChoice($0.id, title: $0.title) })
    return switch id {
    case .preset(of: .left):
      SettingDeclaration(id, kind, title: "Left preset", label: "Left", group: .sound)
    case .preset(of: .right):
      SettingDeclaration(id, kind, title: "Right preset", label: "Right", group: .sound)
    default: SettingDeclaration(id, kind, title: "Preset", label: "Preset", group: .sound)
    }
  }

  /// The declaration of ``SettingID/presetName``.
  package static let presetName = SettingDeclaration(
    .presetName, .text(HearingPreset.nameLengths), title: "Name of the preset", label: "Named",
    group: .sound)

  /// The declaration of a volume offset.
  package static func offset(_ id: SettingID) -> SettingDeclaration {
    let range = SettingRange(OutputState.offsets, step: 15)
    return switch id {
    case .offset(of: .left):
      SettingDeclaration(
        id, .level(range), title: "Left volume offset", label: "Left +", group: .sound)
    case .offset(of: .right):
      SettingDeclaration(
        id, .level(range), title: "Right volume offset", label: "Right +", group: .sound)
    default:
      SettingDeclaration(id, .level(range), title: "Volume offset", label: "Offset", group: .sound)
    }
  }

  /// The declaration of ``SettingID/microphoneMuted``.
  package static let microphoneMuted = SettingDeclaration(
    .microphoneMuted, .toggle, title: "Microphones muted", label: "Mic off", group: .sound)

  /// The declaration of ``SettingID/asha``.
  package static let asha = SettingDeclaration(
    .asha, .reading, title: "Streaming for hearing aids", label: "ASHA", group: .device)

  /// The declarations of an input.
  ///
  /// - Parameter name: the beginning of its identifiers.
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
      SettingID(rawValue: name + "-automatic"), .toggle, title: "\(title), automatic gain",
      label: "In auto", group: .sound)
  }
}
