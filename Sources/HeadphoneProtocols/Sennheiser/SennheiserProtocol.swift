public import BluetoothCodec

/// Sennheiser's Momentum and HDB headphones over GAIA.
///
/// A command is a feature, a kind and a number; its answer has the kind 1 above. Noise control is one
/// dial from cancelling (0) to transparency (100), which moves while noise control is on and does not
/// adapt. Feature 6 is firmware update: nothing is sent there.
///
/// | question, command | payload | becomes |
/// | --- | --- | --- |
/// | 0400, 0401 | flag | wear detection |
/// | 0402 | 1 case, 2 off, 3 worn | wearing |
/// | 0603 | percent; left, right | batteries |
/// | 0805, 0806 | 0 to 4 | setting `sidetone` |
/// | 080C, 080D | flag | pause when taken off |
/// | 0817, 0818 | flag | setting `low-latency` |
/// | 1002; 1001 band, gain | 5 gains in 0.1 dB | equaliser |
/// | 1008, 1009 | flag | setting `bass-boost` |
/// | 1A00, 1A01 | mode, state: 1 wind, 2 comfort, 3 adaptive | settings; noise control |
/// | 1A02, 1A03 | 0 to 100 | level of noise control |
/// | 1A04, 1A05 | flag | noise control |
public struct SennheiserProtocol: FramedProtocol {
  public typealias Frame = GAIAFrame

  public static let name = "Sennheiser"

  /// Sennheiser's number among GAIA's vendors.
  static let vendor: UInt16 = 0x0495
  /// A2129FF3-081B-4C45-8AFE-469D9C4842EC.
  public static let service = BluetoothUUID(
    high: 0xA212_9FF3_081B_4C45, low: 0x8AFE_469D_9C48_42EC)
  public static let services = [SerialService(service)]

  private enum Command {
    static let wearing: UInt16 = 0x0402
    static let battery: UInt16 = 0x0603
    static let setBand: UInt16 = 0x1001
    static let bands: UInt16 = 0x1002
    static let firmware: UInt16 = 0x1202
    static let model: UInt16 = 0x1206
    static let modes: UInt16 = 0x1A00
    static let setMode: UInt16 = 0x1A01
    static let transparency: UInt16 = 0x1A02
    static let setTransparency: UInt16 = 0x1A03
    static let isOn: UInt16 = 0x1A04
    static let setIsOn: UInt16 = 0x1A05
  }

  /// Bits of a command that say what kind it is.
  private enum Kind {
    static let mask: UInt16 = 0x0180
    static let notification: UInt16 = 0x0080
    static let response: UInt16 = 0x0100
    static let error: UInt16 = 0x0180
  }

  /// The numbers of the modes of noise control.
  private static let antiWind: UInt8 = 1
  private static let comfort: UInt8 = 2
  private static let adaptive: UInt8 = 3
  /// The centre frequencies of the equaliser in Hz.
  private static let centres = [50, 250, 800, 3000, 8000]
  /// The largest gain of a band, in 0.1 dB.
  private static let mostGain: Int8 = 60
  private static let mostTransparent: UInt8 = 100

  var reader = FrameReader(GAIAFrame.format)
  private(set) var reported = ReportedValues()
  private var hasResponded = false
  private var hasAskedFeatures = false
  private var firmware: String?
  private var model: String?
  /// Nil: not reported.
  private var isOn: Bool?
  private var transparency: UInt8?
  private var adapts: Bool?
  /// The gains of the present command, to be compared when they are read back.
  private var requestedGains: [BandGain]?

  public init(on service: BluetoothUUID) {}

  public var isRecognised: Bool { hasResponded }

  /// By what was reported.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.noise != nil {
      able.ancModes = [.off, .noiseCancelling, .transparency] + (adapts == nil ? [] : [.adaptive])
      able.hasANCLevel = true
      able.ancLevels = 0...Self.mostTransparent
      able.ancLevelModes = [.noiseCancelling, .transparency]
      able.ancLevelStep = 10
    }
    if reported.equaliser != nil {
      able.eqBands = Self.centres.count
      able.eqCentres = Self.centres
      able.eqLimit = BandGain(halfDecibels: Self.mostGain / 5) ?? .most
    }
    return able
  }

  public var information: DeviceInformation {
    DeviceInformation(manufacturer: "Sennheiser", model: model, firmware: firmware)
  }

  // MARK: Asking

  /// The battery, which every model has.
  public mutating func questions() -> [Exchange] {
    (reported, hasResponded, hasAskedFeatures) = (ReportedValues(), false, false)
    (isOn, transparency, adapts) = (nil, nil, nil)
    return [ask(Command.battery)]
  }

  /// What it is and has; an error takes a feature away.
  public mutating func furtherQuestions() -> [Exchange] {
    guard hasResponded, !hasAskedFeatures else { return [] }
    hasAskedFeatures = true
    return [Command.model, Command.firmware, Command.wearing, Command.bands].map { ask($0) }
      + Self.settings.map { ask($0.question) } + noiseQuestions
  }

  private var noiseQuestions: [Exchange] {
    [Command.modes, Command.transparency, Command.isOn].map { ask($0) }
  }

  private func ask(_ command: UInt16, _ payload: UInt8...) -> Exchange {
    Exchange(
      GAIAFrame(vendor: Self.vendor, command, payload).encoded(), response: ResponseID(command))
  }

  /// Each command, and behind it the questions for what is true then.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    reported.refusal = nil
    switch command {
    case .setANC(let mode) where capabilities.ancModes.contains(mode):
      return requests(for: mode) + noiseQuestions
    case .setANC(let mode): throw .noMode(mode)
    case .setANCLevel(let level) where capabilities.hasANCLevel:
      guard level <= Self.mostTransparent else {
        throw .level(level, outside: 0...Self.mostTransparent)
      }
      guard isOn == true, adapts != true else {
        throw .badArgument("the level can be set while noise control is on only")
      }
      return [ask(Command.setTransparency, level)] + noiseQuestions
    case .setCustomEQ(let gains):
      guard let now = reported.equaliser else { throw .unsupported("custom equaliser") }
      guard gains.count == now.count else { throw .gains(gains.count, insteadOf: now.count) }
      guard gains.allSatisfy({ abs($0.halfDecibels) <= Self.mostGain / 5 }) else {
        throw .badArgument("a gain beyond 6 dB: this headphone has -6 to 6 dB")
      }
      requestedGains = gains
      return gains.indices.filter { gains[$0] != now[$0] }.map {
        ask(Command.setBand, UInt8($0), UInt8(bitPattern: gains[$0].halfDecibels * 5))
      } + [ask(Command.bands)]
    case .set(let id, let value):
      guard let declaration = reported.capabilities.declaration(of: id), declaration.accepts(value)
      else { throw .unsupported(id.displayText) }
      return try requests(for: id, value)
    default: throw .noCommand(of: Self.name)
    }
  }

  private func requests(
    for id: SettingID, _ value: SettingValue
  ) throws(HeadphoneError) -> [Exchange] {
    switch (id, value) {
    case (Self.wind.id, .choice(let name)):
      let state = UInt8(clamping: Self.winds.firstIndex(of: name) ?? 0)
      return [ask(Command.setMode, Self.antiWind, state), ask(Command.modes)]
    case (Self.comfortable.id, .toggle(let isOn)):
      return [ask(Command.setMode, Self.comfort, isOn ? 1 : 0), ask(Command.modes)]
    default:
      guard let question = Self.settings.first(where: { $0.declaration.id == id })?.question,
        let byte = Self.byte(of: value)
      else { throw .unsupported(id.displayText) }
      return [ask(question + 1, byte), ask(question)]
    }
  }

  /// The byte of a switch or level.
  private static func byte(of value: SettingValue) -> UInt8? {
    switch value {
    case .toggle(let isOn): isOn ? 1 : 0
    case .level(let level): UInt8(exactly: level)
    default: nil
    }
  }

  /// Ends a command: compares what was read back with what was ordered.
  ///
  /// - Throws: the headphone's refusal, or `unsupported` if it reports another value.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    try reported.confirm(command)
    guard case .setCustomEQ = command else { return [] }
    guard let requested = requestedGains.take(), requested == reported.equaliser else {
      throw .unsupported("such equaliser")
    }
    return []
  }

  private func requests(for mode: ANCMode) -> [Exchange] {
    guard mode != .off else { return [ask(Command.setIsOn, 0)] }
    var requests = isOn == true ? [] : [ask(Command.setIsOn, 1)]
    if adapts == true || mode == .adaptive {
      requests.append(ask(Command.setMode, Self.adaptive, mode == .adaptive ? 1 : 0))
    }
    if mode != .adaptive {
      requests.append(
        ask(Command.setTransparency, mode == .transparency ? Self.mostTransparent : 0))
    }
    return requests
  }

  // MARK: Receiving

  /// Takes one frame; those of other vendors and commands are skipped.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    var response: ResponseID?
    do throws(MalformedBytes) {
      let frame = try GAIAFrame(decoding: value)
      guard frame.vendor == Self.vendor, frame.command & Kind.mask != 0 else {
        return ParsedMessage()
      }
      let kind = frame.command & Kind.mask
      let command = frame.command & ~Kind.mask
      if kind != Kind.notification { response = ResponseID(command) }
      guard kind != Kind.error else {
        reported.refusal = .refused(.other(frame.payload.first ?? 0))
        return ParsedMessage(response: response)
      }
      // A notification's number is not always its question's.
      let query = kind == Kind.notification ? Self.notified(command) : command
      return ParsedMessage(response: response, try events(of: query, frame.payload))
    } catch {
      return ParsedMessage(response: response, [.malformed(error, value)])
    }
  }

  /// The question whose answer a notification repeats; without one it is skipped.
  private static func notified(_ number: UInt16) -> UInt16 {
    switch number {
    case 0x0402: Command.wearing
    case 0x0603: Command.battery
    case 0x1002: Command.bands
    case 0x1A01: Command.modes
    case 0x1A03: Command.transparency
    case 0x1A05: Command.isOn
    default: 0
    }
  }

  private mutating func events(
    of command: UInt16, _ payload: Bytes
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    var reader = ByteReader(payload, of: "Sennheiser payload")
    switch command {
    case Command.battery:
      guard !payload.isEmpty else { throw reader.malformed(.badLength(0)) }
      var levels = BatteryLevels("Sennheiser battery")
      for part in [Part.left, .right] where !reader.isAtEnd {
        levels.add(part, try reader.uint8(), at: reader.offset - 1)
      }
      hasResponded = hasResponded || !levels.parts.isEmpty
      return reported.apply(levels)
    case Command.firmware:
      firmware = try reader.read(3).map { String($0) }.joined(separator: ".")
    case Command.model: model = textFromAir(payload)
    case Command.wearing:
      let state = try reader.uint8(in: 0...3)
      guard state > 0 else { return [] }
      return reported.apply(Wearing(left: state == 3, right: state == 3))
    case Command.bands:
      // All five, as they are reported; an answer of another length is not described.
      guard payload.count == Self.centres.count else { break }
      var gains: [BandGain] = []
      for byte in payload { gains.append(try Self.gain(byte)) }
      return reported.apply(.custom, gains)
    case Command.isOn:
      isOn = try reader.flag()
      return applyNoise()
    case Command.transparency:
      let level = try reader.uint8(in: 0...Self.mostTransparent)
      transparency = level
      return applyNoise()
    case Command.modes:
      // Pairs of a mode and its state.
      var events: [HeadphoneEvent] = []
      while reader.remaining > 1 {
        let mode = try reader.uint8()
        let state = try reader.uint8()
        switch mode {
        case Self.antiWind where Int(state) < Self.winds.count:
          events += reported.apply(Self.wind, .choice(Self.winds[Int(state)]))
        case Self.comfort: events += reported.apply(Self.comfortable, .toggle(state != 0))
        case Self.adaptive: adapts = state != 0
        default: break
        }
      }
      return events + applyNoise()
    default:
      guard let declaration = Self.settings.first(where: { $0.question == command })?.declaration
      else { break }
      let raw = try reader.uint8()
      let value = declaration.kind == .toggle ? SettingValue.toggle(raw == 1) : .level(Int(raw))
      guard declaration.kind != .toggle || raw <= 1, declaration.accepts(value) else {
        throw reader.impossible(raw)
      }
      return reported.apply(declaration, value)
    }
    return []
  }

  /// The gain of a byte, in the half dB of screens.
  ///
  /// - Throws: `MalformedBytes` beyond 6 dB.
  private static func gain(_ byte: UInt8) throws(MalformedBytes) -> BandGain {
    let tenths = Int8(bitPattern: byte)
    let halves = Int8((Double(tenths) / 5).rounded())
    guard abs(Int(tenths)) <= Int(mostGain), let gain = BandGain(halfDecibels: halves) else {
      throw MalformedBytes("Sennheiser equaliser", at: 0, .badValue(UInt64(byte)))
    }
    return gain
  }

  /// Noise control, once the switch and the dial are known.
  private mutating func applyNoise() -> [HeadphoneEvent] {
    guard let isOn, let transparency else { return [] }
    let mode: ANCMode
    if !isOn {
      mode = .off
    } else if adapts == true {
      mode = .adaptive
    } else {
      mode = transparency > 0 ? .transparency : .noiseCancelling
    }
    return reported.apply(mode) + reported.apply(level: transparency)
  }

  /// The settings of one byte, by the question for them; the command is the next number.
  private static let settings: [(question: UInt16, declaration: SettingDeclaration)] = [
    (0x0400, .wearDetection),
    (
      0x1008,
      SettingDeclaration("bass-boost", .toggle, title: "Bass boost", label: "Bass", group: .sound)
    ),
    (
      0x080C,
      SettingDeclaration(
        .pauseWhenTakenOff, .toggle, title: "Pause when taken off", label: "Pause", group: .wearing)
    ),
    (
      0x0805,
      SettingDeclaration(
        "sidetone", .level(SettingRange(0...4)), title: "Own voice in calls", label: "Own",
        group: .sound)
    ),
    (
      0x0817,
      SettingDeclaration(
        "low-latency", .toggle, title: "Low latency", label: "Latency", group: .sound)
    ),
  ]
  private static let winds = ["off", "most", "automatic"]
  private static let wind = SettingDeclaration(
    "wind-reduction", SettingDeclaration.choices(winds), title: "Wind noise reduction",
    label: "Wind", group: .noise)
  private static let comfortable = SettingDeclaration(
    "comfort", .toggle, title: "Comfort cancelling", label: "Comfort", group: .noise)
}
