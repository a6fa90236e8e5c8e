public import BluetoothCodec

/// The protocol of Soundcore's headphones over LE and over RFCOMM, with the same frames
/// (``SoundcoreFrame``).
///
/// The user's own model file, the service or the serial number identifies the model, and with it
/// the layout of the state (``SoundcoreLayout``). Over LE, battery, charging, firmware and serial
/// number are requested from every model. Over RFCOMM, noise control (0601), which every model
/// answers alike, and the paired devices are requested. Each command is followed by a request that
/// reads the value back, since its acknowledgement has no body.
///
/// | command | body of the answer |
/// | --- | --- |
/// | 0101 | the whole state, in the model's layout |
/// | 0103, 0104 | level, charging; of the headphone, or of left and right bud |
/// | 0105 | firmware of 5 characters, once or for each bud; serial number of 16 characters |
/// | 017F, 01FF | whether LDAC is on |
/// | 0281 | none: acknowledges the equaliser (``SoundcoreEQ``) |
/// | 0481 | none: acknowledges the action of a press (`SoundcorePress`), stored in the state |
/// | 0601 | sound modes (`SoundcoreSoundModes`); also sent unprompted |
/// | 0681 | none: acknowledges the sound modes |
/// | 0B01 | paired devices, in one frame or several |
///
/// The list of paired devices:
///
/// | offset | field | meaning |
/// | --- | --- | --- |
/// | 0 | frames | total number of frames |
/// | 1 | number | number of this frame, from 1 |
/// | 2 | entries | length including itself, connected, address (least significant first), name |
public struct SoundcoreProtocol: FamilyProtocol, FramedProtocol {
  public typealias Frame = SoundcoreFrame

  public static let name = "Soundcore"

  // MARK: Services

  /// The bits of the LE service's UUID that all models share.
  public static let serviceMask = BluetoothUUID(high: 0x0000_FFFF_FFFF_FFFF, low: .max)
  /// The UUID of the LE service, with 0 in the 16 bits that depend on the model.
  public static let service = BluetoothUUID(
    high: 0x0000_F5DA_0000_1000, low: 0x8000_0080_5F9B_34FB)
  public static let write = BluetoothUUID.bit16(0x7777)
  public static let notify = BluetoothUUID.bit16(0x8888)

  /// The UUID of the RFCOMM service without its last digits, which depend on the model.
  public static let serialService = BluetoothUUID(
    high: 0x0CF1_2D31_FAC3_4553, low: 0xBD80_D683_2E7B_0000)
  /// The RFCOMM services of headphones (A30), earbuds (A39), and newer models of both kinds (D1);
  /// those of speakers (A31) have their own numbers.
  public static let services = [
    models(0xB3000, mask: 0xFFF00), models(0xB3900, mask: 0xFFF00), models(0xD0000, mask: 0xF0000),
  ]

  private static func models(_ digits: UInt64, mask: UInt64) -> SerialService {
    let digitsMask: UInt64 = 0xFFFFF
    return SerialService(
      BluetoothUUID(high: serialService.high, low: serialService.low & ~digitsMask | digits),
      mask: BluetoothUUID(high: .max, low: ~digitsMask | mask))
  }

  public static let advertised: [AdvertisingPattern] = [.service(service, mask: serviceMask)]

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
  /// The first 16 bits of the LE service's UUID, or nil over RFCOMM.
  public let modelService: UInt16?
  /// The last 16 bits of the RFCOMM service's UUID, which are the model's number on some models.
  let serviceNumber: UInt16?

  /// The reader that joins values to frames; also used over LE, as a state exceeds the smallest
  /// MTU.
  var reader = FrameReader(SoundcoreFrame.format(of: .headphone))
  var reported = ReportedValues()
  var hasResponded = false
  var hasAskedFurther = false
  /// The model's number from the service or serial number, or nil before the state is received.
  var number: UInt16?
  var state: [UInt8] = []
  /// Whether the state consists of entries (`SoundcoreEntries`), and whether adaptive is a mode.
  var (hasEntries, hasAdaptive) = (false, false)
  var layout: SoundcoreLayout?
  var firmware: String?
  var serial: String?
  /// Whether each part is charging, in the order of the reports.
  var charging: [Bool?] = []
  /// The last reported sound modes; a command changes some bytes and repeats the others.
  var modes: [UInt8] = []
  /// The length of the answer to 0601 in bytes, or nil if it was not answered.
  var reportedWidth: Int?
  var eq: SoundcoreEQ?
  /// The equaliser of the pending command, for comparison with the one read back.
  var commandedEQ: SoundcoreEQ?
  /// The last gains of the user's own preset, or nil if not reported.
  var ownGains: [Int16]?
  /// The paired devices received so far of a list in several frames.
  var devices: [PairedDevice] = []
  var deviceFrames: UInt8 = 0

  /// Creates the protocol over LE; `service` is the part of the service's UUID that depends on the
  /// model.
  public init(_ catalog: ModelCatalog, service: UInt16? = nil) {
    (isOnLE, self.catalog, modelService, serviceNumber) = (true, catalog, service, nil)
  }

  public init(on channel: FamilyChannel, _ catalog: ModelCatalog) {
    self.init(catalog, service: UInt16(truncatingIfNeeded: channel.service.high >> 48))
  }

  public init(on service: BluetoothUUID) {
    (isOnLE, catalog, modelService) = (false, ModelCatalog(), nil)
    serviceNumber = UInt16(truncatingIfNeeded: service.low)
  }

  /// Whether the headphone speaks this protocol, which over LE its service proves, and over RFCOMM
  /// its answer to the request for the state.
  public var isRecognised: Bool { isOnLE || hasResponded }

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

  /// The firmware and serial number; over RFCOMM also the model, if it is known.
  public var information: DeviceInformation {
    DeviceInformation(
      manufacturer: "Soundcore", model: isOnLE ? nil : number.flatMap(SoundcoreModels.name),
      serial: serial, firmware: firmware)
  }

  /// The values that are unknown without a known layout of the state; over LE, the battery is
  /// requested separately.
  public var missing: [String] {
    guard !state.isEmpty, !isStateKnown else { return [] }
    let values = isOnLE ? "settings" : "battery and settings"
    return [
      "\(values): Earshot does not understand this model's state yet; docs/add-your-headphone.md "
        + "says how you can help"
    ]
  }

  var isStateKnown: Bool { hasEntries || layout?.battery != nil }

  // MARK: Asking

  /// Clears all reported values and returns the first requests; the state may contain all values.
  public mutating func questions() -> [Exchange] {
    (reported, hasResponded, hasAskedFurther) = (ReportedValues(), false, false)
    (state, modes, reportedWidth, charging, devices, deviceFrames) = ([], [], nil, [], [], 0)
    (eq, commandedEQ, ownGains, hasEntries, hasAdaptive) = (nil, nil, nil, false, false)
    let ofEvery =
      isOnLE
      ? [SoundcoreCommand.battery, SoundcoreCommand.charging, SoundcoreCommand.firmware] : []
    return [ask(SoundcoreCommand.state)] + ofEvery.map { ask($0) }
  }

  /// Returns, over RFCOMM, the request for noise control, unless the model is known to have none,
  /// and that for the paired devices of models known to support multipoint.
  public mutating func furtherQuestions() -> [Exchange] {
    guard hasResponded, !hasAskedFurther, !isOnLE else { return [] }
    hasAskedFurther = true
    // The answer of a model with entries is unknown; its state contains the mode.
    let hasModes = !hasEntries && (!isStateKnown || layout?.soundModes != nil)
    return (hasModes ? [ask(SoundcoreCommand.soundModes)] : [])
      + (layout?.hasPairedDevices == true ? [ask(SoundcoreCommand.pairedDevices)] : [])
  }

  private func ask(_ command: UInt16, _ body: [UInt8] = []) -> Exchange {
    Exchange(SoundcoreFrame(.phone, command, body[...]).encoded(), response: ResponseID(command))
  }

  // MARK: Commands

  /// Returns the command, then the request that reads the values back.
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

  var fields: [SoundcoreSoundModes.Field] { SoundcoreSoundModes.fields(layout, number: number) }

  /// Returns the commands for sound modes, in order, then the request that reads them back; throws
  /// `unsupported` if the number of bytes that the model expects is unknown.
  private func change(_ steps: [[UInt8]]) throws(HeadphoneError) -> [Exchange] {
    let reported = reportedWidth ?? (isOnLE ? layout?.modesWidth : nil)
    let width = reported.flatMap { SoundcoreLayout.commandWidth(of: number, reported: $0) }
    guard !hasEntries, let width, width <= modes.count else {
      throw .unsupported("noise control that Earshot can set: the length of its command is unknown")
    }
    return steps.map { ask(SoundcoreCommand.setSoundModes, Array($0.prefix(width))) }
      + [ask(isOnLE ? SoundcoreCommand.state : SoundcoreCommand.soundModes)]
  }

  private mutating func change(_ changed: SoundcoreEQ) -> [Exchange] {
    var eq = changed
    eq.unheard = self.eq?.unheard ?? eq.unheard
    commandedEQ = eq
    return [ask(SoundcoreCommand.setEQ, eq.encoded()), ask(SoundcoreCommand.state)]
  }

  /// Returns the command for a paired device, which may remain unanswered, and the request for the
  /// list, which is repeated until the list shows the change.
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

  /// The maximum number of requests for the paired devices, one a second, since connecting may take
  /// a while.
  private static let mostDeviceQuestions = 12

  /// Ends a command, or throws `unsupported` if the values read back differ from those requested.
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
      // Reported even if unchanged, as the screen may show the requested values.
      return [.eqChanged(eq.preset, bands: eq.gains)]
    default: return []
    }
  }
}
