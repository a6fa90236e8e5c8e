public import BluetoothCodec

/// The protocol of Sony's headphones ("MDR") of both generations, over RFCOMM.
///
/// The response to the first request determines the generation of the protocol, because one command
/// reads the battery of one generation and switches a headphone of the other off. Until then, only
/// payloads that are requests in both generations are sent: those starting with 00 00, 04 or 06 00.
/// A headphone of the second generation lists its functions; in the first, each function is
/// requested. Frames are acknowledged at once, but only the report that follows confirms a value.
///
/// | request | response, report | first generation | second |
/// | --- | --- | --- | --- |
/// | 00 00 | 01 | generation, by length: 4 bytes | 8 bytes |
/// | 04 01, 04 02 | 05 | model, firmware | the same |
/// | 06 00 | 07 | list of functions | the same, each with a priority |
/// | 10 | 11, 13 | battery | |
/// | 22 | 23, 25 | switches the headphone off: never sent | battery |
/// | 18, 12 | 19 and 1B, 13 and 15 | codec | codec |
/// | 56 | 57, 59 | equaliser | equaliser; 55: why it cannot be changed now |
/// | 60 | 61 | levels of ambient sound | |
/// | 66 | 67, 69 | noise control (`SonyNoise`) | the same, and its button |
/// | | 99 | `SonyAlert` | |
/// | A6 | A7, A9 | volume, 0 to 30 | volume |
/// | F2 10 | F3, F5 | | wearing |
/// | D0 | D1 | name of a general setting | the same |
/// | FA | FB, FD | configuration of speak to chat (`SonyTalk`) | the same |
/// | F6 06, F6 03 | F7, F9 | touch actions of buds (`SonyTouch`) | the same |
/// | 06 00, table 2 | 07 | | list of functions |
/// | 36, table 2 | 37, 39 | | paired devices (`SonyDevices`) |
/// | 46, table 2 | 47, 49 | voice guide | voice guide |
///
/// The number of a command is that of the request plus 2. Confirmed by recordings of WH-1000XM3 to
/// XM6, WF-1000XM4 to XM6, LinkBuds and others; batteries of the second generation by another
/// project's simulator.
public struct SonyProtocol: FramedProtocol {
  public typealias Frame = SonyFrame

  public static let name = "Sony"

  /// The services of both generations; later models offer both, and then use the second generation.
  public static let services = [secondService, firstService].map { SerialService($0) }
  public static let firstService = BluetoothUUID(
    high: 0x96CC_203E_5068_46AD, low: 0xB32D_E316_F5E0_69BA)
  public static let secondService = BluetoothUUID(
    high: 0x956C_7B26_D49A_4BA8, low: 0xB03F_B17D_393C_B6E2)

  typealias Generation = SonyFunctions.Generation

  /// The marker before a payload of table 2 until it is framed, which no command of table 1 has.
  private static let secondTable = SonyFrame.Kind.secondCommand.rawValue
  static let acknowledged: ResponseID = 0xFFFF
  static let mostVolume = 30

  var reader = FrameReader(SonyFrame.format)
  /// The sequence number of the next frame, taken from the last acknowledgement.
  var sequence: UInt8 = 0
  /// Whether the last frame was acknowledged; earlier messages are no response to it.
  var isAcknowledged = true
  /// The pending command, or nil; a report of another noise control value is no response to it.
  var command: HeadphoneCommand?
  var functions = SonyFunctions()
  var talk: SonyTalk?
  var touch: SonyTouch?
  /// The number for noise control in `touch`, kept until the actions are read again.
  var touchNoise: UInt8?
  private var round = 0
  var reported = ReportedValues()
  /// The last report of noise control, which a command repeats except for its change.
  var noise: SonyNoise?
  var level: UInt8 = SonyNoise.mostAmbient
  var steps: UInt8?
  var awaitedReport: ResponseID?
  /// The last report of the equaliser, which a command repeats except for its change.
  var equaliser: SonyEqualiser?
  /// The choices that this model did not accept, which are no longer offered.
  var ignored: [SettingID: Set<SettingValue>] = [:]
  var equaliserLock: String?
  var model: String?
  var firmware: String?

  public init(on service: BluetoothUUID = Self.secondService) {}

  var generation: Generation? { functions.generation }

  public var isRecognised: Bool { generation != nil }

  public var capabilities: Capabilities {
    var able = reported.capabilities
    if let noise {
      able.ancModes = noise.modes
      able.hasANCLevel = true
      able.ancLevels = levels(of: noise)
      able.ancLevelModes = [.transparency]
    }
    if let equaliser, !equaliser.bands.isEmpty {
      able.eqBands = equaliser.bands.count
      able.eqCentres = SonyEqualiser.centres(bands: equaliser.bands.count)
      able.eqLimit =
        BandGain(halfDecibels: Int8(2 * SonyEqualiser.limit(bands: equaliser.bands.count))) ?? .most
      able.eqStep = SonyEqualiser.step
    }
    return able
  }

  /// Returns the levels of ambient sound that can be set, up to the reported number of steps or, if
  /// higher, the reported level.
  private func levels(of noise: SonyNoise) -> ClosedRange<UInt8> {
    let most = steps.map { max($0, 1) - 1 } ?? SonyNoise.mostAmbient
    return noise.levels.lowerBound...max(min(most, SonyNoise.mostAmbient), reported.level ?? 0)
  }

  public var information: DeviceInformation {
    DeviceInformation(manufacturer: "Sony", model: model, firmware: firmware)
  }

  /// Returns a payload as a frame with the current sequence number, which each acknowledgement
  /// changes: call this immediately before the value is written.
  public mutating func framed(_ value: Bytes) -> Bytes {
    isAcknowledged = false
    guard value.first == Self.secondTable else {
      return SonyFrame(.command, sequence: sequence, payload: value).encoded()[...]
    }
    return SonyFrame(.secondCommand, sequence: sequence, payload: value.dropFirst()).encoded()[...]
  }

  /// Resets the state and returns the request for the generation, on which all others depend.
  public mutating func questions() -> [Exchange] {
    (functions, noise, equaliser, round) = (SonyFunctions(), nil, nil, 0)
    (command, isAcknowledged) = (nil, true)
    (talk, touch, equaliserLock, steps) = (nil, nil, nil, nil)
    reported = ReportedValues()
    return [Self.ask(0x00, 0x00)]
  }

  /// Returns the next requests, in up to three rounds.
  ///
  /// | round | requests |
  /// | --- | --- |
  /// | 1 | first generation: the battery; lists of functions, model, firmware |
  /// | 2 | first generation: every function; second: the listed functions |
  /// | 3 | first generation, if no battery was reported: the batteries of two buds and the case |
  /// | 3 | general settings whose name is known |
  public mutating func furtherQuestions() -> [Exchange] {
    guard let generation else { return [] }
    round += 1
    switch (round, generation) {
    case (1, _):
      return (generation == .first ? [Self.ask(0x10, 0x00)] : [])
        + [Self.ask(0x06, 0x00), Self.ask(0x04, 0x01), Self.ask(0x04, 0x02)]
        + (functions.hasSecondTable ? [Self.ask([0x06, 0x00], inSecondTable: true)] : [])
    case (2, .first):
      return [Self.ask(0x60, 0x02), Self.ask(0x66, 0x02), Self.ask(0x56, 0x01)]
        + functions.settings.map { Self.ask($0.question, inSecondTable: $0.isInSecondTable) }
        + [Self.ask(0xA6, 0x01, 0x20), Self.ask(0x18, 0x00)]
        + functions.questionsOfBoth.map { Self.ask($0) }
    case (2, .second):
      return functions.questions.map { Self.ask($0) }
        + functions.questionsOfSecondTable.map { Self.ask($0, inSecondTable: true) }
    case (3, _):
      let batteries: [[UInt8]] =
        generation == .first && reported.batteries.isEmpty ? [[0x10, 0x01], [0x10, 0x02]] : []
      return (batteries + functions.generalSettings.map(\.question)).map { Self.ask($0) }
    default: return []
    }
  }

  private static func ask(_ payload: UInt8...) -> Exchange { ask(payload) }

  /// Returns an exchange whose response has the next number and the same type.
  ///
  /// A request immediately after a command would be answered with the previous state.
  private static func ask(_ payload: [UInt8], inSecondTable: Bool = false) -> Exchange {
    Exchange(
      inSecondTable ? [secondTable] + payload : payload,
      response: response(payload[0] + 1, payload[1], inSecondTable: inSecondTable))
  }

  static func response(
    _ command: UInt8, _ type: UInt8, inSecondTable: Bool = false
  ) -> ResponseID {
    ResponseID(UInt16(command) << 8 | UInt16(type), sequence: inSecondTable ? secondTable : nil)
  }

  /// Returns the exchanges for a command, or none if the headphone has already reported the value.
  ///
  /// The headphone would not report such a value again. A noise control mode is sent nevertheless,
  /// since the user may have pressed the button; the acknowledgement is then its response.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    guard generation != nil else { throw .notStarted }
    (self.command, reported.refusal) = (command, nil)
    let exchanges = try requests(for: command)
    awaitedReport = exchanges.last?.response
    return exchanges
  }

  private mutating func requests(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    switch command {
    case .setANC(let mode):
      guard let noise, noise.modes.contains(mode) else {
        throw .noMode(mode)
      }
      let changed = noise.with(mode, level: min(level, levels(of: noise).upperBound))
      guard noise.mode == mode else { return request(changed) }
      return [Exchange([0x68] + changed.encoded(), response: Self.acknowledged)]
    case .setANCLevel(let requested): return try request(level: requested)
    case .setCustomEQ(let gains): return try request(gains)
    case .setVolume(let volume): return try request(volume)
    case .set(let id, let value): return try request(id, value)
    case .pairedDevice(let action, let address): return try request(action, address)
    default: throw .noCommand(of: Self.name)
    }
  }

  private func request(_ noise: SonyNoise) -> [Exchange] {
    [Self.ask([0x68] + noise.encoded())]
  }

  /// Returns the command for the level of ambient sound, which can only be set in transparency.
  private func request(level requested: UInt8) throws(HeadphoneError) -> [Exchange] {
    guard let noise else { throw .unsupported("ambient level") }
    guard levels(of: noise).contains(requested) else {
      throw .level(requested, outside: levels(of: noise))
    }
    guard noise.mode == .transparency else {
      throw .badArgument("the ambient level can be set in transparency only")
    }
    return noise.level == requested ? [] : request(noise.with(.transparency, level: requested))
  }

  private func request(_ gains: [BandGain]) throws(HeadphoneError) -> [Exchange] {
    guard var equaliser, !equaliser.bands.isEmpty else { throw .unsupported("custom equaliser") }
    guard gains.count == equaliser.bands.count else {
      throw .gains(gains.count, insteadOf: equaliser.bands.count)
    }
    let limit = SonyEqualiser.limit(bands: gains.count)
    equaliser.bands = gains.map {
      min(max(Int(($0.decibels).rounded()), -limit), limit)
    }
    return try request(equaliser)
  }

  private func request(_ wanted: SonyEqualiser) throws(HeadphoneError) -> [Exchange] {
    if let equaliserLock { throw .badArgument(equaliserLock) }
    guard wanted != equaliser || wanted.preset != SonyEqualiser.manual else { return [] }
    var wanted = wanted
    wanted.preset = generation == .first ? 0xFF : SonyEqualiser.manual
    return [Self.ask([0x58, equaliserType] + wanted.encoded())]
  }

  var equaliserType: UInt8 {
    generation == .first ? 0x01 : equaliser?.bands.count == 10 ? 0x04 : 0x00
  }

  /// Returns the command for the volume, converted to steps from 0 to 30; muting is not supported.
  private func request(_ volume: HeadphoneVolume) throws(HeadphoneError) -> [Exchange] {
    guard let now = reported.volume else { throw .unsupported("volume") }
    guard !volume.isMuted else { throw .unsupported("mute") }
    let step = UInt8((Int(volume.level) * Self.mostVolume + 50) / 100)
    guard Self.volume(step) != now else { return [] }
    return [Self.ask([0xA8] + (generation == .first ? [0x01, 0x20] : [0x20]) + [step])]
  }

  static func volume(_ step: UInt8) -> HeadphoneVolume {
    HeadphoneVolume(level: UInt8((Int(step) * 100 + 15) / mostVolume), isMuted: false)
  }

  private func request(
    _ id: SettingID, _ value: SettingValue
  ) throws(HeadphoneError) -> [Exchange] {
    guard let now = reported[id], let declaration = reported.capabilities.declaration(of: id),
      declaration.accepts(value)
    else { throw .unsupported(id.displayText) }
    guard now != value else { return [] }
    switch (id, value) {
    case (.focusOnVoice, .toggle(let isOn)): return request(noise?.with(voice: isOn))
    case (Self.wind.id, .toggle(let isOn)): return request(noise?.with(wind: isOn, level: level))
    case (Self.adapts.id, .toggle(let isOn)): return request(noise?.with(adapts: isOn))
    case (Self.sensitivity.id, .choice(let name)):
      let index = Self.sensitivities.firstIndex(of: name).map(UInt8.init(clamping:))
      return request(noise?.with(sensitivity: index ?? 0))
    case (.equaliserPreset, .choice(let name)):
      guard let preset = SonyEqualiser.preset(named: name) else { break }
      if let equaliserLock { throw .badArgument(equaliserLock) }
      return [Self.ask([0x58, equaliserType, preset, 0x00])]
    case (Self.clearBass.id, .level(let step)):
      guard var equaliser else { break }
      equaliser.clearBass = step
      return try request(equaliser)
    default:
      guard let generation else { break }
      if let wanted = talk?.with(id, value) { return [Self.ask(wanted.payload(generation))] }
      if let wanted = touch?.with(id, value) { return [Self.ask(wanted.payload(generation))] }
      guard let setting = functions.settings.first(where: { $0.declaration.id == id }),
        let payload = setting.payload(value)
      else { break }
      var preparation: [Exchange] = []
      if setting.isPrepared, value == .toggle(true) {
        let payload = (talk ?? .standard).payload(generation)
        preparation = [Exchange(payload, response: Self.acknowledged)]
      }
      return preparation + [Self.ask(payload, inSecondTable: setting.isInSecondTable)]
    }
    throw .unsupported(id.displayText)
  }

  func offered(_ declaration: SettingDeclaration) -> SettingDeclaration {
    guard case .choice(let choices) = declaration.kind, let ignored = ignored[declaration.id]
    else { return declaration }
    var offered = declaration
    offered.kind = .choice(choices.filter { !ignored.contains(.choice($0.id)) })
    return offered
  }

  /// Returns the command for a paired device, and the request for the list, which is repeated until
  /// the list shows the change.
  private mutating func request(
    _ action: PairedDeviceAction, _ address: BluetoothAddress
  ) throws(HeadphoneError) -> [Exchange] {
    try reported.begin(action, address)
    guard let type = SonyDevices.type(by: functions.second),
      let payload = SonyDevices.payload(action, address, type: type)
    else { throw .unsupported(action.title) }
    var command = Self.ask(payload, inSecondTable: true)
    command.response = Self.acknowledged
    var question = Self.ask([SonyDevices.question, type], inSecondTable: true)
    question.attempts = Self.mostDeviceQuestions
    return [command, question]
  }

  /// The maximum number of requests for the paired devices, one a second, since connecting takes a
  /// while.
  private static let mostDeviceQuestions = 12

  private func request(_ noise: SonyNoise?) -> [Exchange] { noise.map { request($0) } ?? [] }
}
