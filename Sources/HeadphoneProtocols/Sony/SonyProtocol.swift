public import BluetoothCodec

/// Sony's headphones by their own protocol ("MDR"), of both generations, over RFCOMM.
///
/// The answer to the first question says which generation it is: the same command asks one for its
/// battery and switches the other off. Before that answer nothing else is sent than
/// `harmlessQuestions`. A headphone of the second generation lists its functions; one of the first
/// is asked for each. Frames are acknowledged at once, and an acknowledgement confirms nothing: what
/// the headphone reports afterwards does.
public struct SonyProtocol: SerialProtocol {
  public static let name = "Sony"

  /// Later models offer both services, and speak the second generation then.
  public static let services = [secondService, firstService].map { SerialService($0) }
  public static let firstService = BluetoothUUID(
    high: 0x96CC_203E_5068_46AD, low: 0xB32D_E316_F5E0_69BA)
  public static let secondService = BluetoothUUID(
    high: 0x956C_7B26_D49A_4BA8, low: 0xB03F_B17D_393C_B6E2)

  /// What both generations take for a question.
  static let harmlessQuestions: [[UInt8]] = [[0x00, 0x00], [0x04], [0x06, 0x00]]

  /// Of the language, by the length of the first answer.
  enum Generation: Int, Hashable, Sendable {
    case first = 4
    case second = 8
  }

  /// The answer to a command that is only acknowledged.
  private static let acknowledged: AnswerID = 0xFFFF
  private static let mostVolume = 30

  private var reader = FrameReader(SonyFrame.format)
  /// Of the next frame: what the last acknowledgement carried.
  private var sequence: UInt8 = 0
  private(set) var generation: Generation?
  /// The function list of a second-generation headphone; nil: not reported.
  private var functions: Set<UInt8>?
  private var round = 0
  private var reported = ReportedValues()
  private var noise: SonyNoise?
  /// The last level of ambient sound that was not 0.
  private var level: UInt8 = SonyNoise.mostAmbient
  private var equaliser: SonyEqualiser?
  private var model: String?
  private var firmware: String?

  /// Both services use the same frames: the first response determines the generation.
  public init(on service: BluetoothUUID = Self.secondService) {}

  public var isRecognised: Bool { generation != nil }

  /// By what was reported.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if let noise {
      able.ancModes = noise.modes
      able.hasANCLevel = true
      able.ancLevels = noise.levels
    }
    if let equaliser, !equaliser.bands.isEmpty {
      able.eqBands = equaliser.bands.count
      able.eqCentres = SonyEqualiser.centres(bands: equaliser.bands.count)
      able.eqLimit =
        BandGain(halfDecibels: Int8(2 * SonyEqualiser.limit(bands: equaliser.bands.count))) ?? .most
    }
    return able
  }

  public var information: DeviceInformation {
    DeviceInformation(manufacturer: "Sony", model: model, firmware: firmware)
  }

  /// Wraps a payload into a frame with the sequence number of now.
  public mutating func framed(_ value: Bytes) -> Bytes {
    SonyFrame(.command, sequence: sequence, payload: value).encoded()[...]
  }

  // MARK: Asking

  /// The question for the generation alone, on which everything else depends.
  public mutating func questions() -> [Exchange] {
    (generation, functions, noise, equaliser, round) = (nil, nil, nil, nil, 0)
    reported = ReportedValues()
    return [Self.ask(0x00, 0x00)]
  }

  /// What the headphone is first, then each of its functions.
  public mutating func furtherQuestions() -> [Exchange] {
    guard let generation else { return [] }
    round += 1
    switch (round, generation) {
    case (1, _): return [Self.ask(0x06, 0x00), Self.ask(0x04, 0x01), Self.ask(0x04, 0x02)]
    case (2, .first):
      return [Self.ask(0x10, 0x00), Self.ask(0x66, 0x02), Self.ask(0x56, 0x01)]
        + SonySetting.first.map { Self.ask($0.question) }
        + [Self.ask(0xA6, 0x01, 0x20), Self.ask(0x18, 0x00)]
    case (2, .second): return listed().map { Self.ask($0) }
    case (3, .first) where reported.batteries.isEmpty:
      return [Self.ask(0x10, 0x01), Self.ask(0x10, 0x02)]
    default: return []
    }
  }

  /// The questions for the functions that the headphone lists.
  private func listed() -> [[UInt8]] {
    let functions = functions ?? []
    let batteries: [(UInt8, UInt8)] = [
      (0x20, 0x00), (0x21, 0x01), (0x22, 0x02), (0x28, 0x08), (0x29, 0x09), (0x2A, 0x0A),
    ]
    // The most detailed layout first: a headphone may answer an older one, too.
    let layouts: [(UInt8, SonyNoise.Layout)] = [
      (0x6D, .adaptive), (0x6B, .plain), (0x68, .dual), (0x67, .ambientOnly),
    ]
    let equalisers: [(UInt8, UInt8)] = [(0x57, 0x04), (0x50, 0x00), (0x53, 0x00)]
    var questions = batteries.filter { functions.contains($0.0) }.map { [0x22, $0.1] }
    if let layout = layouts.first(where: { functions.contains($0.0) })?.1 {
      questions.append([0x66, layout.rawValue])
    }
    if let type = equalisers.first(where: { functions.contains($0.0) })?.1 {
      questions.append([0x56, type])
    }
    questions += SonySetting.second.filter { functions.contains($0.function) }
      .map(\.setting.question)
    return questions + [[0xA6, 0x20], [0x12, 0x02], [0xF2, 0x10]]
  }

  private static func ask(_ payload: UInt8...) -> Exchange { ask(payload) }

  /// The answer is the next command, of the same type: of an order, the report of the change.
  ///
  /// A question directly after an order would be answered by the state before.
  private static func ask(_ payload: [UInt8]) -> Exchange {
    Exchange(payload, answer: answer(payload[0] + 1, payload[1]))
  }

  private static func answer(_ command: UInt8, _ type: UInt8) -> AnswerID {
    AnswerID(UInt16(command) << 8 | UInt16(type))
  }

  // MARK: Orders

  /// Nothing where the headphone has reported the value already: it would not report it again.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    guard generation != nil else { throw .notStarted }
    switch command {
    case .setANC(let mode):
      guard let noise, noise.modes.contains(mode) else {
        throw .unsupported("noise control mode \"\(mode)\"")
      }
      return noise.mode == mode ? [] : order(noise.ordering(mode, level: level))
    case .setANCLevel(let requested): return try order(level: requested)
    case .setCustomEQ(let gains): return try order(gains)
    case .setVolume(let volume): return try order(volume)
    case .set(let id, let value): return try order(id, value)
    default: throw .unsupported("\(Self.name): this command")
    }
  }

  private func order(_ noise: SonyNoise) -> [Exchange] {
    [Self.ask([0x68] + noise.encoded())]
  }

  private func order(level requested: UInt8) throws(HeadphoneError) -> [Exchange] {
    guard let noise else { throw .unsupported("ambient level") }
    guard noise.levels.contains(requested) else {
      throw .badArgument(
        "a level of \(requested): it goes from \(noise.levels.lowerBound) to "
          + "\(noise.levels.upperBound)")
    }
    guard noise.mode == .transparency else {
      throw .badArgument("the level of ambient sound: this headphone takes it in transparency only")
    }
    return noise.level == requested ? [] : order(noise.ordering(.transparency, level: requested))
  }

  private func order(_ gains: [BandGain]) throws(HeadphoneError) -> [Exchange] {
    guard var equaliser, !equaliser.bands.isEmpty else { throw .unsupported("custom equaliser") }
    guard gains.count == equaliser.bands.count else {
      throw .badArgument("\(gains.count) bands: this headphone has \(equaliser.bands.count)")
    }
    let limit = SonyEqualiser.limit(bands: gains.count)
    equaliser.bands = gains.map {
      min(max(Int(($0.decibels).rounded()), -limit), limit)
    }
    return order(equaliser)
  }

  /// The bands under the preset that is a person's.
  private func order(_ wanted: SonyEqualiser) -> [Exchange] {
    guard wanted != equaliser || wanted.preset != SonyEqualiser.manual else { return [] }
    var wanted = wanted
    wanted.preset = generation == .first ? 0xFF : SonyEqualiser.manual
    return [Self.ask([0x58, equaliserType] + wanted.encoded())]
  }

  private var equaliserType: UInt8 {
    generation == .first ? 0x01 : equaliser?.bands.count == 10 ? 0x04 : 0x00
  }

  private func order(_ volume: HeadphoneVolume) throws(HeadphoneError) -> [Exchange] {
    guard let now = reported.volume else { throw .unsupported("volume") }
    guard !volume.isMuted else { throw .unsupported("mute") }
    let step = UInt8((Int(volume.level) * Self.mostVolume + 50) / 100)
    guard Self.volume(step) != now else { return [] }
    return [Self.ask([0xA8] + (generation == .first ? [0x01, 0x20] : [0x20]) + [step])]
  }

  private static func volume(_ step: UInt8) -> HeadphoneVolume {
    HeadphoneVolume(level: UInt8((Int(step) * 100 + 15) / mostVolume), isMuted: false)
  }

  private func order(
    _ id: SettingID, _ value: SettingValue
  ) throws(HeadphoneError) -> [Exchange] {
    guard let now = reported[id], let declaration = reported.capabilities.declaration(of: id),
      declaration.accepts(value)
    else { throw .unsupported(id.displayText) }
    guard now != value else { return [] }
    switch (id, value) {
    case (.focusOnVoice, .toggle(let isOn)): return order(noise?.ordering(voice: isOn))
    case (Self.wind.id, .toggle(let isOn)): return order(noise?.ordering(wind: isOn, level: level))
    case (Self.adapts.id, .toggle(let isOn)): return order(noise?.ordering(adapts: isOn))
    case (Self.sensitivity.id, .choice(let name)):
      let index = Self.sensitivities.firstIndex(of: name).map(UInt8.init(clamping:))
      return order(noise?.ordering(sensitivity: index ?? 0))
    case (.equaliserPreset, .choice(let name)):
      guard let preset = SonyEqualiser.preset(named: name) else { break }
      return [Self.ask([0x58, equaliserType, preset, 0x00])]
    case (Self.clearBass.id, .level(let step)):
      guard var equaliser else { break }
      equaliser.clearBass = step
      return order(equaliser)
    default:
      guard let setting = settings.first(where: { $0.declaration.id == id }),
        let order = setting.order(value)
      else { break }
      let isFirst = value == .toggle(true) && !setting.preparation.isEmpty
      let preparation =
        isFirst ? [Exchange(setting.preparation, answer: Self.acknowledged)] : []
      return preparation + [Self.ask(order)]
    }
    throw .unsupported(id.displayText)
  }

  private func order(_ noise: SonyNoise?) -> [Exchange] { noise.map { order($0) } ?? [] }

  /// Those that the generation may have.
  private var settings: [SonySetting] {
    switch generation {
    case .first: SonySetting.first
    case .second:
      SonySetting.second.filter { functions?.contains($0.function) == true }.map(\.setting)
    case nil: []
    }
  }

  /// What was reported meanwhile is true, not the order.
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

  /// Whole frames, wherever the pieces of the stream begin and end.
  public mutating func messages(in value: Bytes) -> [Bytes] { reader.messages(in: value) }

  /// Takes one frame; a command is acknowledged, whether it is understood or not.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    do throws(MalformedBytes) {
      let frame = try SonyFrame(decoding: value)
      guard frame.kind != .acknowledgement else {
        sequence = frame.sequence
        return ParsedMessage(answer: Self.acknowledged)
      }
      var message = ParsedMessage()
      if frame.kind.wantsAcknowledgement {
        message.reply = SonyFrame(.acknowledgement, sequence: 1 - frame.sequence).encoded()
      }
      guard frame.kind == .command || frame.kind == .shot, frame.payload.count > 1 else {
        return message
      }
      do throws(MalformedBytes) {
        message.events = try events(of: frame.payload)
        let bytes = Array(frame.payload.prefix(2))
        message.answer = Self.answer(bytes[0], bytes[1])
      } catch {
        message.events = [.malformed(error, value)]
      }
      return message
    } catch {
      return ParsedMessage([.malformed(error, value)])
    }
  }

  private mutating func events(of payload: Bytes) throws(MalformedBytes) -> [HeadphoneEvent] {
    var reader = ByteReader(payload, of: "Sony payload")
    let command = try reader.uint8()
    switch (command, generation) {
    case (0x01, _):
      guard try reader.uint8() == 0 else { return [] }
      // Another length is another protocol; the first report is final.
      generation = generation ?? Generation(rawValue: payload.count)
      return []
    case (0x05, _):
      let type = try reader.uint8()
      let text = textFromAir(try reader.take(Int(try reader.uint8())))
      if type == 0x01 { model = text }
      if type == 0x02 { firmware = text }
      return []
    case (0x07, .some):
      _ = try reader.uint8()
      var listed: Set<UInt8> = []
      for _ in 0..<(try reader.uint8()) {
        listed.insert(try reader.uint8())
        _ = try reader.uint8()
      }
      functions = listed
      return []
    case (0x11, .first), (0x13, .first), (0x23, .second), (0x25, .second):
      return try take(battery: &reader)
    case (0x19, .first), (0x1B, .first), (0x13, .second), (0x15, .second):
      return try take(codec: &reader)
    case (0x57, .some), (0x59, .some): return try take(equaliser: &reader)
    case (0x67, .some), (0x69, .some):
      let message = payload.dropFirst()
      // Another layout than the one that was asked for, and the button's cycle.
      guard let layout = SonyNoise.Layout(rawValue: try reader.uint8()),
        (layout == .first) == (generation == .first), noise == nil || noise?.layout == layout
      else { return try take(setting: payload) }
      return take(try SonyNoise(decoding: message))
    case (0xA7, .some), (0xA9, .some): return try take(volume: &reader)
    case (0xF3, .second), (0xF5, .second):
      guard try reader.uint8() == 0x10, let last = payload.last else { return [] }
      return reported.take(Wearing(left: last == 0, right: last == 0))
    default: return try take(setting: payload)
    }
  }

  /// A level of 0 is a bud that is not connected and is ignored.
  private mutating func take(
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
    var levels: [Part: Battery] = [:]
    for part in parts {
      let level = try reader.uint8(in: 0...100)
      let charging = try reader.uint8()
      guard level > 0 || type == 0x00 || type == 0x08 else { continue }
      levels[part] = Battery(level: level, isCharging: [0: false, 1: true, 3: false][charging])
    }
    return reported.take(levels)
  }

  private mutating func take(_ noise: SonyNoise) -> [HeadphoneEvent] {
    self.noise = noise
    if noise.level > 0 { level = noise.level }
    var events = reported.take(noise.mode)
    if noise.mode == .transparency || noise.level > 0 {
      events += reported.take(level: noise.level)
    }
    events += reported.take(Self.voice, .toggle(noise.focusesOnVoice))
    if let isOn = noise.reducesWind { events += reported.take(Self.wind, .toggle(isOn)) }
    if let isOn = noise.adapts { events += reported.take(Self.adapts, .toggle(isOn)) }
    if let index = noise.sensitivity {
      events += reported.take(Self.sensitivity, .choice(Self.sensitivities[Int(index)]))
    }
    return events
  }

  private mutating func take(
    equaliser reader: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard [0x00, 0x01, 0x04].contains(try reader.uint8()) else { return [] }
    let told = try SonyEqualiser(decoding: reader.rest())
    equaliser = told
    var events = told.bands.isEmpty ? [] : reported.take(.custom, told.gains)
    if let step = told.clearBass { events += reported.take(Self.clearBass, .level(step)) }
    if let name = told.name { events += reported.take(told.declaration, .choice(name)) }
    return events
  }

  private mutating func take(
    volume reader: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    if generation == .first, try reader.uint8() != 0x01 { return [] }
    guard try reader.uint8() == 0x20 else { return [] }
    return reported.take(Self.volume(try reader.uint8(in: 0...UInt8(Self.mostVolume))))
  }

  private mutating func take(
    codec reader: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    let type = try reader.uint8()
    guard type == (generation == .first ? 0x00 : 0x02) else { return [] }
    let names: [UInt8: String] = [
      0x01: "SBC", 0x02: "AAC", 0x10: "LDAC", 0x20: "aptX", 0x21: "aptX HD",
    ]
    guard let name = names[try reader.uint8()] else { return [] }
    return reported.take(Self.codec, .text(name))
  }

  private mutating func take(setting payload: Bytes) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard
      let setting = settings.first(where: { setting in
        let command = payload.first ?? 0
        return (command == setting.command &+ 1 || command == setting.command &+ 3)
          && payload.dropFirst().first == setting.type
      })
    else { return [] }
    guard let value = setting.value(of: payload) else {
      throw MalformedBytes(
        "Sony \(setting.declaration.id.displayText)", at: 2, .badValue(UInt64(payload.last ?? 0)))
    }
    return reported.take(setting.declaration, value)
  }

  // MARK: Settings of several fields in one message

  private static let sensitivities = ["standard", "high", "low"]
  private static let voice = SettingDeclaration(
    .focusOnVoice, .toggle, title: "Focus on voice", label: "Voice", group: .noise)
  private static let wind = SettingDeclaration(
    "wind-reduction", .toggle, title: "Wind noise reduction", label: "Wind", group: .noise)
  private static let adapts = SettingDeclaration(
    "adaptive-ambient", .toggle, title: "Adaptive ambient sound", label: "Adapt", group: .noise)
  private static let sensitivity = SettingDeclaration(
    "adaptive-sensitivity", SettingDeclaration.choices(sensitivities),
    title: "Sensitivity of adaptive ambient sound", label: "Sensing", group: .noise)
  private static let clearBass = SettingDeclaration(
    "clear-bass", .level(SettingRange(-10...10)), title: "Clear Bass", label: "Bass", group: .sound)
  private static let codec = SettingDeclaration(
    "codec", .reading, title: "Codec in use", label: "Codec", group: .sound)
}
