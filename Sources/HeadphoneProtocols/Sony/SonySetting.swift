/// A setting that is a value in one message of Sony's: question, answer, order and report are four
/// commands in a row, each with the same bytes before the value.
struct SonySetting: Sendable {
  /// A value, and how it is written.
  struct Value: Sendable {
    var value: SettingValue
    var bytes: [UInt8]
  }

  var declaration: SettingDeclaration
  /// The question's command; answer, order and report are the next three.
  var command: UInt8
  /// Which setting it is.
  var type: UInt8
  /// What stands between type and value, but not in the question.
  var prefix: [UInt8] = []
  var values: [Value]
  /// Further bytes of which a value is read.
  var alsoRead: [Value] = []
  /// What follows the value in an order.
  var suffix: [UInt8] = []
  /// What is ordered before it is switched on.
  var preparation: [UInt8] = []

  var question: [UInt8] { [command, type] }

  /// - Parameter value: one that the declaration accepts.
  func order(_ value: SettingValue) -> [UInt8]? {
    values.first { $0.value == value }.map { [command + 2, type] + prefix + $0.bytes + suffix }
  }

  /// The value of an answer or report that begins with command and type; nil: it has no name.
  func value(of payload: some Sequence<UInt8>) -> SettingValue? {
    let rest = Array(payload.dropFirst(2))
    guard rest.starts(with: prefix) else { return nil }
    let told = rest.dropFirst(prefix.count)
    return (values + alsoRead).first { told.starts(with: $0.bytes) }?.value
  }

  private static func toggle(on: UInt8, off: UInt8) -> [Value] {
    [Value(value: .toggle(true), bytes: [on]), Value(value: .toggle(false), bytes: [off])]
  }

  private static func switchOf(
    _ id: SettingID, _ title: String, _ label: String, _ group: SettingDeclaration.Group
  ) -> SettingDeclaration {
    SettingDeclaration(id, .toggle, title: title, label: label, group: group)
  }

  private static let pause = switchOf(
    .pauseWhenTakenOff, "Pause when taken off", "Pause", .wearing)
  private static let speakToChat = switchOf("speak-to-chat", "Speak to chat", "Talk", .noise)
  private static let upscaling = switchOf("dsee", "DSEE upscaling", "DSEE", .sound)

  private static let times: [(id: String, bytes: [UInt8])] = [
    ("5-minutes", [0x00, 0x00]), ("15-minutes", [0x04, 0x04]), ("30-minutes", [0x01, 0x01]),
    ("1-hour", [0x02, 0x02]), ("3-hours", [0x03, 0x03]), ("when-taken-off", [0x10, 0x00]),
    ("never", [0x11, 0x00]),
  ]

  private static func autoPowerOff(
    _ command: UInt8, _ type: UInt8, prefix: [UInt8] = [], detectsWearing: Bool
  ) -> SonySetting {
    let times = times.filter { detectsWearing || $0.id != "when-taken-off" }
    return SonySetting(
      declaration: SettingDeclaration(
        .autoPowerOff, SettingDeclaration.choices(times.map(\.id)), title: "Automatic power off",
        label: "Auto off", group: .device), command: command, type: type, prefix: prefix,
      values: times.map { Value(value: .choice($0.id), bytes: $0.bytes) })
  }

  /// Headphones of the first generation do not all have these: each is asked for.
  static let first: [SonySetting] = [
    SonySetting(
      declaration: pause, command: 0xF6, type: 0x03, prefix: [0x00], values: toggle(on: 1, off: 0)),
    // 2: it is on, and somebody talks. Without the second order it would never end by itself.
    SonySetting(
      declaration: speakToChat, command: 0xF6, type: 0x05, prefix: [0x01],
      values: toggle(on: 1, off: 0), alsoRead: [Value(value: .toggle(true), bytes: [2])],
      preparation: [0xFC, 0x05, 0x00, 0x00, 0x01]),
    autoPowerOff(0xF6, 0x04, prefix: [0x01], detectsWearing: true),
    SonySetting(
      declaration: upscaling, command: 0xE6, type: 0x02, prefix: [0x00],
      values: toggle(on: 1, off: 0)),
    SonySetting(
      declaration: switchOf("touch-panel", "Touch panel", "Touch", .controls), command: 0xD6,
      type: 0xD2, prefix: [0x01], values: toggle(on: 1, off: 0)),
  ]

  /// By the number of the function that a headphone of the second generation lists.
  ///
  /// Switches are inverted there, but for upscaling.
  static let second: [(function: UInt8, setting: SonySetting)] = [
    (
      0xF1,
      SonySetting(declaration: pause, command: 0xF6, type: 0x01, values: toggle(on: 0, off: 1))
    ),
    (
      0xFC,
      SonySetting(
        declaration: speakToChat, command: 0xF6, type: 0x0C, values: toggle(on: 0, off: 1),
        suffix: [0x01])
    ),
    (
      0xF2,
      SonySetting(
        declaration: speakToChat, command: 0xF6, type: 0x02, values: toggle(on: 0, off: 1),
        suffix: [0x01])
    ),
    (0x25, autoPowerOff(0x26, 0x05, detectsWearing: true)),
    (0x24, autoPowerOff(0x26, 0x04, detectsWearing: false)),
    (
      0xE2,
      SonySetting(declaration: upscaling, command: 0xE6, type: 0x01, values: toggle(on: 1, off: 0))
    ),
    (
      0x69,
      SonySetting(
        declaration: SettingDeclaration(
          "noise-button", SettingDeclaration.choices(buttonCycles), title: "Noise control button",
          label: "Button", group: .controls), command: 0x66, type: 0x30,
        values: buttonCycles.enumerated().map { index, id in
          Value(value: .choice(id), bytes: [UInt8(index + 1)])
        })
    ),
  ]

  private static let buttonCycles = [
    "cancelling-ambient-off", "cancelling-ambient", "cancelling-off", "ambient-off",
  ]
}
