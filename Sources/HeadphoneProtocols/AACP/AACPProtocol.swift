internal import BluetoothCodec

/// The protocol of AirPods and Beats: Apple's accessory protocol on an L2CAP channel of BR/EDR.
///
/// The headphone reports all values once notifications are requested, and then each change; values
/// cannot be read. A second handshake would close the channel.
///
/// A noise control mode is confirmed when the headphone repeats it, as a completed write proves
/// nothing. Other controls are not always repeated, for example by AirPods Pro 3: a command for
/// them succeeds once it is written, unless a report contradicts it. So does a renaming, as the
/// new name is only reported on the next connection.
///
/// | message | events |
/// | --- | --- |
/// | battery | `batteryChanged` |
/// | ear | `wearingChanged`; if the buds differ, once the primary one is known |
/// | primary | `settingChanged` |
/// | control | `ancChanged`, `ancLevelChanged`, `settingChanged` |
/// | press | `touchUsed` |
/// | speech | `speechChanged` |
/// | metadata | none: ``information`` |
public struct AACPProtocol: ReportingProtocol {
  public typealias Frame = AACPPacket

  public static let name = "AirPods / Beats"

  static let handshakeResponse: ResponseID = 0xFFFF

  var reported = ReportedValues()
  private var isHeadset = false
  private var isLeftPrimary: Bool?
  private var ear: AACPEar?
  /// The four bytes of each reported control, by its number.
  private var controls: [UInt8: [UInt8]] = [:]
  /// The controls of the current command, applied once they are written.
  private var unconfirmed: [AACPControl] = []
  private var metadata: AACPMetadata?
  /// The opcodes received; that of controls is added only for noise control.
  private var heard: Set<UInt16> = []
  public private(set) var isRecognised = false
  private var hasAskedReports = false

  public init() {}

  public var capabilities: Capabilities {
    var able = reported.capabilities
    able.hasRename = metadata?.name != nil
    guard reported.hasNoise else { return able }
    let hasStrength = reported.level != nil
    able.ancModes = ANCMode.allCases.filter { mode in
      switch mode {
      case .off: allowsOff || reported.noise == .off
      case .adaptive: hasStrength
      case .noiseCancelling, .transparency: true
      }
    }
    able.hasANCLevel = hasStrength
    able.ancLevels = 0...100
    able.ancLevelStep = 10
    return able
  }

  /// Whether "off" is a mode; AirPods that do not allow it may not report so at first.
  private var allowsOff: Bool { controls[AACPSetting.offAllowed]?.first != 2 }

  public var information: DeviceInformation {
    DeviceInformation(
      manufacturer: metadata?.manufacturer, model: metadata?.model, serial: metadata?.serial,
      firmware: metadata?.firmware)
  }

  public mutating func questions() -> [Exchange] {
    guard !isRecognised else { return [] }
    var handshake = Exchange(AACPPacket.handshake.encoded(), response: Self.handshakeResponse)
    handshake.attempts = 2
    return [handshake]
  }

  /// Returns the requests that enable reports, on the first call only.
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

  /// The reports that have not arrived yet; of the controls, only noise control.
  public var awaited: [Exchange] {
    [AACPOpcode.metadata, AACPOpcode.ear, AACPOpcode.control].filter { !heard.contains($0) }
      .map { Exchange(response: ResponseID($0)) }
  }

  /// Returns the messages for a command.
  ///
  /// - Throws: ``HeadphoneError/unsupported(_:)`` for commands other than noise control, its level,
  ///   reported settings and a name; ``HeadphoneError/badArgument(_:)`` for a level above 100, for
  ///   "off" if not allowed, and for fewer than two modes to cycle through.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    let able = capabilities
    unconfirmed = []
    switch command {
    case .setANC(let mode) where able.ancModes.contains(mode):
      let control = AACPControl(.noiseControl, mode.aacp)
      return [
        Self.exchange(
          AACPOpcode.control, control.encoded(), response: Self.response(of: control))
      ]
    case .setANC(.off) where reported.hasNoise: throw Self.offRefused
    case .setANC(let mode): throw .noMode(mode)
    case .setANCLevel(let requested) where able.hasANCLevel:
      guard able.ancLevels.contains(requested) else {
        throw .level(requested, outside: 0...100)
      }
      unconfirmed = [AACPControl(.adaptiveStrength, requested)]
    case .set(let id, let value): unconfirmed = try orders(id, value)
    case .rename(let name) where able.hasRename:
      let name = Array(name.utf8)
      let data = [0x01, UInt8(clamping: name.count), 0x00] + name
      let message = AACPPacket.message(opcode: AACPOpcode.rename, data[...])
      return [Exchange(withoutResponse: message.encoded())]
    default: throw .noCommand(of: Self.name)
    }
    return unconfirmed.map { control in
      let message = AACPPacket.message(opcode: AACPOpcode.control, control.encoded()[...])
      return Exchange(withoutResponse: message.encoded())
    }
  }

  private func orders(
    _ id: SettingID, _ value: SettingValue
  ) throws(HeadphoneError) -> [AACPControl] {
    guard let setting = AACPSetting.all.first(where: { $0.declaration.id == id }),
      let now = controls[setting.control], reported[id] != nil,
      var bytes = setting.field.bytes(of: value, in: now)
    else { throw .unsupported(id.displayText) }
    if setting.control == AACPSetting.toneVolume { bytes[1] = bytes[0] }
    guard setting.control != AACPSetting.cycle.control || bytes[0].nonzeroBitCount > 1 else {
      throw .badArgument("touching and holding goes through two modes at least")
    }
    let control = AACPControl(setting.control, bytes: bytes)
    guard setting.control == AACPSetting.offAllowed, value == .toggle(false),
      var cycle = controls[AACPSetting.cycle.control], cycle[0] & AACPSetting.cycle.off != 0
    else { return [control] }
    // "off" is first removed from the modes to cycle through.
    cycle[0] &= ~AACPSetting.cycle.off
    return [AACPControl(AACPSetting.cycle.control, bytes: cycle), control]
  }

  private static func exchange(_ opcode: UInt16, _ data: [UInt8], response: ResponseID) -> Exchange
  {
    Exchange(AACPPacket.message(opcode: opcode, data[...]).encoded(), response: response)
  }

  /// Returns the identifier of an echo: number and value, as another value confirms nothing.
  private static func response(of control: AACPControl) -> ResponseID {
    ResponseID(UInt16(control.identifier.rawValue) << 8 | UInt16(control.value))
  }

  private static let primaryBud = SettingDeclaration("primary-bud", .reading)

  private static let offRefused = HeadphoneError.badArgument(
    "these AirPods do not allow \"off\" as a mode; the setting off-allowed does, or the iPhone's")

  /// Returns why AirPods ignored "off", which they do not report, or nil otherwise.
  public func reasonForSilence(after command: HeadphoneCommand) -> HeadphoneError? {
    command == .setANC(.off) && reported.noise != .off ? Self.offRefused : nil
  }

  /// Applies the controls of a command, or throws for a noise control mode that was ignored.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    if let reason = reasonForSilence(after: command) { throw reason }
    for control in unconfirmed {
      isolating { me throws(MalformedBytes) in try me.apply(control) }
    }
    unconfirmed = []
    if case .rename(let name) = command { reported.note(.renamed(name)) }
    try reported.confirm(command)
    return reported.takeEvents(of: [])
  }

  mutating func apply(
    _ packet: AACPPacket, to message: inout ParsedMessage
  ) throws(MalformedBytes) {
    switch packet {
    case .handshakeResponse:
      isRecognised = true
      message.responses = [Self.handshakeResponse]
    case .handshake: throw MalformedBytes("AACP packet", at: 0, .unknownType(0))
    case .message(let opcode, let data):
      try apply(opcode, data, to: &message)
    }
  }

  private mutating func apply(
    _ opcode: UInt16, _ data: Bytes, to message: inout ParsedMessage
  ) throws(MalformedBytes) {
    switch opcode {
    case AACPOpcode.battery: apply(try AACPBattery(decoding: data))
    case AACPOpcode.ear:
      ear = try AACPEar(decoding: data)
      applyWearing()
    case AACPOpcode.primary:
      var reader = ByteReader(data, of: "AACP primary bud")
      let isLeft = try reader.uint8(in: 1...2) == 1
      isLeftPrimary = isLeft
      if !isHeadset { reported.apply(Self.primaryBud, .text(isLeft ? "left" : "right")) }
      // The last ear report has the previous order of the buds; a report in the new order follows.
      if reported.wearing == nil { applyWearing() }
    case AACPOpcode.metadata: metadata = try AACPMetadata(decoding: data)
    case AACPOpcode.control:
      let control = try AACPControl(decoding: data)
      try apply(control)
      guard control.identifier == .noiseControl else { return }
      message.responses = [Self.response(of: control)]
    case AACPOpcode.press:
      let press = try AACPPress(decoding: data)
      return reported.note(.touchUsed(press.side, press.gesture))
    case AACPOpcode.speech: return reported.note(.speechChanged(try Self.speech(data)))
    case AACPOpcode.featuresResponse: break
    default: return reported.skip("message \(hexadecimal(opcode, width: 4))")
    }
    heard.insert(opcode)
    message.responses.insert(ResponseID(opcode))
  }

  /// Returns the speech state in a report: its one byte, or the byte after `02 00 01`.
  ///
  /// One project recorded AirPods Pro 3 and Pro 2: 1 and 2 when the wearer starts, 5 when they
  /// continue after a pause, and 8 and 9, or 6, at the end. Other values come in between in any
  /// order; if only one bud is worn, one of them is the last report.
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

  private mutating func apply(_ battery: AACPBattery) {
    isHeadset = battery.entries.contains { $0.component == .headset }
    if isHeadset { reported.withdraw(Self.primaryBud.id) }
    let levels = battery.entries.compactMap { entry in
      entry.battery.map { (entry.component.part, $0) }
    }
    reported.apply(Dictionary(levels) { $1 })
    if reported.wearing == nil { applyWearing() }
  }

  /// Applies the positions of the buds, once their sides are known or if both are the same.
  private mutating func applyWearing() {
    guard let ear else { return }
    let (primary, secondary) = (ear.primary.isWorn, ear.secondary.isWorn)
    if isHeadset || primary == secondary {
      reported.apply(Wearing(left: primary, right: primary))
    } else if let isLeftPrimary {
      reported.apply(
        isLeftPrimary
          ? Wearing(left: primary, right: secondary) : Wearing(left: secondary, right: primary))
    }
  }

  private mutating func apply(_ control: AACPControl) throws(MalformedBytes) {
    switch control.identifier {
    case .noiseControl:
      if let mode = ANCMode(aacp: control.value) {
        reported.apply(mode)
      } else {
        reported.apply(unnamedMode: control.value)
      }
    case .adaptiveStrength:
      guard control.value <= 100 else {
        throw MalformedBytes("AACP adaptive strength", at: 1, .badValue(UInt64(control.value)))
      }
      reported.apply(level: control.value)
    case .other(let number): apply(control.bytes, of: number)
    }
  }

  private mutating func apply(_ bytes: [UInt8], of control: UInt8) {
    let settings = AACPSetting.all.filter { $0.control == control }
    guard !settings.isEmpty else {
      reported.skip("control \(hexadecimal(control, width: 2))")
      return
    }
    controls[control] = bytes
    for setting in settings {
      let number = setting.field.number(in: bytes) ?? 0
      if let value = setting.field.value(in: bytes) {
        reported.apply(setting.declaration, value)
      } else if case .choice = setting.declaration.kind {
        reported.apply(setting.declaration, unnamed: number)
      } else {
        reported.reject(MalformedBytes("AACP control", at: 1, .badValue(UInt64(number))))
      }
    }
  }
}

extension ANCMode {
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
  /// The part of this battery, the left one for over-ear headphones.
  var part: Part {
    switch self {
    case .headset, .left: .left
    case .right: .right
    case .case: .case
    }
  }
}

extension AACPEar.Place {
  var isWorn: Bool? {
    switch self {
    case .inEar: true
    case .out, .inCase: false
    case .disconnected: nil
    }
  }
}
