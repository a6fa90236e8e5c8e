public import BluetoothCodec

/// AirPods and Beats by Apple's accessory protocol, over a channel of BR/EDR.
///
/// A command is confirmed when the headphone repeats it with the same value; a completed write
/// proves nothing. Adaptive noise control is available where its strength is reported.
public struct AACPProtocol: HeadphoneProtocol {
  public static let name = "AirPods / Beats"

  /// What the answer to the handshake is recognised by.
  static let handshakeAnswer: AnswerID = 0xFFFF

  private var levels: [Part: Battery] = [:]
  private var isHeadset = false
  /// Nil: not reported yet.
  private var isLeftPrimary: Bool?
  private var ear: AACPEar?
  /// The wearing state that was reported last; nil: none since the questions.
  private var reportedWearing: Wearing?
  private var noise: ANCMode?
  private var strength: UInt8?
  /// The switches that were reported, by their control's number.
  private var switches: [UInt8: Bool] = [:]
  private var metadata: AACPMetadata?
  /// Unknown opcodes that have been reported as such.
  private var unknownDevices: Set<UInt16> = []
  /// Opcodes reported since the queries.
  private var reported: Set<UInt16> = []

  public init() {}

  /// Capabilities by the reported values; the levels of adaptive noise control are 0 to 100 in
  /// steps of 10.
  public var capabilities: Capabilities {
    var able = Capabilities()
    able.batteries = Part.allCases.filter { levels[$0] != nil }
    able.hasCase = levels[.case] != nil
    able.settings = AACPSwitch.all.filter { switches[$0.identifier] != nil }.map(\.declaration)
    guard noise != nil else { return able }
    able.ancModes = ANCMode.allCases.filter { $0 != .adaptive || strength != nil }
    able.hasANCLevel = strength != nil
    able.ancLevels = 0...100
    able.ancLevelStep = 10
    return able
  }

  /// Device information from the headphone's metadata; empty until it arrives.
  public var information: DeviceInformation {
    DeviceInformation(
      manufacturer: metadata?.manufacturer, model: metadata?.model, serial: metadata?.serial,
      firmware: metadata?.firmware)
  }

  // MARK: Asking

  /// The handshake, which the rest depends on; then the reports that follow it unprompted.
  public mutating func questions() -> [Exchange] {
    reported = []
    (levels, ear, reportedWearing, noise, strength, switches) = ([:], nil, nil, nil, nil, [:])
    return [
      Exchange(AACPPacket.handshake.encoded(), answer: Self.handshakeAnswer),
      Self.exchange(
        AACPOpcode.setFeatures, [0xFF, 0, 0, 0, 0, 0, 0, 0],
        answer: AnswerID(AACPOpcode.featuresAnswer)),
      Self.exchange(
        AACPOpcode.requestNotifications, [0xFF, 0xFF, 0xFF, 0xFF],
        answer: AnswerID(AACPOpcode.battery)),
    ]
  }

  /// Each in an order of the headphone's own.
  public var awaited: [Exchange] {
    [AACPOpcode.metadata, AACPOpcode.ear, Self.reportedNoise].filter { !reported.contains($0) }
      .map { Exchange(answer: AnswerID($0)) }
  }

  /// The noise control of whatever value, which no single answer stands for.
  private static let reportedNoise: UInt16 = AACPOpcode.control

  /// One control for noise control, its strength and each switch;
  /// ``HeadphoneError/unsupported(_:)`` for the rest.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    let able = capabilities
    switch command {
    case .setANC(let mode) where able.ancModes.contains(mode):
      return [Self.exchange(AACPControl(.noiseControl, mode.aacp))]
    case .setANC(let mode): throw .unsupported("noise control mode \"\(mode)\"")
    case .setANCLevel(let requested) where able.hasANCLevel:
      guard able.ancLevels.contains(requested) else {
        throw .badArgument("a level of \(requested): it goes from 0 to 100")
      }
      return [Self.exchange(AACPControl(.adaptiveStrength, requested))]
    case .set(let id, .toggle(let isOn)):
      guard
        let known = AACPSwitch.all.first(where: { $0.declaration.id == id }),
        switches[known.identifier] != nil
      else { throw .unsupported(id.displayText) }
      return [Self.exchange(known.control(isOn: isOn))]
    default: throw .unsupported("\(Self.name): this command")
    }
  }

  private static func exchange(_ control: AACPControl) -> Exchange {
    exchange(AACPOpcode.control, control.encoded(), answer: answer(of: control))
  }

  private static func exchange(_ opcode: UInt16, _ data: [UInt8], answer: AnswerID) -> Exchange {
    Exchange(AACPPacket.message(opcode: opcode, data[...]).encoded(), answer: answer)
  }

  /// The answer by identifier and value: another value, sent at the same time, confirms nothing.
  private static func answer(of control: AACPControl) -> AnswerID {
    AnswerID(UInt16(control.identifier.rawValue) << 8 | UInt16(control.value))
  }

  /// No events: the echo has reported the change.
  public mutating func accepted(_ command: HeadphoneCommand) -> [HeadphoneEvent] { [] }

  // MARK: Hearing

  /// Parses one packet; one of an unknown opcode is reported as malformed, the first time.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    do throws(MalformedBytes) {
      switch try AACPPacket(decoding: value) {
      case .handshakeAnswer: return ParsedMessage(answer: Self.handshakeAnswer)
      case .handshake: throw MalformedBytes("AACP packet", at: 0, .unknownType(0))
      case .message(let opcode, let data): return try received(opcode, data)
      }
    } catch {
      return ParsedMessage([.malformed(error, value)])
    }
  }

  private mutating func received(_ opcode: UInt16, _ data: Bytes) throws(MalformedBytes)
    -> ParsedMessage
  {
    var answer = AnswerID(opcode)
    let events: [HeadphoneEvent]
    switch opcode {
    case AACPOpcode.battery: events = take(try AACPBattery(decoding: data))
    case AACPOpcode.ear: events = take(try AACPEar(decoding: data))
    case AACPOpcode.metadata:
      metadata = try AACPMetadata(decoding: data)
      events = []
    case AACPOpcode.control:
      let control = try AACPControl(decoding: data)
      events = try take(control)
      answer = Self.answer(of: control)
      guard control.identifier == .noiseControl else {
        return ParsedMessage(answer: answer, events)
      }
    case AACPOpcode.featuresAnswer: return ParsedMessage(answer: answer)
    default:
      // Only the first of each is reported: some are repeated many times a second.
      guard unknownDevices.insert(opcode).inserted else { return ParsedMessage() }
      throw MalformedBytes("AACP message", at: 4, .unknownType(UInt64(opcode)))
    }
    let isFirst = reported.insert(opcode).inserted
    // Who waits for noise control of any value is answered by the first one.
    if opcode == AACPOpcode.control, isFirst { answer = AnswerID(Self.reportedNoise) }
    return ParsedMessage(answer: answer, events)
  }

  private mutating func take(_ battery: AACPBattery) -> [HeadphoneEvent] {
    let before = levels
    isHeadset = battery.entries.contains { $0.component == .headset }
    for entry in battery.entries where entry.status != .disconnected {
      levels[entry.component.part] = Battery(
        level: entry.level, isCharging: entry.status == .charging)
    }
    isLeftPrimary =
      battery.entries.first { [.left, .right].contains($0.component) }
      .map { $0.component == .left } ?? isLeftPrimary
    let news: [HeadphoneEvent] = levels == before ? [] : [.batteryChanged(levels)]
    // An order that changes later is followed by an ear packet in the new order.
    return reportedWearing == nil ? news + reportWearing() : news
  }

  private mutating func take(_ reported: AACPEar) -> [HeadphoneEvent] {
    ear = reported
    return reportWearing()
  }

  /// The wearing state where it is known and differs from the one reported last.
  private mutating func reportWearing() -> [HeadphoneEvent] {
    guard let wearing, wearing != reportedWearing else { return [] }
    reportedWearing = wearing
    return [.wearingChanged(wearing)]
  }

  /// Worn buds; nil while the two differ and no battery packet has identified the primary one.
  private var wearing: Wearing? {
    guard let ear else { return nil }
    let (primary, secondary) = (ear.primary.isWorn, ear.secondary.isWorn)
    if isHeadset || primary == secondary { return Wearing(left: primary, right: primary) }
    return isLeftPrimary.map {
      Wearing(left: $0 ? primary : secondary, right: $0 ? secondary : primary)
    }
  }

  private mutating func take(_ control: AACPControl) throws(MalformedBytes) -> [HeadphoneEvent] {
    switch control.identifier {
    case .noiseControl:
      guard let mode = ANCMode(aacp: control.value) else {
        throw MalformedBytes("AACP noise control", at: 1, .badValue(UInt64(control.value)))
      }
      defer { noise = mode }
      return noise == mode ? [] : [.ancChanged(mode)]
    case .adaptiveStrength:
      guard control.value <= 100 else {
        throw MalformedBytes("AACP adaptive strength", at: 1, .badValue(UInt64(control.value)))
      }
      defer { strength = control.value }
      return strength == control.value ? [] : [.ancLevelChanged(control.value)]
    case .other(let number):
      guard let known = AACPSwitch.all.first(where: { $0.identifier == number }) else { return [] }
      guard [AACPSwitch.on, AACPSwitch.off].contains(control.value) else {
        throw MalformedBytes("AACP switch", at: 1, .badValue(UInt64(control.value)))
      }
      let isOn = control.value == AACPSwitch.on
      guard switches.updateValue(isOn, forKey: number) != isOn else { return [] }
      return [.settingChanged(known.declaration.id, .toggle(isOn))]
    }
  }
}

extension ANCMode {
  /// 1 off, 2 cancelling, 3 transparency, 4 adaptive.
  init?(aacp byte: UInt8) {
    guard let mode = Self.allCases.first(where: { $0.aacp == byte }) else { return nil }
    self = mode
  }

  var aacp: UInt8 {
    switch self {
    case .off: 1
    case .noiseCancelling: 2
    case .transparency: 3
    case .adaptive: 4
    }
  }
}

extension AACPBattery.Component {
  var part: Part {
    switch self {
    case .headset, .left: .left
    case .right: .right
    case .case: .case
    }
  }
}

extension AACPEar.Place {
  /// Nil: the bud is not there to tell.
  var isWorn: Bool? {
    switch self {
    case .inEar: true
    case .out, .inCase: false
    case .disconnected: nil
    }
  }
}
