public import BluetoothCodec

/// The protocol of Google's Pixel Buds Pro over RFCOMM ("Maestro"): remote procedure calls in
/// Protocol Buffers.
///
/// The channel of the calls depends on which bud is the primary one. The first request is sent on
/// all channels, and the channel of the response is used from then on. Ringing uses Fast Pair.
public struct PixelBudsProtocol: FramedProtocol {
  public typealias Frame = PixelBudsFrame

  public static let name = "Pixel Buds"

  public static let service = BluetoothUUID(
    high: 0x25E9_7FF7_24CE_4C4C, low: 0x8951_F764_A708_F7B5)
  public static let services = [SerialService(service)]

  private static let channels: [UInt64] = [18, 19, 21, 23, 24, 26]
  private static let settingField = 4

  /// The published numbers of settings, which are also the numbers of their fields.
  private enum Setting {
    static let noiseCycle = 12
    static let noise = 13
    static let equaliser = 16
  }

  private static let switches: [(number: Int, declaration: SettingDeclaration)] = [
    (2, .wearDetection),
    (4, SettingDeclaration("touch-controls")),
    (11, .multipoint),
    (15, SettingDeclaration("volume-equaliser")),
    (19, SettingDeclaration("mono")),
    (22, SettingDeclaration("conversation-detection")),
  ]

  /// The modes of the touch and hold gesture, by their field in the setting.
  private static let cycle: [(field: Int, declaration: SettingDeclaration)] = [
    (1, SettingDeclaration("hold-cancelling")),
    (2, SettingDeclaration("hold-off")),
    (3, SettingDeclaration("hold-transparency")),
    (adaptiveInCycle, SettingDeclaration("hold-adaptive")),
  ]
  private static let adaptiveInCycle = 4

  var reader = FrameReader(PixelBudsFrame.format)
  var reported = ReportedValues()
  private var channel: UInt64?
  private var firmware: String?
  private var hasAskedFeatures = false
  private var hasAdaptive = false
  /// The fields of ``Setting/noiseCycle`` by number, of which a command changes one and repeats the
  /// others; a report omits false fields.
  private var noiseCycle: [Int: Bool] = [:]
  private var lastCall: UInt64 = 0

  public init(on service: BluetoothUUID) {}

  var ancModes: [ANCMode] {
    [.off, .noiseCancelling, .transparency] + (hasAdaptive ? [.adaptive] : [])
  }

  public var isRecognised: Bool { channel != nil }

  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.hasNoise { able.ancModes = ancModes }
    if let bands = reported.equaliser {
      able.eqBands = bands.count
      able.eqLimit = BandGain(halfDecibels: Self.mostGain) ?? .most
    }
    return able
  }

  public var information: DeviceInformation {
    DeviceInformation(manufacturer: "Google", firmware: firmware)
  }

  public mutating func questions() -> [Exchange] {
    (reported, channel, hasAskedFeatures, noiseCycle) = (ReportedValues(), nil, false, [:])
    var question = Exchange(response: Self.response(.softwareInformation))
    question.values = Self.channels.map {
      Self.bytes(
        PixelBudsCall(
          .request, channel: $0, .softwareInformation, call: PixelBudsCall.firstCall))
    }
    return [question]
  }

  /// Returns the subscriptions to the battery and to changes, and the requests for the settings.
  public mutating func furtherQuestions() -> [Exchange] {
    guard let channel, !hasAskedFeatures else { return [] }
    hasAskedFeatures = true
    let settings = PixelBudsCall(
      .request, channel: channel, .subscribeToSettings, call: nextCall())
    let runtime = PixelBudsCall(.request, channel: channel, .subscribeToRuntime, call: nextCall())
    return [
      Exchange(withoutResponse: Array(Self.bytes(settings))),
      Exchange(Array(Self.bytes(runtime)), response: Self.response(.subscribeToRuntime)),
    ]
      + ([Setting.noiseCycle, Setting.noise, Setting.equaliser] + Self.switches.map(\.number))
      .map { read($0, on: channel) }
  }

  private mutating func nextCall() -> UInt64 {
    lastCall = lastCall % 0x7FFF + 1
    return lastCall
  }

  private static func bytes(_ call: PixelBudsCall) -> Bytes { call.frame().encoded()[...] }

  /// Returns the response identifier of a method, of which only one call is pending at a time.
  private static func response(_ method: PixelBudsCall.Method) -> ResponseID {
    ResponseID(UInt16(truncatingIfNeeded: method.rawValue) | 0x8000)
  }

  private mutating func call(
    _ method: PixelBudsCall.Method, _ payload: ProtobufMessage, on channel: UInt64
  ) -> Exchange {
    let number = nextCall()
    let call = PixelBudsCall(.request, channel: channel, method, payload, call: number)
    return Exchange(
      Array(Self.bytes(call)), response: ResponseID(UInt16(truncatingIfNeeded: number)))
  }

  private mutating func read(_ setting: Int, on channel: UInt64) -> Exchange {
    call(
      .readSetting, ProtobufMessage([(Self.settingField, .varint(UInt64(setting)))]), on: channel)
  }

  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    reported.refusal = nil
    guard let channel else { throw .notStarted }
    switch command {
    case .setANC(let mode) where capabilities.ancModes.contains(mode):
      guard let index = Self.modes.firstIndex(of: mode) else { break }
      return write(Setting.noise, .varint(UInt64(index + 1)), on: channel)
    case .setANC(let mode): throw .noMode(mode)
    case .setCustomEQ(let gains):
      guard let now = reported.equaliser else { break }
      guard gains.count == now.count else {
        throw .gains(gains.count, insteadOf: now.count)
      }
      let fields = gains.enumerated().map { index, gain in
        let decibels = Float(min(max(gain.halfDecibels, -Self.mostGain), Self.mostGain)) / 2
        return (number: index + 1, value: ProtobufMessage.Value.fixed32(decibels.bitPattern))
      }
      return write(Setting.equaliser, .bytes(ProtobufMessage(fields).encoded()), on: channel)
    case .set(let id, .toggle(let isOn)) where Self.cycle.contains { $0.declaration.id == id }:
      guard let field = Self.cycle.first(where: { $0.declaration.id == id })?.field,
        noiseCycle[field] != nil
      else { break }
      var fields = noiseCycle
      fields[field] = isOn
      let message = fields.sorted { $0.key < $1.key }.map { field, isOn in
        (number: field, value: ProtobufMessage.Value.varint(isOn ? 1 : 0))
      }
      return write(
        Setting.noiseCycle, .bytes(ProtobufMessage(message).encoded()), on: channel)
    case .set(let id, .toggle(let isOn)) where reported[id] != nil:
      guard let number = Self.switches.first(where: { $0.declaration.id == id })?.number else {
        break
      }
      return write(number, .varint(isOn ? 1 : 0), on: channel)
    default: break
    }
    throw Self.unsupported
  }

  private mutating func write(
    _ setting: Int, _ value: ProtobufMessage.Value, on channel: UInt64
  ) -> [Exchange] {
    let inside = ProtobufMessage([(setting, value)]).encoded()
    let write = call(
      .writeSetting, ProtobufMessage([(Self.settingField, .bytes(inside))]), on: channel)
    return [write, read(setting, on: channel)]
  }

  /// Applies a frame, skipping unknown calls.
  mutating func apply(_ frame: PixelBudsFrame, to message: inout ParsedMessage)
    throws(MalformedBytes)
  {
    let call = try PixelBudsCall(decoding: frame.data)
    guard let method = call.method else { return reported.skip("call") }
    switch method {
    case .softwareInformation, .subscribeToRuntime: message.responses = [Self.response(method)]
    case .readSetting, .writeSetting:
      message.responses = Set(call.call.map { [ResponseID(UInt16(truncatingIfNeeded: $0))] } ?? [])
    case .subscribeToSettings: break
    }
    guard [.response, .serverStream].contains(call.kind), call.status == 0 else {
      if method == .writeSetting { reported.refusal = .refused(.unspecified) }
      return
    }
    try apply(call, method)
  }

  private mutating func apply(
    _ call: PixelBudsCall, _ method: PixelBudsCall.Method
  ) throws(MalformedBytes) {
    switch method {
    case .softwareInformation:
      channel = channel ?? call.channel
      let parts = try call.payload.message(4) ?? ProtobufMessage()
      // Case, right and left; the sources do not tell which number belongs to which bud.
      for number in [2, 3, 1] {
        guard let part = try parts.message(number), let text = part.bytes(2) else { continue }
        firmware = textFromAir(text[...])
        break
      }
    case .subscribeToRuntime:
      reported.apply(try Self.batteries(try call.payload.message(6) ?? ProtobufMessage()))
    case .readSetting, .subscribeToSettings:
      guard let setting = try call.payload.message(Self.settingField) else { return }
      for (number, _) in setting.fields {
        isolating { me throws(MalformedBytes) in try me.apply(number, of: setting) }
      }
    case .writeSetting: break
    }
  }

  private static func batteries(
    _ message: ProtobufMessage
  ) throws(MalformedBytes) -> BatteryLevels {
    var levels = BatteryLevels("Pixel Buds battery")
    for (number, part) in [(1, Part.case), (2, .left), (3, .right)] {
      guard let state = try message.message(number), let level = state.number(1) else { continue }
      levels.add(
        part, UInt8(clamping: level),
        isCharging: state.number(2).flatMap { [1: false, 2: true][$0] })
    }
    return levels
  }

  private mutating func apply(
    _ number: Int, of setting: ProtobufMessage
  ) throws(MalformedBytes) {
    switch number {
    case Setting.noise:
      let raw = setting.number(number) ?? 0
      guard raw > 0, raw <= UInt64(Self.modes.count) else {
        return reported.apply(unnamedMode: UInt8(clamping: raw))
      }
      let mode = Self.modes[Int(raw) - 1]
      hasAdaptive = hasAdaptive || mode == .adaptive
      reported.apply(mode)
    case Setting.noiseCycle:
      guard let modes = try setting.message(number) else { break }
      hasAdaptive = hasAdaptive || modes.number(Self.adaptiveInCycle) != nil
      for (field, declaration) in Self.cycle where field != Self.adaptiveInCycle || hasAdaptive {
        isolating { me throws(MalformedBytes) in
          let isOn = try Self.flag(modes.number(field) ?? 0, of: field)
          me.noiseCycle[field] = isOn
          me.reported.apply(declaration, .toggle(isOn))
        }
      }
    case Setting.equaliser:
      guard let bands = try setting.message(number) else { break }
      var gains: [BandGain] = []
      for band in 1...5 {
        let decibels = Float(bitPattern: bands.fixed32(band) ?? 0)
        guard abs(decibels) <= Float(Self.mostGain) / 2,
          let gain = BandGain(halfDecibels: Int8((decibels * 2).rounded()))
        else {
          throw MalformedBytes(
            "Pixel Buds equaliser", at: band, .badValue(UInt64(bands.fixed32(band) ?? 0)))
        }
        gains.append(gain)
      }
      reported.apply(.custom, gains)
    default:
      guard let declaration = Self.switches.first(where: { $0.number == number })?.declaration
      else { return reported.skip("setting \(number)") }
      guard let raw = setting.number(number) else { break }
      reported.apply(declaration, .toggle(try Self.flag(raw, of: number)))
    }
  }

  private static func flag(_ raw: UInt64, of number: Int) throws(MalformedBytes) -> Bool {
    guard raw <= 1 else { throw MalformedBytes("Pixel Buds setting", at: number, .badValue(raw)) }
    return raw == 1
  }

  private static let mostGain: Int8 = 12
  /// The modes in the order of their numbers, which start at 1.
  private static let modes: [ANCMode] = [.off, .noiseCancelling, .transparency, .adaptive]
}
