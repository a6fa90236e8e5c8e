internal import BluetoothCodec

/// A setting of Soundcore's headphones with bytes in the state and a separate command.
///
/// A switch is one byte. A setting with several values is a byte that switches it on, followed by a
/// byte for the value; the command that switches it off repeats the value. The body of a command
/// consists of these bytes as in the state.
///
/// | command | setting |
/// | --- | --- |
/// | 0181 | pause when taken off |
/// | 0183, 018C | tones when touched, and when put on |
/// | 0184 | sidetone |
/// | 0186 | automatic power off: on, and which of the model's four times |
/// | 0187, 1085 | game mode, by model |
/// | 01AE | voice prompts for modes |
/// | 01AF, 1082 | prompt for a low battery, by model |
/// | 01FF | LDAC, which is read with 017F; some models report 017F unprompted |
/// | 0286 | surround sound |
/// | 0390 | noise cancelling adapted to the ear canal |
/// | 0486 | touch lock |
/// | 0B84 | multipoint |
/// | 1086 | compensation of sound leakage |
/// | 2082 | volume limit: on, and the limit in dB |
///
/// All are from the published layout of one project (OpenSCQ30), whose offsets are plausible in the
/// states of its tests. P31i and R60i NC were recorded reporting LDAC.
struct SoundcoreSetting: Hashable, Sendable {
  let declaration: SettingDeclaration
  let command: UInt16
  let place: Int
  private(set) var question = SoundcoreCommand.state
  /// The numbers of all choices except the last, which is off; empty for a switch.
  private var numbers: [UInt8] = []

  private init(_ declaration: SettingDeclaration, _ command: UInt16, at place: Int) {
    self.declaration = declaration
    self.command = command
    self.place = place
  }

  func apply(_ state: [UInt8], to reported: inout ReportedValues) {
    let bytes = Array(state.dropFirst(place).prefix(numbers.isEmpty ? 1 : 2))
    guard let isOn = bytes.first, let number = bytes.last else { return }
    guard isOn <= 1 else {
      return reported.reject(MalformedBytes("Soundcore state", at: place, .badValue(UInt64(isOn))))
    }
    if numbers.isEmpty {
      reported.apply(declaration, .toggle(isOn == 1))
    } else if bytes.count == 2 {
      let index = isOn == 1 ? numbers.firstIndex(of: number) : numbers.count
      if let index {
        reported.apply(declaration, .choice(ids[index]))
      } else {
        reported.apply(declaration, unnamed: number)
      }
    }
  }

  func body(for value: SettingValue, in state: [UInt8]) -> [UInt8]? {
    switch value {
    case .toggle(let isOn) where numbers.isEmpty: return [isOn ? 1 : 0]
    case .choice(let id):
      guard let index = ids.firstIndex(of: id), place + 1 < state.count else { return nil }
      return index < numbers.count ? [1, numbers[index]] : [0, state[place + 1]]
    default: return nil
    }
  }

  private var ids: [String] {
    if case .choice(let choices) = declaration.kind { choices.map(\.id) } else { [] }
  }
}

// MARK: Settings by their place

extension SoundcoreSetting {
  private static func toggle(_ id: SettingID, _ command: UInt16, at place: Int) -> Self {
    Self(SettingDeclaration(id), command, at: place)
  }

  static func pause(_ place: Int) -> Self { toggle(.pauseWhenTakenOff, 0x0181, at: place) }

  static func touchTone(_ place: Int) -> Self { toggle("touch-tone", 0x0183, at: place) }

  static func wearingTone(_ place: Int) -> Self { toggle("wearing-tone", 0x018C, at: place) }

  static func sidetone(_ place: Int) -> Self { toggle("sidetone", 0x0184, at: place) }

  /// Returns the switch for game mode: 0187, or 1085 for models that use 0187 for another setting.
  static func gameMode(_ place: Int, _ command: UInt16) -> Self {
    toggle("game-mode", command, at: place)
  }

  static func voicePrompts(_ place: Int) -> Self { toggle("voice-prompts", 0x01AE, at: place) }

  /// Returns the switch for the prompt at low battery: 01AF, or 1082 for buds.
  static func batteryPrompt(_ place: Int, _ command: UInt16 = 0x1082) -> Self {
    toggle("low-battery-prompt", command, at: place)
  }

  static func ldac(_ place: Int) -> Self { toggle("ldac", SoundcoreCommand.setLDAC, at: place) }

  static let reportedLDAC: Self = {
    var setting = ldac(0)
    setting.question = SoundcoreCommand.ldac
    return setting
  }()

  static func personalisedCancelling(_ place: Int) -> Self {
    toggle("personalised-cancelling", 0x0390, at: place)
  }

  static func surround(_ place: Int) -> Self { toggle("spatial-sound", 0x0286, at: place) }

  static func touchLock(_ place: Int) -> Self { toggle("touch-lock", 0x0486, at: place) }

  static func twoDevices(_ place: Int) -> Self { toggle(.multipoint, 0x0B84, at: place) }

  static func leakage(_ place: Int) -> Self { toggle("leakage-compensation", 0x1086, at: place) }

  private static let longTimes = ["30-minutes", "1-hour", "90-minutes", "2-hours"]
  private static let shortTimes = ["10-minutes", "20-minutes", "30-minutes", "1-hour"]

  /// Returns the setting for automatic power off; the longer times are up to two hours.
  static func autoPowerOff(_ place: Int, isLong: Bool) -> Self {
    let times = isLong ? longTimes : shortTimes
    var setting = Self(
      SettingDeclaration(.autoPowerOff, .choices(times + ["never"])), 0x0186, at: place)
    setting.numbers = times.indices.map { UInt8($0) }
    return setting
  }

  /// Returns the volume limit in dB, with the steps of the maker's app.
  static func volumeLimit(_ place: Int) -> Self {
    let levels: [UInt8] = [75, 80, 85, 90, 95, 100]
    let choices = levels.map { SettingChoice("\($0)-db", title: "\($0) dB") }
    var setting = Self(
      SettingDeclaration(
        "volume-limit", .choice(choices + [SettingChoice("off", title: "Off")])), 0x2082, at: place)
    setting.numbers = levels
    return setting
  }
}
