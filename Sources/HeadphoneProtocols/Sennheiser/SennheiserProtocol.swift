public import BluetoothCodec

/// The protocol of Sennheiser's Momentum and HDB headphones over GAIA.
///
/// A command consists of a feature, a kind and a number. The kind of its response is greater by 1.
/// Of two consecutive numbers, the lower one sets a value and the next one reads it. Noise control
/// is a single dial from cancelling (0) to transparency (100); it can be set while noise control is
/// on and not adaptive.
///
/// | command, request | payload | becomes |
/// | --- | --- | --- |
/// | 0007 | feature | registration for reports of its changes |
/// | -, 0402 | state of left and right, or of the whole | wearing |
/// | -, 0602 | state of left and right, or of the whole | charging |
/// | -, 0603 | % of left and right, or of the whole | batteries |
/// | -, 0800 | number | setting `codec` |
/// | -, 081A | Hz BE32 | setting `sample-rate` |
/// | -, 1000 | bands, minimum and maximum gain in 0.1 dB | equaliser |
/// | 1001 band, gain; 1002 band | gain, or band and gain; reports: all gains | equaliser |
/// | 1A00, 1A01 | mode, state: `SennheiserNoise` | settings; noise control |
/// | 1A02, 1A03 | 0 to 100 | level of noise control |
/// | 1A04, 1A05 | flag | noise control |
/// | `SennheiserSetting` | | settings of one value |
///
/// Confirmed on a Momentum 4 and an HDB 630, whose settings two projects wrote, read back and
/// restored. Nothing else is ever sent: other numbers switch a headphone off or reset it, and
/// Qualcomm's feature 6 is firmware update. A Momentum 4 acknowledges numbers from 1A00 to 1AFF
/// that it does not have with one byte, so the length of an answer is checked.
public struct SennheiserProtocol: TabledProtocol, FramedProtocol {
  public typealias Frame = GAIAFrame

  public static let name = "Sennheiser"
  static let manufacturer = name

  static let vendor: UInt16 = 0x0495
  public static let service = BluetoothUUID(
    high: 0xA212_9FF3_081B_4C45, low: 0x8AFE_469D_9C48_42EC)
  /// The protocol's own service, and the service that the Bluetooth SIG assigned to Sennheiser.
  public static let services = [SerialService(service), SerialService(.bit16(0xFDCE))]

  private enum Command {
    static let register: UInt16 = 0x0007
    static let charging: UInt16 = 0x0602
    static let battery: UInt16 = 0x0603
    static let equaliser: UInt16 = 0x1000
    static let setBand: UInt16 = 0x1001
    static let band: UInt16 = 0x1002
    static let firmware: UInt16 = 0x1202
    static let setMode: UInt16 = 0x1A00
    static let modes: UInt16 = 0x1A01
    static let setTransparency: UInt16 = 0x1A02
    static let transparency: UInt16 = 0x1A03
    static let setIsOn: UInt16 = 0x1A04
    static let isOn: UInt16 = 0x1A05

    /// The commands outside of the table that change something.
    static let changing: Set = [register, setBand, setMode, setTransparency, setIsOn]
  }

  static let rows =
    [
      MakerRow(0x1206, [.model]), MakerRow(0x1201, [.firmware(3, width: 2)]),
      MakerRow(Command.firmware, [.firmware(3)]), MakerRow(0x0402, [.custom(applyWearing)]),
      MakerRow(0x0800, [.custom(SennheiserReading.applyCodec)]),
      MakerRow(0x081A, [.custom(SennheiserReading.applySampleRate)]),
    ] + SennheiserSetting.all
  static let isExact = true

  private enum Kind {
    static let mask: UInt16 = 0x0180
    static let notification: UInt16 = 0x0080
    static let response: UInt16 = 0x0100
    static let error: UInt16 = 0x0180
  }

  /// The features that report changes: battery, audio, equaliser, hear-through and noise control.
  private static let reporting: [UInt8] = [0x03, 0x04, 0x08, 0x0C, 0x0D]

  var reader = FrameReader(GAIAFrame.format)
  var reported = ReportedValues()
  var state = TableState()
  /// Whether the headphone has answered, even if only with an error.
  public private(set) var isRecognised = false
  private var round = 0
  /// The levels of left and right in %, or a single one for the whole headphone.
  private var levels: Bytes = []
  /// Whether each side is charging, or nil for an unknown state.
  private var charging: [Bool?] = []
  private var noise = SennheiserNoise()
  private var equaliser: SennheiserEqualiser?
  private var requestedGains: [BandGain]?

  public init(on service: BluetoothUUID) {}

  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.hasNoise {
      able.ancModes =
        [.off, .noiseCancelling, .transparency] + (noise.adapts == nil ? [] : [.adaptive])
      able.hasANCLevel = true
      able.ancLevels = 0...SennheiserNoise.mostTransparent
      able.ancLevelModes = [.noiseCancelling, .transparency]
      able.ancLevelStep = 10
    }
    if reported.equaliser != nil, let equaliser {
      able.eqBands = equaliser.count
      able.eqCentres = centres.count == equaliser.count ? centres : []
      able.eqLimit = equaliser.limit
    }
    return able
  }

  /// The centre frequencies of the equaliser in Hz, taken from the maker's app.
  private var centres: [Int] {
    state.model?.contains("HDB") == true
      ? [50, 250, 800, 3000, 8000] : [63, 250, 1000, 4000, 8000]
  }

  /// Returns the requests for noise control and for the battery, which every model reports unless
  /// it is connected by cable.
  public mutating func questions() -> [Exchange] {
    forget()
    (isRecognised, round) = (false, 0)
    (noise, equaliser, levels, charging) = (SennheiserNoise(), nil, [], [])
    return [ask(Command.battery), ask(Command.isOn)]
  }

  /// Returns the requests for all features, then those for the bands of the equaliser; an error in
  /// response means that the headphone lacks the feature.
  public mutating func furtherQuestions() -> [Exchange] {
    guard isRecognised else { return [] }
    round += 1
    switch round {
    case 1:
      let registrations = Self.reporting.map {
        Exchange(withoutResponse: Self.frame(Command.register, [$0]))
      }
      let others = [
        Command.charging, Command.equaliser, Command.modes, Command.transparency,
      ]
      let rows = Self.rows.filter { $0.question != Command.firmware }
      return registrations + others.map { ask($0) } + rows.map { ask($0) }
    case 2:
      let bands = UInt8(clamping: equaliser?.count ?? 0)
      return (state.firmware == nil ? [ask(Command.firmware)] : []) + (0..<bands).map(askBand)
    default: return []
    }
  }

  func ask(_ number: UInt16, _ payload: [UInt8] = []) -> Exchange {
    Exchange(Self.frame(number, payload), response: ResponseID(number))
  }

  private func askBand(_ band: UInt8) -> Exchange {
    var question = ask(Command.band, [band])
    question.response.sequence = band
    return question
  }

  private static func frame(_ command: UInt16, _ payload: [UInt8]) -> [UInt8] {
    GAIAFrame(vendor: vendor, command, payload).encoded()
  }

  /// Records the band that a frame requests, as the response may consist of the gain alone.
  public mutating func framed(_ value: Bytes) -> Bytes {
    if let frame = try? GAIAFrame(decoding: value), frame.command == Command.band,
      let band = frame.payload.first
    {
      equaliser?.ask(band)
    }
    return value
  }

  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    reported.refusal = nil
    switch command {
    case .setANC(let mode) where capabilities.ancModes.contains(mode):
      return requests(for: mode) + noiseQuestions
    case .setANC(let mode): throw .noMode(mode)
    case .setANCLevel(let level) where capabilities.hasANCLevel:
      guard level <= SennheiserNoise.mostTransparent else {
        throw .level(level, outside: 0...SennheiserNoise.mostTransparent)
      }
      guard noise.isOn == true, noise.adapts != true else {
        throw .badArgument("the level can be set while noise control is on only")
      }
      return [ask(Command.setTransparency, [level])] + noiseQuestions
    case .setCustomEQ(let gains):
      guard let equaliser, let now = reported.equaliser else {
        throw .unsupported("custom equaliser")
      }
      guard gains.count == now.count else { throw .gains(gains.count, insteadOf: now.count) }
      guard gains.allSatisfy({ $0 == $0.limited(to: equaliser.limit) }) else {
        throw .badArgument("a gain beyond this headphone's \(equaliser.limit.decibels) dB")
      }
      requestedGains = gains
      return gains.indices.filter { gains[$0] != now[$0] }.map { UInt8(clamping: $0) }.flatMap {
        let gain = SennheiserEqualiser.byte(of: gains[Int($0)])
        return [ask(Command.setBand, [$0, gain]), askBand($0)]
      }
    case .set(let id, let value) where reported[id] != nil:
      guard let payload = noise.order(id, value) else { return try tabledExchanges(for: command) }
      return [ask(Command.setMode, payload), ask(Command.modes)]
    default: return try tabledExchanges(for: command)
    }
  }

  private mutating func requests(for mode: ANCMode) -> [Exchange] {
    guard mode != .off else { return [ask(Command.setIsOn, [0])] }
    var requests = noise.isOn == true ? [] : [ask(Command.setIsOn, [1])]
    if noise.adapts == true || mode == .adaptive {
      let payload = noise.order(SennheiserNoise.adaptive, mode == .adaptive ? 1 : 0)
      requests.append(ask(Command.setMode, payload))
    }
    if mode != .adaptive {
      let level = mode == .transparency ? SennheiserNoise.mostTransparent : 0
      requests.append(ask(Command.setTransparency, [level]))
    }
    return requests
  }

  private var noiseQuestions: [Exchange] {
    (noise.hasModes ? [ask(Command.modes)] : []) + [ask(Command.transparency), ask(Command.isOn)]
  }

  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    try reported.confirm(command)
    guard case .setCustomEQ = command else { return [] }
    guard let requested = requestedGains.take(), requested == reported.equaliser else {
      throw .unsupported("such equaliser")
    }
    return []
  }

  // MARK: Receiving

  mutating func apply(
    _ frame: GAIAFrame, to message: inout ParsedMessage
  ) throws(MalformedBytes) {
    guard frame.vendor == Self.vendor else {
      return reported.skip("message of vendor \(hexadecimal(frame.vendor, width: 4))")
    }
    let (command, payload) = (frame.command & ~Kind.mask, frame.payload)
    switch frame.command & Kind.mask {
    case Kind.error: refuse(command, payload.first ?? 0, &message)
    case Kind.response:
      isRecognised = true
      message.responses = [response(command, payload)]
      if command == Command.setMode { noise.orderTaken() }
      try applyValues(command, payload)
    // A notification has the number of the request that reads the same values.
    case Kind.notification where command == Command.band:
      try equaliser?.adopt(all: payload)
      applyGains()
    case Kind.notification: try applyValues(command, payload)
    default: reported.skip("message \(hexadecimal(frame.command, width: 4))")
    }
  }

  private func response(_ command: UInt16, _ payload: Bytes) -> ResponseID {
    ResponseID(
      command, sequence: command == Command.band ? equaliser?.band(of: payload) : nil)
  }

  /// Handles an error: a requested feature is missing, or a command was rejected.
  private mutating func refuse(_ command: UInt16, _ code: UInt8, _ message: inout ParsedMessage) {
    isRecognised = true
    if command == Command.setMode, let other = noise.orderRefused() {
      message.reply = Self.frame(command, other)
      return
    }
    message.responses = [response(command, [])]
    if Command.changing.contains(command) || Self.rows.contains(where: { $0.command == command }) {
      // The payload has a wrong form, or an index that does not exist.
      reported.refusal = .refused([0x05, 0x83].contains(code) ? .badPayload : .other(code))
    }
  }

  private mutating func applyValues(
    _ command: UInt16, _ payload: Bytes
  ) throws(MalformedBytes) {
    var reader = ByteReader(payload, of: "Sennheiser payload")
    switch command {
    case Command.battery:
      levels = try Self.sides(&reader)
      reported.apply(batteries)
    case Command.charging:
      charging = try Self.sides(&reader).map { Self.charges[$0] }
      reported.apply(batteries.parts)
    case Command.equaliser: equaliser = try SennheiserEqualiser(&reader)
    case Command.band:
      try equaliser?.adopt(answer: payload)
      applyGains()
    case Command.isOn:
      let flag = try reader.flag()
      try reader.finish()
      noise.isOn = flag
      noise.apply(to: &reported)
    case Command.transparency:
      let level = try reader.uint8(in: 0...SennheiserNoise.mostTransparent)
      try reader.finish()
      noise.transparency = level
      noise.apply(to: &reported)
    case Command.modes:
      try noise.adopt(modes: &reader, to: &reported)
      noise.apply(to: &reported)
    case _ where Command.changing.contains(command): break
    default: try apply(command, payload)
    }
  }

  private static func applyWearing(
    _ reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    let worn = try sides(&reader).map { isWorn[$0] }
    reported.apply(Wearing(left: worn.first ?? nil, right: worn.last ?? nil))
  }

  private static func sides(_ reader: inout ByteReader) throws(MalformedBytes) -> Bytes {
    let sides = reader.rest()
    guard (1...2).contains(sides.count) else { throw reader.malformed(.badLength(sides.count)) }
    return sides
  }

  private var batteries: BatteryLevels {
    var batteries = BatteryLevels("Sennheiser battery")
    for (index, (part, level)) in zip([Part.left, .right], levels).enumerated() {
      let isCharging = index < charging.count ? charging[index] : nil
      batteries.add(part, level, isCharging: isCharging, at: index)
    }
    return batteries
  }

  private mutating func applyGains() {
    if let gains = equaliser?.gains { reported.apply(.custom, gains) }
  }

  /// Whether a side is charging, by its state; 2 is full.
  private static let charges: [UInt8: Bool] = [0: false, 1: true, 2: false]
  /// Whether a side is worn, by its state: 1 in the case, 2 off, 3 on.
  private static let isWorn: [UInt8: Bool] = [1: false, 2: false, 3: true]
}
