public import BluetoothCodec

/// Soundcore over RFCOMM, whose newer models offer nothing over LE.
///
/// The model follows from the service or the serial number, and says where the values are in the
/// state. Noise control is asked for by itself (0601), which every model answers alike; an order has
/// as many bytes as the model takes, or is refused.
public struct SoundcoreSerialProtocol: SerialProtocol {
  public static let name = "Soundcore"

  /// 0CF12D31-FAC3-4553-BD80-D6832E7xxxxx: the last digits are the model's.
  public static let service = BluetoothUUID(
    high: 0x0CF1_2D31_FAC3_4553, low: 0xBD80_D683_2E7B_0000)
  public static let services = [
    SerialService(service, mask: BluetoothUUID(high: .max, low: 0xFFFF_FFFF_FFF0_0000))
  ]

  private static let format = FrameFormat(
    marker: SoundcoreFrame.Sender.headphone.prefix, length: .init(at: 2, width: 2, adding: 0),
    check: .sum(includesMarker: true), longest: 1024)

  private var reader = FrameReader(Self.format)
  private var reported = ReportedValues()
  private var hasAnswered = false
  private var hasAskedModes = false
  /// The last 16 bits of the service.
  private let serviceNumber: UInt16
  private var number: UInt16?
  private var firmware: String?
  private var serial: String?
  /// As they were reported last; an order repeats all but what it changes.
  private var modes: [UInt8] = []
  /// How many bytes the answer to the question for them had; nil: it was not answered.
  private var reportedWidth: Int?

  public init(on service: BluetoothUUID) {
    serviceNumber = UInt16(truncatingIfNeeded: service.low)
  }

  public var isRecognised: Bool { hasAnswered }

  private var model: SoundcoreModel? { number.flatMap { SoundcoreModel[$0] } }

  /// By what was reported.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.noise != nil { able.ancModes = [.off, .noiseCancelling, .transparency] }
    return able
  }

  public var information: DeviceInformation {
    let known = model == nil ? nil : number
    return DeviceInformation(
      manufacturer: "Soundcore", model: known.map { "A\(hexadecimal($0, width: 4))" },
      serial: serial, firmware: firmware)
  }

  // MARK: Asking

  /// The state, which every model has.
  public mutating func questions() -> [Exchange] {
    (reported, hasAnswered, hasAskedModes) = (ReportedValues(), false, false)
    (modes, reportedWidth) = ([], nil)
    return [exchange(SoundcoreCommand.state)]
  }

  /// Noise control, unless the model is known to have none.
  public mutating func furtherQuestions() -> [Exchange] {
    guard hasAnswered, !hasAskedModes, model.map({ $0.soundModes != nil }) ?? true else {
      return []
    }
    hasAskedModes = true
    return [exchange(SoundcoreCommand.soundModes)]
  }

  private func exchange(_ command: UInt16, _ body: [UInt8] = []) -> Exchange {
    Exchange(SoundcoreFrame(.phone, command, body[...]).encoded(), answer: AnswerID(command))
  }

  /// The order, and behind it the question for what is true then.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    switch command {
    case .setANC(let mode):
      guard capabilities.ancModes.contains(mode), let raw = Self.modes.firstIndex(of: mode) else {
        throw .unsupported("noise control mode \"\(mode)\"")
      }
      return try change(0) { _ in UInt8(raw) }
    case .set(Self.strength.id, .level(let level)) where reported[Self.strength.id] != nil:
      guard Self.strengths.contains(level) else { throw .badArgument("a strength of \(level)") }
      return try change(1) { UInt8(level) << 4 | $0 & 0x0F }
    case .set(Self.kind.id, .choice(let name)) where reported[Self.kind.id] != nil:
      guard let raw = Self.kinds.firstIndex(of: name) else { throw .badArgument(name) }
      return try change(3) { _ in UInt8(raw) }
    case .set(Self.wind.id, .toggle(let isOn)) where reported[Self.wind.id] != nil:
      return try change(4) { $0 & ~1 | (isOn ? 1 : 0) }
    default: throw .unsupported("\(Self.name): this command")
    }
  }

  /// - Throws: `unsupported` where it is not known how many bytes the model takes.
  private func change(
    _ place: Int, _ value: (UInt8) -> UInt8
  ) throws(HeadphoneError) -> [Exchange] {
    guard
      let width = reportedWidth.flatMap({ SoundcoreModel.orderWidth(of: number, reported: $0) }),
      width <= modes.count, place < width
    else {
      throw .unsupported("noise control: how many bytes this model takes is not known")
    }
    var changed = Array(modes.prefix(width))
    changed[place] = value(changed[place])
    return [
      exchange(SoundcoreCommand.setSoundModes, changed), exchange(SoundcoreCommand.soundModes),
    ]
  }

  /// - Throws: `unsupported` where the headphone reports another value.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    try reported.confirm(command)
    return []
  }

  // MARK: Receiving

  /// Whole frames, wherever the pieces of the stream begin and end.
  public mutating func messages(in value: Bytes) -> [Bytes] { reader.messages(in: value) }

  /// Takes one frame; commands that are not known are skipped.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    var answer: AnswerID?
    do throws(MalformedBytes) {
      let frame = try SoundcoreFrame(decoding: value)
      guard frame.sender == .headphone else {
        throw MalformedBytes("Soundcore frame", at: 0, .badValue(UInt64(value.first ?? 0)))
      }
      answer = AnswerID(frame.command)
      return ParsedMessage(answer: answer, try events(of: frame))
    } catch {
      return ParsedMessage(answer: answer, [.malformed(error, value)])
    }
  }

  private mutating func events(of frame: SoundcoreFrame) throws(MalformedBytes) -> [HeadphoneEvent]
  {
    switch frame.command {
    case SoundcoreCommand.state where !frame.body.isEmpty:
      hasAnswered = true
      return try take(state: frame.body)
    // An order is acknowledged without a body.
    case SoundcoreCommand.soundModes where !frame.body.isEmpty:
      let events = try take(modes: Array(frame.body))
      reportedWidth = frame.body.count
      return events
    default: return []
    }
  }

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
    var events = reported.take(try Self.batteries(body, model))
    if let (place, width) = model.soundModes, reportedWidth == nil {
      guard body.count >= place + width else {
        throw MalformedBytes("Soundcore state", at: body.count, .badLength(body.count))
      }
      events += try take(modes: Array(body[place..<place + width]))
    }
    return events
  }

  /// A bud without a connection to the one that reports is not there, whatever its level was.
  private static func batteries(
    _ body: [UInt8], _ model: SoundcoreModel
  ) throws(MalformedBytes) -> [Part: Battery] {
    func battery(_ place: Int, charging: Int) throws(MalformedBytes) -> Battery? {
      guard body[place] != absent else { return nil }
      let isCharging: Bool? = [0: false, 1: true][body[charging]]
      return try model.scale.battery(body[place], isCharging: isCharging, at: place)
    }
    guard model.shape == .buds else {
      return try battery(0, charging: 1).map { [.left: $0] } ?? [:]
    }
    let isConnected = body[1] != 0
    var parts: [Part: Battery] = [:]
    for (index, part) in [Part.left, .right].enumerated()
    where isConnected || body[0] == UInt8(index) {
      parts[part] = try battery(2 + index, charging: 4 + index)
    }
    if let place = model.casePlace, place < body.count, body[place] != absent {
      parts[.case] = try model.caseScale.battery(body[place], isCharging: nil, at: place)
    }
    return parts
  }

  private static let absent: UInt8 = 0xFF

  private mutating func take(modes told: [UInt8]) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard let raw = told.first, Int(raw) < Self.modes.count else {
      throw MalformedBytes("Soundcore sound modes", at: 0, .badValue(UInt64(told.first ?? 0)))
    }
    modes = told
    var events = reported.take(Self.modes[Int(raw)])
    // What follows the mode is known of the models in the table, and another in each width.
    guard let width = model?.soundModes?.width, width >= 6, told.count >= width else {
      return events
    }
    events += reported.take(Self.strength, .level(Int(told[1] >> 4)))
    if Int(told[3]) < Self.kinds.count {
      events += reported.take(Self.kind, .choice(Self.kinds[Int(told[3])]))
    }
    return events + reported.take(Self.wind, .toggle(told[4] & 1 == 1))
  }

  // MARK: Settings

  private static let modes: [ANCMode] = [.noiseCancelling, .transparency, .off]
  private static let strengths = 1...5
  private static let strength = SettingDeclaration(
    "cancelling-strength", .level(SettingRange(strengths)), title: "Strength of noise cancelling",
    label: "Depth", group: .noise)
  private static let kinds = ["manual", "adaptive", "scene"]
  private static let kind = SettingDeclaration(
    "cancelling-kind", SettingDeclaration.choices(kinds), title: "Kind of noise cancelling",
    label: "Kind", group: .noise)
  private static let wind = SettingDeclaration(
    "wind-reduction", .toggle, title: "Wind noise reduction", label: "Wind", group: .noise)
}
