/// The configurations of a Redmi Buds 5 Pro by their numbers.
///
/// | number | value | setting |
/// | --- | --- | --- |
/// | 02 | press, left, right each; FF in a command: unchanged | what touches do |
/// | 03, 04 | 0 off, 1 on | calls are answered; two devices at a time |
/// | 07 | number of a preset | equaliser preset |
/// | 09 | 0 stops, 1 starts; 1 left, 2 right, 3 both | none: ringing |
/// | 0A | left, right; FF in a command: unchanged | modes that holding steps by |
/// | 0B | mode, strength | noise control, strength of cancelling, kind of transparency |
/// | 0C | bit 3 the left bud is worn, bit 2 the right one | none: wearing |
///
/// Names and numbers are a published layout, of two projects but for ringing and wearing, whose two
/// projects are others. The noise control was written and read back on a Redmi Buds 5 Pro of the
/// ``product`` here, all others were read on it. Other products have other actions.
enum RedmiConfiguration {
  /// Xiaomi's number and that of the Redmi Buds 5 Pro.
  static let product: UInt32 = 0x2717_506D

  private static let touches: UInt8 = 0x02
  private static let autoAnswer: UInt8 = 0x03
  private static let multipoint: UInt8 = 0x04
  private static let preset: UInt8 = 0x07
  static let ringing: UInt8 = 0x09
  private static let cycle: UInt8 = 0x0A
  static let noise: UInt8 = 0x0B
  static let position: UInt8 = 0x0C
  /// Those that are asked for.
  static let all = [touches, autoAnswer, multipoint, preset, cycle, noise]

  /// A choice with the numbers of its values.
  private struct Choice {
    var declaration: SettingDeclaration
    var numbers: [UInt8]

    init(
      _ id: SettingID, _ title: String, _ label: String, _ group: SettingDeclaration.Group,
      _ values: [(UInt8, String)], modes: [ANCMode]? = nil
    ) {
      declaration = SettingDeclaration(
        id, SettingDeclaration.choices(values.map(\.1)), title: title, label: label, group: group,
        modes: modes)
      numbers = values.map(\.0)
    }

    private var names: [String] {
      if case .choice(let choices) = declaration.kind { choices.map(\.id) } else { [] }
    }

    /// Nil: the number has no name here.
    func value(_ number: UInt8) -> (SettingDeclaration, SettingValue)? {
      numbers.firstIndex(of: number).map { (declaration, .choice(names[$0])) }
    }

    /// Nil: it is another setting's.
    func number(of id: SettingID, _ value: SettingValue) -> UInt8? {
      guard id == declaration.id, case .choice(let name) = value else { return nil }
      return names.firstIndex(of: name).map { numbers[$0] }
    }
  }

  private static let presets = Choice(
    .equaliserPreset, "Equaliser", "EQ", .sound,
    [(0x00, "standard"), (0x06, "treble"), (0x05, "bass"), (0x01, "voice"), (0x0A, "custom")])
  private static let strengths = Choice(
    "cancelling-strength", "Cancelling strength", "Depth", .noise,
    [(0, "balanced"), (1, "light"), (2, "deep")], modes: [.noiseCancelling])
  private static let kinds = Choice(
    "transparency-kind", "Transparency kind", "Kind", .noise,
    [(0, "regular"), (1, "voice"), (2, "ambient")], modes: [.transparency])
  private static let switches: [(UInt8, SettingDeclaration)] = [
    (
      autoAnswer,
      SettingDeclaration(
        "auto-answer", .toggle, title: "Automatic call answer", label: "Answer", group: .device)
    ), (multipoint, .multipoint),
  ]

  private static let actions: [(UInt8, String)] = [
    (1, "play-pause"), (2, "previous"), (3, "next"), (4, "volume-up"), (5, "volume-down"),
  ]
  /// What each press does on each bud, by the number of the press.
  private static let presses: [(UInt8, [Choice])] = [
    (4, sides("tap", "Tap", "Tap", [(8, "none")] + actions)),
    (1, sides("double-tap", "Double tap", "2 tap", actions)),
    (2, sides("triple-tap", "Triple tap", "3 tap", actions)),
    (3, sides("hold", "Touch and hold", "Hold", [(0, "voice-assistant"), (6, "noise-control")])),
  ]
  private static let cycles = sides(
    "noise-cycle", "Touch and hold modes", "Modes",
    [
      (3, "off-cancelling"), (5, "off-transparency"), (6, "cancelling-transparency"),
      (7, "off-cancelling-transparency"),
    ])

  /// A choice for the left and for the right bud.
  private static func sides(
    _ id: String, _ title: String, _ label: String, _ values: [(UInt8, String)]
  ) -> [Choice] {
    ["left", "right"].map { side in
      Choice(
        SettingID(rawValue: "\(id)-\(side)"), "\(title) \(side)",
        "\(label) \(side.prefix(1).uppercased())", .controls, values)
    }
  }

  /// The strength of a mode of noise control; nil: it has none, or one without a name here.
  static func strength(of mode: ANCMode, _ number: UInt8) -> (SettingDeclaration, SettingValue)? {
    switch mode {
    case .noiseCancelling: strengths.value(number)
    case .transparency: kinds.value(number)
    case .off, .adaptive: nil
    }
  }

  /// The settings in a configuration; values without a name here are left out.
  static func settings(
    _ number: UInt8, _ value: [UInt8]
  ) -> [(SettingDeclaration, SettingValue)] {
    switch number {
    case touches:
      return stride(from: 0, to: value.count - value.count % 3, by: 3).flatMap { index in
        let choices = presses.first { $0.0 == value[index] }?.1 ?? []
        return zip(choices, value[(index + 1)...]).compactMap { $0.value($1) }
      }
    case preset: return value.first.flatMap { presets.value($0) }.map { [$0] } ?? []
    case cycle: return zip(cycles, value).compactMap { $0.value($1) }
    default:
      guard let declaration = switches.first(where: { $0.0 == number })?.1, let raw = value.first,
        raw <= 1
      else { return [] }
      return [(declaration, .toggle(raw == 1))]
    }
  }

  /// The configuration for a setting, and its value; nil: it is none of these.
  static func bytes(of id: SettingID, _ value: SettingValue) -> (UInt8, [UInt8])? {
    if case .toggle(let isOn) = value {
      return switches.first { $0.1.id == id }.map { ($0.0, [isOn ? 1 : 0]) }
    }
    if let raw = presets.number(of: id, value) { return (preset, [raw]) }
    if let raw = strengths.number(of: id, value) { return (noise, [1, raw]) }
    if let raw = kinds.number(of: id, value) { return (noise, [2, raw]) }
    if let change = change(cycles, id, value) { return (cycle, change) }
    for (press, choices) in presses {
      if let change = change(choices, id, value) { return (touches, [press] + change) }
    }
    return nil
  }

  /// The bytes of both buds, of which one keeps what it has.
  private static func change(
    _ choices: [Choice], _ id: SettingID, _ value: SettingValue
  ) -> [UInt8]? {
    let numbers = choices.map { $0.number(of: id, value) }
    return numbers.contains { $0 != nil } ? numbers.map { $0 ?? unchanged } : nil
  }

  private static let unchanged: UInt8 = 0xFF
}
