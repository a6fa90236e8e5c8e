public import BluetoothCodec

/// The protocol of Samsung's Galaxy Buds over RFCOMM, from those of 2019 on.
///
/// The buds report their whole state when the channel opens and when it changes. Most commands are
/// confirmed by their number and values; the buds of 2019 confirm few, and the next state decides.
/// No other numbers than those of `Message` are ever sent: some reset the buds, or switch them off.
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
/// | 0x7A, 0x7B, 0x83, 0xAF | `GalaxyBudsSetting` | 0x42 |
/// | 0x90 touch | 1 unlocked, then a flag for each gesture | 0x42 |
/// | 0xA0, 0xA1 find | none | nothing |
/// | 0xA2 mute | left, right: 1 silent | 0xA3 |
///
/// ```swift
/// var buds = GalaxyBudsProtocol(on: GalaxyBudsProtocol.laterService)
/// buds.questions()  // FD 06 10 88 01 01 22 DA 58 DD, answered by the state (0x61)
/// for frame in buds.messages(in: piece) { events += buds.receive(frame).events }
/// ```
public struct GalaxyBudsProtocol: FramedProtocol {
  public typealias Frame = GalaxyBudsFrame

  public static let name = "Galaxy Buds"

  /// Samsung's company identifier.
  public static let vendor: UInt16 = 0x0075
  /// The service of all buds but those of 2019.
  public static let laterService = BluetoothUUID(
    high: 0x2E73_A4AD_332D_41FC, low: 0x90E2_16BE_F065_23F2)
  /// The service of the buds of 2019.
  ///
  /// It ends in 34FD: it looks like the Bluetooth Base UUID, which ends in 34FB, and differs from
  /// it.
  public static let firstService = BluetoothUUID(
    high: 0x0000_1102_0000_1000, low: 0x8000_0080_5F9B_34FD)
  /// Samsung's own services, then the Serial Port Profile where the company is Samsung.
  public static let services = [
    SerialService(laterService), SerialService(firstService),
    SerialService(SerialService.serialPort, vendor: vendor),
  ]

  /// Messages by their published numbers.
  enum Message: UInt8, Hashable, Sendable, CaseIterable {
    /// Batteries and places; sent when one of them changes.
    case shortState = 0x60
    /// Everything; the layout is the generation's (`GalaxyBudsState`).
    case state = 0x61
    /// Confirms a command: its number, then its values.
    case confirmation = 0x42
    /// Firmware and hardware versions; sent when the channel opens, and not read.
    case versions = 0x63
    /// Names the program that controls the buds, upon which they report their state.
    case manager = 0x88
    /// Noise control was changed on the buds; behind the mode, which of them are worn.
    case noiseChanged = 0x77
    case setNoise = 0x78
    /// Galaxy Buds and Buds+.
    case setAmbient = 0x80
    /// Confirms ``setAmbient``, and reports the change by a touch.
    case ambientChanged = 0x81
    case setAmbientLevel = 0x84
    /// Focus on voice of Galaxy Buds of 2019, game mode of all others.
    case setVoice = 0x85
    case setConversation = 0x7A
    case setConversationTime = 0x7B
    case setStrength = 0x83
    case setHolds = 0x92
    /// Connecting to another device of the same account; inverted.
    case setSeamless = 0xAF
    case setEqualiser = 0x86
    case setTouch = 0x90
    /// Galaxy Buds Live.
    case setCancelling = 0x98
    /// Confirms ``setCancelling``, and reports the change by a touch.
    case cancellingChanged = 0x9B
    case startFinding = 0xA0
    case stopFinding = 0xA1
    case mute = 0xA2
    /// Confirms ``mute``.
    case muted = 0xA3
  }

  /// The framing, by the service.
  private let layout: GalaxyBudsFrame.Layout
  var reader: FrameReader
  /// The generation by the first full state; nil before it.
  private var generation: GalaxyBudsGeneration?
  private(set) var reported = ReportedValues()
  private var model: String?
  /// The highest level of ambient sound that was reported: some buds have more than their
  /// generation.
  private var mostAmbient: UInt8 = 0
  /// Whether the adaptive mode was ever reported: only then is it offered.
  private var isAdaptive = false
  /// The bits of the gestures that are on; nil where the lock is not written with them.
  private var gestures: UInt8?
  /// The actions of touching and holding, of which a command writes both; nil: not reported.
  private var holds: GalaxyBudsHolds?
  /// The buds that sound now.
  private var ringing: Sides = []

  ///
  /// Creates the protocol for the service whose channel was opened.
  ///
  /// - Parameter service: determines the framing.
  public init(on service: BluetoothUUID) {
    layout = service == Self.firstService ? .first : .later
    reader = FrameReader(GalaxyBudsFrame.format(layout))
  }

  /// Whether a full state has arrived.
  public var isRecognised: Bool { generation != nil }

  /// The buds' capabilities, by the model's generation and by what they have reported.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    guard let generation else { return able }
    if reported.noise != nil {
      able.ancModes = generation.modes + (isAdaptive ? [.adaptive] : [])
    }
    if let levels = generation.levels, reported.level != nil {
      able.hasANCLevel = true
      able.ancLevels = levels.lowerBound...max(levels.upperBound, mostAmbient)
    }
    able.hasFind = true
    return able
  }

  /// The model, where the state names one that is known here.
  public var information: DeviceInformation {
    DeviceInformation(manufacturer: "Samsung", model: model)
  }

  // MARK: Asking

  /// Names a program, upon which the buds report all; they do so by themselves, too.
  public mutating func questions() -> [Exchange] {
    [exchange(.manager, [0x01, 0x01, 0x22], response: .state)]
  }

  /// A message, and the message that answers it.
  private func exchange(
    _ message: Message, _ payload: [UInt8] = [], response: Message
  ) -> Exchange {
    Exchange(frame(message, payload), response: Self.response(response))
  }

  /// A command that later buds confirm (0x42 and the number), and the first ones do not.
  private func request(_ message: Message, _ payload: [UInt8]) -> Exchange {
    layout == .first
      ? Exchange(withoutResponse: frame(message, payload))
      : Exchange(
        frame(message, payload),
        response: ResponseID(UInt16(Message.confirmation.rawValue) << 8 | UInt16(message.rawValue)))
  }

  private func frame(_ message: Message, _ payload: [UInt8]) -> [UInt8] {
    GalaxyBudsFrame(layout, message.rawValue, payload).encoded()
  }

  /// The identifier of a message: its number.
  private static func response(_ message: Message) -> ResponseID {
    ResponseID(UInt16(message.rawValue))
  }

  /// The exchanges that carry a command out, by the generation's messages.
  ///
  /// - Throws: `notStarted` before the first state; `unsupported` for a mode, level or setting that
  ///   the generation or the report does not have; `badArgument` for a level out of range;
  ///   `refused(.wrongState)` where a bud that is to sound is worn.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    guard let generation else { throw .notStarted }
    let able = capabilities
    switch command {
    case .setANC(let mode) where able.ancModes.contains(mode):
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

  /// The command for noise control; those of 2019, Buds+ and Live have one switch only.
  private func noise(_ mode: ANCMode, _ generation: GalaxyBudsGeneration) -> Exchange {
    let isOn: [UInt8] = [mode == .off ? 0 : 1]
    return switch generation {
    case .first, .plus: exchange(.setAmbient, isOn, response: .ambientChanged)
    case .live: exchange(.setCancelling, isOn, response: .cancellingChanged)
    case .pro, .second: request(.setNoise, [mode.rawValue])
    }
  }

  /// The command for a setting.
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
      let bits: [UInt8] = [0x08, 0x04, 0x02, 0x01, 0x10, 0x20]
      return [
        request(.setTouch, [isLocked ? 0 : 1] + bits.map { gestures & $0 == 0 ? 0 : 1 })
      ]
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

  /// Makes buds sound: both start, and the ones that are not meant are muted.
  ///
  /// - Throws: `refused(.wrongState)` where one of them is worn, before anything is sent.
  private mutating func find(_ sides: Sides, isOn: Bool) throws(HeadphoneError) -> [Exchange] {
    let wanted = isOn ? ringing.union(sides) : ringing.subtracting(sides)
    guard !wanted.isEmpty else { return [Exchange(withoutResponse: frame(.stopFinding, []))] }
    try reported.checkRinging(wanted)
    let mutes: [UInt8] = [wanted.contains(.left) ? 0 : 1, wanted.contains(.right) ? 0 : 1]
    var mute = exchange(.mute, mutes, response: .muted)
    if ringing.isEmpty { mute = mute.after([Exchange(withoutResponse: frame(.startFinding, []))]) }
    return [mute]
  }

  /// Ends a command: later buds have confirmed it, and the reported value is checked against it.
  ///
  /// The first ones confirm nothing: a command without an answer counts as carried out, until their
  /// next state.
  ///
  /// - Throws: `unsupported` where the buds report another value.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    switch command {
    case .find(let sides, let isOn):
      ringing = isOn ? ringing.union(sides) : ringing.subtracting(sides)
      return [.findChanged(ringing)]
    case .setANCLevel(let level) where layout == .first: return reported.apply(level: level)
    case .set(let id, let value) where layout == .first:
      return reported.capabilities.declaration(of: id).map { reported.apply($0, value) } ?? []
    default:
      try reported.confirm(command)
      return []
    }
  }

  // MARK: Receiving

  /// Takes one frame; messages of other numbers are skipped.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    do throws(MalformedBytes) {
      let frame = try GalaxyBudsFrame(decoding: value)
      guard let message = Message(rawValue: frame.number) else { return ParsedMessage() }
      var response = Self.response(message)
      if message == .confirmation, let number = frame.payload.first {
        response = ResponseID(UInt16(message.rawValue) << 8 | UInt16(number))
      }
      return ParsedMessage(response: response, try events(of: message, frame.payload))
    } catch {
      return ParsedMessage([.malformed(error, value)])
    }
  }

  /// The changes that a message brings.
  private mutating func events(
    of message: Message, _ payload: Bytes
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    var reader = ByteReader(payload, of: "Galaxy Buds message")
    switch message {
    case .state:
      let state = try GalaxyBudsState(full: payload, layout)
      _ = try reader.uint8()
      generation = GalaxyBudsGeneration(layout, ear: try reader.uint8())
      return apply(state)
    case .shortState:
      guard let generation else { return [] }
      return apply(try GalaxyBudsState(short: payload, layout, generation))
    case .noiseChanged:
      let events = apply(try GalaxyBudsState.mode(try reader.uint8()))
      guard generation != nil, !reader.isAtEnd else { return events }
      return events + reported.apply(GalaxyBudsState.wearing(try reader.uint8()))
    case .ambientChanged: return apply(try reader.flag() ? .transparency : .off)
    case .cancellingChanged: return apply(try reader.flag() ? .noiseCancelling : .off)
    case .confirmation: return try confirmed(&reader)
    default: return []
    }
  }

  /// Takes a mode; one that the generation does not have is dropped.
  private mutating func apply(_ mode: ANCMode) -> [HeadphoneEvent] {
    guard let generation,
      generation.modes.contains(mode) || mode == .adaptive && generation == .second
    else { return [] }
    if mode == .adaptive { isAdaptive = true }
    return reported.apply(mode)
  }

  /// Takes a level of ambient sound; one above the generation's widens the range.
  private mutating func apply(level: UInt8) -> [HeadphoneEvent] {
    mostAmbient = max(mostAmbient, level)
    return reported.apply(level: level)
  }

  /// Takes all fields of a state.
  private mutating func apply(_ state: GalaxyBudsState) -> [HeadphoneEvent] {
    model = state.model ?? model
    var events = reported.apply(state.batteries) + reported.apply(state.wearing)
    if let noise = state.noise { events += apply(noise) }
    if let level = state.level { events += apply(level: level) }
    if let isOn = state.focusesOnVoice { events += reported.apply(Self.voice, .toggle(isOn)) }
    if let index = state.equaliser {
      events += reported.apply(Self.equaliser, .choice(Self.presets[Int(index)]))
    }
    gestures = state.gestures ?? gestures
    // Where only the lock is reported, its encoding with the gestures is unknown.
    if state.gestures != nil, let isLocked = state.isTouchLocked {
      events += reported.apply(Self.touchLock, .toggle(isLocked))
    }
    if let holds = state.holds { events += apply(holds) }
    for setting in GalaxyBudsSetting.all {
      guard let value = state.settings[setting.declaration.id] else { continue }
      events += reported.apply(setting.declaration, value)
    }
    return events
  }

  private mutating func apply(_ reportedHolds: GalaxyBudsHolds) -> [HeadphoneEvent] {
    holds = reportedHolds
    return reportedHolds.values.flatMap { reported.apply($0, $1) }
  }

  /// Takes a confirmation: the command's number, and its values as they are now.
  private mutating func confirmed(
    _ reader: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard let message = Message(rawValue: try reader.uint8()), !reader.isAtEnd else { return [] }
    let value = try reader.uint8()
    switch message {
    case .setNoise: return apply(try GalaxyBudsState.mode(value))
    case .setAmbientLevel:
      return capabilities.ancLevels.contains(value) ? apply(level: value) : []
    case .setEqualiser:
      guard value < Self.presets.count else { return [] }
      return reported.apply(Self.equaliser, .choice(Self.presets[Int(value)]))
    case .setTouch:
      return gestures == nil ? [] : reported.apply(Self.touchLock, .toggle(value == 0))
    case .setHolds where holds != nil:
      return apply(GalaxyBudsHolds(value << 4 | (try reader.uint8() & 0x0F)))
    default:
      // Only a setting that the state has is the model's.
      guard
        let setting = GalaxyBudsSetting.all.first(where: {
          $0.message == message && reported[$0.declaration.id] != nil
        }), let value = setting.value(of: value)
      else { return [] }
      return reported.apply(setting.declaration, value)
    }
  }

  // MARK: Settings

  /// The equaliser's presets by their number.
  private static let presets = ["off", "bass-boost", "soft", "dynamic", "clear", "treble-boost"]
  private static let equaliser = SettingDeclaration(
    .equaliserPreset, SettingDeclaration.choices(presets), title: "Equaliser", label: "EQ",
    group: .sound)
  private static let touchLock = SettingDeclaration(
    "touch-lock", .toggle, title: "Touch lock", label: "Lock", group: .controls)
  private static let voice = SettingDeclaration(
    .focusOnVoice, .toggle, title: "Focus on voice", label: "Voice", group: .noise)
}
