public import BluetoothCodec

/// The protocol of Bose's headphones over the Serial Port Profile, from the QC35 on.
///
/// Headphones have one of three kinds of noise control, which are queried newest first: modes with
/// live settings, a level of cancelling, or steps. SETGET writes a setting and is answered with its
/// new value. START selects a mode, which is then polled until it is active. A refused command is
/// never repeated. Changes made on the headphone are reported after a subscription (9.2).
///
/// | function | payload of the answer | becomes | proof |
/// | --- | --- | --- | --- |
/// | 0.1 | text | recognition; requested first | recorded |
/// | 0.2 | bit map BE32 | the headphone's blocks of functions | recorded |
/// | 0.3 | product BE16, variant | model | recorded |
/// | 0.5 | text | firmware | published |
/// | 0.15 | text | model, if the product has no name here | published |
/// | 1.2 | 00, text | the headphone's name | published |
/// | 1.3 | bits: 20 on, 1F language | setting `voice-prompts` | recorded |
/// | 1.4 | minutes | setting `auto-power-off` | published |
/// | 1.5 | levels, level, flags | ambient level | recorded |
/// | 1.6 | step, bit map of the steps | setting `noise-cancelling-step` | recorded |
/// | 1.7 | for each band: lowest, highest, gain, band | `bass`, `middle`, `treble` | published |
/// | 1.9 | for each button: button, event, action, bit map BE32 | settings `hold-…` | recorded |
/// | 1.10 | bits, of which 01 is on | setting `multipoint` | recorded |
/// | 1.11 | flag, index, bit map | setting `sidetone` | recorded |
/// | 1.20 | flag | `off-when-still` | published |
/// | 1.24 | flag | setting `pause-when-taken-off` | recorded |
/// | 1.27 | flag | setting `auto-answer` | published |
/// | 1.29, 1.34 | flag | `one-bud-transparency`, `touch-controls` | published |
/// | 2.2 | percent; or for each part: percent, minutes LE16, component | batteries | recorded |
/// | 4.4 | bit map, addresses | the paired devices | recorded |
/// | 4.5 | address, status, 2 or 3 bytes, name | setting `paired-devices` | recorded |
/// | 4.12, 4.14 | | whether the playing device can be chosen | recorded |
/// | 5.1 | bit map BE16, kind, address | the playing device | recorded |
/// | 9.2 | bit map BE32 | the blocks whose changes are reported | recorded |
/// | 31.3 | mode; FF: none | noise control, setting `listening-mode` | recorded |
/// | 31.6 | mode, 5 bytes, name of 32 | the user's own modes | published |
/// | 31.8 | places, bit map BE16 of modes | settings `favourite-…` | recorded |
/// | 31.10 | level, automatic, spatial, wind, cancelling | level, `immersive-audio` | recorded |
public struct BoseProtocol: FramedProtocol {
  public typealias Frame = BoseFrame

  public static let name = "Bose"

  public static let vendor: UInt16 = 0x009E
  /// The Serial Port Profile, which any maker may offer, of devices with Bose's company identifier.
  ///
  /// Older models have no service record; the channels are those seen on headphones.
  public static let services = [
    SerialService(SerialService.serialPort, vendor: vendor, channels: [8, 2, 9, 1])
  ]

  var reader = FrameReader(BoseFrame.format)
  var reported = ReportedValues()
  private var version: String?
  private var firmware: String?
  private var product: UInt16?
  private var modelName: String?
  private var blocks: UInt32?
  private var round = 0
  private var modes = BoseModes()
  private var settings = BoseSettings()
  private var devices = BoseDevices()
  private var ownName: String?
  /// The number of levels of cancelling, or 0 if not reported.
  private var levels: UInt8 = 0

  public init(on service: BluetoothUUID) {}

  public var isRecognised: Bool { version != nil }

  /// The capabilities; a function whose request got an error or no answer is considered missing.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if let ancLevels {
      able.hasANCLevel = true
      able.ancLevels = ancLevels
    }
    if reported.hasNoise { able.ancModes = [.noiseCancelling, .transparency] }
    able.hasRename = ownName != nil
    return able
  }

  /// The levels that can be set, or nil; with modes, they are live settings, and 1.5 is refused.
  private var ancLevels: ClosedRange<UInt8>? {
    if modes.hasLiveSettings { return BoseModes.levels }
    return modes.isKnown || levels == 0 ? nil : 0...levels - 1
  }

  /// The information, with the reported name of a product that has none here, or else its number.
  public var information: DeviceInformation {
    DeviceInformation(
      manufacturer: "Bose",
      model: product.flatMap { BoseProduct.names[$0] } ?? modelName
        ?? product.map { "Bose 0x\(hexadecimal($0, width: 4))" },
      firmware: firmware)
  }

  // MARK: Requests

  /// Forgets all reports, and returns the request for the version, which old headphones need first.
  public mutating func questions() -> [Exchange] {
    (reported, version, blocks, round) = (ReportedValues(), nil, nil, 0)
    (modes, settings, devices) = (BoseModes(), BoseSettings(), BoseDevices())
    (levels, ownName) = (0, nil)
    return [ask(.version)]
  }

  private static let deviceRound = 3

  /// Returns the requests of the next round, of at most four.
  ///
  /// 1. The product and its blocks: a request to a missing block may not even get an error.
  /// 2. The battery, the subscription, the mode, and everything except noise control.
  /// 3. The names of the modes, or a level if there are no modes, and each paired device's details.
  /// 4. Steps, if there are no modes or levels.
  public mutating func furtherQuestions() -> [Exchange] {
    guard version != nil else { return [] }
    round += 1
    switch round {
    case 1: return [ask(.product), ask(.blocks)]
    case 2:
      let functions: [BoseFrame.Function] =
        [.modelName, .firmware, .name] + BoseSettings.functions
        + [.source, .deviceFeatures, .route, .devices, .mode]
      return (has(.battery) ? [ask(.battery)] : []) + (has(.notifications) ? [subscribe()] : [])
        + functions.filter(has).map { ask($0) }
    case Self.deviceRound:
      let noise =
        modes.isKnown
        ? [askModes(), ask(.liveSettings), ask(.favourites)] : [ask(.cancelling)]
      return noise + devices.listed.map(askDevice)
    case 4: return modes.isKnown || levels > 0 ? [] : [ask(.steps)]
    default: return []
    }
  }

  /// Returns whether the headphone may have a function, according to its blocks.
  private func has(_ function: BoseFrame.Function) -> Bool {
    blocks.map { $0 >> function.block & 1 == 1 } ?? true
  }

  private func ask(_ function: BoseFrame.Function) -> Exchange {
    Exchange(BoseFrame(function, .get).encoded(), response: function.response)
  }

  /// Returns the SETGET that subscribes to settings (1), status (2), sources (5) and modes (31).
  private func subscribe() -> Exchange {
    let payload: [UInt8] = [0x01, 0x80, 0x00, 0x00, 0x26]
    return Exchange(
      BoseFrame(.notifications, .setGet, payload).encoded(),
      response: BoseFrame.Function.notifications.response)
  }

  /// Returns the START of the list of modes, after which a status of each mode follows.
  private func askModes() -> Exchange {
    Exchange(
      BoseFrame(.modeList, .start).encoded(), response: BoseFrame.Function.modeList.started)
  }

  private func askDevice(_ address: BluetoothAddress) -> Exchange {
    Exchange(
      BoseFrame(.device, .get, address.bytesInReadingOrder).encoded(),
      response: Self.response(of: address))
  }

  /// Returns an identifier of one device's details: all have the same function.
  private static func response(of address: BluetoothAddress) -> ResponseID {
    ResponseID(UInt16(truncatingIfNeeded: address.value), sequence: 0)
  }

  // MARK: Commands

  /// Returns a SETGET, and forgets an earlier refusal.
  private mutating func set(_ function: BoseFrame.Function, _ payload: [UInt8]) -> Exchange {
    reported.refusal = nil
    return Exchange(
      BoseFrame(function, .setGet, payload).encoded(), response: function.response)
  }

  private mutating func start(_ function: BoseFrame.Function, _ payload: [UInt8]) -> Exchange {
    reported.refusal = nil
    return Exchange(BoseFrame(function, .start, payload).encoded(), response: function.started)
  }

  /// Returns a SETGET or a START, as the function requires.
  ///
  /// - Throws: `notStarted` before the version is known; `unsupported` for settings that the
  ///   headphone has not reported, and for values out of the reported range.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    guard isRecognised else { throw .notStarted }
    switch command {
    case .setANC(let mode):
      guard reported.hasNoise, let index = BoseModes.noise[mode] else { throw .noMode(mode) }
      return request(mode: index)
    case .setANCLevel(let level) where ancLevels?.contains(level) == true:
      return [
        modes.live(level: level).map { set(.liveSettings, $0) } ?? set(.cancelling, [level, 1])
      ]
    case .setANCLevel: throw .unsupported("such level")
    case .set(let id, let value):
      guard let declaration = reported.capabilities.declaration(of: id), declaration.accepts(value)
      else { throw .unsupported(id.displayText) }
      if let index = modes.index(of: id, value) { return request(mode: index) }
      if let live = modes.live(id, value) { return [set(.liveSettings, live)] }
      if let favourites = modes.favourites(id, value) { return [set(.favourites, favourites)] }
      guard let (function, payload) = settings.order(id, value) else {
        throw .unsupported(id.displayText)
      }
      return [set(function, payload)]
    case .pairedDevice(let action, let address): return try request(action, address)
    case .rename(let name) where ownName != nil: return [set(.name, Array(name.utf8))]
    default: throw .noCommand(of: Self.name)
    }
  }

  /// Returns the START of a mode and polls until it is active, which takes 3 s on a QC45.
  private mutating func request(mode: UInt8) -> [Exchange] {
    modes.requested = mode
    var question = ask(.mode)
    question.attempts = Self.mostModeQuestions
    return [start(.mode, [mode, 0]), question]
  }

  /// Returns the START of an action on a paired device, and a poll until it is reported.
  private mutating func request(
    _ action: PairedDeviceAction, _ address: BluetoothAddress
  ) throws(HeadphoneError) -> [Exchange] {
    try reported.begin(action, address)
    let bytes = address.bytesInReadingOrder
    let order =
      switch action {
      case .connect: start(.connect, [0] + bytes)
      case .disconnect: start(.disconnect, bytes)
      case .forget: start(.forget, bytes)
      // Bit 7 means this device; the maker's app also sets bit 1.
      case .play: start(.route, [0x82] + bytes)
      case .prefer: throw .unsupported("preferred device")
      }
    var question = ask(action == .play ? .source : .devices)
    question.attempts = Self.mostDeviceQuestions
    return [order, question]
  }

  /// The maximum number of requests for the devices, one a second; a connection takes up to 4 s.
  private static let mostDeviceQuestions = 5
  private static let mostModeQuestions = 6

  // MARK: Receiving

  /// Parses one frame, skips unknown functions, and rejects operations that only a phone sends.
  mutating func apply(
    _ frame: BoseFrame, to message: inout ParsedMessage
  ) throws(MalformedBytes) {
    switch frame.operation {
    case .status:
      // A status with an impossible value is an answer, too.
      defer {
        message.responses = response(to: frame).map { [$0] } ?? []
        message.reply = reply(to: frame)
      }
      try apply(frame)
    case .result:
      message.responses = [frame.function.started]
      message.reply = reply(to: frame)
      try apply(frame)
    case .error:
      reported.refusal = frame.refusal
      message.responses = responses(to: frame)
    // The result comes later, or never.
    case .processing: message.responses = [frame.function.started]
    case .set, .get, .setGet, .start:
      throw MalformedBytes("Bose frame", at: 2, .badValue(UInt64(frame.operation.rawValue)))
    }
  }

  /// Returns the request that a status answers, or nil if the commanded change is not shown yet.
  private func response(to status: BoseFrame) -> ResponseID? {
    switch status.function {
    case .mode where modes.requested != nil && status.payload.first != modes.requested: nil
    case .device:
      (try? BluetoothAddress(inReadingOrder: status.payload.prefix(6))).map(Self.response(of:))
    case .devices, .source: reported.isDeviceCommandOpen ? nil : status.function.response
    default: status.function.response
    }
  }

  /// Returns the request and the command that an error answers; an error ends the wait for a mode.
  private mutating func responses(to error: BoseFrame) -> Set<ResponseID> {
    switch error.function {
    case .mode: modes.requested = nil
    case .route: devices.hasRoute = !error.isOfUnknownFunction
    // The error does not name the device: it is about the first one without details.
    case .device:
      if let address = devices.dropFirstUnknown() { return [Self.response(of: address)] }
    default: break
    }
    return [error.function.response, error.function.started]
  }

  /// Returns the requests that update the paired devices after a change, or nil for other frames.
  ///
  /// During the first rounds, the next round queries the details.
  private func reply(to frame: BoseFrame) -> [UInt8]? {
    switch (frame.function, frame.operation) {
    case (.connect, .result), (.disconnect, .result), (.forget, .result), (.route, .result):
      BoseFrame(.devices, .get).encoded()
    case (.devices, .status) where round >= Self.deviceRound && !devices.unknown.isEmpty:
      devices.unknown.flatMap { askDevice($0).values }.flatMap { $0 }
    default: nil
    }
  }

  private mutating func apply(_ frame: BoseFrame) throws(MalformedBytes) {
    var reader = ByteReader(frame.payload, of: "Bose payload")
    switch frame.function {
    case .version: version = textFromAir(reader.rest())
    case .firmware: firmware = textFromAir(reader.rest())
    case .modelName:
      let name = textFromAir(reader.rest())
      modelName = name.isEmpty ? nil : name
    case .blocks: blocks = try reader.uint32().byteSwapped
    case .product:
      let number = try reader.uint16().byteSwapped
      product = number
      modes.isUltra = BoseProduct.ultra.contains(number)
    case .battery: reported.apply(try BatteryLevels(bose: frame.payload))
    case .cancelling:
      let count = try reader.uint8()
      let level = try reader.uint8()
      guard level < count else { throw reader.impossible(level) }
      levels = count
      if ancLevels?.contains(level) == true { reported.apply(level: level) }
    case .name:
      _ = try reader.uint8()
      let name = textFromAir(reader.rest())
      if let ownName, ownName != name { reported.note(.renamed(name)) }
      ownName = name
    case .devices:
      try devices.adopt(list: &reader)
      applyDevices()
    case .device: if try devices.adopt(device: &reader) { applyDevices() }
    case .deviceFeatures:
      try devices.adopt(features: &reader)
      applyDevices()
    case .source:
      try devices.adopt(source: &reader)
      applyDevices()
    case .route where frame.operation == .status:
      devices.hasRoute = true
      applyDevices()
    case .mode: modes.adopt(active: try reader.uint8(), to: &reported)
    // The end of the list has no payload.
    case .modeList:
      if !frame.payload.isEmpty { try modes.adopt(entry: &reader, to: &reported) }
    case .favourites: try modes.adopt(favourites: &reader, to: &reported)
    case .liveSettings: try modes.adopt(live: &reader, to: &reported)
    case .connect, .disconnect, .forget, .route, .notifications: break
    default:
      guard try settings.adopt(frame.function, &reader, to: &reported) else {
        return reported.skip("function \(frame.function.block).\(frame.function.number)")
      }
    }
  }

  private mutating func applyDevices() {
    guard let known = devices.known, !known.isEmpty || reported.pairedDevices != nil else { return }
    reported.apply(devices.declaration, .pairedDevices(known))
  }
}
