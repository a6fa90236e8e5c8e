internal import BluetoothCodec

/// The settings that are one function each, and values that commands have to repeat.
struct BoseSettings: Sendable {
  /// The value of multipoint: bit 0 is on; the other bits say what can be switched.
  private var multipoint: UInt8 = 0
  /// The value of voice prompts, whose language a command repeats.
  private var prompts: UInt8 = 0

  static let functions: [BoseFrame.Function] =
    [.equaliser, .sidetone, .multipoint, .prompts, .autoOff] + switches.map(\.function)
    + [.buttons]

  // MARK: Commands

  /// Returns the function and payload that set a value, or nil for other settings.
  func order(_ id: SettingID, _ value: SettingValue) -> (BoseFrame.Function, [UInt8])? {
    switch value {
    case .toggle(let isOn):
      let bit: UInt8 = isOn ? 1 : 0
      switch id {
      case .multipoint: return (.multipoint, [multipoint & ~Self.isTwo | bit])
      case Self.voicePrompts.id:
        return (.prompts, [prompts & Self.language | (isOn ? Self.promptsOn : 0)])
      default: return Self.switches.first { $0.declaration.id == id }.map { ($0.function, [bit]) }
      }
    case .choice(let name):
      if let button = Self.buttons.first(where: { $0.value.id == id })?.key {
        return Self.actions.first { $0.name == name }
          .map { (.buttons, [button, Self.longPress, $0.number]) }
      }
      switch id {
      case Self.steps.id:
        return Self.stepNames.first { $0.value == name }.map { (.steps, [$0.key]) }
      case .autoPowerOff:
        return Self.autoOffTimes.first { $0.id == name }.map { (.autoOff, [$0.minutes]) }
      case Self.sidetone.id:
        return Self.sidetones.firstIndex(of: name).map { (.sidetone, [1, UInt8($0)]) }
      default: return nil
      }
    case .level(let gain):
      return Self.bands.firstIndex { $0.id == id }
        .map { (.equaliser, [UInt8(bitPattern: Int8(clamping: gain)), UInt8($0)]) }
    default: return nil
    }
  }

  // MARK: Reports

  /// Applies the status of a function, or returns false for a function of another kind.
  mutating func adopt(
    _ function: BoseFrame.Function, _ reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) -> Bool {
    switch function {
    case .equaliser: try Self.adopt(bands: &reader, to: &reported)
    case .steps:
      let step = try reader.uint8()
      let mask = try reader.uint8()
      var declaration = Self.steps
      declaration.kind = .choices(
        (0...3).filter { mask & 1 << $0 != 0 || $0 == step }.compactMap { Self.stepNames[$0] })
      reported.apply(declaration, Self.stepNames[step], or: step)
    case .sidetone:
      _ = try reader.uint8()
      let index = try reader.uint8()
      let name = Int(index) < Self.sidetones.count ? Self.sidetones[Int(index)] : nil
      reported.apply(Self.sidetone, name, or: index)
    case .multipoint:
      multipoint = try reader.uint8()
      reported.apply(.multipoint, .toggle(multipoint & Self.isTwo != 0))
    case .prompts:
      prompts = try reader.uint8()
      reported.apply(Self.voicePrompts, .toggle(prompts & Self.promptsOn != 0))
    case .autoOff:
      // Other models than the QC35 may have other times.
      let minutes = try reader.uint8()
      try reader.finish()
      let time = Self.autoOffTimes.first { $0.minutes == minutes }
      reported.apply(Self.autoOff, time?.id, or: minutes)
    case .buttons: try Self.adopt(button: &reader, to: &reported)
    default:
      guard let declaration = Self.switches.first(where: { $0.function == function })?.declaration
      else { return false }
      reported.apply(declaration, .toggle(try reader.flag()))
    }
    return true
  }

  /// Applies the bands, 4 bytes each: lowest, highest and current gain (signed steps), and band.
  ///
  /// A range that does not contain the gain is rejected, but not the gain.
  private static func adopt(
    bands reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    while !reader.isAtEnd {
      let (least, most, gain) = (try reader.int8(), try reader.int8(), try reader.int8())
      let band = Int(try reader.uint8())
      guard band < bands.count else { continue }
      var declaration = bands[band]
      if least < most, (least...most).contains(gain) {
        declaration.kind = .level(SettingRange(Int(least)...Int(most)))
      } else {
        reported.reject(reader.malformed(.badValue(UInt64(UInt8(bitPattern: gain)))))
      }
      reported.apply(declaration, .level(Int(gain)))
    }
  }

  /// Applies a status of one button: number, event, action, bit map (BE32) of possible actions.
  private static func adopt(
    button reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    let (button, event) = (try reader.uint8(), try reader.uint8())
    guard event == longPress, var declaration = buttons[button] else {
      return reported.skip("event \(event) of button \(hexadecimal(button, width: 2))")
    }
    let action = try reader.uint8()
    let map = try reader.uint32().byteSwapped
    declaration.kind = .choices(
      actions.filter { map >> $0.number & 1 == 1 || $0.number == action }.map(\.name))
    reported.apply(declaration, actions.first { $0.number == action }?.name, or: action)
  }
}

// MARK: Declarations

extension BoseSettings {
  /// The bit that allows two connected devices.
  private static let isTwo: UInt8 = 0x01
  private static let promptsOn: UInt8 = 0x20
  private static let language: UInt8 = 0x1F

  private static let switches: [(function: BoseFrame.Function, declaration: SettingDeclaration)] = [
    (.pause, SettingDeclaration(.pauseWhenTakenOff)),
    (.autoAnswer, SettingDeclaration("auto-answer")),
    (.offWhenStill, SettingDeclaration("off-when-still")),
    (.oneBudTransparency, SettingDeclaration("one-bud-transparency")),
    (.touch, SettingDeclaration("touch-controls")),
  ]

  private static let voicePrompts = SettingDeclaration("voice-prompts")

  /// The steps by number; sources disagree on whether 1 or 3 is stronger, so neither is named.
  private static let stepNames: [UInt8: String] = [
    0: "off", 1: "step-1", 2: "wind", 3: "step-3",
  ]
  private static let steps = SettingDeclaration("noise-cancelling-step", .choice([]))

  /// The levels of the user's own voice in calls, by index.
  private static let sidetones = ["off", "high", "medium", "low"]
  private static let sidetone = SettingDeclaration(
    "sidetone", .choices(["off", "low", "medium", "high"]))

  /// The power-off times of a QC35.
  private static let autoOffTimes: [(id: String, minutes: UInt8)] = [
    ("5-minutes", 5), ("20-minutes", 20), ("40-minutes", 40), ("1-hour", 60), ("3-hours", 180),
    ("never", 0),
  ]
  private static let autoOff = SettingDeclaration(
    .autoPowerOff, .choices(autoOffTimes.map(\.id)))

  /// The bands by index; the headphone reports the range of each.
  private static let bands = ["bass", "middle", "treble"].map { (id: SettingID) in
    SettingDeclaration(id, .level(SettingRange(-10...10)))
  }

  /// The only event of a button whose action can be set.
  private static let longPress: UInt8 = 9
  /// The buttons by number; each reports its possible actions.
  private static let buttons: [UInt8: SettingDeclaration] = [
    0x03: SettingDeclaration("hold-right", .choice([])),
    0x04: SettingDeclaration("hold-left", .choice([])),
    0x80: SettingDeclaration("hold-button", .choice([])),
  ]
  private static let actions: [(number: UInt8, name: String)] = [
    (14, "off"), (1, "voice-assistant"), (17, "modes"), (19, "immersive-audio"),
    (16, "spotify"),
  ]
}
