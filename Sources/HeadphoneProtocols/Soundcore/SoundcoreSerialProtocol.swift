public import BluetoothCodec

/// The protocol of Soundcore's headphones over RFCOMM, whose newer models offer nothing over LE.
///
/// The model follows from the service or the serial number, and says where the values are in the
/// state. Noise control is asked by itself (0601), which every model answers alike; a command has as
/// many bytes as the model takes, or is refused.
///
/// Sound modes:
///
/// | offset | field | meaning |
/// | --- | --- | --- |
/// | 0 | mode | 0 cancelling, 1 transparency, 2 off |
/// | 1 | strength | upper 4 bits: 1 to 5; from 6 bytes on |
/// | 1 | scene | 0 transport, 1 outdoor, 2 indoor, 3 custom; of 4 bytes |
/// | 2 | transparency | 0 full, of headbands of 6 bytes talk; 1 vocal |
/// | 3 | kind | 0 manual, 1 adaptive, 2 scene; from 6 bytes on |
/// | 4 | wind | bit 0; from 6 bytes on |
/// | 5 | strength of transparency | 1 to 5; headbands of 6 bytes |
///
/// The four bytes of the Liberty 4 Pro are others: its mode alone is read. The equaliser is that of
/// the Life Q30 and its generation, whose state has it at offset 2 (``SoundcoreEQ``).
///
/// Paired devices (0B01), of models with two connections, in one frame or several:
///
/// | offset | field | meaning |
/// | --- | --- | --- |
/// | 0 | frames | how many there are |
/// | 1 | number | of this frame, from 1 |
/// | 2 | entries | length with itself, connected, address (least significant first), name |
///
/// Proven by the published tests of another project for eleven models, and by recordings of P31i
/// and Space One Pro.
///
/// ```swift
/// var soundcore = SoundcoreSerialProtocol(on: service)
/// soundcore.questions()  // 0101, the state, which every model answers
/// for frame in soundcore.messages(in: piece) { soundcore.receive(frame) }
/// soundcore.furtherQuestions()  // 0601, the sound modes
/// ```
public struct SoundcoreSerialProtocol: FramedProtocol {
  public typealias Frame = SoundcoreFrame

  public static let name = "Soundcore"

  /// The service 0CF12D31-FAC3-4553-BD80-D6832E7xxxxx, whose last digits are the model's.
  public static let service = BluetoothUUID(
    high: 0x0CF1_2D31_FAC3_4553, low: 0xBD80_D683_2E7B_0000)
  /// Headphones (A30), earbuds (A39), and the newer ones, of both kinds (D1); speakers (A31) have
  /// the same service with numbers of their own.
  public static let services = [
    models(0xB3000, mask: 0xFFF00), models(0xB3900, mask: 0xFFF00), models(0xD0000, mask: 0xF0000),
  ]

  private static func models(_ digits: UInt64, mask: UInt64) -> SerialService {
    let digitsMask: UInt64 = 0xFFFFF
    return SerialService(
      BluetoothUUID(high: service.high, low: service.low & ~digitsMask | digits),
      mask: BluetoothUUID(high: .max, low: ~digitsMask | mask))
  }

  var reader = FrameReader(SoundcoreFrame.format(of: .headphone))
  private(set) var reported = ReportedValues()
  private var hasAnswered = false
  private var hasAskedFurther = false
  /// The last 16 bits of the service: the model's number, on some models.
  private let serviceNumber: UInt16
  /// The model's number, by service or serial number; nil: before the state.
  private var number: UInt16?
  private var firmware: String?
  private var serial: String?
  /// The sound modes as they were reported last; a command repeats all but what it changes.
  private var modes: [UInt8] = []
  /// Preset and bands; nil: not reported.
  private var eq: SoundcoreEQ?
  /// The equaliser of the present command, to be compared when it is read back.
  private var orderedEQ: SoundcoreEQ?
  /// The gains that the wearer had set last; nil: not reported.
  private var ownGains: [Int16]?
  /// The part of the list of paired devices that has come.
  private var devices: [PairedDevice] = []
  /// How many frames of it have come.
  private var deviceFrames: UInt8 = 0
  /// The bytes of the answer to 0601; nil: it was not answered.
  private var reportedWidth: Int?

  /// Creates the protocol for the service whose channel was opened.
  public init(on service: BluetoothUUID) {
    serviceNumber = UInt16(truncatingIfNeeded: service.low)
  }

  /// Whether the headphone has answered the question for its state.
  public var isRecognised: Bool { hasAnswered }

  /// The model's layout; nil: not known.
  private var model: SoundcoreModel? { number.flatMap { SoundcoreModel[$0] } }

  /// The headphone's capabilities, by what it has reported.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.noise != nil { able.ancModes = [.off, .noiseCancelling, .transparency] }
    if eq != nil {
      able.eqPresets = EQPreset.allCases
      able.eqBands = SoundcoreEQ.bandCount
      able.eqCentres = SoundcoreEQ.centres
    }
    return able
  }

  /// Model, firmware and serial number, where the model's layout is known.
  public var information: DeviceInformation {
    let known = model == nil ? nil : number
    return DeviceInformation(
      manufacturer: "Soundcore", model: known.map { "A\(hexadecimal($0, width: 4))" },
      serial: serial, firmware: firmware)
  }

  // MARK: Asking

  /// Asks for the state, and forgets what was reported before.
  public mutating func questions() -> [Exchange] {
    (reported, hasAnswered, hasAskedFurther) = (ReportedValues(), false, false)
    (modes, reportedWidth, devices, deviceFrames) = ([], nil, [], 0)
    (eq, orderedEQ, ownGains) = (nil, nil, nil)
    return [exchange(SoundcoreCommand.state)]
  }

  /// Asks for noise control, unless the model is known to have none, and for the paired devices of
  /// models that are known to have two connections.
  public mutating func furtherQuestions() -> [Exchange] {
    guard hasAnswered, !hasAskedFurther else { return [] }
    hasAskedFurther = true
    let hasModes = model.map { $0.soundModes != nil } ?? true
    let hasDevices = number.map(SoundcoreModel.withPairedDevices.contains) ?? false
    return (hasModes ? [exchange(SoundcoreCommand.soundModes)] : [])
      + (hasDevices ? [exchange(SoundcoreCommand.pairedDevices)] : [])
  }

  /// A frame of the phone's, answered by the same command.
  private func exchange(_ command: UInt16, _ body: [UInt8] = []) -> Exchange {
    Exchange(SoundcoreFrame(.phone, command, body[...]).encoded(), answer: AnswerID(command))
  }

  /// The exchanges that carry a command out: the command, and behind it the question that reads the
  /// values back.
  ///
  /// - Throws: `unsupported` for what was not reported, and where the width of the command is not
  ///   known; `badArgument` for a strength outside of 1 to 5.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    switch command {
    case .setANC(let mode):
      guard capabilities.ancModes.contains(mode), let raw = Self.modes.firstIndex(of: mode) else {
        throw .noMode(mode)
      }
      return try change(0) { _ in UInt8(raw) }
    case .set(Self.strength.id, .level(let level)) where reported[Self.strength.id] != nil:
      guard Self.strengths.contains(level) else {
        throw .badArgument("there is no strength \(level)")
      }
      return try change(1) { UInt8(level) << 4 | $0 & 0x0F }
    case .set(Self.kind.id, .choice(let name)) where reported[Self.kind.id] != nil:
      guard let raw = Self.kinds.firstIndex(of: name) else { throw .badArgument(name) }
      return try change(3) { _ in UInt8(raw) }
    case .set(Self.wind.id, .toggle(let isOn)) where reported[Self.wind.id] != nil:
      return try change(4) { $0 & ~1 | (isOn ? 1 : 0) }
    case .set(Self.scene.id, .choice(let name)) where reported[Self.scene.id] != nil:
      guard let raw = Self.scenes.firstIndex(of: name) else { throw .badArgument(name) }
      return try change(1) { _ in UInt8(raw) }
    case .set(Self.transparency, .choice(let name)) where reported[Self.transparency] != nil:
      guard let raw = transparencies.firstIndex(of: name) else { throw .badArgument(name) }
      return try change(2) { _ in UInt8(raw) }
    case .set(Self.ambientStrength.id, .level(let level))
    where reported[Self.ambientStrength.id] != nil:
      guard Self.strengths.contains(level) else {
        throw .badArgument("there is no strength \(level)")
      }
      return try change(5) { _ in UInt8(level) }
    case .setEQ(let preset) where eq != nil:
      let flat = Array(repeating: Int16(0), count: SoundcoreEQ.bandCount)
      return order(
        SoundcoreEQ(preset) ?? SoundcoreEQ(id: SoundcoreEQ.customID, tenths: ownGains ?? flat))
    case .setCustomEQ(let gains) where eq != nil:
      guard gains.count == SoundcoreEQ.bandCount else {
        throw .gains(gains.count, insteadOf: SoundcoreEQ.bandCount)
      }
      return order(SoundcoreEQ(custom: gains))
    case .pairedDevice(let action, let address): return try order(action, address)
    default: throw .noCommand(of: Self.name)
    }
  }

  /// The command for the equaliser, and the question for the state that has it.
  private mutating func order(_ eq: SoundcoreEQ) -> [Exchange] {
    orderedEQ = eq
    return [
      exchange(SoundcoreCommand.setEQ, eq.encoded()), exchange(SoundcoreCommand.state),
    ]
  }

  /// Ends a command: compares what was read back with what was ordered.
  ///
  /// - Throws: `unsupported` where it differs.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    try reported.confirm(command)
    switch command {
    case .setEQ, .setCustomEQ:
      guard let ordered = orderedEQ.take(), let eq, ordered.id == eq.id,
        // A preset's gains are not always reported with it.
        ordered.id != SoundcoreEQ.customID || ordered == eq
      else { throw .unsupported("such equaliser") }
      // Also where nothing has changed, as the screen may show what was ordered.
      return [.eqChanged(eq.preset, bands: eq.gains)]
    default: return []
    }
  }

  /// The command for a paired device, which need not be answered, and the question for all of them
  /// until their list shows it.
  private mutating func order(
    _ action: PairedDeviceAction, _ address: BluetoothAddress
  ) throws(HeadphoneError) -> [Exchange] {
    try reported.order(action, address)
    let command =
      switch action {
      case .connect: SoundcoreCommand.connectDevice
      case .disconnect: SoundcoreCommand.disconnectDevice
      case .forget: SoundcoreCommand.forgetDevice
      case .play, .prefer: throw .unsupported(action.title)
      }
    let order = SoundcoreFrame(.phone, command, address.littleEndianBytes[...]).encoded()
    var question = exchange(SoundcoreCommand.pairedDevices)
    question.attempts = Self.mostDeviceQuestions
    return [Exchange(unanswered: order), question]
  }

  /// Questions for the paired devices, one a second: to connect one may take a while.
  private static let mostDeviceQuestions = 12

  /// The command for the last sound modes with one byte changed, and the question for them.
  ///
  /// - Parameters:
  ///   - place: offset of the byte.
  ///   - value: the new byte, from the old one.
  /// - Throws: `unsupported` where it is not known how many bytes the model takes.
  private func change(
    _ place: Int, _ value: (UInt8) -> UInt8
  ) throws(HeadphoneError) -> [Exchange] {
    guard
      let width = reportedWidth.flatMap({ SoundcoreModel.orderWidth(of: number, reported: $0) }),
      width <= modes.count, place < width
    else {
      throw .unsupported("noise control that Earshot can set: the length of its command is unknown")
    }
    var changed = Array(modes.prefix(width))
    changed[place] = value(changed[place])
    return [
      exchange(SoundcoreCommand.setSoundModes, changed), exchange(SoundcoreCommand.soundModes),
    ]
  }

  // MARK: Receiving

  /// Takes one frame; a command that is not known is skipped.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    var answer: AnswerID?
    do throws(MalformedBytes) {
      let frame = try SoundcoreFrame(decoding: value)
      guard frame.sender == .headphone else {
        throw MalformedBytes("Soundcore frame", at: 0, .badValue(UInt64(value.first ?? 0)))
      }
      answer = AnswerID(frame.command)
      let events = try events(of: frame)
      if frame.command == SoundcoreCommand.pairedDevices,
        reported.isDeviceCommandOpen || deviceFrames > 0
      {
        answer = nil
      }
      return ParsedMessage(answer: answer, events)
    } catch {
      return ParsedMessage(answer: answer, [.malformed(error, value)])
    }
  }

  /// The changes that a frame brings.
  private mutating func events(of frame: SoundcoreFrame) throws(MalformedBytes) -> [HeadphoneEvent]
  {
    switch frame.command {
    case SoundcoreCommand.state where !frame.body.isEmpty:
      hasAnswered = true
      return try take(state: frame.body)
    // A command is acknowledged without a body.
    case SoundcoreCommand.battery where !frame.body.isEmpty:
      return take(levels: Array(frame.body))
    case SoundcoreCommand.charging where !frame.body.isEmpty:
      return take(charging: Array(frame.body))
    case SoundcoreCommand.soundModes where !frame.body.isEmpty:
      let events = try take(modes: Array(frame.body))
      reportedWidth = frame.body.count
      return events
    case SoundcoreCommand.pairedDevices where !frame.body.isEmpty:
      return try take(devices: frame.body)
    default: return []
    }
  }

  /// Takes the state: model, firmware, serial number, batteries, and sound modes until 0601 was
  /// answered.
  ///
  /// - Throws: `MalformedBytes` where the model's layout goes beyond the body.
  private mutating func take(state: Bytes) throws(MalformedBytes) -> [HeadphoneEvent] {
    let isNamed = SoundcoreModel[serviceNumber] != nil
    number = isNamed ? serviceNumber : SoundcoreModel.number(in: state) ?? serviceNumber
    guard let model else { return [] }
    let body = Array(state)
    guard body.count >= model.shape.serial + 16 else {
      throw MalformedBytes("Soundcore state", at: body.count, .badLength(body.count))
    }
    // A bud that is not there has no firmware.
    firmware = model.shape.firmwares.map { body[$0..<$0 + 5] }
      .first { $0.allSatisfy { $0 > 0 && $0 < 0x80 } }.map(textFromAir)
    serial = textFromAir(body[model.shape.serial...].prefix(16))
    var events = reported.apply(Self.batteries(body, model))
    if model.shape == .firstHeadband {
      events += take(try SoundcoreEQ(decoding: state.dropFirst(Self.equaliserPlace)))
    }
    if let (place, width) = model.soundModes, reportedWidth == nil {
      guard body.count >= place + width else {
        throw MalformedBytes("Soundcore state", at: body.count, .badLength(body.count))
      }
      events += try take(modes: Array(body[place..<place + width]))
    }
    return events
  }

  /// The offset of the equaliser in the state of the first headbands, in bytes.
  private static let equaliserPlace = 2

  private mutating func take(_ told: SoundcoreEQ) -> [HeadphoneEvent] {
    if told.id == SoundcoreEQ.customID { ownGains = told.tenths }
    defer { eq = told }
    return eq == told ? [] : [.eqChanged(told.preset, bands: told.gains)]
  }

  /// Reads the levels; a bud without a connection to the one that reports is left out, whatever its
  /// level was.
  private static func batteries(_ body: [UInt8], _ model: SoundcoreModel) -> BatteryLevels {
    var levels = BatteryLevels("Soundcore battery")
    func add(_ part: Part, _ place: Int, charging: Int?, _ scale: BatteryScale) {
      guard place < body.count, body[place] != absent else { return }
      let isCharging: Bool? = charging.flatMap { [0: false, 1: true][body[$0]] }
      levels.add(part, body[place], isCharging: isCharging, scale: scale, at: place)
    }
    guard model.shape == .buds else {
      add(.left, 0, charging: 1, model.scale)
      return levels
    }
    let isConnected = body[1] != 0
    for (index, part) in [Part.left, .right].enumerated()
    where isConnected || body[0] == UInt8(index) {
      add(part, 2 + index, charging: 4 + index, model.scale)
    }
    if let place = model.casePlace { add(.case, place, charging: nil, model.caseScale) }
    return levels
  }

  /// The level of a part that is not there.
  private static let absent: UInt8 = 0xFF

  /// The parts of a model, in the order of its reports.
  private static func parts(_ model: SoundcoreModel) -> [Part] {
    model.shape == .buds ? [.left, .right] : [.left]
  }

  /// Levels that it reports when they change.
  private mutating func take(levels raw: [UInt8]) -> [HeadphoneEvent] {
    guard let model else { return [] }
    var levels = BatteryLevels("Soundcore battery")
    for (index, part) in Self.parts(model).enumerated()
    where index < raw.count && raw[index] != Self.absent {
      let isCharging = reported.batteries[part]?.isCharging
      levels.add(part, raw[index], isCharging: isCharging, scale: model.scale, at: index)
    }
    return reported.apply(levels)
  }

  /// Which parts charge, of those whose level is known.
  private mutating func take(charging: [UInt8]) -> [HeadphoneEvent] {
    guard let model else { return [] }
    var batteries = reported.batteries
    for (index, part) in Self.parts(model).enumerated() where index < charging.count {
      batteries[part]?.isCharging = [0: false, 1: true][charging[index]]
    }
    return reported.apply(batteries)
  }

  /// Takes a part of the list of paired devices, which the last one completes.
  private mutating func take(devices body: Bytes) throws(MalformedBytes) -> [HeadphoneEvent] {
    var reader = ByteReader(body, of: "Soundcore paired devices")
    let count = try reader.uint8()
    let number = try reader.uint8()
    if number == 1 || number != deviceFrames &+ 1 { (devices, deviceFrames) = ([], 0) }
    // The beginning is missing: the next list has it.
    guard number == deviceFrames + 1 else { return [] }
    while !reader.isAtEnd {
      let length = Int(try reader.uint8())
      guard length >= 8 else { throw reader.malformed(.badLength(length)) }
      let isConnected = try reader.flag()
      let address = try reader.address()
      // Padded with zeros, which need not be all zeros.
      let name = try reader.take(length - 8).prefix { $0 != 0 }
      devices.append(PairedDevice(address, name: textFromAir(name), isConnected: isConnected))
    }
    deviceFrames = number
    guard number >= count else { return [] }
    defer { (devices, deviceFrames) = ([], 0) }
    return reported.apply(
      .pairedDevices(.connect, .disconnect, .forget), .pairedDevices(devices))
  }

  private mutating func take(modes told: [UInt8]) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard let raw = told.first, Int(raw) < Self.modes.count else {
      throw MalformedBytes("Soundcore sound modes", at: 0, .badValue(UInt64(told.first ?? 0)))
    }
    modes = told
    var events = reported.apply(Self.modes[Int(raw)])
    // What follows the mode is known for the models in the table only, and differs by width.
    guard let model, let width = model.soundModes?.width, told.count >= width,
      number != Self.slider
    else { return events }
    if width >= 6 {
      events += reported.apply(Self.strength, .level(Int(told[1] >> 4)))
      if Int(told[3]) < Self.kinds.count {
        events += reported.apply(Self.kind, .choice(Self.kinds[Int(told[3])]))
      }
      events += reported.apply(Self.wind, .toggle(told[4] & 1 == 1))
    } else if Int(told[1]) < Self.scenes.count {
      events += reported.apply(Self.scene, .choice(Self.scenes[Int(told[1])]))
    }
    if Int(told[2]) < transparencies.count {
      let declaration = SettingDeclaration(
        Self.transparency, SettingDeclaration.choices(transparencies),
        title: "Transparency kind", label: "Hear", group: .noise)
      events += reported.apply(declaration, .choice(transparencies[Int(told[2])]))
    }
    if hasAmbientStrength {
      events += reported.apply(Self.ambientStrength, .level(Int(told[5])))
    }
    return events
  }

  /// The Liberty 4 Pro, whose four bytes are mode, slider, aeroplane and wind.
  private static let slider: UInt16 = 0x3954

  /// Whether it is a headband of 6 bytes.
  private var hasAmbientStrength: Bool {
    model.map { $0.shape == .headband && $0.soundModes?.width == 6 } ?? false
  }

  /// The kinds of transparency by their number.
  private var transparencies: [String] { [hasAmbientStrength ? "talk" : "full", "vocal"] }

  // MARK: Settings

  /// The modes by their number.
  private static let modes: [ANCMode] = [.noiseCancelling, .transparency, .off]
  private static let strengths = 1...5
  private static let strength = SettingDeclaration(
    "cancelling-strength", .level(SettingRange(strengths)), title: "Cancelling strength",
    label: "Depth", group: .noise)
  private static let ambientStrength = SettingDeclaration(
    "transparency-strength", .level(SettingRange(strengths)), title: "Transparency strength",
    label: "Ambient", group: .noise)
  private static let transparency: SettingID = "transparency-kind"
  private static let scenes = ["transport", "outdoor", "indoor", "custom"]
  private static let scene = SettingDeclaration(
    "cancelling-scene", SettingDeclaration.choices(scenes), title: "Cancelling scene",
    label: "Scene", group: .noise)
  private static let kinds = ["manual", "adaptive", "scene"]
  private static let kind = SettingDeclaration(
    "cancelling-kind", SettingDeclaration.choices(kinds), title: "Cancelling kind",
    label: "Kind", group: .noise)
  private static let wind = SettingDeclaration(
    "wind-reduction", .toggle, title: "Wind noise reduction", label: "Wind", group: .noise)
}
