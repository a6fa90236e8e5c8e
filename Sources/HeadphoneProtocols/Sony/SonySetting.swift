/// A setting that is a single value in Sony's messages.
///
/// Request, response, command and report have four consecutive numbers (n to n + 3), with the same
/// type and the same prefix before the value:
///
/// | setting | first generation | second: function, command, type |
/// | --- | --- | --- |
/// | pause when taken off | F6 03 00 | F1: F6 01, inverted |
/// | speak to chat | F6 05 01 | FC: F6 0C, F2: F6 02, both inverted |
/// | automatic power off | F6 04 01 | 25: 26 05, 24: 26 04 |
/// | DSEE upscaling | E6 02 00 | E2: E6 01 |
/// | priority of the connection | E6 01 00 | E1: E6 00, E3: E6 02 |
/// | touch panel | the general setting of that name, 01 | the same, inverted |
/// | noise control button | | 69: 66 30 |
/// | voice guide, in table 2 | 46 01 01 | 40, 41, 42, 45: 46 00, 01, 03, inverted |
/// | multipoint | the general setting of that name, 01 | the same, inverted |
struct SonySetting: Sendable {
  struct Value: Sendable {
    var value: SettingValue
    var bytes: [UInt8]
  }

  var declaration: SettingDeclaration
  /// The number of the request; response, command and report have the next three.
  var command: UInt8
  var type: UInt8
  /// The bytes between type and value, which are not part of the request.
  var prefix: [UInt8] = []
  var values: [Value]
  /// Other encodings of a value in reports.
  var alsoRead: [Value] = []
  var suffix: [UInt8] = []
  var isInSecondTable = false
  var questionSuffix: [UInt8] = []
  /// A second prefix that responses may have.
  var alsoPrefix: [UInt8]?
  /// Whether the configuration (``SonyTalk``) must be sent before the setting is switched on.
  var isPrepared = false

  var question: [UInt8] { [command, type] + questionSuffix }

  func payload(_ value: SettingValue) -> [UInt8]? {
    values.first { $0.value == value }.map { [command + 2, type] + prefix + $0.bytes + suffix }
  }

  /// Returns the bytes of the value in a message that starts with command and type, or nil if its
  /// prefix differs.
  func bytes(in payload: some Sequence<UInt8>) -> ArraySlice<UInt8>? {
    let rest = Array(payload.dropFirst(2))
    guard rest.starts(with: prefix) || alsoPrefix.map(rest.starts) == true else { return nil }
    return rest.dropFirst(prefix.count)
  }

  func value(of bytes: ArraySlice<UInt8>) -> SettingValue? {
    (values + alsoRead).first { bytes.starts(with: $0.bytes) }?.value
  }

  private static func toggle(on: UInt8, off: UInt8) -> [Value] {
    [Value(value: .toggle(true), bytes: [on]), Value(value: .toggle(false), bytes: [off])]
  }

  private static let pause = SettingDeclaration(.pauseWhenTakenOff)
  private static let speakToChat = SettingDeclaration("speak-to-chat")
  private static let upscaling = SettingDeclaration("dsee")

  /// Returns the setting for the priority of the connection; with quality, the headphone offers
  /// LDAC.
  private static func priority(
    _ ids: [String], type: UInt8, prefix: [UInt8] = []
  ) -> SonySetting {
    SonySetting(
      declaration: SettingDeclaration("connection-priority", .choices(ids)), command: 0xE6,
      type: type, prefix: prefix,
      values: ids.enumerated().map { Value(value: .choice($1), bytes: [UInt8($0)]) })
  }

  private static let times: [(id: String, bytes: [UInt8])] = [
    ("5-minutes", [0x00, 0x00]), ("15-minutes", [0x04, 0x04]), ("30-minutes", [0x01, 0x01]),
    ("1-hour", [0x02, 0x02]), ("3-hours", [0x03, 0x03]), ("when-taken-off", [0x10, 0x00]),
    ("never", [0x11, 0x00]),
  ]

  /// Returns the setting for automatic power off; "when taken off" requires wear detection.
  private static func autoPowerOff(
    _ command: UInt8, _ type: UInt8, prefix: [UInt8] = [], detectsWearing: Bool
  ) -> SonySetting {
    let times = times.filter { detectsWearing || $0.id != "when-taken-off" }
    return SonySetting(
      declaration: SettingDeclaration(.autoPowerOff, .choices(times.map(\.id))),
      command: command, type: type, prefix: prefix,
      values: times.map { Value(value: .choice($0.id), bytes: $0.bytes) },
      // For these two, the second byte keeps the previous time.
      alsoRead: times.filter { $0.bytes[1] == 0 && $0.bytes[0] > 0 }.map {
        Value(value: .choice($0.id), bytes: [$0.bytes[0]])
      })
  }

  /// The setting of the first generation that is read only if the headphone lists it.
  static let firstListed: (function: UInt8, setting: SonySetting) = (
    0xE1, priority(["quality", "stability"], type: 0x01, prefix: [0x00])
  )

  /// The other settings of the first generation, all of which are requested, as headphones lack
  /// some.
  static let first: [SonySetting] = [
    SonySetting(
      declaration: pause, command: 0xF6, type: 0x03, prefix: [0x00], values: toggle(on: 1, off: 0)),
    // 2: on, and speech is detected. Without its configuration, that state would never end. The
    // prefix of a response differs from that of a command and its report.
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

  private static let voiceGuide = SettingDeclaration("voice-guide")

  /// The voice guide of the second generation, by its function number in table 2, without function
  /// 44, whose command also contains the language.
  static let secondTable: [(function: UInt8, setting: SonySetting)] =
    [(0x40, 0x00), (0x41, 0x01), (0x42, 0x01), (0x45, 0x03)].map { function, type in
      (
        function,
        SonySetting(
          declaration: voiceGuide, command: 0x46, type: type, values: toggle(on: 0, off: 1),
          isInSecondTable: true)
      )
    }

  /// Returns a general setting by its name, as its number `type` (D1 to D4) differs between models,
  /// or nil if the name is unknown.
  static func general(
    _ type: UInt8, _ subject: String, _ generation: SonyProtocol.Generation
  ) -> SonySetting? {
    let declarations: [String: SettingDeclaration] = [
      "MULTIPOINT_SETTING": .multipoint,
      "TOUCH_PANEL_SETTING": SettingDeclaration("touch-panel"),
    ]
    let isFirst = generation == .first
    return declarations[subject].map {
      SonySetting(
        declaration: $0, command: 0xD6, type: type, prefix: [isFirst ? 0x01 : 0x00],
        values: isFirst ? toggle(on: 1, off: 0) : toggle(on: 0, off: 1))
    }
  }

  /// The settings of the second generation, by their function number, with inverted switches except
  /// for upscaling.
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
    (0xE1, priority(["quality", "stability", "low-latency"], type: 0x00)),
    (0xE3, priority(["quality", "stability", "low-latency"], type: 0x02)),
    (
      0xE2,
      SonySetting(declaration: upscaling, command: 0xE6, type: 0x01, values: toggle(on: 1, off: 0))
    ),
    (
      0x69,
      SonySetting(
        declaration: SettingDeclaration("noise-button", .choice(buttonCycles)), command: 0x66,
        type: 0x30,
        values: buttonCycles.enumerated().map { index, cycle in
          Value(value: .choice(cycle.id), bytes: [UInt8(index + 1)])
        })
    ),
  ]

  /// The cycles of the noise control button, in the order of their numbers, which start at 1.
  private static let buttonCycles = [
    SettingChoice("cancelling-ambient-off", title: "All modes"),
    SettingChoice("cancelling-ambient", title: "Cancelling, ambient"),
    SettingChoice("cancelling-off", title: "Cancelling, off"),
    SettingChoice("ambient-off", title: "Ambient, off"),
  ]
}
