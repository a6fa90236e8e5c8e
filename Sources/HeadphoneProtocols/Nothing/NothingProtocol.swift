internal import Bluetooth
public import BluetoothCodec
public import GATT

/// The protocol of Nothing's and CMF's headphones over BLE and over RFCOMM, with the same frames
/// (``NothingFrame``).
///
/// Each change is read back: the answer to that, not to the command, is what is shown. In that way a
/// model without a mode refuses it.
///
/// ```swift
/// var nothing = NothingProtocol(on: NothingProtocol.serialService)
/// nothing.questions()  // the firmware; CMF's answer nothing before this
/// for frame in nothing.messages(in: piece) { events += nothing.receive(frame).events }
/// nothing.furtherQuestions()  // noise control, equaliser, in-ear detection, battery
/// ```
public struct NothingProtocol: FamilyProtocol, SerialProtocol {
  public typealias Frame = NothingFrame

  public static let name = "Nothing / CMF"
  /// The service over BLE.
  public static let service = BluetoothUUID.bit16(0xFD90)
  /// The service over RFCOMM: AEAC4A03-DFF5-498F-843A-34487CF133EB.
  public static let serialService = BluetoothUUID(
    high: 0xAEAC_4A03_DFF5_498F, low: 0x843A_3448_7CF1_33EB)
  /// Where it is spoken over RFCOMM.
  public static let services = [SerialService(serialService)]

  /// The questions that were answered: the features that the headphone has.
  private var responded: Set<UInt16> = []
  /// Nil, as all that follows: not reported.
  private var battery: NothingBattery.Content?
  private var noise: NothingNoise?
  /// The last level at which it cancelled.
  private var level: UInt8 = 3
  private var eq: EQPreset?
  /// The bands of the custom equaliser.
  private var gains: NothingGains?
  /// The gains of the present command, to be compared when they are read back.
  private var requestedGains: [BandGain]?
  private var detectsWearing: Bool?
  /// The buds that sound now.
  private var ringing: Sides = []
  private var firmware: String?
  /// The operation of the last request; 1 to 255, then 1 again.
  private var lastOperation: UInt8 = 0
  /// The part number of the left bud in a command to sound.
  ///
  /// Another source says 2; a model's file decides.
  private var leftBud: UInt8 = 0x01

  /// Cuts the stream into frames; nil over BLE, where each value is a frame.
  private var reader: NothingReader?
  /// Whether the features were asked over RFCOMM.
  private var hasAskedFeatures = false

  /// Creates the protocol over BLE.
  public init() {}

  /// Creates the protocol over RFCOMM.
  public init(on service: BluetoothUUID) { reader = NothingReader() }

  /// Over BLE by its service; over RFCOMM the firmware is asked first, as CMF's answer nothing
  /// before it.
  public var isRecognised: Bool { reader == nil || firmware != nil }

  /// Creates the protocol over BLE; the channel does not identify the model, ``recognise(_:)``
  /// does.
  public init(on channel: FamilyChannel, _ models: ModelCatalog) {}

  /// Takes over the model's part number of the left bud.
  public mutating func recognise(_ model: HeadphoneModel) {
    leftBud = model.leftBud ?? leftBud
  }

  /// The service's characteristics by their properties, because their UUIDs differ among models.
  ///
  /// The first that can be written and the first that reports are taken; nil: there is no such
  /// pair.
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

  /// The headphone's capabilities: a feature is there once its question was answered.
  public var capabilities: Capabilities {
    var able = Capabilities()
    switch battery {
    case .single: able.batteries = [.left]
    case .parts:
      able.batteries = Part.allCases
      able.hasCase = true
    case nil: break
    }
    if responded.contains(NothingCommand.readNoise) {
      able.ancModes = ANCMode.allCases
      able.hasANCLevel = true
      able.ancLevels = NothingNoise.levels
    }
    if responded.contains(NothingCommand.readEQ) {
      able.eqPresets = EQPreset.allCases
      able.eqCentres = gains?.centres ?? []
      able.eqBands = able.eqCentres.count
      able.eqLimit = NothingGains.limit
    }
    if responded.contains(NothingCommand.readInEarDetection) { able.settings = [.wearDetection] }
    able.hasFind = battery != nil
    return able
  }

  /// Maker and firmware; the rest is not reported.
  public var information: DeviceInformation {
    DeviceInformation(manufacturer: "Nothing", firmware: firmware)
  }

  // MARK: Asking

  /// Forgets what was reported, and asks again: over BLE for all, over RFCOMM for the firmware
  /// first.
  public mutating func questions() -> [Exchange] {
    (battery, noise, eq, gains, detectsWearing) = (nil, nil, nil, nil, nil)
    guard reader != nil else { return features() }
    (responded, firmware, hasAskedFeatures) = ([], nil, false)
    return [ask(NothingCommand.readFirmware)]
  }

  /// Asks once for the features over RFCOMM.
  public mutating func furtherQuestions() -> [Exchange] {
    guard reader != nil, isRecognised, !hasAskedFeatures else { return [] }
    hasAskedFeatures = true
    return features()
  }

  /// The questions for all features, of which only firmware and battery must be answered.
  private mutating func features() -> [Exchange] {
    let features = [
      NothingCommand.readNoise, NothingCommand.readGains, NothingCommand.readEQ,
      NothingCommand.readInEarDetection,
    ].map { ask($0) }
    // Each model reports a firmware and a battery. The second question is one turn later, so
    // that a model which answers the first ones in another order has answered them all.
    return [
      ask(NothingCommand.readFirmware).after(features), ask(NothingCommand.readBattery),
    ]
  }

  /// The exchanges that carry a command out: the command, and behind it the question that reads the
  /// change back.
  ///
  /// - Throws: `unsupported` for what was not answered; `badArgument` for a level outside of 1 to
  ///   3, a wrong number of bands and a gain beyond 6 dB.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    let able = capabilities
    switch command {
    case .setANC(let mode) where able.ancModes.contains(mode):
      return change(NothingNoise(mode, level: level))
    case .setANCLevel(let requested) where able.hasANCLevel:
      guard let noise = NothingNoise(level: requested) else {
        throw .level(requested, outside: 1...3)
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
    default: throw .noCommand(of: Self.name)
    }
  }

  /// The command for noise control, and the question for it.
  private mutating func change(_ requested: NothingNoise) -> [Exchange] {
    noise = nil
    return [
      ask(NothingCommand.setNoise, [1, requested.rawValue, 0]), ask(NothingCommand.readNoise),
    ]
  }

  /// The commands for the custom equaliser: it is selected, because gains count in it alone, and gets
  /// the reported bands with other gains.
  private mutating func change(_ requested: [BandGain]) throws(HeadphoneError) -> [Exchange] {
    guard let gains, gains.bands.count == requested.count else {
      throw .gains(requested.count, insteadOf: capabilities.eqBands)
    }
    guard requested.allSatisfy({ NothingGains.range.contains(Float($0.decibels)) }) else {
      throw .badArgument("a gain beyond 6 dB: this headphone has -6 to 6 dB")
    }
    (eq, requestedGains) = (nil, requested)
    return [
      ask(NothingCommand.setEQ, [EQPreset.custom.nothing, 0]),
      ask(NothingCommand.setGains, gains.with(requested).encoded()[...]),
      ask(NothingCommand.readGains), ask(NothingCommand.readEQ),
    ]
  }

  /// One command for each bud; those that are not meant are silenced first.
  private mutating func ring(_ sides: Sides, isOn: Bool) -> [Exchange] {
    if case .single = battery { return [ask(NothingCommand.ring, [Self.whole, isOn ? 1 : 0])] }
    let buds: [(Sides, UInt8)] = [(.left, leftBud), (.right, Self.right)]
    let others = isOn ? ringing.subtracting(sides) : []
    return buds.filter { others.contains($0.0) }.map { ask(NothingCommand.ring, [$0.1, 0]) }
      + buds.filter { sides.contains($0.0) }.map {
        ask(NothingCommand.ring, [$0.1, isOn ? 1 : 0])
      }
  }

  /// The part number of the right bud.
  private static let right: UInt8 = 0x03
  /// The part number of a headphone with one battery.
  private static let whole: UInt8 = 0x06

  /// A request with the next operation number.
  private mutating func ask(_ command: UInt16, _ payload: Bytes = []) -> Exchange {
    lastOperation = lastOperation == .max ? 1 : lastOperation + 1
    let frame = NothingFrame(command, operation: lastOperation, payload: payload)
    return Exchange(
      frame.encoded(),
      response: ResponseID(NothingCommand.response(to: command), sequence: lastOperation))
  }

  /// Ends a command: compares what was read back with what was ordered.
  ///
  /// - Throws: `unsupported` where it differs: the model does not have it.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    switch command {
    case .setANC(let mode) where noise?.mode != mode:
      throw .noMode(mode)
    case .setANCLevel(let requested) where noise?.level != requested:
      throw .unsupported("noise control level \(requested)")
    case .setEQ(let preset) where eq != preset:
      throw .unsupported("equaliser preset \"\(preset)\"")
    case .setCustomEQ:
      guard let requested = requestedGains.take(), eq == .custom, gains?.gains == requested else {
        throw .unsupported("such equaliser")
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

  // MARK: Receiving

  /// The whole frames: over RFCOMM those that a piece of the stream completes, over BLE the value.
  public mutating func messages(in value: Bytes) -> [Bytes] {
    reader?.messages(in: value) ?? [value]
  }

  /// Takes one frame; one with a command that is not known is reported as malformed.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    var response: ResponseID?
    do throws(MalformedBytes) {
      let frame = try NothingFrame(decoding: value)
      // Whatever its payload is: no better answer will follow.
      response = ResponseID(frame.command, sequence: frame.operation)
      return ParsedMessage(response: response, try events(of: frame))
    } catch {
      return ParsedMessage(response: response, [.malformed(error, value)])
    }
  }

  /// The changes that a frame brings.
  private mutating func events(of frame: NothingFrame) throws(MalformedBytes) -> [HeadphoneEvent] {
    var reader = ByteReader(frame.payload, of: "Nothing answer")
    switch frame.command {
    case NothingCommand.response(to: NothingCommand.readBattery), NothingCommand.batteryNews:
      return apply(try NothingBattery(decoding: frame.payload).content)
    case NothingCommand.response(to: NothingCommand.readNoise), NothingCommand.noiseNews:
      _ = try reader.uint8()
      return apply(try reader.value(of: NothingNoise.self))
    case NothingCommand.response(to: NothingCommand.readEQ):
      let raw = try reader.uint8()
      guard let preset = EQPreset(nothing: raw) else { throw reader.impossible(raw) }
      responded.insert(NothingCommand.readEQ)
      defer { eq = preset }
      return eq == preset ? [] : [.eqChanged(preset, bands: gains?.gains)]
    case NothingCommand.response(to: NothingCommand.readGains):
      let reported = try NothingGains(decoding: frame.payload)
      defer { gains = reported }
      // The preset is reported with them; where it was reported before, once more.
      return eq.map { gains == reported ? [] : [.eqChanged($0, bands: reported.gains)] } ?? []
    case NothingCommand.response(to: NothingCommand.readInEarDetection):
      _ = try reader.read(2)
      let isOn = try reader.flag()
      responded.insert(NothingCommand.readInEarDetection)
      defer { detectsWearing = isOn }
      return detectsWearing == isOn ? [] : [.settingChanged(.wearDetection, .toggle(isOn))]
    case NothingCommand.response(to: NothingCommand.readFirmware):
      firmware = textFromAir(frame.payload)
      return []
    case NothingCommand.response(to: NothingCommand.setNoise),
      NothingCommand.response(to: NothingCommand.setEQ),
      NothingCommand.response(to: NothingCommand.setGains),
      NothingCommand.response(to: NothingCommand.setInEarDetection),
      NothingCommand.response(to: NothingCommand.ring):
      return []
    default:
      throw MalformedBytes("Nothing command", at: 3, .unknownType(UInt64(frame.command)))
    }
  }

  /// Takes the levels; a part that is missing keeps what was known of it.
  private mutating func apply(_ reported: NothingBattery.Content) -> [HeadphoneEvent] {
    guard battery != reported else { return [] }
    battery = reported
    switch reported {
    case .single(let battery): return [.batteryChanged([.left: battery])]
    case .parts(let parts):
      // A bud that is not there now keeps what was known of it.
      return parts.isEmpty ? [] : [.batteryChanged(parts)]
    }
  }

  /// Takes noise control; the level changes only with cancelling at a fixed one.
  private mutating func apply(_ reported: NothingNoise) -> [HeadphoneEvent] {
    responded.insert(NothingCommand.readNoise)
    guard noise != reported else { return [] }
    noise = reported
    guard let level = reported.level else { return [.ancChanged(reported.mode)] }
    self.level = level
    return [.ancChanged(reported.mode), .ancLevelChanged(level)]
  }
}
