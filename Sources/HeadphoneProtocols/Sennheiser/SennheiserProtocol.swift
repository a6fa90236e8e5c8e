public import BluetoothCodec

/// Sennheiser's Momentum and HDB headphones over GAIA.
///
/// A command is a feature, a kind and a number; its answer has the kind 1 above. Noise control is one
/// dial from cancelling (0) to transparency (100), which moves while noise control is on and does not
/// adapt. Feature 6 is firmware update: nothing is sent there.
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
    static let detectsWearing: UInt16 = 0x0400
    static let setDetectsWearing: UInt16 = 0x0401
    static let wearing: UInt16 = 0x0402
    static let battery: UInt16 = 0x0603
    static let bassBoost: UInt16 = 0x1008
    static let setBassBoost: UInt16 = 0x1009
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
    static let answer: UInt16 = 0x0100
    static let error: UInt16 = 0x0180
  }

  /// The number of adaptive cancelling among the modes.
  private static let adaptive: UInt8 = 3
  private static let mostTransparent: UInt8 = 100

  var reader = FrameReader(GAIAFrame.format)
  private(set) var reported = ReportedValues()
  private var hasAnswered = false
  private var hasAskedFeatures = false
  private var firmware: String?
  private var model: String?
  /// Nil: not reported.
  private var isOn: Bool?
  private var transparency: UInt8?
  private var adapts: Bool?

  public init(on service: BluetoothUUID) {}

  public var isRecognised: Bool { hasAnswered }

  /// By what was reported.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.noise != nil {
      able.ancModes = [.off, .noiseCancelling, .transparency] + (adapts == nil ? [] : [.adaptive])
      able.hasANCLevel = true
      able.ancLevels = 0...Self.mostTransparent
      able.ancLevelStep = 10
    }
    return able
  }

  public var information: DeviceInformation {
    DeviceInformation(manufacturer: "Sennheiser", model: model, firmware: firmware)
  }

  // MARK: Asking

  /// The battery, which every model has.
  public mutating func questions() -> [Exchange] {
    (reported, hasAnswered, hasAskedFeatures) = (ReportedValues(), false, false)
    (isOn, transparency, adapts) = (nil, nil, nil)
    return [ask(Command.battery)]
  }

  /// What it is and has; an error takes a feature away.
  public mutating func furtherQuestions() -> [Exchange] {
    guard hasAnswered, !hasAskedFeatures else { return [] }
    hasAskedFeatures = true
    return [
      Command.model, Command.firmware, Command.wearing, Command.detectsWearing, Command.bassBoost,
    ].map { ask($0) } + noiseQuestions
  }

  private var noiseQuestions: [Exchange] {
    [Command.modes, Command.transparency, Command.isOn].map { ask($0) }
  }

  private func ask(_ command: UInt16, _ payload: UInt8...) -> Exchange {
    Exchange(
      GAIAFrame(vendor: Self.vendor, command, payload).encoded(), answer: AnswerID(command))
  }

  /// Each order, and behind it the questions for what is true then.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    reported.refusal = nil
    switch command {
    case .setANC(let mode) where capabilities.ancModes.contains(mode):
      return orders(for: mode) + noiseQuestions
    case .setANC(let mode): throw .noMode(mode)
    case .setANCLevel(let level) where capabilities.hasANCLevel:
      guard level <= Self.mostTransparent else {
        throw .level(level, outside: 0...Self.mostTransparent)
      }
      guard isOn == true, adapts != true else {
        throw .badArgument("the level can be set while noise control is on only")
      }
      return [ask(Command.setTransparency, level)] + noiseQuestions
    case .set(.wearDetection, .toggle(let isOn)) where reported[.wearDetection] != nil:
      return [ask(Command.setDetectsWearing, isOn ? 1 : 0), ask(Command.detectsWearing)]
    case .set(Self.bassBoost.id, .toggle(let isOn)) where reported[Self.bassBoost.id] != nil:
      return [ask(Command.setBassBoost, isOn ? 1 : 0), ask(Command.bassBoost)]
    default: throw .noCommand(of: Self.name)
    }
  }

  private func orders(for mode: ANCMode) -> [Exchange] {
    guard mode != .off else { return [ask(Command.setIsOn, 0)] }
    var orders = isOn == true ? [] : [ask(Command.setIsOn, 1)]
    if adapts == true || mode == .adaptive {
      orders.append(ask(Command.setMode, Self.adaptive, mode == .adaptive ? 1 : 0))
    }
    if mode != .adaptive {
      orders.append(
        ask(Command.setTransparency, mode == .transparency ? Self.mostTransparent : 0))
    }
    return orders
  }

  // MARK: Receiving

  /// Takes one frame; those of other vendors and commands are skipped.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    var answer: AnswerID?
    do throws(MalformedBytes) {
      let frame = try GAIAFrame(decoding: value)
      guard frame.vendor == Self.vendor, frame.command & Kind.mask != 0 else {
        return ParsedMessage()
      }
      let kind = frame.command & Kind.mask
      let command = frame.command & ~Kind.mask
      if kind != Kind.notification { answer = AnswerID(command) }
      guard kind != Kind.error else {
        reported.refusal = .refused(.other(frame.payload.first ?? 0))
        return ParsedMessage(answer: answer)
      }
      // A notification's number is not always its question's.
      let told = kind == Kind.notification ? Self.notified(command) : command
      return ParsedMessage(answer: answer, try events(of: told, frame.payload))
    } catch {
      return ParsedMessage(answer: answer, [.malformed(error, value)])
    }
  }

  /// The question whose answer a notification repeats; without one it is skipped.
  private static func notified(_ number: UInt16) -> UInt16 {
    switch number {
    case 0x0402: Command.wearing
    case 0x0603: Command.battery
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
      var levels: [Part: Battery] = [:]
      for part in [Part.left, .right] where !reader.isAtEnd {
        levels[part] = Battery(level: try reader.uint8(in: 0...100))
      }
      guard !levels.isEmpty else { throw reader.malformed(.badLength(0)) }
      hasAnswered = true
      return reported.take(levels)
    case Command.firmware:
      firmware = try reader.take(3).map { String($0) }.joined(separator: ".")
    case Command.model: model = textFromAir(payload)
    case Command.wearing:
      let state = try reader.uint8(in: 0...3)
      guard state > 0 else { return [] }
      return reported.take(Wearing(left: state == 3, right: state == 3))
    case Command.detectsWearing:
      return reported.take(.wearDetection, .toggle(try reader.flag()))
    case Command.bassBoost: return reported.take(Self.bassBoost, .toggle(try reader.flag()))
    case Command.isOn:
      isOn = try reader.flag()
      return takeNoise()
    case Command.transparency:
      let level = try reader.uint8(in: 0...Self.mostTransparent)
      transparency = level
      return takeNoise()
    case Command.modes:
      // Pairs of a mode and its state.
      while reader.remaining > 1 {
        let mode = try reader.uint8()
        let state = try reader.uint8()
        if mode == Self.adaptive { adapts = state != 0 }
      }
      return takeNoise()
    default: break
    }
    return []
  }

  /// Noise control, once the switch and the dial are known.
  private mutating func takeNoise() -> [HeadphoneEvent] {
    guard let isOn, let transparency else { return [] }
    let mode: ANCMode
    if !isOn {
      mode = .off
    } else if adapts == true {
      mode = .adaptive
    } else {
      mode = transparency > 0 ? .transparency : .noiseCancelling
    }
    return reported.take(mode) + reported.take(level: transparency)
  }

  private static let bassBoost = SettingDeclaration(
    "bass-boost", .toggle, title: "Bass boost", label: "Bass", group: .sound)
}
