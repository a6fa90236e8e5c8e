/// A setting that is one value in one message of Sony's.
///
/// Question, answer, order and report are four commands in a row (n, n + 1, n + 2, n + 3), each
/// with the same type and prefix before the value:
///
/// | setting | first generation | second: function, command, type |
/// | --- | --- | --- |
/// | pause when taken off | F6 03 00 | F1: F6 01, inverted |
/// | speak to chat | F6 05 01 | FC: F6 0C, F2: F6 02, both inverted |
/// | automatic power off | F6 04 01 | 25: 26 05, 24: 26 04 |
/// | DSEE upscaling | E6 02 00 | E2: E6 01 |
/// | touch panel | the general setting of that name, 01 | the same, inverted |
/// | noise control button | | 69: 66 30 |
/// | voice guide, in table 2 | 46 01 01 | 40, 41, 42, 45: 46 00, 01, 03, inverted |
/// | two devices at a time | the general setting of that name, 01 | the same, inverted |
///
/// ```swift
/// SonySetting.first[0].question  // F6 03
/// SonySetting.first[0].order(.toggle(true))  // F8 03 00 01
/// SonySetting.first[0].value(of: [0xF9, 0x03, 0x00, 0x00])  // .toggle(false)
/// ```
struct SonySetting: Sendable {
  /// A value of the setting, and its bytes.
  struct Value: Sendable {
    var value: SettingValue
    var bytes: [UInt8]
  }

  /// What is offered on screens and in commands.
  var declaration: SettingDeclaration
  /// The question's command; answer, order and report are the next three.
  var command: UInt8
  /// The byte behind the command: which setting it is.
  var type: UInt8
  /// Bytes between type and value, which the question does not have.
  var prefix: [UInt8] = []
  /// All values that can be ordered.
  var values: [Value]
  /// Further bytes that a report may have for a value.
  var alsoRead: [Value] = []
  /// Bytes behind the value in a command.
  var suffix: [UInt8] = []
  /// Whether its commands are of table 2.
  var isInSecondTable = false
  /// Bytes behind the type in the question.
  var questionSuffix: [UInt8] = []
  /// Another prefix that an answer may have.
  var alsoPrefix: [UInt8]?
  /// Whether its configuration (``SonyTalk``) is sent before it is switched on.
  var isPrepared = false

  /// The payload that asks for the value.
  var question: [UInt8] { [command, type] + questionSuffix }

  /// The payload of a command; nil: the setting does not have this value.
  func payload(_ value: SettingValue) -> [UInt8]? {
    values.first { $0.value == value }.map { [command + 2, type] + prefix + $0.bytes + suffix }
  }

  /// The value in an answer or report.
  ///
  /// - Parameter payload: begins with command and type.
  /// - Returns: nil where the bytes are no value that is known.
  func value(of payload: some Sequence<UInt8>) -> SettingValue? {
    let rest = Array(payload.dropFirst(2))
    guard rest.starts(with: prefix) || alsoPrefix.map(rest.starts) == true else { return nil }
    let bytes = rest.dropFirst(prefix.count)
    return (values + alsoRead).first { bytes.starts(with: $0.bytes) }?.value
  }

  /// The two values of a switch.
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

  /// The times after which the headphone switches itself off, as two bytes.
  private static let times: [(id: String, bytes: [UInt8])] = [
    ("5-minutes", [0x00, 0x00]), ("15-minutes", [0x04, 0x04]), ("30-minutes", [0x01, 0x01]),
    ("1-hour", [0x02, 0x02]), ("3-hours", [0x03, 0x03]), ("when-taken-off", [0x10, 0x00]),
    ("never", [0x11, 0x00]),
  ]

  /// The setting for automatic power off; "when taken off" needs a headphone that detects it.
  private static func autoPowerOff(
    _ command: UInt8, _ type: UInt8, prefix: [UInt8] = [], detectsWearing: Bool
  ) -> SonySetting {
    let times = times.filter { detectsWearing || $0.id != "when-taken-off" }
    return SonySetting(
      declaration: SettingDeclaration(
        .autoPowerOff, SettingDeclaration.choices(times.map(\.id)), title: "Automatic power off",
        label: "Off in", group: .device), command: command, type: type, prefix: prefix,
      values: times.map { Value(value: .choice($0.id), bytes: $0.bytes) })
  }

  /// The settings of the first generation: not every headphone has them all, so each is asked.
  static let first: [SonySetting] = [
    SonySetting(
      declaration: pause, command: 0xF6, type: 0x03, prefix: [0x00], values: toggle(on: 1, off: 0)),
    // 2: it is on, and speech is detected. Without its configuration it would never end by itself.
    // The prefix of an answer is not that of a command and its report.
    SonySetting(
      declaration: speakToChat, command: 0xF6, type: 0x05, prefix: [0x01],
      values: toggle(on: 1, off: 0), alsoRead: [Value(value: .toggle(true), bytes: [2])],
      alsoPrefix: [0x00], isPrepared: true),
    autoPowerOff(0xF6, 0x04, prefix: [0x01], detectsWearing: true),
    SonySetting(
      declaration: upscaling, command: 0xE6, type: 0x02, prefix: [0x00],
      values: toggle(on: 1, off: 0)),
    SonySetting(
      declaration: voiceGuide, command: 0x46, type: 0x01, prefix: [0x01],
      values: toggle(on: 1, off: 0), isInSecondTable: true, questionSuffix: [0x01]),
  ]

  private static let voiceGuide = switchOf("voice-guide", "Voice guide", "Guide", .sound)

  /// The voice guide of the second generation, by the function number of table 2 that a headphone
  /// lists.
  ///
  /// Another kind (44) has the language in its order, too, and is left alone.
  static let secondTable: [(function: UInt8, setting: SonySetting)] =
    [(0x40, 0x00), (0x41, 0x01), (0x42, 0x01), (0x45, 0x03)].map { function, type in
      (
        function,
        SonySetting(
          declaration: voiceGuide, command: 0x46, type: type, values: toggle(on: 0, off: 1),
          isInSecondTable: true)
      )
    }

  /// A general setting, whose number differs among models: its name decides.
  ///
  /// - Parameters:
  ///   - type: D1 to D4, as the headphone describes it.
  ///   - subject: its name.
  /// - Returns: nil for a name that is not known here.
  static func general(
    _ type: UInt8, _ subject: String, _ generation: SonyProtocol.Generation
  ) -> SonySetting? {
    let declarations: [String: SettingDeclaration] = [
      "MULTIPOINT_SETTING": .multipoint,
      "TOUCH_PANEL_SETTING": switchOf("touch-panel", "Touch panel", "Touch", .controls),
    ]
    let isFirst = generation == .first
    return declarations[subject].map {
      SonySetting(
        declaration: $0, command: 0xD6, type: type, prefix: [isFirst ? 0x01 : 0x00],
        values: isFirst ? toggle(on: 1, off: 0) : toggle(on: 0, off: 1))
    }
  }

  /// The settings of the second generation, by the function number that a headphone lists.
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
          "noise-button", .choice(buttonCycles), title: "Noise control button", label: "Button",
          group: .controls), command: 0x66, type: 0x30,
        values: buttonCycles.enumerated().map { index, cycle in
          Value(value: .choice(cycle.id), bytes: [UInt8(index + 1)])
        })
    ),
  ]

  /// What the noise control button goes through, by its number minus 1.
  private static let buttonCycles = [
    SettingChoice("cancelling-ambient-off", title: "All modes"),
    SettingChoice("cancelling-ambient", title: "Cancelling, ambient"),
    SettingChoice("cancelling-off", title: "Cancelling, off"),
    SettingChoice("ambient-off", title: "Ambient, off"),
  ]
}
