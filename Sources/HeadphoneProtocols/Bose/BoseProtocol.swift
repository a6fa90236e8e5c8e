public import BluetoothCodec

/// Bose's headphones over the Serial Port Profile, from the QC35 on.
///
/// Which noise control a headphone has is asked for, the newest first: modes, a level of
/// cancelling, or steps. Settings are written by SETGET, which the headphone answers with what is
/// true then; modes by START. A refusal is never repeated.
public struct BoseProtocol: SerialProtocol {
  public static let name = "Bose"

  /// Bose's company identifier.
  public static let vendor: UInt16 = 0x009E
  /// Any maker may offer this service.
  public static let services = [SerialService(SerialService.serialPort, vendor: vendor)]

  private enum Functions {
    static let version = BoseFrame.Function(0, 1)
    static let product = BoseFrame.Function(0, 3)
    static let firmware = BoseFrame.Function(0, 5)
    static let cancelling = BoseFrame.Function(1, 5)
    static let steps = BoseFrame.Function(1, 6)
    static let equaliser = BoseFrame.Function(1, 7)
    static let sidetone = BoseFrame.Function(1, 11)
    static let pause = BoseFrame.Function(1, 24)
    static let battery = BoseFrame.Function(2, 2)
    static let mode = BoseFrame.Function(31, 3)
  }

  private var reader = FrameReader(BoseFrame.format)
  private var reported = ReportedValues()
  private var version: String?
  private var firmware: String?
  private var product: UInt16?
  private var round = 0
  /// Noise control is one of several modes.
  private var hasModes = false
  /// Functions that were answered by an error, and which.
  private var refusals: [BoseFrame.Function: UInt8] = [:]
  /// Of noise control by levels: how many there are.
  private var levels: UInt8 = 0

  public init(on service: BluetoothUUID) {}

  public var isRecognised: Bool { version != nil }

  /// By what was reported.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.level != nil, levels > 0 {
      able.hasANCLevel = true
      able.ancLevels = 0...levels - 1
    }
    if reported.noise != nil { able.ancModes = [.noiseCancelling, .transparency] }
    return able
  }

  public var information: DeviceInformation {
    DeviceInformation(
      manufacturer: "Bose",
      model: product.map { Self.models[$0] ?? "Bose 0x\(hexadecimal($0, width: 4))" },
      firmware: firmware)
  }

  // MARK: Asking

  /// The opening question: older headphones answer nothing else before it.
  public mutating func questions() -> [Exchange] {
    (reported, version, round, refusals) = (ReportedValues(), nil, 0, [:])
    (levels, hasModes) = (0, false)
    return [ask(Functions.version)]
  }

  /// Which noise control it has, each kind only where the one before is unknown to it.
  public mutating func furtherQuestions() -> [Exchange] {
    guard version != nil else { return [] }
    round += 1
    switch round {
    case 1:
      return [
        Functions.product, Functions.firmware, Functions.battery, Functions.equaliser,
        Functions.sidetone, Functions.pause, Functions.mode,
      ].map { ask($0) }
    case 2: return hasModes ? [] : [ask(Functions.cancelling)]
    case 3: return hasModes || levels > 0 ? [] : [ask(Functions.steps)]
    default: return []
    }
  }

  private func ask(_ function: BoseFrame.Function) -> Exchange {
    Exchange(BoseFrame(function, .get).encoded(), answer: function.answer)
  }

  private mutating func order(
    _ function: BoseFrame.Function, _ operation: BoseFrame.Operation, _ payload: [UInt8]
  ) -> Exchange {
    refusals[function] = nil
    return Exchange(
      BoseFrame(function, operation, payload).encoded(), answer: function.answer)
  }

  /// By SETGET or START, whichever the function takes.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    guard isRecognised else { throw .notStarted }
    switch command {
    case .setANC(let mode) where reported.noise != nil && Self.modes[mode] != nil:
      return [order(Functions.mode, .start, [Self.modes[mode] ?? 0, 0])]
    case .setANC(let mode): throw .unsupported("noise control mode \"\(mode)\"")
    case .setANCLevel(let level) where capabilities.hasANCLevel && level < levels:
      return [order(Functions.cancelling, .setGet, [level, 1])]
    case .setANCLevel: throw .unsupported("this level")
    case .set(let id, let value):
      guard let declaration = reported.capabilities.declaration(of: id), declaration.accepts(value)
      else { throw .unsupported(id.displayText) }
      return [try order(id, value)]
    default: throw .unsupported("\(Self.name): this command")
    }
  }

  private mutating func order(
    _ id: SettingID, _ value: SettingValue
  ) throws(HeadphoneError) -> Exchange {
    switch (id, value) {
    case (Self.mode.id, .choice(let name)):
      guard let index = Self.modeNames.firstIndex(of: name) else { break }
      return order(Functions.mode, .start, [UInt8(index), 0])
    case (Self.steps.id, .choice(let name)):
      guard let step = Self.stepNames.first(where: { $0.value == name })?.key else { break }
      return order(Functions.steps, .setGet, [step])
    case (Self.pause.id, .toggle(let isOn)):
      return order(Functions.pause, .setGet, [isOn ? 1 : 0])
    case (Self.sidetone.id, .choice(let name)):
      guard let index = Self.sidetones.firstIndex(of: name) else { break }
      return order(Functions.sidetone, .setGet, [1, UInt8(index)])
    case (_, .level(let gain)):
      guard let band = Self.bands.firstIndex(where: { $0.id == id }) else { break }
      return order(
        Functions.equaliser, .setGet, [UInt8(bitPattern: Int8(clamping: gain)), UInt8(band)])
    default: break
    }
    throw .unsupported(id.displayText)
  }

  /// - Throws: what the headphone answered instead of doing it.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    if let (_, code) = refusals.popFirst() {
      switch code {
      case 5, 20: throw .refused(.notPermitted)
      case 6, 1: throw .refused(.badPayload)
      case 7, 8, 10: throw .refused(.wrongState)
      default: throw .refused(.other(code))
      }
    }
    try reported.confirm(command)
    return []
  }

  // MARK: Receiving

  /// Whole frames, wherever the pieces of the stream begin and end.
  public mutating func messages(in value: Bytes) -> [Bytes] { reader.messages(in: value) }

  /// Takes one frame; functions that are not known are skipped.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    do throws(MalformedBytes) {
      let frame = try BoseFrame(decoding: value)
      switch frame.operation {
      case .status, .result:
        let events = try events(of: frame)
        return ParsedMessage(answer: frame.function.answer, events)
      case .error:
        refusals[frame.function] = frame.payload.first ?? 0
        return ParsedMessage(answer: frame.function.answer)
      // The result comes later.
      case .processing: return ParsedMessage()
      case .set, .get, .setGet, .start:
        throw MalformedBytes("Bose frame", at: 2, .badValue(UInt64(frame.operation.rawValue)))
      }
    } catch {
      return ParsedMessage([.malformed(error, value)])
    }
  }

  private mutating func events(of frame: BoseFrame) throws(MalformedBytes) -> [HeadphoneEvent] {
    var reader = ByteReader(frame.payload, of: "Bose payload")
    switch frame.function {
    case Functions.version: version = textFromAir(reader.rest())
    case Functions.firmware: firmware = textFromAir(reader.rest())
    case Functions.product:
      let number = try reader.uint16().byteSwapped
      product = number
    case Functions.battery: return reported.take(try Self.batteries(frame.payload))
    case Functions.cancelling:
      let count = try reader.uint8()
      let level = try reader.uint8()
      guard level < count else { throw reader.impossible(level) }
      levels = count
      return reported.take(level: level)
    case Functions.steps:
      let step = try reader.uint8()
      let mask = try reader.uint8()
      let ids = (0...3).compactMap { mask & 1 << $0 == 0 ? nil : Self.stepNames[UInt8($0)] }
      guard let id = Self.stepNames[step] else { throw reader.impossible(step) }
      var declaration = Self.steps
      declaration.kind = SettingDeclaration.choices(ids)
      return reported.take(declaration, .choice(id))
    case Functions.equaliser: return try take(equaliser: &reader)
    case Functions.sidetone:
      _ = try reader.uint8()
      let index = try reader.uint8(in: 0...UInt8(Self.sidetones.count - 1))
      return reported.take(Self.sidetone, .choice(Self.sidetones[Int(index)]))
    case Functions.pause: return reported.take(Self.pause, .toggle(try reader.flag()))
    case Functions.mode: return take(mode: try reader.uint8())
    default: break
    }
    return []
  }

  /// A mode of a person's own has no name here, and is none of the two.
  private mutating func take(mode index: UInt8) -> [HeadphoneEvent] {
    hasModes = true
    guard index < Self.modeNames.count else { return [] }
    var events: [HeadphoneEvent] = []
    // The others have the first two alone, which are noise control's.
    if product.map(Self.ultra.contains) == true || index > 1 {
      events += reported.take(Self.mode, .choice(Self.modeNames[Int(index)]))
    }
    if let mode = Self.modes.first(where: { $0.value == index })?.key {
      events += reported.take(mode)
    }
    return events
  }

  /// One byte, or groups of percent, minutes and component.
  private static func batteries(_ payload: Bytes) throws(MalformedBytes) -> [Part: Battery] {
    var reader = ByteReader(payload, of: "Bose battery")
    if payload.count == 1 { return [.left: Battery(level: try reader.uint8(in: 0...100))] }
    guard payload.count % 4 == 0 else { throw reader.malformed(.badLength(payload.count)) }
    var levels: [Part: Battery] = [:]
    while !reader.isAtEnd {
      let level = try reader.uint8()
      _ = try reader.take(2)
      let component = try reader.uint8()
      let parts: [UInt8: Part] = [0: .left, 1: .left, 2: .right, 3: .case]
      guard let part = parts[component], level != 0xFF else { continue }
      guard level <= 100 else { throw reader.malformed(.badValue(UInt64(level))) }
      levels[part] = Battery(level: level)
    }
    return levels
  }

  private mutating func take(
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
      events += reported.take(declaration, .level(Int(gain)))
    }
    return events
  }

  // MARK: Settings

  private static let modeNames = ["quiet", "aware", "immersion", "cinema"]
  /// Products with four modes.
  private static let ultra: Set<UInt16> = [0x4066, 0x4082, 0x4072, 0x4062, 0x4068]
  private static let modes: [ANCMode: UInt8] = [.noiseCancelling: 0, .transparency: 1]
  private static let mode = SettingDeclaration(
    "listening-mode", SettingDeclaration.choices(modeNames), title: "Listening mode",
    label: "Mode", group: .noise)
  /// Which of the two is the stronger, sources disagree.
  private static let stepNames: [UInt8: String] = [
    0: "off", 1: "step-1", 2: "wind", 3: "step-3",
  ]
  private static let steps = SettingDeclaration(
    "noise-cancelling-step", SettingDeclaration.choices([]), title: "Noise cancelling",
    label: "Noise", group: .noise)
  private static let sidetones = ["off", "high", "medium", "low"]
  private static let sidetone = SettingDeclaration(
    "sidetone", SettingDeclaration.choices(sidetones), title: "Own voice in calls",
    label: "Sidetone", group: .sound)
  private static let pause = SettingDeclaration(
    .pauseWhenTakenOff, .toggle, title: "Pause when taken off", label: "Pause", group: .wearing)
  private static let bands = [
    SettingDeclaration(
      "bass", .level(SettingRange(-10...10)), title: "Bass", label: "Bass", group: .sound),
    SettingDeclaration(
      "middle", .level(SettingRange(-10...10)), title: "Middle", label: "Middle", group: .sound),
    SettingDeclaration(
      "treble", .level(SettingRange(-10...10)), title: "Treble", label: "Treble", group: .sound),
  ]

  private static let models: [UInt16: String] = [
    0x400C: "QC35", 0x4020: "QC35 II", 0x4014: "QuietControl 30", 0x4024: "NC 700",
    0x4039: "QC45", 0x4066: "QC Ultra Headphones", 0x4075: "QC Headphones",
    0x4082: "QC Ultra Headphones 2", 0x402F: "QC Earbuds", 0x4064: "QC Earbuds II",
    0x4072: "QC Ultra Earbuds", 0x4062: "QC Ultra Earbuds 2", 0x4068: "Ultra Open",
    0x402D: "Sport Earbuds", 0x403A: "Sport Open", 0x4018: "SoundSport Free",
    0x4012: "SoundSport", 0x4013: "Pulse",
  ]
}
