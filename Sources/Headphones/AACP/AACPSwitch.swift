/// A control of AirPods that is on (1) or off (2).
struct AACPSwitch: Sendable {
  /// The control's published number.
  var identifier: UInt8
  var declaration: SettingDeclaration

  /// Those that this program offers, where the headphone reports them.
  static let all = [
    AACPSwitch(
      identifier: 0x28,
      declaration: SettingDeclaration(
        "conversation-awareness", .toggle, title: "Conversation awareness", label: "Talk",
        group: .noise)),
    AACPSwitch(
      identifier: 0x1B,
      declaration: SettingDeclaration(
        "one-bud-noise-control", .toggle, title: "Noise control with one bud", label: "One bud",
        group: .noise)),
  ]

  static let on: UInt8 = 1
  static let off: UInt8 = 2

  /// The control that gives this switch a state.
  func control(isOn: Bool) -> AACPControl {
    AACPControl(.other(identifier), isOn ? Self.on : Self.off)
  }
}
