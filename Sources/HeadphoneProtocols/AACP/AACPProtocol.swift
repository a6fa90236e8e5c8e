public import BluetoothCodec

/// AirPods and Beats over Apple's accessory protocol, on an L2CAP channel of BR/EDR.
///
/// A command is confirmed when the headphone repeats it with the same value; a completed write
/// proves nothing. Adaptive noise control is available if its strength is reported.
///
/// | message | events |
/// | --- | --- |
/// | battery | `batteryChanged`, and `wearingChanged` once the primary bud is known |
/// | ear | `wearingChanged` |
/// | control | `ancChanged`, `ancLevelChanged`, `settingChanged` |
/// | press | `touchUsed` |
/// | speech | `speechChanged` |
/// | metadata | none: ``information`` |
/// | unknown | `malformed`, the first time only |
public struct AACPProtocol: HeadphoneProtocol {
  /// The name of the family.
  public static let name = "AirPods / Beats"

  /// The identifier of the answer to the handshake, which has no opcode.
  static let handshakeResponse: ResponseID = 0xFFFF

  private var levels: [Part: Battery] = [:]
  private var isHeadset = false
  /// Whether the left bud is the primary one; `nil` if it is not reported yet.
  private var isLeftPrimary: Bool?
  private var ear: AACPEar?
  /// The wearing state of the latest event; `nil` if there was none since the queries.
  private var reportedWearing: Wearing?
  private var noise: ANCMode?
  private var strength: UInt8?
  /// The reported switches by their control's number.
  private var switches: [UInt8: Bool] = [:]
  /// The presses that are reported, a bit each (``AACPPress``); `nil` if that is not known.
  private var presses: UInt8?
  private var metadata: AACPMetadata?
  /// The unknown opcodes that were reported.
  private var unknownDevices: Set<UInt16> = []
  /// The opcodes that were received since the queries.
  private var reported: Set<UInt16> = []
  /// Whether the handshake was answered, on which the rest depends.
  public private(set) var isRecognised = false
  private var hasAskedReports = false

  public init() {}

  /// The capabilities by the values reported so far; adaptive noise control has levels of 0 to 100
  /// in steps of 10.
  public var capabilities: Capabilities {
    var able = Capabilities()
    able.batteries = Part.allCases.filter { levels[$0] != nil }
    able.hasCase = levels[.case] != nil
    able.settings = AACPSwitch.all.filter { switches[$0.identifier] != nil }.map(\.declaration)
    if presses != nil { able.settings += TouchGesture.allCases.map(AACPPress.setting) }
    guard noise != nil else { return able }
    able.ancModes = ANCMode.allCases.filter { $0 != .adaptive || strength != nil }
    able.hasANCLevel = strength != nil
    able.ancLevels = 0...100
    able.ancLevelStep = 10
    return able
  }

  /// The device information from the metadata; empty until it arrives.
  public var information: DeviceInformation {
    DeviceInformation(
      manufacturer: metadata?.manufacturer, model: metadata?.model, serial: metadata?.serial,
      firmware: metadata?.firmware)
  }

  // MARK: Asking

  /// The handshake alone.
  public mutating func questions() -> [Exchange] {
    (reported, isRecognised, hasAskedReports) = ([], false, false)
    (levels, ear, reportedWearing, noise, strength, switches) = ([:], nil, nil, nil, nil, [:])
    presses = nil
    var handshake = Exchange(AACPPacket.handshake.encoded(), response: Self.handshakeResponse)
    handshake.attempts = 2
    return [handshake]
  }

  /// The requests for reports, once.
  public mutating func furtherQuestions() -> [Exchange] {
    guard isRecognised, !hasAskedReports else { return [] }
    hasAskedReports = true
    var requests = [
      Self.exchange(
        AACPOpcode.setFeatures, [0xFF, 0, 0, 0, 0, 0, 0, 0],
        response: ResponseID(AACPOpcode.featuresResponse)),
      Self.exchange(
        AACPOpcode.requestNotifications, [0xFF, 0xFF, 0xFF, 0xFF],
        response: ResponseID(AACPOpcode.battery)),
    ]
    for index in requests.indices { requests[index].attempts = 2 }
    return requests
  }

  /// The reports that have not arrived yet, each in an order that the headphone chooses.
  public var awaited: [Exchange] {
    [AACPOpcode.metadata, AACPOpcode.ear, Self.reportedNoise].filter { !reported.contains($0) }
      .map { Exchange(response: ResponseID($0)) }
  }

  /// The identifier of a noise-control report with any value.
  private static let reportedNoise: UInt16 = AACPOpcode.control

  /// The control that carries out a command.
  ///
  /// - Throws: ``HeadphoneError/unsupported(_:)`` for commands other than noise control, its level
  ///   and reported switches; ``HeadphoneError/badArgument(_:)`` for a level above 100.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    let able = capabilities
    switch command {
    case .setANC(let mode) where able.ancModes.contains(mode):
      return [Self.exchange(AACPControl(.noiseControl, mode.aacp))]
    case .setANC(let mode): throw .noMode(mode)
    case .setANCLevel(let requested) where able.hasANCLevel:
      guard able.ancLevels.contains(requested) else {
        throw .level(requested, outside: 0...100)
      }
      return [Self.exchange(AACPControl(.adaptiveStrength, requested))]
    case .set(let id, .toggle(let isOn)):
      if let presses,
        let gesture = TouchGesture.allCases.first(where: { AACPPress.setting($0).id == id })
      {
        let bit = AACPPress.bit(gesture)
        let wanted = isOn ? presses | bit : presses & ~bit
        return [Self.exchange(AACPControl(.other(AACPPress.control), wanted))]
      }
      guard
        let known = AACPSwitch.all.first(where: { $0.declaration.id == id }),
        switches[known.identifier] != nil
      else { throw .unsupported(id.displayText) }
      return [Self.exchange(known.control(isOn: isOn))]
    default: throw .noCommand(of: Self.name)
    }
  }

  /// A control and its echo.
  private static func exchange(_ control: AACPControl) -> Exchange {
    exchange(AACPOpcode.control, control.encoded(), response: response(of: control))
  }

  private static func exchange(_ opcode: UInt16, _ data: [UInt8], response: ResponseID) -> Exchange
  {
    Exchange(AACPPacket.message(opcode: opcode, data[...]).encoded(), response: response)
  }

  /// The identifier of a control's echo, by number and value: an echo of another value confirms
  /// nothing.
  private static func response(of control: AACPControl) -> ResponseID {
    ResponseID(UInt16(control.identifier.rawValue) << 8 | UInt16(control.value))
  }

  /// No events, since the echo has reported the change.
  public mutating func accepted(_ command: HeadphoneCommand) -> [HeadphoneEvent] { [] }

  // MARK: Hearing

  /// Parses one packet; one of an unknown opcode is reported as malformed the first time.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    do throws(MalformedBytes) {
      switch try AACPPacket(decoding: value) {
      case .handshakeResponse:
        isRecognised = true
        return ParsedMessage(response: Self.handshakeResponse)
      case .handshake: throw MalformedBytes("AACP packet", at: 0, .unknownType(0))
      case .message(let opcode, let data): return try received(opcode, data)
      }
    } catch {
      return ParsedMessage([.malformed(error, value)])
    }
  }

  /// Handles a message.
  private mutating func received(_ opcode: UInt16, _ data: Bytes) throws(MalformedBytes)
    -> ParsedMessage
  {
    var response = ResponseID(opcode)
    let events: [HeadphoneEvent]
    switch opcode {
    case AACPOpcode.battery: events = apply(try AACPBattery(decoding: data))
    case AACPOpcode.ear: events = apply(try AACPEar(decoding: data))
    case AACPOpcode.metadata:
      metadata = try AACPMetadata(decoding: data)
      events = []
    case AACPOpcode.control:
      let control = try AACPControl(decoding: data)
      events = try apply(control)
      response = Self.response(of: control)
      guard control.identifier == .noiseControl else {
        return ParsedMessage(response: response, events)
      }
    case AACPOpcode.press:
      let press = try AACPPress(decoding: data)
      return ParsedMessage([.touchUsed(press.side, press.gesture)])
    case AACPOpcode.speech: return ParsedMessage([.speechChanged(try Self.speech(data))])
    case AACPOpcode.featuresResponse: return ParsedMessage(response: response)
    default:
      // Only the first of each is reported, since some arrive many times a second.
      guard unknownDevices.insert(opcode).inserted else { return ParsedMessage() }
      throw MalformedBytes("AACP message", at: 4, .unknownType(UInt64(opcode)))
    }
    let isFirst = reported.insert(opcode).inserted
    // The first one answers the wait for noise control of any value.
    if opcode == AACPOpcode.control, isFirst { response = ResponseID(Self.reportedNoise) }
    return ParsedMessage(response: response, events)
  }

  /// What a report of speech means: one byte, or `02 00 01` before it.
  ///
  /// Recorded of AirPods Pro 3 and Pro 2 by one project: 1 and 2 when the wearer begins, 5 when they go
  /// on after a pause, and 8 and 9, or 6, at the end. Those in between come in any order, and with one
  /// bud in they are the last.
  private static func speech(_ data: Bytes) throws(MalformedBytes) -> Speech {
    var reader = ByteReader(data, of: "AACP speech")
    if data.count > 1 {
      for expected: UInt8 in [2, 0, 1] { _ = try reader.uint8(in: expected...expected) }
    }
    switch try reader.uint8() {
    case 1, 2, 5: return .began
    case 6, 8, 9: return .ended
    default: return .paused
    }
  }

  /// Applies a battery report.
  private mutating func apply(_ battery: AACPBattery) -> [HeadphoneEvent] {
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

  /// Applies an ear report.
  private mutating func apply(_ reported: AACPEar) -> [HeadphoneEvent] {
    ear = reported
    return reportWearing()
  }

  /// The wearing state, if it is known and has changed.
  private mutating func reportWearing() -> [HeadphoneEvent] {
    guard let wearing, wearing != reportedWearing else { return [] }
    reportedWearing = wearing
    return [.wearingChanged(wearing)]
  }

  /// The wearing state; `nil` if the buds differ and no battery report has identified the primary
  /// one.
  private var wearing: Wearing? {
    guard let ear else { return nil }
    let (primary, secondary) = (ear.primary.isWorn, ear.secondary.isWorn)
    if isHeadset || primary == secondary { return Wearing(left: primary, right: primary) }
    return isLeftPrimary.map {
      Wearing(left: $0 ? primary : secondary, right: $0 ? secondary : primary)
    }
  }

  /// Applies a control.
  private mutating func apply(_ control: AACPControl) throws(MalformedBytes) -> [HeadphoneEvent] {
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
    case .other(AACPPress.control):
      guard AACPPress.all.contains(control.value) else {
        throw MalformedBytes("AACP presses", at: 1, .badValue(UInt64(control.value)))
      }
      let before = presses
      presses = control.value
      return TouchGesture.allCases.filter { gesture in
        before.map { ($0 ^ control.value) & AACPPress.bit(gesture) != 0 } ?? true
      }.map { gesture in
        let isReported = control.value & AACPPress.bit(gesture) != 0
        return .settingChanged(AACPPress.setting(gesture).id, .toggle(isReported))
      }
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
  /// The mode of a noise-control value: 1 off, 2 noise cancelling, 3 transparency, 4 adaptive.
  init?(aacp byte: UInt8) {
    guard let mode = Self.allCases.first(where: { $0.aacp == byte }) else { return nil }
    self = mode
  }

  /// The noise-control value of the mode.
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
  /// The part that shows this battery; over-ear headphones use the left one.
  var part: Part {
    switch self {
    case .headset, .left: .left
    case .right: .right
    case .case: .case
    }
  }
}

extension AACPEar.Place {
  /// Whether the bud is worn; `nil` if it is not connected.
  var isWorn: Bool? {
    switch self {
    case .inEar: true
    case .out, .inCase: false
    case .disconnected: nil
    }
  }
}
