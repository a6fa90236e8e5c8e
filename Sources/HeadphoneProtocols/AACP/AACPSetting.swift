internal import BluetoothCodec

/// A setting in a control of AirPods; switches are 1 for on and 2 for off.
struct AACPSetting: Sendable {
  let control: UInt8
  let field: SettingField

  var declaration: SettingDeclaration { field.declaration }

  private init(
    _ control: UInt8, _ declaration: SettingDeclaration, at place: Int = 0, mask: UInt8 = 0xFF,
    values: [UInt8: SettingValue]? = nil
  ) {
    self.control = control
    field = SettingField(declaration, at: place, mask: mask, values: values)
  }

  private static func toggle(_ control: UInt8, _ declaration: SettingDeclaration) -> AACPSetting {
    AACPSetting(control, declaration, values: [1: .toggle(true), 2: .toggle(false)])
  }

  private static func bit(
    _ bit: UInt8, of control: UInt8, _ declaration: SettingDeclaration
  ) -> AACPSetting {
    AACPSetting(control, declaration, mask: bit)
  }

  private static func hold(_ side: Side, at place: Int) -> AACPSetting {
    AACPSetting(
      0x16,
      SettingDeclaration(
        SettingID(rawValue: "hold-\(side)"), .choices(["noise-control", "assistant"])),
      at: place, values: [1: .choice("noise-control"), 5: .choice("assistant")])
  }

  private static func report(_ gesture: TouchGesture) -> AACPSetting {
    bit(
      1 << gesture.rawValue, of: 0x39,
      SettingDeclaration(SettingID(rawValue: "report-\(gesture.name)")))
  }

  /// The control of the modes that touching and holding cycles through, and its bit for "off".
  static let cycle: (control: UInt8, off: UInt8) = (0x1A, 0x01)
  static let offAllowed: UInt8 = 0x34
  /// The control whose level is repeated in a second byte.
  static let toneVolume: UInt8 = 0x1F

  static let all: [AACPSetting] =
    [
      toggle(0x28, SettingDeclaration("conversation-awareness")),
      toggle(0x1B, SettingDeclaration("one-bud-noise-control")),
      toggle(offAllowed, SettingDeclaration("off-allowed")),
      toggle(0x26, SettingDeclaration("personalised-volume")),
      AACPSetting(
        toneVolume,
        SettingDeclaration("tone-volume", .level(SettingRange(15...100, step: 5, unit: "%")))),
      toggle(0x0A, .wearDetection),
      toggle(0x35, SettingDeclaration("sleep-detection")),
      AACPSetting(
        0x01, SettingDeclaration("call-microphone", .choices(["automatic", "right", "left"]))),
      AACPSetting(
        0x24, SettingDeclaration("press-in-call", .choices(["mute", "end-call"])), at: 1,
        values: [3: .choice("mute"), 2: .choice("end-call")]),
      AACPSetting(
        0x17, SettingDeclaration("press-speed", .choices(["default", "slower", "slowest"]))),
      AACPSetting(
        0x18, SettingDeclaration("hold-duration", .choices(["default", "shorter", "shortest"]))),
      toggle(0x25, SettingDeclaration("volume-swipe")),
      AACPSetting(
        0x23, SettingDeclaration("swipe-length", .choices(["default", "longer", "longest"]))),
      hold(.right, at: 0), hold(.left, at: 1),
      bit(cycle.off, of: cycle.control, SettingDeclaration("hold-off")),
      bit(0x02, of: cycle.control, SettingDeclaration("hold-cancelling")),
      bit(0x04, of: cycle.control, SettingDeclaration("hold-transparency")),
      bit(0x08, of: cycle.control, SettingDeclaration("hold-adaptive")),
      toggle(0x31, SettingDeclaration("case-sounds")),
      toggle(0x3B, SettingDeclaration("optimised-charging")),
    ] + TouchGesture.allCases.map(report)
}
