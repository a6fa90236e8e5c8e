public import BluetoothCodec

/// The protocol of Bose's headphones over the Serial Port Profile, from the QC35 on.
///
/// Which noise control a headphone has is asked, the newest kind first: modes, a level of
/// cancelling, or steps. Settings are written by SETGET, which the headphone answers with the value
/// it has then; modes by START, after which the mode is polled until it is active. A refused order
/// is never repeated.
///
/// | function | payload of the answer | becomes | proof |
/// | --- | --- | --- | --- |
/// | 0.1 | text | recognition; asked first | recorded |
/// | 0.3 | product BE16, variant | model | recorded |
/// | 0.5 | text | firmware | published |
/// | 0.15 | text | model, of a product without a name here | published |
/// | 1.2 | 00, text | its own name | published |
/// | 1.3 | bits: 20 on, 1F language | setting `voice-prompts` | recorded |
/// | 1.4 | minutes | setting `auto-power-off` | published |
/// | 1.5 | levels, level, flags | ambient level | recorded |
/// | 1.6 | step, bit map of the steps | setting `noise-cancelling-step` | recorded |
/// | 1.7 | lowest, highest, gain, band: each | `bass`, `middle`, `treble` | published |
/// | 1.10 | bits, of which 02 is on | setting `multipoint` | published |
/// | 1.11 | flag, index, bit map | setting `sidetone` | recorded |
/// | 1.24 | flag | setting `pause-when-taken-off` | recorded |
/// | 1.27 | flag | setting `auto-answer` | published |
/// | 2.2 | percent, minutes LE16, component | batteries | recorded |
/// | 4.4 | bit map, address each | the paired devices | recorded |
/// | 4.5 | address, status, 2 or 3 bytes, name | setting `paired-devices` | published |
/// | 5.1 | bit map BE16, kind, address | which of them plays | recorded |
/// | 31.3 | mode | noise control, setting `listening-mode` | recorded |
/// | 31.6 | mode, 5 bytes, name of 32 | the wearer's own modes | published |
///
/// ```swift
/// var bose = BoseProtocol(on: SerialService.serialPort)
/// bose.questions().map(\.values)  // [[00 01 01 00]]
/// bose.receive([0x00, 0x01, 0x03, 0x05, 0x31, 0x2E, 0x30, 0x2E, 0x34])  // version "1.0.4"
/// bose.isRecognised  // true
/// ```
public struct BoseProtocol: FramedProtocol {
  public typealias Frame = BoseFrame

  public static let name = "Bose"

  /// Bose's company identifier, as the Device ID record names it.
  public static let vendor: UInt16 = 0x009E
  /// The Serial Port Profile, which any maker may offer: the company decides.
  ///
  /// Older models have no record of it; the numbers are those that were seen.
  public static let services = [
    SerialService(SerialService.serialPort, vendor: vendor, channels: [8, 2, 9])
  ]

  /// The functions that are read or written.
  private enum Functions {
    static let version = BoseFrame.Function(0, 1)
    static let product = BoseFrame.Function(0, 3)
    static let firmware = BoseFrame.Function(0, 5)
    static let modelName = BoseFrame.Function(0, 15)
    static let name = BoseFrame.Function(1, 2)
    static let prompts = BoseFrame.Function(1, 3)
    static let autoOff = BoseFrame.Function(1, 4)
    static let cancelling = BoseFrame.Function(1, 5)
    static let steps = BoseFrame.Function(1, 6)
    static let equaliser = BoseFrame.Function(1, 7)
    static let multipoint = BoseFrame.Function(1, 10)
    static let sidetone = BoseFrame.Function(1, 11)
    static let pause = BoseFrame.Function(1, 24)
    static let autoAnswer = BoseFrame.Function(1, 27)
    static let battery = BoseFrame.Function(2, 2)
    static let connect = BoseFrame.Function(4, 1)
    static let disconnect = BoseFrame.Function(4, 2)
    static let forget = BoseFrame.Function(4, 3)
    static let devices = BoseFrame.Function(4, 4)
    static let device = BoseFrame.Function(4, 5)
    static let route = BoseFrame.Function(4, 12)
    static let source = BoseFrame.Function(5, 1)
    static let mode = BoseFrame.Function(31, 3)
    static let modeList = BoseFrame.Function(31, 6)
  }

  /// Cuts the stream into frames.
  var reader = FrameReader(BoseFrame.format)
  private(set) var reported = ReportedValues()
  /// The protocol's version; nil until the opening question is answered.
  private var version: String?
  private var firmware: String?
  private var product: UInt16?
  /// What the headphone calls its model; nil: not reported.
  private var modelName: String?
  /// Rounds of further questions so far.
  private var round = 0
  /// Whether noise control is one of several modes (function 31.3).
  private var hasModes = false
  /// The mode in force; nil: not reported.
  private var activeMode: UInt8?
  /// The names of the wearer's own modes, by their index.
  private var ownModes: [UInt8: String] = [:]
  /// The name that the headphone has; nil: not reported.
  private var ownName: String?
  /// The byte of voice prompts, whose language a command repeats.
  private var prompts: UInt8 = 0
  /// The mode that was ordered: until it is active, the one before is still reported.
  ///
  /// Nil: none was ordered, or it was refused.
  private var requestedMode: UInt8?
  /// How many levels of cancelling there are; 0: none were reported.
  private var levels: UInt8 = 0
  private var devices = BoseDevices()

  /// Creates the protocol; the service makes no difference.
  public init(on service: BluetoothUUID) {}

  /// Whether the headphone has reported its protocol version.
  public var isRecognised: Bool { version != nil }

  /// The headphone's capabilities, by what it has reported: a function that was answered by an
  /// error, or not at all, is not there.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.level != nil, levels > 0 {
      able.hasANCLevel = true
      able.ancLevels = 0...levels - 1
    }
    if reported.noise != nil { able.ancModes = [.noiseCancelling, .transparency] }
    able.hasRename = ownName != nil
    return able
  }

  /// Product and firmware; a product without a name here is called as it calls itself, or shown by its
  /// number.
  public var information: DeviceInformation {
    DeviceInformation(
      manufacturer: "Bose",
      model: product.flatMap { Self.models[$0] } ?? modelName
        ?? product.map { "Bose 0x\(hexadecimal($0, width: 4))" },
      firmware: firmware)
  }

  // MARK: Asking

  /// The opening question: older headphones answer nothing else before it.
  public mutating func questions() -> [Exchange] {
    (reported, version, round) = (ReportedValues(), nil, 0)
    (levels, hasModes, requestedMode) = (0, false, nil)
    devices = BoseDevices()
    (activeMode, ownModes, ownName) = (nil, [:], nil)
    return [ask(Functions.version)]
  }

  /// Asks for the functions in up to three rounds, and for one kind of noise control in each.
  ///
  /// The first round asks for modes, and for all that is no noise control; the second for the names
  /// of the modes, or a level where there are none, and for each paired device; the third for steps
  /// where there is neither.
  public mutating func furtherQuestions() -> [Exchange] {
    guard version != nil else { return [] }
    round += 1
    switch round {
    case 1:
      return [
        Functions.product, Functions.modelName, Functions.firmware, Functions.battery,
        Functions.equaliser,
        Functions.sidetone, Functions.pause, Functions.multipoint, Functions.name,
        Functions.prompts, Functions.autoOff, Functions.autoAnswer, Functions.source,
        Functions.devices, Functions.mode,
      ].map { ask($0) }
    case 2:
      return [hasModes ? askModes() : ask(Functions.cancelling)] + devices.listed.map(askDevice)
    case 3: return hasModes || levels > 0 ? [] : [ask(Functions.steps)]
    default: return []
    }
  }

  /// A GET of a function.
  private func ask(_ function: BoseFrame.Function) -> Exchange {
    Exchange(BoseFrame(function, .get).encoded(), response: function.response)
  }

  /// The START of the list of modes: a status of each one follows.
  private func askModes() -> Exchange {
    Exchange(BoseFrame(Functions.modeList, .start).encoded(), response: Self.started)
  }

  /// A GET of what is known of a paired device.
  private func askDevice(_ address: BluetoothAddress) -> Exchange {
    Exchange(
      BoseFrame(Functions.device, .get, address.bytesInReadingOrder).encoded(),
      response: Self.response(of: address))
  }

  /// The identifier of what is reported of one device: all have one function.
  private static func response(of address: BluetoothAddress) -> ResponseID {
    ResponseID(UInt16(truncatingIfNeeded: address.value), sequence: 0)
  }

  /// A SETGET or START, before which an earlier refusal of the function is forgotten.
  private mutating func request(
    _ function: BoseFrame.Function, _ operation: BoseFrame.Operation, _ payload: [UInt8]
  ) -> Exchange {
    reported.refusal = nil
    return Exchange(
      BoseFrame(function, operation, payload).encoded(), response: function.response)
  }

  /// The exchanges that carry a command out: a SETGET or a START, whichever the function takes.
  ///
  /// - Throws: `notStarted` before the version is known; `unsupported` for what the headphone has
  ///   not reported, and for a value outside of the reported range.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    guard isRecognised else { throw .notStarted }
    switch command {
    case .setANC(let mode) where reported.noise != nil && Self.modes[mode] != nil:
      return request(mode: Self.modes[mode] ?? 0)
    case .setANC(let mode): throw .noMode(mode)
    case .setANCLevel(let level) where capabilities.hasANCLevel && level < levels:
      return [request(Functions.cancelling, .setGet, [level, 1])]
    case .setANCLevel: throw .unsupported("such level")
    case .set(let id, let value):
      guard let declaration = reported.capabilities.declaration(of: id), declaration.accepts(value)
      else { throw .unsupported(id.displayText) }
      if id == Self.modeID,
        let index = modes.first(where: { .choice($0.choice.id) == value })?.index
      {
        return request(mode: index)
      }
      return [try request(id, value)]
    case .pairedDevice(let action, let address): return try request(action, address)
    case .rename(let name) where ownName != nil:
      return [request(Functions.name, .setGet, Array(name.utf8))]
    default: throw .noCommand(of: Self.name)
    }
  }

  /// Starts a mode, and polls until it is active, which takes a QC45 3 s.
  private mutating func request(mode: UInt8) -> [Exchange] {
    var start = request(Functions.mode, .start, [mode, 0])
    start.response = Self.started
    requestedMode = mode
    var question = ask(Functions.mode)
    question.attempts = Self.mostModeQuestions
    return [start, question]
  }

  /// Starts an action on a paired device, and polls until it is reported.
  private mutating func request(
    _ action: PairedDeviceAction, _ address: BluetoothAddress
  ) throws(HeadphoneError) -> [Exchange] {
    try reported.begin(action, address)
    let bytes = address.bytesInReadingOrder
    var (start, question) =
      switch action {
      case .connect: (request(Functions.connect, .start, [0] + bytes), askDevice(address))
      case .disconnect: (request(Functions.disconnect, .start, bytes), askDevice(address))
      case .forget: (request(Functions.forget, .start, bytes), ask(Functions.devices))
      // Bit 7: to this device; bit 1 is sent along by the maker's app.
      case .play: (request(Functions.route, .start, [0x82] + bytes), ask(Functions.source))
      case .prefer: throw .unsupported("preferred device")
      }
    start.response = Self.started
    question.attempts = Self.mostDeviceQuestions
    return [start, question]
  }

  /// Questions for a paired device, one a second: to connect one may take a while.
  private static let mostDeviceQuestions = 12

  /// The answer to a START: a result, an error, or the announcement of a result.
  private static let started: ResponseID = 0xFFFF
  /// Questions for the mode, one a second.
  private static let mostModeQuestions = 6

  private mutating func request(
    _ id: SettingID, _ value: SettingValue
  ) throws(HeadphoneError) -> Exchange {
    switch (id, value) {
    case (Self.steps.id, .choice(let name)):
      guard let step = Self.stepNames.first(where: { $0.value == name })?.key else { break }
      return request(Functions.steps, .setGet, [step])
    case (Self.pause.id, .toggle(let isOn)):
      return request(Functions.pause, .setGet, [isOn ? 1 : 0])
    case (.multipoint, .toggle(let isOn)):
      return request(Functions.multipoint, .setGet, [isOn ? 1 : 0])
    case (Self.autoAnswer.id, .toggle(let isOn)):
      return request(Functions.autoAnswer, .setGet, [isOn ? 1 : 0])
    case (Self.voicePrompts.id, .toggle(let isOn)):
      let language = prompts & ~Self.promptsOn
      return request(Functions.prompts, .setGet, [isOn ? language | Self.promptsOn : language])
    case (.autoPowerOff, .choice(let name)):
      guard let minutes = Self.autoOffTimes.first(where: { $0.id == name })?.minutes else { break }
      return request(Functions.autoOff, .setGet, [minutes])
    case (Self.sidetone.id, .choice(let name)):
      guard let index = Self.sidetones.firstIndex(of: name) else { break }
      return request(Functions.sidetone, .setGet, [1, UInt8(index)])
    case (_, .level(let gain)):
      guard let band = Self.bands.firstIndex(where: { $0.id == id }) else { break }
      return request(
        Functions.equaliser, .setGet, [UInt8(bitPattern: Int8(clamping: gain)), UInt8(band)])
    default: break
    }
    throw .unsupported(id.displayText)
  }

  /// The error that a code of the headphone's stands for.
  ///
  /// | code | error |
  /// | --- | --- |
  /// | 5, 20 | `refused(.notPermitted)` |
  /// | 1, 6 | `refused(.badPayload)` |
  /// | 7, 8, 10 | `refused(.wrongState)` |
  /// | other | `refused(.other(code))` |
  private static func refusal(_ code: UInt8) -> HeadphoneError {
    switch code {
    case 5, 20: .refused(.notPermitted)
    case 6, 1: .refused(.badPayload)
    case 7, 8, 10: .refused(.wrongState)
    default: .refused(.other(code))
    }
  }

  // MARK: Receiving

  /// Takes one frame; a function that is not known is skipped.
  ///
  /// An operation that only a phone sends is malformed, as are values out of their range: either
  /// becomes an event that says so, and the state stays as it is.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    do throws(MalformedBytes) {
      let frame = try BoseFrame(decoding: value)
      switch frame.operation {
      case .status:
        let events = try events(of: frame)
        return ParsedMessage(response: response(to: frame), events, reply: reply(to: frame))
      case .result:
        return ParsedMessage(
          response: Self.started, try events(of: frame), reply: reply(to: frame))
      case .error:
        reported.refusal = Self.refusal(frame.payload.first ?? 0)
        return ParsedMessage(response: response(toError: frame.function))
      // The result comes later, or never.
      case .processing: return ParsedMessage(response: Self.started)
      case .set, .get, .setGet, .start:
        throw MalformedBytes("Bose frame", at: 2, .badValue(UInt64(frame.operation.rawValue)))
      }
    } catch {
      return ParsedMessage([.malformed(error, value)])
    }
  }

  /// The question that a status answers; nil: it does not show yet what was ordered.
  private func response(to status: BoseFrame) -> ResponseID? {
    switch status.function {
    case Functions.mode where requestedMode != nil && status.payload.first != requestedMode: nil
    case Functions.device:
      (try? BluetoothAddress(inReadingOrder: status.payload.prefix(6))).flatMap {
        reported.isDeviceCommandOpen ? nil : Self.response(of: $0)
      }
    case Functions.devices, Functions.source:
      reported.isDeviceCommandOpen ? nil : status.function.response
    default: status.function.response
    }
  }

  /// The question or command that an error answers; the wait for a mode ends with it.
  private mutating func response(toError function: BoseFrame.Function) -> ResponseID {
    switch function {
    case Functions.mode where requestedMode != nil:
      requestedMode = nil
      return Self.started
    case Functions.connect, Functions.disconnect, Functions.forget, Functions.route,
      Functions.modeList:
      return Self.started
    // It does not name the device: the first without an answer.
    case Functions.device:
      return devices.dropFirstUnknown().map(Self.response(of:)) ?? function.response
    default: return function.response
    }
  }

  /// Asks again for what a device that connects, disconnects or is forgotten changes.
  ///
  /// At the start the list alone is taken: the next round asks for its devices.
  private func reply(to frame: BoseFrame) -> [UInt8]? {
    switch frame.function {
    case Functions.connect, Functions.disconnect, Functions.forget, Functions.route:
      BoseFrame(Functions.devices, .get).encoded()
    case Functions.devices where round > 1:
      devices.listed.flatMap { askDevice($0).values }.flatMap { $0 }
    default: nil
    }
  }

  /// The changes that a status or a result brings.
  private mutating func events(of frame: BoseFrame) throws(MalformedBytes) -> [HeadphoneEvent] {
    var reader = ByteReader(frame.payload, of: "Bose payload")
    switch frame.function {
    case Functions.version: version = textFromAir(reader.rest())
    case Functions.firmware: firmware = textFromAir(reader.rest())
    case Functions.modelName:
      let name = textFromAir(reader.rest())
      modelName = name.isEmpty ? nil : name
    case Functions.product:
      let number = try reader.uint16().byteSwapped
      product = number
    case Functions.battery: return reported.apply(try Self.batteries(frame.payload))
    case Functions.cancelling:
      let count = try reader.uint8()
      let level = try reader.uint8()
      guard level < count else { throw reader.impossible(level) }
      levels = count
      return reported.apply(level: level)
    case Functions.steps:
      let step = try reader.uint8()
      let mask = try reader.uint8()
      let ids = (0...3).compactMap { mask & 1 << $0 == 0 ? nil : Self.stepNames[UInt8($0)] }
      guard let id = Self.stepNames[step] else { throw reader.impossible(step) }
      var declaration = Self.steps
      declaration.kind = SettingDeclaration.choices(ids)
      return reported.apply(declaration, .choice(id))
    case Functions.equaliser: return try parse(equaliser: &reader)
    case Functions.sidetone:
      _ = try reader.uint8()
      let index = try reader.uint8(in: 0...UInt8(Self.sidetones.count - 1))
      return reported.apply(Self.sidetone, .choice(Self.sidetones[Int(index)]))
    case Functions.pause: return reported.apply(Self.pause, .toggle(try reader.flag()))
    case Functions.multipoint:
      return reported.apply(.multipoint, .toggle(try reader.uint8() & 0x02 != 0))
    case Functions.name:
      _ = try reader.uint8()
      let name = textFromAir(reader.rest())
      defer { ownName = name }
      return ownName.map { $0 == name ? [] : [.renamed(name)] } ?? []
    case Functions.prompts:
      prompts = try reader.uint8()
      return reported.apply(Self.voicePrompts, .toggle(prompts & Self.promptsOn != 0))
    case Functions.autoOff:
      // Other models than the QC35 may have other times, which have no name here.
      let minutes = try reader.uint8()
      guard reader.isAtEnd, let time = Self.autoOffTimes.first(where: { $0.minutes == minutes })
      else { break }
      return reported.apply(Self.autoOff, .choice(time.id))
    case Functions.autoAnswer:
      return reported.apply(Self.autoAnswer, .toggle(try reader.flag()))
    // The end of the list says nothing.
    case Functions.modeList where !frame.payload.isEmpty: return try parseName(ofMode: &reader)
    case Functions.devices:
      try devices.adopt(list: &reader)
      return applyDevices()
    case Functions.device:
      return try devices.adopt(device: &reader) ? applyDevices() : []
    case Functions.source:
      try devices.adopt(source: &reader)
      return applyDevices()
    case Functions.mode: return apply(mode: try reader.uint8())
    default: break
    }
    return []
  }

  /// Reports the paired devices as soon as each of them is known.
  private mutating func applyDevices() -> [HeadphoneEvent] {
    guard let known = devices.known, !known.isEmpty || reported.pairedDevices != nil else {
      return []
    }
    return reported.apply(devices.declaration, .pairedDevices(known))
  }

  /// Takes the index of the active mode; one without a name changes nothing.
  private mutating func apply(mode index: UInt8) -> [HeadphoneEvent] {
    (hasModes, activeMode) = (true, index)
    let events = applyListeningMode()
    guard let mode = Self.modes.first(where: { $0.value == index })?.key else { return events }
    return events + reported.apply(mode)
  }

  /// Takes one entry of the list of modes: index, 2 bytes of its prompt, 3 flags of which the
  /// second says that it is set up, name of 32 bytes.
  private mutating func parseName(
    ofMode reader: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    let index = try reader.uint8()
    _ = try reader.read(3)
    let isSetUp = try reader.uint8() != 0
    _ = try reader.uint8()
    let name = textFromAir(try reader.read(32).prefix { $0 != 0 })
    // The first ones have names of their own here.
    guard Int(index) >= builtIn.count else { return [] }
    ownModes[index] = isSetUp && !name.isEmpty ? name : nil
    return applyListeningMode()
  }

  /// The modes that come with the headphone: quiet and aware are noise control's, too.
  private var builtIn: ArraySlice<String> {
    Self.modeNames.prefix(product.map(Self.ultra.contains) == true ? Self.modeNames.count : 2)
  }

  /// All modes that have a name, by their index.
  private var modes: [(index: UInt8, choice: SettingChoice)] {
    let builtIn = builtIn.enumerated().map { index, id in
      (UInt8(index), SettingChoice(id, title: id.prefix(1).uppercased() + id.dropFirst()))
    }
    return builtIn
      + ownModes.sorted { $0.key < $1.key }.map { index, name in
        (index, SettingChoice("mode-\(index)", title: name))
      }
  }

  /// Reports the mode in force where there are others than noise control's.
  private mutating func applyListeningMode() -> [HeadphoneEvent] {
    let modes = modes
    guard modes.count > 2, let active = modes.first(where: { $0.index == activeMode })
    else { return [] }
    let declaration = SettingDeclaration(
      Self.modeID, .choice(modes.map(\.choice)), title: "Listening mode", label: "Mode",
      group: .noise)
    return reported.apply(declaration, .choice(active.choice.id))
  }

  /// Reads battery levels: one byte of percent, or groups of 4 bytes.
  ///
  /// | offset | size | field | meaning |
  /// | --- | --- | --- | --- |
  /// | 0 | 1 | level | %, 0 to 100; FF: not there |
  /// | 1 | 2 | time | minutes, FFFF: unknown; not read |
  /// | 3 | 1 | component | 0 whole, 1 left, 2 right, 3 case; others are skipped |
  private static func batteries(_ payload: Bytes) throws(MalformedBytes) -> BatteryLevels {
    var reader = ByteReader(payload, of: "Bose battery")
    var levels = BatteryLevels("Bose battery")
    if payload.count == 1 {
      levels.add(.left, try reader.uint8())
      return levels
    }
    guard payload.count % 4 == 0 else { throw reader.malformed(.badLength(payload.count)) }
    while !reader.isAtEnd {
      let level = try reader.uint8()
      _ = try reader.read(2)
      let component = try reader.uint8()
      let parts: [UInt8: Part] = [0: .left, 1: .left, 2: .right, 3: .case]
      guard let part = parts[component], level != 0xFF else { continue }
      levels.add(part, level, at: reader.offset - 4)
    }
    return levels
  }

  /// Reads the bands, 4 bytes each: lowest, highest and present gain (signed steps), then the band.
  private mutating func parse(
    equaliser reader: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    var events: [HeadphoneEvent] = []
    while !reader.isAtEnd {
      let (least, most, gain) = (try reader.int8(), try reader.int8(), try reader.int8())
      let band = Int(try reader.uint8())
      guard least < most, (least...most).contains(gain) else {
        throw reader.malformed(.badValue(UInt64(UInt8(bitPattern: gain))))
      }
      guard band < Self.bands.count else { continue }
      var declaration = Self.bands[band]
      declaration.kind = .level(SettingRange(Int(least)...Int(most)))
      events += reported.apply(declaration, .level(Int(gain)))
    }
    return events
  }

  // MARK: Settings

  /// The modes by their index.
  private static let modeNames = ["quiet", "aware", "immersion", "cinema"]
  /// Products that have all four modes.
  private static let ultra: Set<UInt16> = [0x4066, 0x4082, 0x4072, 0x4062, 0x4068]
  /// The modes that are noise control, by their index.
  private static let modes: [ANCMode: UInt8] = [.noiseCancelling: 0, .transparency: 1]
  private static let modeID: SettingID = "listening-mode"
  /// The steps of cancelling by their number.
  ///
  /// Sources disagree on which of 1 and 3 is the stronger, so neither is named.
  private static let stepNames: [UInt8: String] = [
    0: "off", 1: "step-1", 2: "wind", 3: "step-3",
  ]
  private static let steps = SettingDeclaration(
    "noise-cancelling-step", SettingDeclaration.choices([]), title: "Noise cancelling",
    label: "Noise", group: .noise)
  /// The strengths of the own voice in calls, by their index.
  private static let sidetones = ["off", "high", "medium", "low"]
  private static let sidetone = SettingDeclaration(
    "sidetone", SettingDeclaration.choices(["off", "low", "medium", "high"]),
    title: "Own voice in calls",
    label: "Voice", group: .sound)
  private static let pause = SettingDeclaration(
    .pauseWhenTakenOff, .toggle, title: "Pause when taken off", label: "Pause", group: .wearing)
  /// The bit of voice prompts that is not their language.
  private static let promptsOn: UInt8 = 0x20
  private static let voicePrompts = SettingDeclaration(
    "voice-prompts", .toggle, title: "Voice prompts", label: "Prompts", group: .sound)
  private static let autoAnswer = SettingDeclaration(
    "auto-answer", .toggle, title: "Automatic call answer", label: "Answer", group: .device)
  /// The times of the QC35 after which it switches itself off.
  private static let autoOffTimes: [(id: String, minutes: UInt8)] = [
    ("5-minutes", 5), ("20-minutes", 20), ("40-minutes", 40), ("1-hour", 60), ("3-hours", 180),
    ("never", 0),
  ]
  private static let autoOff = SettingDeclaration(
    .autoPowerOff, SettingDeclaration.choices(autoOffTimes.map(\.id)),
    title: "Automatic power off", label: "Off in", group: .device)
  /// The equaliser's bands by their index; the headphone reports the range of each.
  private static let bands = [
    SettingDeclaration(
      "bass", .level(SettingRange(-10...10)), title: "Bass", label: "Bass", group: .sound),
    SettingDeclaration(
      "middle", .level(SettingRange(-10...10)), title: "Middle", label: "Mid", group: .sound),
    SettingDeclaration(
      "treble", .level(SettingRange(-10...10)), title: "Treble", label: "Treble", group: .sound),
  ]

  /// The products' names by their number.
  private static let models: [UInt16: String] = [
    0x400C: "QC35", 0x4020: "QC35 II", 0x4014: "QuietControl 30", 0x4024: "NC 700",
    0x4039: "QC45", 0x4066: "QC Ultra Headphones", 0x4075: "QC Headphones",
    0x4082: "QC Ultra Headphones 2", 0x402F: "QC Earbuds", 0x4064: "QC Earbuds II",
    0x4072: "QC Ultra Earbuds", 0x4062: "QC Ultra Earbuds 2", 0x4068: "Ultra Open",
    0x402D: "Sport Earbuds", 0x403A: "Sport Open", 0x4018: "SoundSport Free",
    0x4012: "SoundSport", 0x4013: "Pulse",
  ]
}
