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

  private let isOnLE: Bool
  private let catalog: ModelCatalog
  /// The first 16 bits of the service over BLE; nil: over RFCOMM.
  public let modelService: UInt16?
  /// The last 16 bits of the service over RFCOMM: the model's number, on some models.
  private let serviceNumber: UInt16?

  /// Joins values to frames: over BLE, too, as a state is longer than the smallest MTU.
  var reader = FrameReader(SoundcoreFrame.format(of: .headphone))
  private(set) var reported = ReportedValues()
  private var hasResponded = false
  private var hasAskedFurther = false
  /// The model's number, by service or serial number; nil: before the state.
  private var number: UInt16?
  /// The body of the state as it was reported last.
  private var state: [UInt8] = []
  /// What is known of the model; nil: nothing.
  private var layout: SoundcoreLayout?
  private var firmware: String?
  private var serial: String?
  /// Which of the parts charge, in the order of the reports.
  private var charging: [Bool?] = []
  /// The sound modes as they were reported last; a command repeats all but what it changes.
  private var modes: [UInt8] = []
  /// The bytes of the answer to 0601; nil: it was not answered.
  private var reportedWidth: Int?
  /// Preset and bands; nil: not reported.
  private var eq: SoundcoreEQ?
  /// The equaliser of the present command, to be compared when it is read back.
  private var commandedEQ: SoundcoreEQ?
  /// The gains that the wearer had set last; nil: not reported.
  private var ownGains: [Int16]?
  /// The part of the list of paired devices that has come.
  private var devices: [PairedDevice] = []
  /// How many frames of it have come.
  private var deviceFrames: UInt8 = 0

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
    if reported.noise != nil { able.ancModes = [.off, .noiseCancelling, .transparency] }
    if eq != nil {
      able.eqPresets = EQPreset.allCases
      able.eqBands = SoundcoreEQ.bandCount
      able.eqCentres = SoundcoreEQ.centres
    }
    return able
  }

  /// Firmware and serial number; over RFCOMM also the model, where its layout is known.
  public var information: DeviceInformation {
    let known = isOnLE || layout == nil ? nil : number
    return DeviceInformation(
      manufacturer: "Soundcore", model: known.map { "A\(hexadecimal($0, width: 4))" },
      serial: serial, firmware: firmware)
  }

  // MARK: Asking

  /// Forgets what was reported, and asks again; the state comes first, because it may hold all.
  public mutating func questions() -> [Exchange] {
    (reported, hasResponded, hasAskedFurther) = (ReportedValues(), false, false)
    (state, modes, reportedWidth, charging, devices, deviceFrames) = ([], [], nil, [], [], 0)
    (eq, commandedEQ, ownGains) = (nil, nil, nil)
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
    let hasModes = layout.map { $0.soundModes != nil } ?? true
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
      guard reported.noise != nil, let raw = SoundcoreSoundModes.modes.firstIndex(of: mode) else {
        throw .noMode(mode)
      }
      return try change([UInt8(raw)] + modes.dropFirst())
    case .set(let id, let value) where reported[id] != nil:
      let presses = layout?.presses ?? []
      if let body = presses.compactMap({ $0.command(for: id, value, in: state) }).first {
        return [ask(SoundcoreCommand.setPress, body), ask(SoundcoreCommand.state)]
      }
      guard let field = fields.first(where: { $0.declaration.id == id }),
        let changed = field.bytes(of: value, in: modes)
      else { throw .badArgument("\(id.displayText) has no \(value.text)") }
      return try change(changed)
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

  /// The command for sound modes, and the question for them.
  ///
  /// - Throws: `unsupported` where it is not known how many bytes the model takes.
  private func change(_ changed: [UInt8]) throws(HeadphoneError) -> [Exchange] {
    let reported = reportedWidth ?? (isOnLE ? layout?.modesWidth : nil)
    let width = reported.flatMap { SoundcoreLayout.commandWidth(of: number, reported: $0) }
    guard let width, width <= modes.count else {
      throw .unsupported("noise control that Earshot can set: the length of its command is unknown")
    }
    return [
      ask(SoundcoreCommand.setSoundModes, Array(changed.prefix(width))),
      ask(isOnLE ? SoundcoreCommand.state : SoundcoreCommand.soundModes),
    ]
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

  // MARK: Receiving

  /// Handles one frame; a command that is not known is skipped.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    var response: ResponseID?
    do throws(MalformedBytes) {
      let frame = try SoundcoreFrame(decoding: value)
      guard frame.sender == .headphone else {
        throw MalformedBytes("Soundcore frame", at: 0, .badValue(UInt64(value.first ?? 0)))
      }
      response = ResponseID(frame.command)
      let events = try events(of: frame.command, Array(frame.body))
      if frame.command == SoundcoreCommand.pairedDevices,
        reported.isDeviceCommandOpen || deviceFrames > 0
      {
        response = nil
      }
      return ParsedMessage(response: response, events)
    } catch {
      return ParsedMessage(response: response, [.malformed(error, value)])
    }
  }

  /// The changes that a frame brings; an acknowledgement has no body.
  private mutating func events(
    of command: UInt16, _ body: [UInt8]
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard !body.isEmpty else { return [] }
    switch command {
    case SoundcoreCommand.state: return try apply(state: body)
    case SoundcoreCommand.battery where layout != nil || isOnLE:
      return reported.apply(levels(body.prefix(parts(body.count).count)))
    case SoundcoreCommand.charging where layout != nil || isOnLE:
      charging = body.map { [0: false, 1: true][$0] }
      var batteries = reported.batteries
      for (part, isCharging) in zip(parts(body.count), charging) {
        batteries[part]?.isCharging = isCharging
      }
      return reported.apply(batteries)
    case SoundcoreCommand.firmware: try apply(firmware: body)
    case SoundcoreCommand.soundModes:
      let events = try apply(modes: body)
      reportedWidth = body.count
      return events
    case SoundcoreCommand.pairedDevices: return try apply(devices: body[...])
    default: break
    }
    return []
  }

  /// What is known of the model whose state it is.
  private func findLayout(in state: [UInt8]) -> (SoundcoreLayout?, number: UInt16?) {
    let own = catalog.soundcore(service: modelService, stateLength: state.count)?.soundcoreState
    if let named = serviceNumber, let layout = SoundcoreLayout.models[named] {
      return (layout, named)
    }
    let number = SoundcoreLayout.number(in: state)
    return (own ?? number.flatMap { SoundcoreLayout.models[$0] }, number ?? serviceNumber)
  }

  /// Applies the state: model, firmware, serial number, batteries, equaliser, and sound modes until
  /// 0601 was answered.
  ///
  /// - Throws: `MalformedBytes` over BLE for a state of a model that is not known, and where the
  ///   model's layout goes beyond the body.
  private mutating func apply(state: [UInt8]) throws(MalformedBytes) -> [HeadphoneEvent] {
    hasResponded = true
    (layout, number) = findLayout(in: state)
    let badLength = MalformedBytes("Soundcore state", at: 0, .badLength(state.count))
    guard let layout else {
      if isOnLE { throw badLength }
      return []
    }
    func field(_ place: Int?, _ count: Int) throws(MalformedBytes) -> [UInt8]? {
      guard let place else { return nil }
      guard place + count <= state.count else { throw badLength }
      return Array(state[place..<place + count])
    }
    // A bud that is not there has no firmware.
    let versions = try field(layout.firmware, layout.hasBuds ? 10 : 5).map { bytes in
      [bytes.prefix(5), bytes.suffix(5)].first { $0.allSatisfy { $0 > 0 && $0 < 0x80 } }
    }
    firmware = versions?.map(textFromAir) ?? firmware
    serial = try field(layout.serial, 16).map { textFromAir($0[...]) } ?? serial
    let parts: [Part] = layout.hasBuds ? [.left, .right] : [.left]
    if let raw = try field(layout.charging, parts.count) {
      charging = raw.map { [0: false, 1: true][$0] }
    }
    var events: [HeadphoneEvent] = []
    if let raw = try field(layout.battery, parts.count) {
      var levels = levels(raw[...], of: layout.hasBuds ? state : [])
      if let level = try field(layout.caseLevel, 1)?.first, level != Self.absent {
        levels.add(.case, level, scale: layout.caseScale)
      }
      events += reported.apply(levels)
    }
    if let bytes = try field(layout.eq, layout.eqBytes) {
      events += apply(
        try SoundcoreEQ(
          decoding: bytes[...], buds: layout.hasBuds ? 2 : 1, width: layout.eqWidth))
    }
    if reportedWidth == nil, let bytes = try field(layout.soundModes, layout.modesWidth) {
      events += try apply(modes: bytes)
    }
    self.state = state
    for press in layout.presses {
      guard let (declaration, value) = press.setting(in: state) else { continue }
      events += reported.apply(declaration, value)
    }
    return events
  }

  /// The parts that report a level, in the order of the reports.
  private func parts(_ count: Int) -> [Part] {
    layout?.hasBuds ?? (count > 1) ? [.left, .right] : [.left]
  }

  /// The levels of a report.
  ///
  /// - Parameter state: the state that they are of; of a bud without a connection to the one that
  ///   reports it has an old level. Empty: they were reported by themselves.
  private func levels(_ raw: ArraySlice<UInt8>, of state: [UInt8] = []) -> BatteryLevels {
    var levels = BatteryLevels("Soundcore battery")
    for (index, (part, level)) in zip([Part.left, .right], raw).enumerated()
    where level != Self.absent {
      guard state.isEmpty || state[1] != 0 || state[0] == UInt8(index) else { continue }
      levels.add(
        part, level, isCharging: index < charging.count ? charging[index] : nil,
        scale: layout?.scale ?? .steps(5), at: index)
    }
    return levels
  }

  /// The level of a part that is not there.
  private static let absent: UInt8 = 0xFF

  /// Applies the answer to 0105, whose length says whether there are one or two versions.
  private mutating func apply(firmware body: [UInt8]) throws(MalformedBytes) {
    var reader = ByteReader(body[...], of: "Soundcore firmware")
    var versions = [textFromAir(try reader.read(5))]
    if body.count >= 26 { versions.append(textFromAir(try reader.read(5))) }
    serial = textFromAir(try reader.read(16))
    firmware = versions.joined(separator: " / ")
  }

  private mutating func apply(_ value: SoundcoreEQ) -> [HeadphoneEvent] {
    if value.preset == .custom { ownGains = value.tenths }
    defer { eq = value }
    return eq == value ? [] : [.eqChanged(value.preset, bands: value.gains)]
  }

  /// The settings of the sound modes of this model.
  private var fields: [SettingField] { SoundcoreSoundModes.fields(layout, number: number) }

  /// Applies sound modes; a mode without a name here is malformed, and changes nothing.
  private mutating func apply(modes value: [UInt8]) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard let raw = value.first, Int(raw) < SoundcoreSoundModes.modes.count else {
      throw MalformedBytes("Soundcore sound modes", at: 0, .badValue(UInt64(value.first ?? 0)))
    }
    modes = value
    let events = reported.apply(SoundcoreSoundModes.modes[Int(raw)])
    // What follows the mode differs by width.
    guard value.count >= layout?.modesWidth ?? .max else { return events }
    return fields.reduce(events) { events, field in
      events + (field.value(in: value).map { reported.apply(field.declaration, $0) } ?? [])
    }
  }

  /// Applies a part of the list of paired devices, which the last one completes.
  private mutating func apply(devices body: Bytes) throws(MalformedBytes) -> [HeadphoneEvent] {
    var reader = ByteReader(body, of: "Soundcore paired devices")
    let count = try reader.uint8()
    let number = try reader.uint8()
    if number == 1 || number != deviceFrames &+ 1 { (devices, deviceFrames) = ([], 0) }
    // The beginning is missing: the next list has it.
    guard number == deviceFrames + 1 else { return [] }
    while !reader.isAtEnd {
      let length = Int(try reader.uint8())
      guard length >= 8 else { throw reader.malformed(.badLength(length)) }
      let isConnected = try reader.flag()
      let address = try reader.address()
      // Padded with zeros, which need not be all zeros.
      let name = try reader.read(length - 8).prefix { $0 != 0 }
      devices.append(PairedDevice(address, name: textFromAir(name), isConnected: isConnected))
    }
    deviceFrames = number
    guard number >= count else { return [] }
    defer { (devices, deviceFrames) = ([], 0) }
    return reported.apply(
      .pairedDevices(.connect, .disconnect, .forget), .pairedDevices(devices))
  }
}
