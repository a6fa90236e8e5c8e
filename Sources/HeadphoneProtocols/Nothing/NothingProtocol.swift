public import BluetoothCodec

/// The protocol of Nothing's and CMF's headphones over LE and over RFCOMM, with the same frames
/// (``NothingFrame``).
///
/// The answer to a command does not tell whether the model has the feature. Each change is
/// therefore read back; a value that does not change means that the model lacks the feature. The
/// serial number identifies the model: both buds of Ear (1) ring together, some CMF models have
/// listening modes instead of presets, and some models have a fit test.
public struct NothingProtocol: FamilyProtocol, SerialProtocol, ReportingProtocol {
  public typealias Frame = NothingFrame

  public static let name = "Nothing / CMF"
  public static let service = BluetoothUUID.bit16(0xFD90)
  /// The UUID of the RFCOMM service: AEAC4A03-DFF5-498F-843A-34487CF133EB.
  public static let serialService = BluetoothUUID(
    high: 0xAEAC_4A03_DFF5_498F, low: 0x843A_3448_7CF1_33EB)
  public static let services = [SerialService(serialService)]

  var reported = ReportedValues()
  /// Whether the headphone reports a single battery.
  var isWhole = false
  var preset: UInt8?
  var gains: NothingGains?
  /// The gains of the pending command, for comparison with those read back.
  var requestedGains: [BandGain]?
  /// The last answers by request; a command repeats such an answer, changing only its own value.
  var payloads: [UInt16: [UInt8]] = [:]
  var pending: HeadphoneCommand?
  var isTryingFit = false
  private var ringing: Sides = []
  var firmware: String?
  var serial: NothingSerialNumber?
  /// The operation of the last request: 1 to 255, then 1 again.
  private var lastOperation: UInt8 = 0
  /// The operations of the last requests by the number of their answer, for answers without one.
  var operations: [UInt16: UInt8] = [:]
  /// Whether this headphone's answers have operations, so that a frame without one is no answer.
  var numbersAnswers = false
  /// The number of the left bud in a command to ring, which a model's file may override.
  private var leftBud = NothingPart.left.rawValue

  /// The reader that divides the stream into frames, or nil over LE, where each value is a frame.
  var reader: NothingReader?
  private var hasAskedFeatures = false

  public init() {}

  public init(on service: BluetoothUUID) { reader = NothingReader() }

  /// Whether the firmware version was reported over RFCOMM; over LE, the service identifies the
  /// family.
  public var isRecognised: Bool { reader == nil || firmware != nil }

  public init(on channel: FamilyChannel, _ models: ModelCatalog) {}

  public mutating func recognise(_ model: HeadphoneModel) {
    leftBud = model.leftBud ?? leftBud
  }

  /// Returns the service's channel: its first characteristic that can be written and the first that
  /// notifies or indicates, because the UUIDs differ between models.
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

  public var capabilities: Capabilities {
    var able = reported.capabilities
    able.hasFind = !able.batteries.isEmpty
    if able.hasFind, !isWhole { (able.batteries, able.hasCase) = (Part.allCases, true) }
    if reported.hasNoise {
      able.ancModes = ANCMode.allCases
      able.hasANCLevel = true
      able.ancLevels = NothingNoise.levels
    }
    if serial?.model?.hasFitTest == true { able.settings.append(NothingFit.test) }
    if preset != nil, !hasListeningMode {
      able.eqPresets = EQPreset.allCases
      able.eqCentres = gains?.centres ?? []
      able.eqBands = able.eqCentres.count
      able.eqLimit = NothingGains.limit
    }
    return able
  }

  /// Whether the presets belong to a listening mode, so that equaliser presets have no meaning.
  var hasListeningMode: Bool {
    reported[.equaliserPreset] != nil || serial?.model?.hasListeningMode == true
  }

  public var information: DeviceInformation {
    DeviceInformation(
      manufacturer: "Nothing", model: serial?.model?.rawValue, serial: serial?.text,
      firmware: firmware)
  }

  // MARK: Asking

  /// Clears all reported values and returns the first requests: over LE all of them, over RFCOMM
  /// only that for the firmware version.
  public mutating func questions() -> [Exchange] {
    (reported, isWhole, preset, gains, payloads) = (ReportedValues(), false, nil, nil, [:])
    pending = nil
    guard reader != nil else { return features() }
    (firmware, hasAskedFeatures) = (nil, false)
    return [ask(NothingCommand.readFirmware)]
  }

  public mutating func furtherQuestions() -> [Exchange] {
    guard reader != nil, isRecognised, !hasAskedFeatures else { return [] }
    hasAskedFeatures = true
    return features()
  }

  private mutating func features() -> [Exchange] {
    let features = [
      NothingCommand.readNoise, NothingCommand.readGains, NothingCommand.readListeningMode,
      NothingCommand.readEQ, NothingCommand.readInEarDetection,
    ].map { ask($0) }
    let others = [
      NothingCommand.readSerialNumber, NothingCommand.readLowLatency, NothingCommand.readBass,
      NothingCommand.readSpatialSound, NothingCommand.readPersonalisedCancelling,
      NothingCommand.readGestures, NothingCommand.readAutoPowerOff, NothingCommand.readMultipoint,
    ].map { ask($0) }
    // Every model reports firmware and battery. The last request is sent one turn later, so that a
    // model that answers the group before it out of order has answered all of it by then.
    return [
      ask(NothingCommand.readBattery), ask(NothingCommand.readFirmware).after(features),
      ask(NothingCommand.readBattery).after(others),
    ]
  }

  /// Returns the request for the battery, since some models report their charge only on request.
  public mutating func chargeQuestion() -> Exchange? {
    reported.capabilities.batteries.isEmpty ? nil : ask(NothingCommand.readBattery)
  }

  /// Returns the command, then the request that reads the change back, repeated once a second until
  /// the change is reported.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    (pending, isTryingFit) = (nil, false)
    var exchanges = try requests(for: command)
    pending = command
    for index in exchanges.indices
    where NothingCommand.answers.contains(
      exchanges[index].response.number)
    {
      exchanges[index].attempts = isTryingFit ? Self.mostFitQuestions : Self.mostQuestions
    }
    return exchanges
  }

  /// The maximum number of times that a value is read back: recorded headphones report the old
  /// value for up to half a second.
  private static let mostQuestions = 3
  /// The maximum number of times, once a second, that the battery is read during a fit test, whose
  /// result no request returns.
  private static let mostFitQuestions = 15

  private mutating func requests(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    let able = capabilities
    switch command {
    case .setANC(let mode) where able.ancModes.contains(mode):
      return change(NothingNoise(mode, level: reported.level ?? NothingNoise.levels.upperBound))
    case .setANCLevel(let requested) where able.hasANCLevel:
      guard let noise = NothingNoise(level: requested) else {
        throw .level(requested, outside: 1...3)
      }
      return change(noise)
    case .setEQ(let preset) where able.eqPresets.contains(preset):
      return [ask(NothingCommand.setEQ, [preset.nothing, 0]), ask(NothingCommand.readEQ)]
    case .setCustomEQ(let requested) where able.eqBands > 0: return try change(requested)
    case .set(.wearDetection, .toggle(let isOn)) where able.declares(.wearDetection):
      return [
        ask(NothingCommand.setInEarDetection, [NothingCommand.inEarDetection, 1, isOn ? 1 : 0]),
        ask(NothingCommand.readInEarDetection),
      ]
    case .set(NothingFit.test.id, .done) where able.declares(NothingFit.test.id):
      isTryingFit = true
      return [ask(NothingCommand.testFit, [1]), ask(NothingCommand.readBattery)]
    case .set(let id, let value) where able.declares(id):
      if let payload = NothingGesture.payload(id, value) {
        return [ask(NothingCommand.setGesture, payload), ask(NothingCommand.readGestures)]
      }
      guard let setting = NothingSetting.all.first(where: { $0.declaration.id == id }),
        let payload = setting.payload(value, in: payloads[setting.question] ?? [])
      else { throw .unsupported(id.displayText) }
      return [ask(setting.command, payload[...]), ask(setting.question)]
    case .find(let sides, let isOn) where able.hasFind: return ring(sides, isOn: isOn)
    default: throw .noCommand(of: Self.name)
    }
  }

  private mutating func change(_ requested: NothingNoise) -> [Exchange] {
    [ask(NothingCommand.setNoise, [1, requested.rawValue, 0]), ask(NothingCommand.readNoise)]
  }

  /// Returns the exchanges that select the custom preset, the only one to which gains apply, and
  /// set its gains.
  private mutating func change(_ requested: [BandGain]) throws(HeadphoneError) -> [Exchange] {
    guard let gains, gains.bands.count == requested.count else {
      throw .gains(requested.count, insteadOf: capabilities.eqBands)
    }
    guard requested.allSatisfy({ NothingGains.range.contains(Float($0.decibels)) }) else {
      throw .badArgument("a gain beyond 6 dB: this headphone has -6 to 6 dB")
    }
    requestedGains = requested
    return [
      ask(NothingCommand.setEQ, [EQPreset.custom.nothing, 0]),
      ask(NothingCommand.setGains, gains.with(requested).encoded()[...]),
      ask(NothingCommand.readGains), ask(NothingCommand.readEQ),
    ]
  }

  /// Returns one ring command for each bud, or a single one for Ear (1) and one-battery headphones,
  /// after silencing ringing buds outside `sides`.
  private mutating func ring(_ sides: Sides, isOn: Bool) -> [Exchange] {
    if serial?.model == .ear1 { return [ask(NothingCommand.ring, [isOn ? 1 : 0])] }
    if isWhole { return [ask(NothingCommand.ring, [NothingPart.whole.rawValue, isOn ? 1 : 0])] }
    let buds: [(Sides, UInt8)] = [(.left, leftBud), (.right, NothingPart.right.rawValue)]
    let others = isOn ? ringing.subtracting(sides) : []
    return buds.filter { others.contains($0.0) }.map { ask(NothingCommand.ring, [$0.1, 0]) }
      + buds.filter { sides.contains($0.0) }.map {
        ask(NothingCommand.ring, [$0.1, isOn ? 1 : 0])
      }
  }

  /// Returns a request with the next operation.
  private mutating func ask(_ command: UInt16, _ payload: Bytes = []) -> Exchange {
    lastOperation = lastOperation == .max ? 1 : lastOperation + 1
    let response = NothingCommand.response(to: command)
    operations[response] = lastOperation
    return Exchange(
      NothingFrame(command, operation: lastOperation, payload: payload).encoded(),
      response: ResponseID(response, sequence: lastOperation))
  }

  /// Throws `unsupported` if the values read back differ from those requested, since the model then
  /// lacks the feature.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    pending = nil
    try reported.confirm(command)
    switch command {
    case .setANCLevel(let requested) where reported.noise != .noiseCancelling:
      throw .unsupported("level \(requested)")
    case .setEQ(let requested) where preset != requested.nothing:
      throw .unsupported("equaliser preset \"\(requested)\"")
    case .setCustomEQ:
      guard let requested = requestedGains.take(), preset == EQPreset.custom.nothing,
        gains?.gains == requested
      else { throw .unsupported("such equaliser") }
      return []
    case .find(let sides, let isOn):
      // Both buds of Ear (1) ring together.
      let sides = serial?.model == .ear1 ? .both : sides
      ringing = isOn ? sides : ringing.subtracting(sides)
      return [.findChanged(ringing)]
    default: return []
    }
  }
}
