/// A control of AirPods that is on (1) or off (2), with its declaration as a setting.
struct AACPSwitch: Sendable {
  /// The control's published number.
  var identifier: UInt8
  /// The setting.
  var declaration: SettingDeclaration

  /// The switches that this program offers if the headphone reports them.
  static let all = [
    AACPSwitch(
      identifier: 0x28,
      declaration: SettingDeclaration(
        "conversation-awareness", .toggle, title: "Conversation awareness", label: "Talk",
        group: .noise)),
    AACPSwitch(
      identifier: 0x1B,
      declaration: SettingDeclaration(
        "one-bud-noise-control", .toggle, title: "Noise control, one bud", label: "One bud",
        group: .noise)),
  ]

  /// The value for on.
  static let on: UInt8 = 1
  /// The value for off.
  static let off: UInt8 = 2

  /// The control that sets this switch.
  func control(isOn: Bool) -> AACPControl {
    AACPControl(.other(identifier), isOn ? Self.on : Self.off)
  }
}
