public import BluetoothCodec

/// The protocol of Samsung's Galaxy Buds over RFCOMM, from those of 2019 on.
///
/// The buds report their whole state when the channel opens and when it changes. Most commands are
/// confirmed by a message with their number and values. The buds of 2019 confirm few commands, so
/// their next state decides. Buds4 and Buds4 Pro confirm commands by a result, 0 for success, and
/// then report the mode (0x77). Only the numbers of `Message` are sent: others reset the buds, or
/// switch them off.
///
/// | command | payload | confirmed by |
/// | --- | --- | --- |
/// | 0x78 noise control | ``ANCMode`` (0 off, 1 cancelling, 2 ambient, 3 adaptive) | 0x42 |
/// | 0x80 ambient sound (2019, Buds+) | flag | 0x81 |
/// | 0x98 cancelling (Live) | flag | 0x9B |
/// | 0x84 level of ambient sound | level | 0x42 |
/// | 0x86 equaliser | preset; 2019: flag and preset + 4 | 0x42 |
/// | 0x85 focus on voice (2019), game mode (others) | flag | the next state; 0x42 |
/// | 0x92 touch and hold | left, right: `GalaxyBudsHolds` | 0x42 |
/// | 0x6F, 0x7A, 0x7B, 0x83, 0xAF | `GalaxyBudsSetting` | 0x42 |
/// | 0x90 touch | 1 unlocked, then a flag for each gesture | 0x42 |
/// | 0xA0, 0xA1 find | none | nothing |
/// | 0xA2 mute | left, right: 1 silent | 0xA3 |
public struct GalaxyBudsProtocol: FramedProtocol {
  public typealias Frame = GalaxyBudsFrame

  public static let name = "Galaxy Buds"

  public static let vendor: UInt16 = 0x0075
  /// The service of all buds except those of 2019.
  public static let laterService = BluetoothUUID(
    high: 0x2E73_A4AD_332D_41FC, low: 0x90E2_16BE_F065_23F2)
  /// The service of the buds of 2019, which ends in 34FD, not in 34FB as the Bluetooth Base UUID.
  public static let firstService = BluetoothUUID(
    high: 0x0000_1102_0000_1000, low: 0x8000_0080_5F9B_34FD)
  /// Samsung's own services, and the Serial Port Profile if the company is Samsung.
  public static let services = [
    SerialService(laterService), SerialService(firstService),
    SerialService(SerialService.serialPort, vendor: vendor),
  ]

  let layout: GalaxyBudsFrame.Layout
  var reader: FrameReader
  /// The generation, or nil before the first full state.
  var generation: GalaxyBudsGeneration?
  /// The model, or nil before the first full state or if unknown.
  var model: GalaxyBudsModel?
  var reported = ReportedValues()
  var firmware: String?
  /// The highest reported level of ambient sound, which may exceed those of the generation.
  var mostAmbient: UInt8 = 0
  /// Whether the adaptive mode was ever reported, so that it is offered.
  var isAdaptive = false
  var reportsChosenMode = false
  /// The enabled gestures, or nil if a command for the touch lock does not name gestures.
  var gestures: GalaxyBudsGestures?
  /// The actions of touching and holding, or nil if not reported; a command writes both.
  var holds: GalaxyBudsHolds?
  /// The mode of the current command, or nil for other commands.
  var orderedMode: ANCMode?
  var confirmsByResult = false
  var isResultAlone = false
  private var ringing: Sides = []

  /// Creates the protocol for the opened service, which determines the layout of frames.
  public init(on service: BluetoothUUID) {
    layout = service == Self.firstService ? .first : .later
    reader = FrameReader(GalaxyBudsFrame.format(layout))
  }

  public var isRecognised: Bool { generation != nil }

  public var capabilities: Capabilities {
    var able = reported.capabilities
    guard let generation else { return able }
    if reported.hasNoise {
      able.ancModes = generation.modes + (isAdaptive ? [.adaptive] : [])
    }
    if let levels = generation.levels, reported.level != nil {
      able.hasANCLevel = true
      able.ancLevels = levels.lowerBound...max(levels.upperBound, mostAmbient)
    }
    able.hasFind = true
    return able
  }

  public var information: DeviceInformation {
    DeviceInformation(manufacturer: "Samsung", model: model?.name, firmware: firmware)
  }

  // MARK: Queries

  /// Returns a message after which the buds report everything, as they also do unprompted.
  public mutating func questions() -> [Exchange] {
    [exchange(.manager, [0x01, 0x01, 0x22], response: .state)]
  }

  private func exchange(
    _ message: Message, _ payload: [UInt8] = [], response: Message
  ) -> Exchange {
    Exchange(frame(message, payload), response: Self.response(response))
  }

  /// Returns a command, which later buds confirm (0x42 and the number) and the first ones do not.
  private func request(_ message: Message, _ payload: [UInt8]) -> Exchange {
    layout == .first
      ? Exchange(withoutResponse: frame(message, payload))
      : Exchange(frame(message, payload), response: Self.confirmation(of: message.rawValue))
  }

  static func confirmation(of number: UInt8) -> ResponseID {
    ResponseID(UInt16(Message.confirmation.rawValue) << 8 | UInt16(number))
  }

  private func frame(_ message: Message, _ payload: [UInt8]) -> [UInt8] {
    GalaxyBudsFrame(layout, message.rawValue, payload).encoded()
  }

  static func response(_ message: Message) -> ResponseID {
    ResponseID(UInt16(message.rawValue))
  }

  /// Returns the messages of the generation.
  ///
  /// - Throws: `notStarted` before the first state; `unsupported` for a mode, level or setting that
  ///   was not reported or that the generation does not have; `badArgument` for a level out of
  ///   range; `refused(.wrongState)` if a bud that should ring is worn.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    guard let generation else { throw .notStarted }
    (reported.refusal, orderedMode, isResultAlone) = (nil, nil, false)
    let able = capabilities
    switch command {
    case .setANC(let mode) where able.ancModes.contains(mode):
      orderedMode = mode
      return [noise(mode, generation)]
    case .setANC(let mode): throw .noMode(mode)
    case .setANCLevel(let level) where able.hasANCLevel:
      guard able.ancLevels.contains(level) else {
        throw .level(level, outside: 0...able.ancLevels.upperBound)
      }
      return [request(.setAmbientLevel, [level])]
    case .set(let id, let value):
      guard able.declares(id), able.declaration(of: id)?.accepts(value) == true else {
        throw .unsupported(id.displayText)
      }
      return try self.request(id, value, generation)
    case .find(let sides, let isOn): return try find(sides, isOn: isOn)
    default: throw .noCommand(of: Self.name)
    }
  }

  /// Returns the command for noise control, which is one switch on Buds of 2019, Buds+ and Live.
  private func noise(_ mode: ANCMode, _ generation: GalaxyBudsGeneration) -> Exchange {
    let isOn: [UInt8] = [mode == .off ? 0 : 1]
    return switch generation {
    case .first, .plus: exchange(.setAmbient, isOn, response: .ambientChanged)
    case .live: exchange(.setCancelling, isOn, response: .cancellingChanged)
    case .pro, .second: request(.setNoise, [mode.rawValue])
    }
  }

  private func request(
    _ id: SettingID, _ value: SettingValue, _ generation: GalaxyBudsGeneration
  ) throws(HeadphoneError) -> [Exchange] {
    switch (id, value) {
    case (.equaliserPreset, .choice(let name)):
      let index = UInt8(Self.presets.firstIndex(of: name) ?? 0)
      let payload: [UInt8] =
        generation == .first ? [index > 0 ? 1 : 0, max(1, index) - 1 + 5] : [index]
      return [request(.setEqualiser, payload)]
    case (.focusOnVoice, .toggle(let isOn)) where generation == .first:
      return [request(.setVoice, [isOn ? 1 : 0])]
    case (Self.touchLock.id, .toggle(let isLocked)):
      guard let gestures else { throw .unsupported(id.displayText) }
      return [request(.setTouch, gestures.locked(isLocked))]
    case (_, .choice(let action)) where holds?.with(id, action) != nil:
      guard let wanted = holds?.with(id, action) else { break }
      return [request(.setHolds, [wanted.left, wanted.right])]
    default:
      guard let setting = GalaxyBudsSetting.all.first(where: { $0.declaration.id == id }),
        let byte = setting.byte(of: value)
      else { break }
      return [request(setting.message, [byte])]
    }
    throw .unsupported(id.displayText)
  }

  /// Makes both buds ring and mutes a bud that should not, or throws if one that should is worn.
  private mutating func find(_ sides: Sides, isOn: Bool) throws(HeadphoneError) -> [Exchange] {
    let wanted = isOn ? ringing.union(sides) : ringing.subtracting(sides)
    guard !wanted.isEmpty else { return [Exchange(withoutResponse: frame(.stopFinding, []))] }
    try reported.checkRinging(wanted)
    let mutes: [UInt8] = [wanted.contains(.left) ? 0 : 1, wanted.contains(.right) ? 0 : 1]
    var mute = exchange(.mute, mutes, response: .muted)
    if ringing.isEmpty { mute = mute.after([Exchange(withoutResponse: frame(.startFinding, []))]) }
    return [mute]
  }

  /// Returns the events after a command, and checks the reported value against the command.
  ///
  /// The first buds confirm nothing, and the newest ones confirm some commands by a result alone:
  /// such a command counts as successful until the next state.
  ///
  /// - Throws: `unsupported` if the buds report another value; `badArgument` if a bud is not worn
  ///   that has to be.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    defer { orderedMode = nil }
    switch command {
    case .find(let sides, let isOn):
      ringing = isOn ? ringing.union(sides) : ringing.subtracting(sides)
      return [.findChanged(ringing)]
    case .setANCLevel(let level) where layout == .first || isResultAlone:
      reported.apply(level: level)
    case .set(let id, let value) where layout == .first || isResultAlone:
      if let declaration = reported.capabilities.declaration(of: id) {
        reported.apply(declaration, value)
      }
    case .setANC(let mode)
    where reported.noise != mode && reported.refusal == nil && needsBoth(mode):
      throw .badArgument("wear both buds, or allow noise control with one bud")
    default: try reported.confirm(command)
    }
    return reported.takeEvents()
  }

  /// Returns whether a mode requires both buds in the ears, and one of them is not.
  private func needsBoth(_ mode: ANCMode) -> Bool {
    [.noiseCancelling, .adaptive].contains(mode) && reported.wearing != nil
      && !isWornInBothEars && reported.isOn(GalaxyBudsSetting.oneBud.id) != true
  }

  var isWornInBothEars: Bool { reported.wearing == Wearing(left: true, right: true) }

  // MARK: Reports

  /// Parses one frame; the confirmation of a mode answers nothing until the mode is reported.
  mutating func apply(
    _ frame: GalaxyBudsFrame, to parsed: inout ParsedMessage
  ) throws(MalformedBytes) {
    guard let message = Message(rawValue: frame.number) else {
      return reported.skip("message \(hexadecimal(frame.number, width: 2))")
    }
    let number = message == .confirmation ? frame.payload.first : nil
    let response = number.map(Self.confirmation) ?? Self.response(message)
    parsed.responses = [response]
    try apply(message, frame.payload)
    let setNoise = Self.confirmation(of: Message.setNoise.rawValue)
    if isNoiseOpen {
      parsed.responses.remove(setNoise)
    } else if confirmsByResult, orderedMode != nil, message == .noiseChanged {
      parsed.responses.insert(setNoise)
    }
  }

  /// Whether the commanded mode is neither refused nor reported, on buds that report it later.
  private var isNoiseOpen: Bool {
    guard let orderedMode, confirmsByResult else { return false }
    return reported.refusal == nil && reported.noise != orderedMode
  }

  // MARK: Settings

  static let presets = ["off", "bass-boost", "soft", "dynamic", "clear", "treble-boost"]
  static let equaliser = SettingDeclaration(.equaliserPreset, .choices(presets))
  static let touchLock = SettingDeclaration("touch-lock")
  static let voice = SettingDeclaration(.focusOnVoice)
}
