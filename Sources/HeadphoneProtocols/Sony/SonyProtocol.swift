public import BluetoothCodec

/// The protocol of Sony's headphones ("MDR"), of both generations, over RFCOMM.
///
/// The answer to the first question says which generation it is: the same command asks one for its
/// battery and switches the other off. Before that answer only payloads that are questions in both
/// are sent: those that begin with 00 00, 04 or 06 00. A headphone of the second generation lists
/// its functions; one of the first is asked for each. Frames are acknowledged at once, and an
/// acknowledgement confirms nothing: what the headphone reports afterwards does.
///
/// | question | answer, report | first generation | second |
/// | --- | --- | --- | --- |
/// | 00 00 | 01 | generation by length: 4 bytes | 8 bytes |
/// | 04 01, 04 02 | 05 | model, firmware | the same |
/// | 06 00 | 07 | list of functions | the same, with a priority each |
/// | 10 | 11, 13 | battery | |
/// | 22 | 23, 25 | switches it off: never sent | battery |
/// | 18, 12 | 19 and 1B, 13 and 15 | codec | codec |
/// | 56 | 57, 59 | equaliser | equaliser; 55: why it cannot be set now |
/// | 66 | 67, 69 | noise control (`SonyNoise`) | the same, and the button |
/// | A6 | A7, A9 | volume, 0 to 30 | volume |
/// | F2 10 | F3, F5 | | worn |
/// | D0 | D1 | what a general setting is about | the same |
/// | FA | FB, FD | how speak to chat listens (`SonyTalk`) | the same |
/// | F6 06, F6 03 | F7, F9 | touch of buds (`SonyTouch`) | the same |
/// | 06 00, table 2 | 07 | | list of functions |
/// | 36, table 2 | 37, 39 | | paired devices (`SonyDevices`) |
/// | 46, table 2 | 47, 49 | voice guide | voice guide |
///
/// A command has the number of the question plus 2. Proven by recordings of WH-1000XM3 to XM6,
/// WF-1000XM4 to XM6, LinkBuds and others; batteries of the second generation by the simulator of
/// another project.
///
/// ```swift
/// var sony = SonyProtocol(on: SonyProtocol.secondService)
/// for exchange in sony.questions() {
///   for value in exchange.values { write(sony.framed(value)) }
/// }
/// for frame in sony.messages(in: piece) {
///   if let reply = sony.receive(frame).reply { write(reply) }  // the acknowledgement
/// }
/// ```
public struct SonyProtocol: FramedProtocol {
  public typealias Frame = SonyFrame

  public static let name = "Sony"

  /// Both of Sony's services; later models offer both, and speak the second generation then.
  public static let services = [secondService, firstService].map { SerialService($0) }
  /// The service of the first generation.
  public static let firstService = BluetoothUUID(
    high: 0x96CC_203E_5068_46AD, low: 0xB32D_E316_F5E0_69BA)
  /// The service of the second generation.
  public static let secondService = BluetoothUUID(
    high: 0x956C_7B26_D49A_4BA8, low: 0xB03F_B17D_393C_B6E2)

  typealias Generation = SonyFunctions.Generation

  /// Marks a payload of table 2 until it is framed; no command of table 1 has this number.
  private static let secondTable = SonyFrame.Kind.secondCommand.rawValue
  /// Stands for the answer to a command that is only acknowledged.
  private static let acknowledged: ResponseID = 0xFFFF
  /// The headphone's highest volume, in its own steps.
  private static let mostVolume = 30

  var reader = FrameReader(SonyFrame.format)
  /// The sequence number of the next frame, which the last acknowledgement carried.
  private var sequence: UInt8 = 0
  /// Whether the last frame was acknowledged; what comes before that answers nothing.
  private var isAcknowledged = true
  /// The command that is carried out, which a report of noise control with another value does not
  /// answer; nil: none was given yet.
  private var command: HeadphoneCommand?
  /// What the headphone lists of itself.
  private var functions = SonyFunctions()
  private var talk: SonyTalk?
  private var touch: SonyTouch?
  /// The number of noise control among the actions of ``touch``, kept over readings.
  private var touchNoise: UInt8?
  /// Rounds of further questions so far.
  private var round = 0
  private(set) var reported = ReportedValues()
  /// The last report, which a command repeats but for what it changes.
  private var noise: SonyNoise?
  /// The last level of ambient sound that was not 0.
  private var level: UInt8 = SonyNoise.mostAmbient
  /// The last report, which a command repeats but for what it changes.
  private var equaliser: SonyEqualiser?
  /// Why the equaliser cannot be set now, in words; nil: it can.
  private var equaliserLock: String?
  private var model: String?
  private var firmware: String?

  /// Creates the protocol.
  ///
  /// Both services use the same frames, and the first answer determines the generation.
  public init(on service: BluetoothUUID = Self.secondService) {}

  /// The generation by the first answer, which is final; nil before it.
  var generation: Generation? { functions.generation }

  /// Whether the first answer had the length of a generation that is known.
  public var isRecognised: Bool { generation != nil }

  /// The headphone's capabilities, by what it has reported.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if let noise {
      able.ancModes = noise.modes
      able.hasANCLevel = true
      able.ancLevels = noise.levels
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

  /// Model and firmware, as texts of the headphone's.
  public var information: DeviceInformation {
    DeviceInformation(manufacturer: "Sony", model: model, firmware: firmware)
  }

  /// A payload as a frame with the present sequence number.
  ///
  /// To be called when the value is written, not before: the number changes with each
  /// acknowledgement.
  public mutating func framed(_ value: Bytes) -> Bytes {
    isAcknowledged = false
    guard value.first == Self.secondTable else {
      return SonyFrame(.command, sequence: sequence, payload: value).encoded()[...]
    }
    return SonyFrame(.secondCommand, sequence: sequence, payload: value.dropFirst()).encoded()[...]
  }

  // MARK: Asking

  /// Asks for the generation alone, on which everything else depends.
  public mutating func questions() -> [Exchange] {
    (functions, noise, equaliser, round) = (SonyFunctions(), nil, nil, 0)
    (command, isAcknowledged) = (nil, true)
    (talk, touch, equaliserLock) = (nil, nil, nil)
    reported = ReportedValues()
    return [Self.ask(0x00, 0x00)]
  }

  /// Asks in up to three rounds.
  ///
  /// | round | asks |
  /// | --- | --- |
  /// | 1 | lists of functions, model, firmware |
  /// | 2 | first generation: each function; second: the functions that it lists |
  /// | 3 | first generation without a battery so far: those of two buds and the case |
  /// | 3 | the general settings that have a name which is known here |
  public mutating func furtherQuestions() -> [Exchange] {
    guard let generation else { return [] }
    round += 1
    switch (round, generation) {
    case (1, _):
      return [Self.ask(0x06, 0x00), Self.ask(0x04, 0x01), Self.ask(0x04, 0x02)]
        + (functions.hasSecondTable ? [Self.ask([0x06, 0x00], inSecondTable: true)] : [])
    case (2, .first):
      return [Self.ask(0x10, 0x00), Self.ask(0x66, 0x02), Self.ask(0x56, 0x01)]
        + SonySetting.first.map { Self.ask($0.question, inSecondTable: $0.isInSecondTable) }
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

  /// A question or command with the message that answers it.
  ///
  /// That is the next command of the same type: to a command, the report of the change. A question
  /// directly after a command would be answered by the state before.
  private static func ask(_ payload: [UInt8], inSecondTable: Bool = false) -> Exchange {
    Exchange(
      inSecondTable ? [secondTable] + payload : payload,
      response: response(payload[0] + 1, payload[1], inSecondTable: inSecondTable))
  }

  /// The identifier of a message: table, command and type.
  private static func response(
    _ command: UInt8, _ type: UInt8, inSecondTable: Bool = false
  ) -> ResponseID {
    ResponseID(UInt16(command) << 8 | UInt16(type), sequence: inSecondTable ? secondTable : nil)
  }

  // MARK: Commands

  /// The exchanges that carry a command out; empty where the headphone has reported the value
  /// already, because it would not report it again.
  ///
  /// A mode of noise control is ordered all the same, since the wearer may have pressed its button
  /// meanwhile; the acknowledgement answers it then.
  ///
  /// - Throws: `notStarted` before the first answer; `unsupported` for what the headphone does not
  ///   have; `badArgument` for a level out of range or outside of transparency, and a wrong number
  ///   of bands.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    guard generation != nil else { throw .notStarted }
    (self.command, reported.refusal) = (command, nil)
    switch command {
    case .setANC(let mode):
      guard let noise, noise.modes.contains(mode) else {
        throw .noMode(mode)
      }
      let changed = noise.with(mode, level: level)
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

  /// The command for noise control (68).
  private func request(_ noise: SonyNoise) -> [Exchange] {
    [Self.ask([0x68] + noise.encoded())]
  }

  /// The command for the level of ambient sound, which is taken in transparency only.
  private func request(level requested: UInt8) throws(HeadphoneError) -> [Exchange] {
    guard let noise else { throw .unsupported("ambient level") }
    guard noise.levels.contains(requested) else {
      throw .level(requested, outside: noise.levels)
    }
    guard noise.mode == .transparency else {
      throw .badArgument("the ambient level can be set in transparency only")
    }
    return noise.level == requested ? [] : request(noise.with(.transparency, level: requested))
  }

  /// The command for the bands; gains are rounded to whole steps within the headphone's range.
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

  /// The command for bands, under the preset whose bands the wearer sets.
  private func request(_ wanted: SonyEqualiser) throws(HeadphoneError) -> [Exchange] {
    if let equaliserLock { throw .badArgument(equaliserLock) }
    guard wanted != equaliser || wanted.preset != SonyEqualiser.manual else { return [] }
    var wanted = wanted
    wanted.preset = generation == .first ? 0xFF : SonyEqualiser.manual
    return [Self.ask([0x58, equaliserType] + wanted.encoded())]
  }

  /// The type byte of the equaliser's messages.
  private var equaliserType: UInt8 {
    generation == .first ? 0x01 : equaliser?.bands.count == 10 ? 0x04 : 0x00
  }

  /// The command for the volume, whose percent become steps of 0 to 30; there is no command to mute.
  private func request(_ volume: HeadphoneVolume) throws(HeadphoneError) -> [Exchange] {
    guard let now = reported.volume else { throw .unsupported("volume") }
    guard !volume.isMuted else { throw .unsupported("mute") }
    let step = UInt8((Int(volume.level) * Self.mostVolume + 50) / 100)
    guard Self.volume(step) != now else { return [] }
    return [Self.ask([0xA8] + (generation == .first ? [0x01, 0x20] : [0x20]) + [step])]
  }

  /// The volume of a step, in percent.
  private static func volume(_ step: UInt8) -> HeadphoneVolume {
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

  /// The command for a paired device, and the question for all of them until their list shows it.
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

  /// Questions for the paired devices, one a second: to connect one may take a while.
  private static let mostDeviceQuestions = 12

  private func request(_ noise: SonyNoise?) -> [Exchange] { noise.map { request($0) } ?? [] }

  /// Ends a command: compares the reported values with the command.
  ///
  /// Volume and bands are reported again, because the headphone's steps are coarser than what can
  /// be ordered.
  ///
  /// - Throws: `unsupported` where the headphone reports another value.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    try reported.confirm(command)
    // The headphone's steps are coarser than what can be asked for.
    switch command {
    case .setVolume: return reported.volume.map { [.volumeChanged($0)] } ?? []
    case .setCustomEQ: return reported.equaliser.map { [.eqChanged(.custom, bands: $0)] } ?? []
    default: return []
    }
  }

  // MARK: Receiving

  /// Takes one frame; each command is acknowledged, whether it is understood or not.
  ///
  /// Kinds that are not known are skipped after that.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    do throws(MalformedBytes) {
      let frame = try SonyFrame(decoding: value)
      guard frame.kind != .acknowledgement else {
        sequence = frame.sequence
        isAcknowledged = true
        return ParsedMessage(response: Self.acknowledged)
      }
      var message = ParsedMessage()
      if frame.kind.wantsAcknowledgement {
        message.reply = SonyFrame(.acknowledgement, sequence: 1 - frame.sequence).encoded()
      }
      let isInSecondTable = frame.kind == .secondCommand || frame.kind == .secondShot
      guard isInSecondTable || frame.kind == .command || frame.kind == .shot,
        frame.payload.count > 1
      else { return message }
      do throws(MalformedBytes) {
        message.events =
          isInSecondTable
          ? try events(ofSecondTable: frame.payload) : try events(of: frame.payload)
        let bytes = Array(frame.payload.prefix(2))
        let isOther =
          isInSecondTable
          ? bytes[0] == SonyDevices.question + 1 && reported.isDeviceCommandOpen
          : bytes[0] == 0x69 && !isShown(command)
        if isAcknowledged && !isOther {
          message.response = Self.response(bytes[0], bytes[1], inSecondTable: isInSecondTable)
        }
      } catch {
        message.events = [.malformed(error, value)]
      }
      return message
    } catch {
      return ParsedMessage([.malformed(error, value)])
    }
  }

  /// Whether the reported values show what a command has set, if there is one.
  ///
  /// The report of the command before may come late: where the value was set already, that ended
  /// with its acknowledgement.
  private func isShown(_ command: HeadphoneCommand?) -> Bool {
    guard let command else { return true }
    do throws(HeadphoneError) {
      try reported.confirm(command)
      return true
    } catch {
      return false
    }
  }

  /// The changes that a command brings, by the generation.
  private mutating func events(of payload: Bytes) throws(MalformedBytes) -> [HeadphoneEvent] {
    var reader = ByteReader(payload, of: "Sony payload")
    let command = try reader.uint8()
    switch (command, generation) {
    case (0x01, _):
      guard try reader.uint8() == 0 else { return [] }
      functions.adopt(start: payload)
      return []
    case (0x05, _):
      let type = try reader.uint8()
      let text = textFromAir(try reader.read(Int(try reader.uint8())))
      if type == 0x01 { model = text }
      if type == 0x02 { firmware = text }
      return []
    case (0x07, .some):
      try functions.adopt(list: &reader)
      return []
    case (0xD1, .some(let generation)):
      try functions.adopt(general: &reader, generation)
      return []
    case (SonyTalk.question + 1, .some(let generation)),
      (SonyTalk.question + 3, .some(let generation)):
      // Of another type it is about something else.
      guard payload.dropFirst().first == SonyTalk.type(generation) else { return [] }
      let parsed = try SonyTalk(&reader, generation)
      talk = parsed
      return parsed.settings.flatMap { reported.apply($0, $1) }
    case (0xF7, .some(let generation))
    where payload.dropFirst().first == SonyTouch.type(generation),
      (0xF9, .some(let generation)) where payload.dropFirst().first == SonyTouch.type(generation):
      _ = try reader.uint8()
      touch = try SonyTouch(&reader, noise: &touchNoise) ?? touch
      return touch?.settings.flatMap { reported.apply($0, $1) } ?? []
    case (0x11, .first), (0x13, .first), (0x23, .second), (0x25, .second):
      return try parse(battery: &reader)
    case (0x19, .first), (0x1B, .first), (0x13, .second), (0x15, .second):
      return try parse(codec: &reader)
    case (0x55, .second):
      guard try reader.uint8() == equaliserType else { return [] }
      equaliserLock = try Self.lock(&reader)
      return []
    case (0x57, .some), (0x59, .some): return try parse(equaliser: &reader)
    case (0x67, .some), (0x69, .some):
      let message = payload.dropFirst()
      // Another layout than the one that was asked for, and the button's cycle.
      guard let layout = SonyNoise.Layout(rawValue: try reader.uint8()),
        (layout == .first) == (generation == .first), noise == nil || noise?.layout == layout
      else { return try parse(setting: payload) }
      return apply(try SonyNoise(decoding: message))
    case (0xA7, .some), (0xA9, .some): return try parse(volume: &reader)
    case (0xF3, .second), (0xF5, .second):
      guard try reader.uint8() == 0x10, let last = payload.last else { return [] }
      return reported.apply(Wearing(left: last == 0, right: last == 0))
    default: return try parse(setting: payload)
    }
  }

  /// The changes that a command of table 2 brings; most of the table is skipped.
  private mutating func events(
    ofSecondTable payload: Bytes
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    var reader = ByteReader(payload, of: "Sony payload of table 2")
    switch (try reader.uint8(), generation) {
    case (0x07, .second):
      try functions.adopt(secondList: &reader)
      return []
    case (SonyDevices.question + 1, .second), (SonyDevices.question + 3, .second):
      let type = try reader.uint8()
      guard type == SonyDevices.type(by: functions.second) else { return [] }
      let devices = try SonyDevices.list(&reader, type: type)
      return reported.apply(
        SonyDevices.declaration(by: functions.second), .pairedDevices(devices))
    case (SonyDevices.outcome, .second):
      reported.refusal = SonyDevices.refusal(payload) ?? reported.refusal
      return []
    default: return try parse(setting: payload, inSecondTable: true)
    }
  }

  /// Takes battery levels: a type, then level and charging of each part.
  ///
  /// | type | parts |
  /// | --- | --- |
  /// | 00, 08 | one device |
  /// | 01, 09 | left and right; a level of 0 is a bud that is not connected |
  /// | 02, 0A | case |
  private mutating func parse(
    battery reader: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    let type = try reader.uint8()
    let parts: [Part]
    switch type {
    case 0x00, 0x08: parts = [.left]
    case 0x01, 0x09: parts = [.left, .right]
    case 0x02, 0x0A: parts = [.case]
    default: return []
    }
    var levels = BatteryLevels("Sony battery")
    for part in parts {
      let level = try reader.uint8()
      let charging = try reader.uint8()
      guard level > 0 || type == 0x00 || type == 0x08 else { continue }
      levels.add(
        part, level, isCharging: [0: false, 1: true, 3: false][charging], at: reader.offset - 2)
    }
    return reported.apply(levels)
  }

  /// Takes a report of noise control, of which one event follows for each field that changed.
  private mutating func apply(_ noise: SonyNoise) -> [HeadphoneEvent] {
    self.noise = noise
    if noise.level > 0 { level = noise.level }
    var events = reported.apply(noise.mode)
    if noise.mode == .transparency || noise.level > 0 {
      events += reported.apply(level: noise.level)
    }
    events += reported.apply(Self.voice, .toggle(noise.focusesOnVoice))
    if let isOn = noise.reducesWind { events += reported.apply(Self.wind, .toggle(isOn)) }
    if let isOn = noise.adapts { events += reported.apply(Self.adapts, .toggle(isOn)) }
    if let index = noise.sensitivity {
      events += reported.apply(Self.sensitivity, .choice(Self.sensitivities[Int(index)]))
    }
    return events
  }

  /// Takes preset and bands, behind a type (00, 01 or 04).
  private mutating func parse(
    equaliser reader: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard [0x00, 0x01, 0x04].contains(try reader.uint8()) else { return [] }
    let parsed = try SonyEqualiser(decoding: reader.rest())
    equaliser = parsed
    var events = parsed.bands.isEmpty ? [] : reported.apply(.custom, parsed.gains)
    if let step = parsed.clearBass { events += reported.apply(Self.clearBass, .level(step)) }
    if let name = parsed.name { events += reported.apply(parsed.declaration, .choice(name)) }
    return events
  }

  /// Why the equaliser cannot be set: 1 where it cannot, and the reasons with their count in front.
  private static func lock(_ reader: inout ByteReader) throws(MalformedBytes) -> String? {
    guard try reader.flag() else { return nil }
    let reasons = try reader.read(Int(try reader.uint8())).compactMap { reason in
      let words: [UInt8: String] = [
        0: "during a call", 1: "in its demonstration", 2: "while a listening mode is on",
      ]
      return words[reason]
    }
    return "the headphone's equaliser cannot be set "
      + (reasons.isEmpty ? "now" : reasons.joined(separator: " or "))
  }

  /// Takes the volume in steps, behind the type 20.
  private mutating func parse(
    volume reader: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    if generation == .first, try reader.uint8() != 0x01 { return [] }
    guard try reader.uint8() == 0x20 else { return [] }
    return reported.apply(Self.volume(try reader.uint8(in: 0...UInt8(Self.mostVolume))))
  }

  /// Takes the codec in use; a number without a name here changes nothing.
  private mutating func parse(
    codec reader: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    let type = try reader.uint8()
    guard type == (generation == .first ? 0x00 : 0x02) else { return [] }
    let names: [UInt8: String] = [
      0x01: "SBC", 0x02: "AAC", 0x10: "LDAC", 0x20: "aptX", 0x21: "aptX HD",
    ]
    guard let name = names[try reader.uint8()] else { return [] }
    return reported.apply(Self.codec, .text(name))
  }

  /// Takes the answer or report of a setting; a message of none of them is skipped.
  ///
  /// - Throws: `MalformedBytes` for a value that the setting does not have.
  private mutating func parse(
    setting payload: Bytes, inSecondTable: Bool = false
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard
      let setting = functions.settings.first(where: { setting in
        let command = payload.first ?? 0
        return setting.isInSecondTable == inSecondTable
          && (command == setting.command &+ 1 || command == setting.command &+ 3)
          && payload.dropFirst().first == setting.type
      })
    else { return [] }
    guard let value = setting.value(of: payload) else {
      throw MalformedBytes(
        "Sony \(setting.declaration.id.displayText)", at: 2, .badValue(UInt64(payload.last ?? 0)))
    }
    return reported.apply(setting.declaration, value)
  }

  // MARK: Settings of several fields in one message

  /// The sensitivities by their number.
  private static let sensitivities = ["standard", "high", "low"]
  private static let voice = SettingDeclaration(
    .focusOnVoice, .toggle, title: "Focus on voice", label: "Voice", group: .noise)
  private static let wind = SettingDeclaration(
    "wind-reduction", .toggle, title: "Wind noise reduction", label: "Wind", group: .noise)
  private static let adapts = SettingDeclaration(
    "adaptive-ambient", .toggle, title: "Adaptive ambient sound", label: "Adapt", group: .noise)
  private static let sensitivity = SettingDeclaration(
    "adaptive-sensitivity", SettingDeclaration.choices(["low", "standard", "high"]),
    title: "Ambient sensitivity", label: "Sensing", group: .noise)
  private static let clearBass = SettingDeclaration(
    "clear-bass", .level(SettingRange(-10...10)), title: "Clear Bass", label: "Bass", group: .sound)
  private static let codec = SettingDeclaration(
    "codec", .reading, title: "Codec in use", label: "Codec", group: .sound)
}
