internal import BluetoothCodec

/// The settings that consist of one value, of which no headphone has all; the number after that of
/// a command is its request.
enum SennheiserSetting {
  static let all: [MakerRow] = [
    toggle(0x0400, .wearDetection),
    toggle(0x0405, "bluetooth-compatibility"),
    // Seconds, preceded by the number of a timer; there is only one timer.
    row(
      0x0600, asking: [0], prefix: [0],
      .choice(
        .autoPowerOff,
        [("15-minutes", 900), ("30-minutes", 1800), ("1-hour", 3600), ("never", 0)],
        widths: 2...2, unit: 60)),
    // Models have different sound modes, and reject a command for a mode that they lack.
    row(
      0x0803, prefix: [0],
      .choice("sound-mode", ["off", "equaliser", "podcast", "personalised", "parametric"])),
    row(0x0805, .level("sidetone", SettingRange(0...4))),
    toggle(0x080A, "auto-answer"),
    toggle(0x080C, .pauseWhenTakenOff),
    toggle(0x0814, "comfort-call"),
    toggle(0x0817, .lowLatency),
    toggle(0x1008, "bass-boost"),
    // 0 means that touches work.
    toggle(0x1606, "touch-lock"),
    toggle(0x1800, "pause-in-hear-through"),
    row(0x1802, .level("hear-through-level", SettingRange(0...100, step: 10))),
    toggle(0x1804, "hear-through"),
    row(0x2E00, .choice("crossfeed", [("off", 2), ("low", 0), ("high", 1)])),
  ]

  private static func toggle(_ command: UInt16, _ id: SettingID) -> MakerRow {
    row(command, .toggle(id))
  }

  private static func row(
    _ command: UInt16, asking asked: [UInt8] = [], prefix: [UInt8] = [], _ setting: NumberedSetting
  ) -> MakerRow {
    MakerRow(command + 1, asking: asked, prefix: prefix, [.setting(setting)], set: command)
  }
}

enum SennheiserReading {
  private static let codec = SettingDeclaration("codec", .reading)
  private static let sampleRate = SettingDeclaration("sample-rate", .reading)

  private static let codecs: [UInt8: String] = [
    0: "SBC", 1: "AAC", 2: "aptX", 3: "aptX LL", 5: "aptX HD", 8: "aptX Adaptive",
    9: "aptX Lossless", 10: "LC3", 255: "none",
  ]

  /// Applies the codec, reporting an unnamed one as its number.
  static func applyCodec(
    _ reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    let number = try reader.uint8()
    try reader.finish()
    let name = codecs[number] ?? "codec 0x\(hexadecimal(number, width: 2))"
    reported.apply(codec, .text(name))
  }

  /// Applies the sample rate in Hz, high byte first.
  static func applySampleRate(
    _ reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    let hertz = try reader.uint32().byteSwapped
    try reader.finish()
    reported.apply(sampleRate, .text("\(hertz) Hz"))
  }
}
