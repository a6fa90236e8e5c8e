internal import Bluetooth
public import BluetoothCodec
public import GATT

/// Nothing and CMF over BLE and over RFCOMM, with the same frames (``NothingFrame``).
///
/// Each change is read back: the headphone's answer to that, not to the order, is what is shown. In
/// that way a model without a mode refuses it.
public struct NothingProtocol: FamilyProtocol, SerialProtocol {
  public static let name = "Nothing / CMF"
  public static let service = BluetoothUUID.bit16(0xFD90)
  /// AEAC4A03-DFF5-498F-843A-34487CF133EB.
  public static let serialService = BluetoothUUID(
    high: 0xAEAC_4A03_DFF5_498F, low: 0x843A_3448_7CF1_33EB)
  public static let services = [SerialService(serialService)]

  /// The questions that were answered: what the headphone has.
  private var answered: Set<UInt16> = []
  private var battery: NothingBattery.Content?
  private var noise: NothingNoise?
  /// The last level at which it was cancelling.
  private var level: UInt8 = 3
  private var eq: EQPreset?
  /// Of the custom equaliser.
  private var gains: NothingGains?
  private var orderedGains: [BandGain]?
  private var detectsWearing: Bool?
  private var ringing: Sides = []
  private var firmware: String?
  private var lastOperation: UInt8 = 0
  /// It is 2 by another source; a model's file says which.
  private var leftBud: UInt8 = 0x01

  /// Nil over BLE, where each value is a frame.
  private var reader: NothingReader?
  private var hasAskedFeatures = false

  public init() {}

  public init(on service: BluetoothUUID) { reader = NothingReader() }

  /// Over RFCOMM: CMF's answer nothing before this.
  public var isRecognised: Bool { firmware != nil }

  /// The channel tells nothing of the model: ``recognise(_:)`` does.
  public init(on channel: FamilyChannel, _ models: ModelCatalog) {}

  /// Takes over the model's number of the left bud, by which it is made to sound.
  public mutating func recognise(_ model: HeadphoneModel) {
    leftBud = model.leftBud ?? leftBud
  }

  /// By their properties: the characteristics' UUIDs differ among models.
  public static func channel(in database: Database) -> FamilyChannel? {
    for service in database.services(Self.service) {
      let writable = service.characteristics.first {
        !$0.properties.isDisjoint(with: [.write, .writeWithoutResponse])
      }
      let reporting = service.characteristics.first {
        !$0.properties.isDisjoint(with: [.notify, .indicate])
      }
      if let channel = FamilyChannel(of: service, write: writable, notify: reporting) {
        return channel
      }
    }
    return nil
  }

  /// A feature is there when the question for it was answered.
  public var capabilities: Capabilities {
    var able = Capabilities()
    switch battery {
    case .single: able.batteries = [.left]
    case .parts:
      able.batteries = Part.allCases
      able.hasCase = true
    case nil: break
    }
    if answered.contains(NothingCommand.readNoise) {
      able.ancModes = ANCMode.allCases
      able.hasANCLevel = true
      able.ancLevels = NothingNoise.levels
    }
    if answered.contains(NothingCommand.readEQ) {
      able.eqPresets = EQPreset.allCases
      able.eqCentres = gains?.centres ?? []
      able.eqBands = able.eqCentres.count
      able.eqLimit = NothingGains.limit
    }
    if answered.contains(NothingCommand.readInEarDetection) { able.settings = [.wearDetection] }
    able.hasFind = battery != nil
    return able
  }

  /// What no frame tells is nil.
  public var information: DeviceInformation {
    DeviceInformation(manufacturer: "Nothing", firmware: firmware)
  }

  // MARK: Asking

  /// Forgets what was told, so that a feature that is gone is not shown.
  public mutating func questions() -> [Exchange] {
    (battery, noise, eq, gains, detectsWearing) = (nil, nil, nil, nil, nil)
    guard reader != nil else { return features() }
    (answered, firmware, hasAskedFeatures) = ([], nil, false)
    return [ask(NothingCommand.readFirmware)]
  }

  /// Over RFCOMM, all but the firmware, whose answer has to come first.
  public mutating func furtherQuestions() -> [Exchange] {
    guard isRecognised, !hasAskedFeatures else { return [] }
    hasAskedFeatures = true
    return features()
  }

  private mutating func features() -> [Exchange] {
    let features = [
      NothingCommand.readNoise, NothingCommand.readGains, NothingCommand.readEQ,
      NothingCommand.readInEarDetection,
    ].map { ask($0) }
    // Each model has a firmware and a battery to tell. The second question is one turn later, so
    // that a model which answers the first ones in another order has answered them all.
    return [
      ask(NothingCommand.readFirmware).after(features), ask(NothingCommand.readBattery),
    ]
  }

  /// The order, and behind it the question that reads the change back.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    let able = capabilities
    switch command {
    case .setANC(let mode) where able.ancModes.contains(mode):
      return change(NothingNoise(mode, level: level))
    case .setANCLevel(let requested) where able.hasANCLevel:
      guard let noise = NothingNoise(level: requested) else {
        throw .badArgument("a level of \(requested): it goes from 1 to 3")
      }
      return change(noise)
    case .setEQ(let preset) where able.eqPresets.contains(preset):
      eq = nil
      return [
        ask(NothingCommand.setEQ, [preset.nothing, 0]), ask(NothingCommand.readEQ),
      ]
    case .setCustomEQ(let requested) where able.eqBands > 0: return try change(requested)
    case .set(.wearDetection, .toggle(let isOn)) where able.declares(.wearDetection):
      detectsWearing = nil
      return [
        ask(NothingCommand.setInEarDetection, [1, 1, isOn ? 1 : 0]),
        ask(NothingCommand.readInEarDetection),
      ]
    case .find(let sides, let isOn) where able.hasFind: return ring(sides, isOn: isOn)
    default: throw .unsupported("\(Self.name): this command")
    }
  }

  private mutating func change(_ requested: NothingNoise) -> [Exchange] {
    noise = nil
    return [
      ask(NothingCommand.setNoise, [1, requested.rawValue, 0]), ask(NothingCommand.readNoise),
    ]
  }

  /// Gains count in the custom equaliser alone; all else of the bands stays as the headphone told
  /// it.
  private mutating func change(_ requested: [BandGain]) throws(HeadphoneError) -> [Exchange] {
    guard let gains, gains.bands.count == requested.count else {
      throw .badArgument("\(requested.count) bands: this headphone has \(capabilities.eqBands)")
    }
    guard requested.allSatisfy({ NothingGains.range.contains(Float($0.decibels)) }) else {
      throw .badArgument("a gain beyond 6 dB: this headphone has -6 to 6 dB")
    }
    (eq, orderedGains) = (nil, requested)
    return [
      ask(NothingCommand.setEQ, [EQPreset.custom.nothing, 0]),
      ask(NothingCommand.setGains, gains.with(requested).encoded()[...]),
      ask(NothingCommand.readGains), ask(NothingCommand.readEQ),
    ]
  }

  /// One order for each bud; those that are not meant are silenced.
  private mutating func ring(_ sides: Sides, isOn: Bool) -> [Exchange] {
    if case .single = battery { return [ask(NothingCommand.ring, [Self.whole, isOn ? 1 : 0])] }
    let buds: [(Sides, UInt8)] = [(.left, leftBud), (.right, Self.right)]
    let others = isOn ? ringing.subtracting(sides) : []
    return buds.filter { others.contains($0.0) }.map { ask(NothingCommand.ring, [$0.1, 0]) }
      + buds.filter { sides.contains($0.0) }.map {
        ask(NothingCommand.ring, [$0.1, isOn ? 1 : 0])
      }
  }

  private static let right: UInt8 = 0x03
  private static let whole: UInt8 = 0x06

  private mutating func ask(_ command: UInt16, _ payload: Bytes = []) -> Exchange {
    lastOperation = lastOperation == .max ? 1 : lastOperation + 1
    let frame = NothingFrame(command, operation: lastOperation, payload: payload)
    return Exchange(
      frame.encoded(),
      answer: AnswerID(NothingCommand.answer(to: command), sequence: lastOperation))
  }

  /// Compares what was read back with what was ordered.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    switch command {
    case .setANC(let mode) where noise?.mode != mode:
      throw .unsupported("noise control mode \"\(mode)\"")
    case .setANCLevel(let requested) where noise?.level != requested:
      throw .unsupported("noise control level \(requested)")
    case .setEQ(let preset) where eq != preset:
      throw .unsupported("equaliser preset \"\(preset)\"")
    case .setCustomEQ:
      guard let ordered = orderedGains.take(), eq == .custom, gains?.gains == ordered else {
        throw .unsupported("this equaliser")
      }
      return []
    case .set(.wearDetection, .toggle(let isOn)) where detectsWearing != isOn:
      throw .unsupported("wear detection")
    case .find(let sides, let isOn):
      ringing = isOn ? sides : ringing.subtracting(sides)
      return [.findChanged(ringing)]
    default: return []
    }
  }

  // MARK: Hearing

  /// Over RFCOMM, whole frames, wherever the pieces of the stream begin and end.
  public mutating func messages(in value: Bytes) -> [Bytes] {
    reader?.messages(in: value) ?? [value]
  }

  /// Takes one frame; one of a command that is not known is told as malformed.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    var answer: AnswerID?
    do throws(MalformedBytes) {
      let frame = try NothingFrame(decoding: value)
      // Whatever it tells: nobody has to wait for a better one.
      answer = AnswerID(frame.command, sequence: frame.operation)
      return ParsedMessage(answer: answer, try events(of: frame))
    } catch {
      return ParsedMessage(answer: answer, [.malformed(error, value)])
    }
  }

  private mutating func events(of frame: NothingFrame) throws(MalformedBytes) -> [HeadphoneEvent] {
    var reader = ByteReader(frame.payload, of: "Nothing answer")
    switch frame.command {
    case NothingCommand.answer(to: NothingCommand.readBattery), NothingCommand.batteryNews:
      return take(try NothingBattery(decoding: frame.payload).content)
    case NothingCommand.answer(to: NothingCommand.readNoise), NothingCommand.noiseNews:
      _ = try reader.uint8()
      return take(try reader.value(of: NothingNoise.self))
    case NothingCommand.answer(to: NothingCommand.readEQ):
      let raw = try reader.uint8()
      guard let preset = EQPreset(nothing: raw) else { throw reader.impossible(raw) }
      answered.insert(NothingCommand.readEQ)
      defer { eq = preset }
      return eq == preset ? [] : [.eqChanged(preset, bands: gains?.gains)]
    case NothingCommand.answer(to: NothingCommand.readGains):
      let reported = try NothingGains(decoding: frame.payload)
      defer { gains = reported }
      // The preset is told with them; where it was told before, once more.
      return eq.map { gains == reported ? [] : [.eqChanged($0, bands: reported.gains)] } ?? []
    case NothingCommand.answer(to: NothingCommand.readInEarDetection):
      _ = try reader.take(2)
      let isOn = try reader.flag()
      answered.insert(NothingCommand.readInEarDetection)
      defer { detectsWearing = isOn }
      return detectsWearing == isOn ? [] : [.settingChanged(.wearDetection, .toggle(isOn))]
    case NothingCommand.answer(to: NothingCommand.readFirmware):
      firmware = textFromAir(frame.payload)
      return []
    case NothingCommand.answer(to: NothingCommand.setNoise),
      NothingCommand.answer(to: NothingCommand.setEQ),
      NothingCommand.answer(to: NothingCommand.setGains),
      NothingCommand.answer(to: NothingCommand.setInEarDetection),
      NothingCommand.answer(to: NothingCommand.ring):
      return []
    default:
      throw MalformedBytes("Nothing command", at: 3, .unknownType(UInt64(frame.command)))
    }
  }

  private mutating func take(_ reported: NothingBattery.Content) -> [HeadphoneEvent] {
    guard battery != reported else { return [] }
    battery = reported
    switch reported {
    case .single(let battery): return [.batteryChanged([.left: battery])]
    case .parts(let parts):
      // A bud that is not there now keeps what was known of it.
      return parts.isEmpty ? [] : [.batteryChanged(parts)]
    }
  }

  private mutating func take(_ reported: NothingNoise) -> [HeadphoneEvent] {
    answered.insert(NothingCommand.readNoise)
    guard noise != reported else { return [] }
    noise = reported
    guard let level = reported.level else { return [.ancChanged(reported.mode)] }
    self.level = level
    return [.ancChanged(reported.mode), .ancLevelChanged(level)]
  }
}
