public import Bluetooth
public import BluetoothCodec
public import GATT

/// The protocol of Soundcore's headphones over BLE and over RFCOMM, with the same frames
/// (``SoundcoreFrame``).
///
/// What is known of the model (``SoundcoreLayout``) follows from a person's file, the service or the
/// serial number, and says where the values are in the state. Over BLE battery, charging, firmware
/// and serial number are asked of every model; over RFCOMM noise control (0601), which every model
/// answers alike, and the paired devices. Every command is read back, since its acknowledgement has
/// no body.
///
/// | command | body of the answer |
/// | --- | --- |
/// | 0101 | everything; the layout is the model's |
/// | 0103, 0104 | level, charging; of one device, or of the left and the right bud |
/// | 0105 | firmware of 5 characters of one, or of both; serial number of 16 |
/// | 017F, 01FF | whether LDAC is on |
/// | 0281 | none: acknowledges the equaliser (``SoundcoreEQ``) |
/// | 0481 | none: acknowledges the action of a press (`SoundcorePress`), which is in the state |
/// | 0601 | sound modes (`SoundcoreSoundModes`); sent unprompted, too |
/// | 0681 | none: acknowledges the sound modes |
/// | 0B01 | paired devices, in one frame or several |
///
/// Paired devices:
///
/// | offset | field | meaning |
/// | --- | --- | --- |
/// | 0 | frames | how many there are |
/// | 1 | number | of this frame, from 1 |
/// | 2 | entries | length with itself, connected, address (least significant first), name |
///
/// ```swift
/// var soundcore = SoundcoreProtocol(on: service)
/// soundcore.questions()  // 0101, the state, which every model answers
/// for frame in soundcore.messages(in: piece) { soundcore.receive(frame) }
/// soundcore.furtherQuestions()  // 0601, the sound modes
/// ```
public struct SoundcoreProtocol: FamilyProtocol, FramedProtocol {
  public typealias Frame = SoundcoreFrame

  public static let name = "Soundcore"

  // MARK: Services

  /// The bits of the service over BLE that all models share.
  public static let serviceMask = BluetoothUUID(high: 0x0000_FFFF_FFFF_FFFF, low: .max)
  /// The service over BLE of all models, with 0 for the model's 16 bits.
  public static let service = BluetoothUUID(
    high: 0x0000_F5DA_0000_1000, low: 0x8000_0080_5F9B_34FB)
  /// The characteristic for commands and questions.
  public static let write = BluetoothUUID.bit16(0x7777)
  /// The characteristic for answers and unprompted reports.
  public static let notify = BluetoothUUID.bit16(0x8888)

  /// The service over RFCOMM: 0CF12D31-FAC3-4553-BD80-D6832E7xxxxx, whose last digits are the
  /// model's.
  public static let serialService = BluetoothUUID(
    high: 0x0CF1_2D31_FAC3_4553, low: 0xBD80_D683_2E7B_0000)
  /// Headphones (A30), earbuds (A39), and the newer ones, of both kinds (D1); speakers (A31) have
  /// the same service with numbers of their own.
  public static let services = [
    models(0xB3000, mask: 0xFFF00), models(0xB3900, mask: 0xFFF00), models(0xD0000, mask: 0xF0000),
  ]

  private static func models(_ digits: UInt64, mask: UInt64) -> SerialService {
    let digitsMask: UInt64 = 0xFFFFF
    return SerialService(
      BluetoothUUID(high: serialService.high, low: serialService.low & ~digitsMask | digits),
      mask: BluetoothUUID(high: .max, low: ~digitsMask | mask))
  }

  /// Its service, of which a part is the model's.
  public static let advertised: [AdvertisingPattern] = [.service(service, mask: serviceMask)]

  /// The characteristics of a Soundcore service, whatever its model; nil: there is none.
  public static func channel(in database: Database) -> FamilyChannel? {
    for service in database.services where service.uuid.masked(by: serviceMask) == Self.service {
      let channel = FamilyChannel(
        of: service, write: service.characteristic(write), notify: service.characteristic(notify))
      if let channel { return channel }
    }
    return nil
  }

  // MARK: State

  let isOnLE: Bool
  let catalog: ModelCatalog
  /// The first 16 bits of the service over BLE; nil: over RFCOMM.
  public let modelService: UInt16?
  /// The last 16 bits of the service over RFCOMM: the model's number, on some models.
  let serviceNumber: UInt16?

  /// Joins values to frames: over BLE, too, as a state is longer than the smallest MTU.
  var reader = FrameReader(SoundcoreFrame.format(of: .headphone))
  var reported = ReportedValues()
  var hasResponded = false
  var hasAskedFurther = false
  /// The model's number, by service or serial number; nil: before the state.
  var number: UInt16?
  /// The body of the state as it was reported last.
  var state: [UInt8] = []
  /// Whether the state holds entries (`SoundcoreEntries`), and whether one of them is a mode, of which
  /// adaptive is one then.
  var (hasEntries, hasAdaptive) = (false, false)
  /// What is known of the model; nil: nothing.
  var layout: SoundcoreLayout?
  var firmware: String?
  var serial: String?
  /// Which of the parts charge, in the order of the reports.
  var charging: [Bool?] = []
  /// The sound modes as they were reported last; a command repeats all but what it changes.
  var modes: [UInt8] = []
  /// The bytes of the answer to 0601; nil: it was not answered.
  var reportedWidth: Int?
  /// Preset and bands; nil: not reported.
  var eq: SoundcoreEQ?
  /// The equaliser of the present command, to be compared when it is read back.
  var commandedEQ: SoundcoreEQ?
  /// The gains that the wearer had set last; nil: not reported.
  var ownGains: [Int16]?
  /// The part of the list of paired devices that has come.
  var devices: [PairedDevice] = []
  /// How many frames of it have come.
  var deviceFrames: UInt8 = 0

  /// Creates the protocol over BLE.
  ///
  /// - Parameters:
  ///   - catalog: has the layouts of a person's own models.
  ///   - service: the model's part of the service.
  public init(_ catalog: ModelCatalog, service: UInt16? = nil) {
    (isOnLE, self.catalog, modelService, serviceNumber) = (true, catalog, service, nil)
  }

  /// Creates the protocol over BLE for a channel, whose service names the model.
  public init(on channel: FamilyChannel, _ catalog: ModelCatalog) {
    self.init(catalog, service: UInt16(truncatingIfNeeded: channel.service.high >> 48))
  }

  /// Creates the protocol over RFCOMM for the service whose channel was opened.
  public init(on service: BluetoothUUID) {
    (isOnLE, catalog, modelService) = (false, ModelCatalog(), nil)
    serviceNumber = UInt16(truncatingIfNeeded: service.low)
  }

  /// Over BLE by its service; over RFCOMM once the headphone has answered the question for its state.
  public var isRecognised: Bool { isOnLE || hasResponded }

  /// The headphone's capabilities, by what it has reported.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.hasNoise {
      able.ancModes = [.off, .noiseCancelling, .transparency] + (hasAdaptive ? [.adaptive] : [])
    }
    if eq != nil {
      able.eqPresets = EQPreset.allCases
      able.eqBands = SoundcoreEQ.bandCount
      able.eqCentres = SoundcoreEQ.centres
    }
    return able
  }

  /// Firmware and serial number; over RFCOMM also the model, where it is known.
  public var information: DeviceInformation {
    DeviceInformation(
      manufacturer: "Soundcore", model: isOnLE ? nil : number.flatMap(SoundcoreModels.name),
      serial: serial, firmware: firmware)
  }

  /// What a state that has not the form of a known one leaves unknown; over BLE the battery has a
  /// question of its own.
  public var missing: [String] {
    guard !state.isEmpty, !isStateKnown else { return [] }
    let values = isOnLE ? "settings" : "battery and settings"
    return [
      "\(values): Earshot does not understand this model's state yet; docs/add-your-headphone.md "
        + "says how you can help"
    ]
  }

  /// Whether the state has the form of a known one.
  var isStateKnown: Bool { hasEntries || layout?.battery != nil }

  // MARK: Asking

  /// Forgets what was reported, and asks again; the state comes first, because it may hold all.
  public mutating func questions() -> [Exchange] {
    (reported, hasResponded, hasAskedFurther) = (ReportedValues(), false, false)
    (state, modes, reportedWidth, charging, devices, deviceFrames) = ([], [], nil, [], [], 0)
    (eq, commandedEQ, ownGains, hasEntries, hasAdaptive) = (nil, nil, nil, false, false)
    let ofEvery =
      isOnLE
      ? [SoundcoreCommand.battery, SoundcoreCommand.charging, SoundcoreCommand.firmware] : []
    return [ask(SoundcoreCommand.state)] + ofEvery.map { ask($0) }
  }

  /// Over RFCOMM asks for noise control, unless the model is known to have none, and for the paired
  /// devices of models that are known to have two connections.
  public mutating func furtherQuestions() -> [Exchange] {
    guard hasResponded, !hasAskedFurther, !isOnLE else { return [] }
    hasAskedFurther = true
    // What a model with entries answers is not known; its state has the mode.
    let hasModes = !hasEntries && (!isStateKnown || layout?.soundModes != nil)
    return (hasModes ? [ask(SoundcoreCommand.soundModes)] : [])
      + (layout?.hasPairedDevices == true ? [ask(SoundcoreCommand.pairedDevices)] : [])
  }

  /// A frame of the phone's, answered by the same command.
  private func ask(_ command: UInt16, _ body: [UInt8] = []) -> Exchange {
    Exchange(SoundcoreFrame(.phone, command, body[...]).encoded(), response: ResponseID(command))
  }

  // MARK: Commands

  /// The exchanges that carry a command out: the command, and behind it the question that reads the
  /// values back.
  ///
  /// - Throws: `unsupported` for what was not reported, and where the width of the command is not
  ///   known; `badArgument` for a value that the setting does not have.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    switch command {
    case .setANC(let mode):
      guard reported.hasNoise, let raw = SoundcoreSoundModes.modes.firstIndex(of: mode) else {
        throw .noMode(mode)
      }
      return try change([[UInt8(raw)] + modes.dropFirst()])
    case .set(let id, let value) where reported[id] != nil:
      let presses = layout?.presses ?? []
      if let body = presses.compactMap({ $0.command(for: id, value, in: state) }).first {
        return [ask(SoundcoreCommand.setPress, body), ask(SoundcoreCommand.state)]
      }
      let settings = (layout?.settings ?? []) + [.reportedLDAC]
      if let setting = settings.first(where: { $0.declaration.id == id }),
        let body = setting.body(for: value, in: state)
      {
        return [ask(setting.command, body), ask(setting.question)]
      }
      guard let field = fields.first(where: { $0.declaration.id == id }),
        let steps = field.steps(to: value, from: modes)
      else { throw .badArgument("\(id.displayText) has no \(value.text)") }
      return try change(steps)
    case .setEQ(let preset):
      guard eq != nil else { throw .unsupported("equaliser") }
      let flat = Array(repeating: Int16(0), count: SoundcoreEQ.bandCount)
      return change(
        SoundcoreEQ(preset) ?? SoundcoreEQ(id: SoundcoreEQ.customID, tenths: ownGains ?? flat))
    case .setCustomEQ(let gains):
      guard eq != nil else { throw .unsupported("custom equaliser") }
      guard gains.count == SoundcoreEQ.bandCount else {
        throw .gains(gains.count, insteadOf: SoundcoreEQ.bandCount)
      }
      return change(SoundcoreEQ(custom: gains))
    case .pairedDevice(let action, let address): return try carryOut(action, address)
    default: throw .noCommand(of: Self.name)
    }
  }

  /// The settings of the sound modes of this model.
  var fields: [SoundcoreSoundModes.Field] { SoundcoreSoundModes.fields(layout, number: number) }

  /// The commands for sound modes, one after the other, and the question for them.
  ///
  /// - Throws: `unsupported` where it is not known how many bytes the model takes.
  private func change(_ steps: [[UInt8]]) throws(HeadphoneError) -> [Exchange] {
    let reported = reportedWidth ?? (isOnLE ? layout?.modesWidth : nil)
    let width = reported.flatMap { SoundcoreLayout.commandWidth(of: number, reported: $0) }
    guard !hasEntries, let width, width <= modes.count else {
      throw .unsupported("noise control that Earshot can set: the length of its command is unknown")
    }
    return steps.map { ask(SoundcoreCommand.setSoundModes, Array($0.prefix(width))) }
      + [ask(isOnLE ? SoundcoreCommand.state : SoundcoreCommand.soundModes)]
  }

  /// The command for the equaliser, and the question for the state that has it.
  private mutating func change(_ changed: SoundcoreEQ) -> [Exchange] {
    var eq = changed
    eq.unheard = self.eq?.unheard ?? eq.unheard
    commandedEQ = eq
    return [ask(SoundcoreCommand.setEQ, eq.encoded()), ask(SoundcoreCommand.state)]
  }

  /// The command for a paired device, which need not be answered, and the question for all of them
  /// until their list shows it.
  private mutating func carryOut(
    _ action: PairedDeviceAction, _ address: BluetoothAddress
  ) throws(HeadphoneError) -> [Exchange] {
    try reported.begin(action, address)
    let command =
      switch action {
      case .connect: SoundcoreCommand.connectDevice
      case .disconnect: SoundcoreCommand.disconnectDevice
      case .forget: SoundcoreCommand.forgetDevice
      case .play, .prefer: throw .unsupported(action.title)
      }
    let frame = SoundcoreFrame(.phone, command, address.littleEndianBytes[...]).encoded()
    var question = ask(SoundcoreCommand.pairedDevices)
    question.attempts = Self.mostDeviceQuestions
    return [Exchange(withoutResponse: frame), question]
  }

  /// Questions for the paired devices, one a second: to connect one may take a while.
  private static let mostDeviceQuestions = 12

  /// Ends a command: compares what was read back with what was set.
  ///
  /// - Throws: `unsupported` where it differs.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    try reported.confirm(command)
    switch command {
    case .setEQ, .setCustomEQ:
      guard let wanted = commandedEQ.take(), let eq, wanted.id == eq.id,
        // A preset's gains are not always reported with it.
        wanted.id != SoundcoreEQ.customID || wanted == eq
      else { throw .unsupported("such equaliser") }
      // Also where nothing has changed, as the screen may show what was asked for.
      return [.eqChanged(eq.preset, bands: eq.gains)]
    default: return []
    }
  }
}
