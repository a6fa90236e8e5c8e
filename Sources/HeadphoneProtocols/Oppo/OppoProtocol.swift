public import BluetoothCodec

/// Oppo's Enco, Realme's and OnePlus's Buds over RFCOMM.
///
/// What a number means is the product's, which is asked first: noise control of a product that is not
/// known is neither shown nor ordered.
public struct OppoProtocol: SerialProtocol {
  public static let name = "Oppo / Realme / OnePlus"

  /// 0000079A-D102-11E1-9B23-00025B00A5A5.
  public static let service = BluetoothUUID(
    high: 0x0000_079A_D102_11E1, low: 0x9B23_0002_5B00_A5A5)
  public static let services = [SerialService(service)]

  private enum Command {
    static let handshake: UInt16 = 0x0100
    static let product: UInt16 = 0x0103
    static let firmware: UInt16 = 0x0105
    static let battery: UInt16 = 0x0106
    static let noise: UInt16 = 0x010C
    static let preset: UInt16 = 0x010F
    static let event: UInt16 = 0x0204
    static let register: UInt16 = 0x0205
    static let setNoise: UInt16 = 0x0404
    static let setPreset: UInt16 = 0x0406
  }

  /// The events that are asked for: battery, wearing, noise control, touch.
  private static let events: Bytes = [0x04, 0x01, 0x02, 0x03, 0xF1]
  private static let lastSequence: UInt8 = 250

  private var reader = FrameReader(OppoFrame.format)
  private var reported = ReportedValues()
  private var product: UInt32?
  private var firmware: String?
  private var sequence: UInt8 = 0
  private var hasAskedFeatures = false
  private var isRefused = false

  public init(on service: BluetoothUUID) {}

  public var isRecognised: Bool { product != nil }

  private var noise: OppoNoise? { product.flatMap { OppoNoise(product: $0) } }

  /// By what was reported.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.noise != nil, let noise {
      able.ancModes = ANCMode.allCases.filter { mode in noise.values.contains { $0.mode == mode } }
    }
    return able
  }

  public var information: DeviceInformation { DeviceInformation(firmware: firmware) }

  // MARK: Asking

  /// The handshake, and which product it is.
  public mutating func questions() -> [Exchange] {
    (reported, product, hasAskedFeatures) = (ReportedValues(), nil, false)
    return [ask(Command.handshake), ask(Command.product)]
  }

  /// Its events are registered for, and its features asked.
  public mutating func furtherQuestions() -> [Exchange] {
    guard isRecognised, !hasAskedFeatures else { return [] }
    hasAskedFeatures = true
    let always = [
      ask(Command.firmware), ask(Command.register, Self.events), ask(Command.battery),
      ask(Command.preset),
    ]
    return always + (noise == nil ? [] : [ask(Command.noise, [1, 1])])
  }

  private mutating func ask(_ command: UInt16, _ payload: Bytes = []) -> Exchange {
    sequence = sequence == Self.lastSequence ? 1 : sequence + 1
    return Exchange(
      OppoFrame(command, sequence: sequence, payload: payload).encoded(),
      answer: AnswerID(command, sequence: sequence))
  }

  /// Each order, and behind it the question for what is true then.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    isRefused = false
    switch command {
    case .setANC(let mode) where capabilities.ancModes.contains(mode):
      // The strength that it had, else the first.
      let values = noise?.values.filter { $0.mode == mode } ?? []
      let kept = values.first { $0.strength.map { .choice($0) } == reported[Self.strength.id] }
      guard let value = kept ?? values.first else { break }
      return order(value)
    case .setANC(let mode): throw .unsupported("noise control mode \"\(mode)\"")
    case .set(Self.strength.id, .choice(let name)) where reported[Self.strength.id] != nil:
      guard let value = noise?.values.first(where: { $0.strength == name }) else { break }
      return order(value)
    case .set(.equaliserPreset, .choice(let name)) where reported[.equaliserPreset] != nil:
      guard let number = Self.presets.firstIndex(of: name) else { break }
      return [ask(Command.setPreset, [UInt8(number)]), ask(Command.preset)]
    default: break
    }
    throw .unsupported("\(Self.name): this command")
  }

  private mutating func order(_ value: OppoNoise.Value) -> [Exchange] {
    [ask(Command.setNoise, ([1, 1] + value.order)[...]), ask(Command.noise, [1, 1])]
  }

  /// - Throws: `refused` where the headphone did not accept it, `unsupported` where it did and
  ///   reports another value.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    guard !isRefused else { throw .refused(.unspecified) }
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
      let frame = try OppoFrame(decoding: value)
      var payload = ByteReader(frame.payload, of: "Oppo answer")
      guard frame.command & OppoFrame.answerBit != 0 else {
        guard frame.command == Command.event else { return ParsedMessage() }
        return ParsedMessage(try events(of: &payload))
      }
      let command = frame.command & ~OppoFrame.answerBit
      answer = AnswerID(command, sequence: frame.sequence)
      guard try payload.uint8() == 0 else {
        isRefused = true
        return ParsedMessage(answer: answer)
      }
      return ParsedMessage(answer: answer, try events(of: command, &payload))
    } catch {
      return ParsedMessage(answer: answer, [.malformed(error, value)])
    }
  }

  private mutating func events(
    of command: UInt16, _ payload: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    switch command {
    case Command.product:
      let bytes = try payload.take(3)
      product = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    case Command.firmware:
      _ = try payload.uint8()
      firmware = Self.firmware(textFromAir(payload.rest())) ?? firmware
    case Command.battery: return reported.take(try Self.batteries(&payload))
    case Command.noise: return try take(noise: &payload)
    case Command.preset:
      let number = Int(try payload.uint8())
      // A preset that has no name here stays unsaid.
      guard number < Self.presets.count else { break }
      return reported.take(Self.preset, .choice(Self.presets[number]))
    default: break
    }
    return []
  }

  private mutating func events(
    of payload: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    switch try payload.uint8() {
    case 1: return reported.take(try Self.batteries(&payload))
    case 3: return try take(noise: &payload)
    default: return []
    }
  }

  /// A case at 0 with no bud in it reports nothing.
  private static func batteries(
    _ payload: inout ByteReader
  ) throws(MalformedBytes) -> [Part: Battery] {
    var levels: [Part: Battery] = [:]
    for _ in 0..<(try payload.uint8()) {
      let number = try payload.uint8()
      let raw = try payload.uint8()
      guard raw & 0x7F <= 100 else { throw payload.impossible(raw) }
      guard let part = number > 0 ? Part(rawValue: number - 1) : nil, part != .case || raw != 0
      else { continue }
      levels[part] = Battery(level: raw & 0x7F, isCharging: raw & 0x80 != 0)
    }
    return levels
  }

  private mutating func take(
    noise payload: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard try payload.uint8() == 1 else { return [] }
    _ = try payload.uint8()
    let low = try payload.uint8()
    let raw = UInt16(low) | (payload.isAtEnd ? 0 : UInt16(try payload.uint8()) << 8)
    guard let noise else { return [] }
    guard let value = noise.values.first(where: { $0.report == raw }) else {
      throw payload.malformed(.badValue(UInt64(raw)), at: 2)
    }
    return reported.take(value.mode)
      + (value.strength.map { reported.take(Self.strength, .choice($0)) } ?? [])
  }

  /// The version of the first bud in "part,kind,version,…", whose kind 2 is the firmware.
  private static func firmware(_ text: String) -> String? {
    let words = text.split(separator: ",")
    return stride(from: 0, to: words.count - 2, by: 3).first { words[$0 + 1] == "2" }
      .map { String(words[$0 + 2]) }
  }

  // MARK: Settings

  private static let strength = SettingDeclaration(
    "cancelling-strength", SettingDeclaration.choices(OppoNoise.strengths),
    title: "Strength of noise cancelling", label: "Depth", group: .noise)
  private static let presets = ["original", "bass", "vocal", "clear-bass"]
  private static let preset = SettingDeclaration(
    .equaliserPreset, SettingDeclaration.choices(presets), title: "Equaliser", label: "EQ",
    group: .sound)
}
