public import BluetoothAttributes
public import BluetoothCodec
internal import BluetoothRadio

/// The protocol of Nothing's and CMF's headphones over LE and over RFCOMM, with the same frames
/// (``NothingFrame``).
///
/// Each change is read back, and the value read is reported, because the answer to a command does
/// not tell whether the model has the feature. A value that does not change means that the model
/// lacks it. The serial number identifies the model: both buds of Ear (1) ring together, some CMF
/// models have listening modes instead of presets, and some models have a fit test.
///
/// ```swift
/// var nothing = NothingProtocol(on: NothingProtocol.serialService)
/// nothing.questions()  // the firmware; CMF models answer nothing before this request
/// for frame in nothing.messages(in: piece) { events += nothing.receive(frame).events }
/// nothing.furtherQuestions()  // noise control, equaliser, in-ear detection, battery
/// ```
public struct NothingProtocol: FamilyProtocol, SerialProtocol, ReportingProtocol {
  public typealias Frame = NothingFrame

  public static let name = "Nothing / CMF"
  /// The UUID of the service over LE.
  public static let service = BluetoothUUID.bit16(0xFD90)
  /// The UUID of the RFCOMM service: AEAC4A03-DFF5-498F-843A-34487CF133EB.
  public static let serialService = BluetoothUUID(
    high: 0xAEAC_4A03_DFF5_498F, low: 0x843A_3448_7CF1_33EB)
  /// The RFCOMM services that speak the protocol.
  public static let services = [SerialService(serialService)]

  var reported = ReportedValues()
  /// Whether the headphone reports one battery for all its parts.
  var isWhole = false
  /// The number of the equaliser preset, or nil if it has not been reported.
  var preset: UInt8?
  /// The bands of the custom equaliser, or nil if they have not been reported.
  var gains: NothingGains?
  /// The gains of the pending command, for comparison with those read back.
  var requestedGains: [BandGain]?
  /// The last answers to the requests of ``NothingSetting``, by request.
  ///
  /// A command repeats such an answer with only its own value changed.
  var payloads: [UInt16: [UInt8]] = [:]
  /// The command whose effect has not been read back yet, or nil if there is none.
  var pending: HeadphoneCommand?
  /// Whether a fit test has been started and its result not been reported yet.
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

  /// The reader that cuts the stream into frames, or nil over LE, where each value is a frame.
  var reader: NothingReader?
  /// Whether the features have been requested over RFCOMM.
  private var hasAskedFeatures = false

  /// Creates the protocol over LE.
  public init() {}

  /// Creates the protocol over RFCOMM.
  public init(on service: BluetoothUUID) { reader = NothingReader() }

  /// Whether the headphone speaks this protocol.
  ///
  /// Over LE, its service proves that. Over RFCOMM, its answer with the firmware version does,
  /// which is requested first because CMF models answer nothing before.
  public var isRecognised: Bool { reader == nil || firmware != nil }

  /// Creates the protocol over LE, where ``recognise(_:)`` sets the model later.
  public init(on channel: FamilyChannel, _ models: ModelCatalog) {}

  /// Applies the model's number of the left bud.
  public mutating func recognise(_ model: HeadphoneModel) {
    leftBud = model.leftBud ?? leftBud
  }

  /// Returns the service's channel, or nil if it has no pair of characteristics to write and to
  /// report.
  ///
  /// The characteristics are found by their properties, because their UUIDs differ between models:
  /// the first that can be written and the first that notifies or indicates.
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

  /// The headphone's capabilities; a feature is present once its request was answered.
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

  /// The maker, model, serial number and firmware version.
  public var information: DeviceInformation {
    DeviceInformation(
      manufacturer: "Nothing", model: serial?.model?.rawValue, serial: serial?.text,
      firmware: firmware)
  }

  // MARK: Asking

  /// Clears all reported values, and returns the first requests.
  ///
  /// Over LE, these are all of them; over RFCOMM only that for the firmware version.
  public mutating func questions() -> [Exchange] {
    (reported, isWhole, preset, gains, payloads) = (ReportedValues(), false, nil, nil, [:])
    pending = nil
    guard reader != nil else { return features() }
    (firmware, hasAskedFeatures) = (nil, false)
    return [ask(NothingCommand.readFirmware)]
  }

  /// Returns the requests for the features over RFCOMM, once the headphone is recognised.
  public mutating func furtherQuestions() -> [Exchange] {
    guard reader != nil, isRecognised, !hasAskedFeatures else { return [] }
    hasAskedFeatures = true
    return features()
  }

  /// Returns the requests for all features, of which only firmware and battery must be answered.
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
    // Every model reports firmware and battery. The second of these requests is sent one turn
    // later, so that a model that answers the first group out of order has answered all of it by
    // then.
    return [
      ask(NothingCommand.readFirmware).after(features),
      ask(NothingCommand.readBattery).after(others),
    ]
  }

  /// Returns the request for the battery, once the headphone has answered it.
  ///
  /// Some models report their charge unprompted, and others only when they are asked: users of
  /// Nothing Ear report that it stays as it was at the start.
  public mutating func chargeQuestion() -> Exchange? {
    reported.capabilities.batteries.isEmpty ? nil : ask(NothingCommand.readBattery)
  }

  /// Returns the exchanges that carry a command out: the command, then the request that reads the
  /// change back, repeated once a second until the change is reported.
  ///
  /// - Throws: `unsupported` for a feature that the headphone did not report; `badArgument` for a
  ///   level outside of 1 to 3, a wrong number of bands, or a gain beyond 6 dB.
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

  /// The most times that a value is read back: headphones were recorded to report the old value for
  /// up to half a second.
  private static let mostQuestions = 3
  /// The most times, one a second, that the battery is read while a fit test runs.
  ///
  /// No request returns the result of the test; the headphone reports it unprompted.
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

  /// Returns the command for noise control and the request that reads it back.
  private mutating func change(_ requested: NothingNoise) -> [Exchange] {
    [ask(NothingCommand.setNoise, [1, requested.rawValue, 0]), ask(NothingCommand.readNoise)]
  }

  /// Returns the exchanges that set the custom equaliser.
  ///
  /// They select it, because gains apply to the custom preset alone, and send the reported bands
  /// with other gains.
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

  /// Returns one ring command for each bud, or a single one for Ear (1) and one-battery headphones.
  ///
  /// Ringing buds outside of `sides` are silenced first.
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

  /// Returns a request with the next operation number.
  private mutating func ask(_ command: UInt16, _ payload: Bytes = []) -> Exchange {
    lastOperation = lastOperation == .max ? 1 : lastOperation + 1
    let response = NothingCommand.response(to: command)
    operations[response] = lastOperation
    return Exchange(
      NothingFrame(command, operation: lastOperation, payload: payload).encoded(),
      response: ResponseID(response, sequence: lastOperation))
  }

  /// Ends a command by comparing the values read back with those requested.
  ///
  /// - Throws: `unsupported` if they differ, because the model does not have the feature.
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
