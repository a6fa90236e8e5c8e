internal import Bluetooth
public import BluetoothCodec
public import GATT

/// The protocol of Nothing's and CMF's headphones over BLE and over RFCOMM, with the same frames
/// (``NothingFrame``).
///
/// Each change is read back: the answer to that, not to the command, is what is shown. In that way a
/// model without a mode refuses it. The serial number names the model: Ear (1) rings with both buds
/// at once, some of CMF's have listening modes instead of presets, and some models can try how well they
/// fit.
///
/// ```swift
/// var nothing = NothingProtocol(on: NothingProtocol.serialService)
/// nothing.questions()  // the firmware; CMF's answer nothing before this
/// for frame in nothing.messages(in: piece) { events += nothing.receive(frame).events }
/// nothing.furtherQuestions()  // noise control, equaliser, in-ear detection, battery
/// ```
public struct NothingProtocol: FamilyProtocol, SerialProtocol, ReportingProtocol {
  public typealias Frame = NothingFrame

  public static let name = "Nothing / CMF"
  /// The service over BLE.
  public static let service = BluetoothUUID.bit16(0xFD90)
  /// The service over RFCOMM: AEAC4A03-DFF5-498F-843A-34487CF133EB.
  public static let serialService = BluetoothUUID(
    high: 0xAEAC_4A03_DFF5_498F, low: 0x843A_3448_7CF1_33EB)
  /// Where it is spoken over RFCOMM.
  public static let services = [SerialService(serialService)]

  var reported = ReportedValues()
  /// Whether it has one battery.
  var isWhole = false
  /// The number of the equaliser's preset; nil, as all that follows: not reported.
  var preset: UInt8?
  /// The bands of the custom equaliser.
  var gains: NothingGains?
  /// The gains of the present command, to be compared when they are read back.
  var requestedGains: [BandGain]?
  /// The answers to the questions of ``NothingSetting``, which a command repeats but for its value.
  var payloads: [UInt16: [UInt8]] = [:]
  /// The command whose effect has not been read back yet, or nil if none was given.
  var pending: HeadphoneCommand?
  /// Whether the result of a fit test has not been reported yet.
  var isTryingFit = false
  /// The buds that sound now.
  private var ringing: Sides = []
  var firmware: String?
  var serial: NothingSerialNumber?
  /// The operation of the last request; 1 to 255, then 1 again.
  private var lastOperation: UInt8 = 0
  /// The operations of the last requests by their answers' commands, for answers without one.
  var operations: [UInt16: UInt8] = [:]
  /// Whether answers have operations, so that what has none is no answer.
  var numbersAnswers = false
  /// The number of the left bud in a command to ring; a model's file may have another one.
  private var leftBud = NothingPart.left.rawValue

  /// Cuts the stream into frames; nil over BLE, where each value is a frame.
  var reader: NothingReader?
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

  /// Takes over the model's number of the left bud.
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

  /// Whether the presets are those of a listening mode, to which the other numbers mean nothing.
  var hasListeningMode: Bool {
    reported[.equaliserPreset] != nil || serial?.model?.hasListeningMode == true
  }

  /// Maker, model, serial number and firmware.
  public var information: DeviceInformation {
    DeviceInformation(
      manufacturer: "Nothing", model: serial?.model?.rawValue, serial: serial?.text,
      firmware: firmware)
  }

  // MARK: Asking

  /// Forgets what was reported, and asks again: over BLE for all, over RFCOMM for the firmware
  /// first.
  public mutating func questions() -> [Exchange] {
    (reported, isWhole, preset, gains, payloads) = (ReportedValues(), false, nil, nil, [:])
    pending = nil
    guard reader != nil else { return features() }
    (firmware, hasAskedFeatures) = (nil, false)
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
      NothingCommand.readNoise, NothingCommand.readGains, NothingCommand.readListeningMode,
      NothingCommand.readEQ, NothingCommand.readInEarDetection,
    ].map { ask($0) }
    let others = [
      NothingCommand.readSerialNumber, NothingCommand.readLowLatency, NothingCommand.readBass,
      NothingCommand.readSpatialSound, NothingCommand.readPersonalisedCancelling,
      NothingCommand.readGestures, NothingCommand.readAutoPowerOff, NothingCommand.readMultipoint,
    ].map { ask($0) }
    // Each model reports a firmware and a battery. The second question is one turn later, so
    // that a model which answers the first ones in another order has answered them all.
    return [
      ask(NothingCommand.readFirmware).after(features),
      ask(NothingCommand.readBattery).after(others),
    ]
  }

  /// The exchanges that carry a command out: the command, and behind it the question that reads the
  /// change back, which is asked once a second until the change is there.
  ///
  /// - Throws: `unsupported` for what was not answered; `badArgument` for a level outside of 1 to
  ///   3, a wrong number of bands and a gain beyond 6 dB.
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

  /// Headphones were recorded to report the value before for up to half a second.
  private static let mostQuestions = 3
  /// Questions, one a second, until the result of a fit test is reported: nothing asks for that.
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

  /// The command for noise control, and the question for it.
  private mutating func change(_ requested: NothingNoise) -> [Exchange] {
    [ask(NothingCommand.setNoise, [1, requested.rawValue, 0]), ask(NothingCommand.readNoise)]
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
    requestedGains = requested
    return [
      ask(NothingCommand.setEQ, [EQPreset.custom.nothing, 0]),
      ask(NothingCommand.setGains, gains.with(requested).encoded()[...]),
      ask(NothingCommand.readGains), ask(NothingCommand.readEQ),
    ]
  }

  /// One command for each bud, or of Ear (1) for both; buds that are not meant are silenced first.
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

  /// A request with the next operation number.
  private mutating func ask(_ command: UInt16, _ payload: Bytes = []) -> Exchange {
    lastOperation = lastOperation == .max ? 1 : lastOperation + 1
    let response = NothingCommand.response(to: command)
    operations[response] = lastOperation
    return Exchange(
      NothingFrame(command, operation: lastOperation, payload: payload).encoded(),
      response: ResponseID(response, sequence: lastOperation))
  }

  /// Ends a command: compares what was read back with what was ordered.
  ///
  /// - Throws: `unsupported` where it differs: the model does not have it.
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
      // Ear (1) rings with both.
      let sides = serial?.model == .ear1 ? .both : sides
      ringing = isOn ? sides : ringing.subtracting(sides)
      return [.findChanged(ringing)]
    default: return []
    }
  }
}
