public import BluetoothCodec

/// The protocol of Huawei's FreeBuds and FreeLace and Honor's earbuds over the Serial Port Profile.
///
/// A query lists the fields that it requests; a feature whose query is not answered is missing. A
/// command is acknowledged by a code in a field of its own, and the value is then read back: a
/// level that a model lacks is acknowledged, too, but ignored.
///
/// | command | fields | meaning | proof |
/// | --- | --- | --- | --- |
/// | 0108, 0127 | 1 lowest, 2 left right case, 3 charging | battery; 0127 unprompted | recorded |
/// | 0107 | 7 firmware, 10 and 15 model (`HuaweiModel`) | text | recorded |
/// | 2B2A | 1: level, mode | noise control | another project's tests |
/// | 2B04 | 1: mode, level | sets noise control; level FF: unchanged | another project's tests |
/// | 2B5F | 1: 1 closed | the case's lid, unprompted | recorded |
/// | 2B03 | 8 left, 9 right: 1 worn | noise control or wearing has changed | published |
/// | 2B11, 2B10 | 1: flag | pause when taken off: query, command | another project's tests |
/// | 2B6C | 2: flag, new after 1 s; command in 1 | low latency | another project's tests |
/// | 2BA3 | 2: 0 a stable connection, 1 quality | priority of the connection | published |
/// | 2BA2 | 1: the same | sets the priority | published |
/// | 2B2F, 2B2E | 1: flag | two devices at a time: query, command | published |
/// | 2B5E | 1: side; the answer 2: side, 0 rings | whether a bud rings | another project's tests |
/// | 2B5D | 1: side, 0 starts, 1 stops | rings a bud (FreeBuds Pro 5) | another project's tests |
/// | 2B31 | 1; one answer for each ``PairedDevice`` | paired devices | published |
/// | 2B33 | 1 connect, 2 disconnect, 3 forget: address | command for a paired device | published |
/// | 2B32 | 1: address | makes a paired device the preferred one | published |
/// | 2B36 | | the paired devices have changed, and are queried again | published |
/// | 2B4A | 2: current preset, 3: available presets | equaliser | published |
/// | 2B49 | 1: preset | selects a preset | published |
public struct HuaweiProtocol: FramedProtocol {
  public typealias Frame = HuaweiFrame

  public static let name = "Huawei / Honor"

  public static let vendor: UInt16 = 0x027D
  /// The Serial Port Profile, which any maker may offer, of devices with Huawei's identifier.
  public static let services = [
    SerialService(SerialService.serialPort, vendor: vendor, channels: [16, 1])
  ]

  enum Command {
    static let device: UInt16 = 0x0107
    static let battery: UInt16 = 0x0108
    static let batteryChanged: UInt16 = 0x0127
    static let noiseChanged: UInt16 = 0x2B03
    static let setNoise: UInt16 = 0x2B04
    static let setPause: UInt16 = 0x2B10
    static let pause: UInt16 = 0x2B11
    static let noise: UInt16 = 0x2B2A
    static let setMultipoint: UInt16 = 0x2B2E
    static let multipoint: UInt16 = 0x2B2F
    static let devices: UInt16 = 0x2B31
    static let prefer: UInt16 = 0x2B32
    static let manage: UInt16 = 0x2B33
    static let devicesChanged: UInt16 = 0x2B36
    static let setPreset: UInt16 = 0x2B49
    static let preset: UInt16 = 0x2B4A
    static let setRinging: UInt16 = 0x2B5D
    static let ringing: UInt16 = 0x2B5E
    static let lid: UInt16 = 0x2B5F
    static let lowLatency: UInt16 = 0x2B6C
    static let setPriority: UInt16 = 0x2BA2
    static let priority: UInt16 = 0x2BA3
  }

  /// The field that says whether a command was accepted.
  static let outcome: UInt8 = 0x7F
  /// The value of ``outcome`` for an accepted command: 100,000, BE.
  static let accepted: Bytes = [0x00, 0x01, 0x86, 0xA0]
  /// The level that leaves the current level unchanged.
  private static let kept: UInt8 = 0xFF

  var reader = FrameReader(HuaweiFrame.format)
  var reported = ReportedValues()
  var firmware: String?
  /// The model's code, such as BTFT0016, and the code with the product number: BTFT0016-000147.
  var (model, submodel): (String?, String?)
  /// The entries of an incomplete list of paired devices, by number.
  var devices: [UInt8: PairedDevice] = [:]
  /// The presets by number, in the headphone's order.
  var presets: [UInt8] = []
  var hasResponded = false

  public init(on service: BluetoothUUID) {}

  public var isRecognised: Bool { hasResponded }

  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.hasNoise {
      able.ancModes = [.off, .noiseCancelling]
      if product?.hasTransparency ?? true { able.ancModes.append(.transparency) }
    }
    return able
  }

  /// A model without a name here is shown by its code.
  public var information: DeviceInformation {
    DeviceInformation(manufacturer: "Huawei", model: product?.name ?? model, firmware: firmware)
  }

  private var product: HuaweiModel? { HuaweiModel(submodel: submodel ?? "", code: model ?? "") }

  // MARK: Queries

  /// Forgets all reports, and returns the query for the battery, which every model has.
  public mutating func questions() -> [Exchange] {
    (reported, hasResponded, devices, presets) = (ReportedValues(), false, [:], [])
    round = 0
    return [ask(Command.battery, 1, 2, 3)]
  }

  private var round = 0

  /// Returns the queries for device information, features and ringing, one bud in each round.
  public mutating func furtherQuestions() -> [Exchange] {
    round += 1
    if round == 2, reported.ringing != nil { return [askRinging(.right)] }
    guard hasResponded, round == 1 else { return [] }
    return [
      ask(Command.device, 7, 10, 15), ask(Command.noise, 1, 2), ask(Command.pause, 1),
      ask(Command.lowLatency, 2), ask(Command.multipoint, 1), ask(Command.devices, 1),
      ask(Command.preset, 2, 3), ask(Command.priority, 1),
    ]
      + HuaweiGesture.all.map(ask) + [askRinging(.left)]
  }

  private func askRinging(_ side: Side) -> Exchange {
    Exchange(
      HuaweiFrame(Command.ringing, [HuaweiFrame.Field(1, [side.rawValue])]).encoded(),
      response: ResponseID(Command.ringing))
  }

  /// Returns the commands for the buds, which need not be answered, each followed by a query.
  private func ring(_ sides: Sides, isOn: Bool) throws(HeadphoneError) -> [Exchange] {
    if isOn { try reported.checkRinging(sides) }
    return Side.allCases.filter { sides.contains($0.asSides) }.map { side in
      let value = [side.rawValue, isOn ? 0 : 1]
      let command = HuaweiFrame(Command.setRinging, [HuaweiFrame.Field(1, value)])
      return askRinging(side).after([Exchange(withoutResponse: command.encoded())])
    }
  }

  func ask(_ command: UInt16, _ types: UInt8...) -> Exchange {
    Exchange(
      HuaweiFrame(command, types.map { HuaweiFrame.Field($0) }).encoded(),
      response: ResponseID(command))
  }

  private func ask(_ gesture: HuaweiGesture) -> Exchange {
    Exchange(
      HuaweiFrame(gesture.question, HuaweiGesture.fields.map { HuaweiFrame.Field($0) }).encoded(),
      response: ResponseID(gesture.question))
  }

  /// Returns a command with its value in field 1.
  private func request(_ command: UInt16, _ value: [UInt8]) -> Exchange {
    Exchange(
      HuaweiFrame(command, [HuaweiFrame.Field(1, value)]).encoded(), response: ResponseID(command))
  }

  /// Returns the command, followed by a query that reads the value back.
  ///
  /// - Throws: `unsupported` for what the headphone has not reported; `badArgument` for a strength
  ///   of cancelling while cancelling is off, since that command would switch it on, for focus on
  ///   voice without transparency, and for the headphone's own preset.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    reported.refusal = nil
    switch command {
    case .setANC(let mode) where capabilities.ancModes.contains(mode):
      let level: UInt8 = mode == .off ? 0 : Self.kept
      return [request(Command.setNoise, [mode.rawValue, level]), ask(Command.noise, 1, 2)]
    case .setANC(let mode): throw .noMode(mode)
    case .set(Self.strength.id, .choice(let name)) where reported[Self.strength.id] != nil:
      guard let level = Self.strengths.firstIndex(of: name), reported.noise == .noiseCancelling
      else { throw .badArgument("the strength can be set while noise cancelling is on only") }
      return [
        request(Command.setNoise, [ANCMode.noiseCancelling.rawValue, UInt8(level)]),
        ask(Command.noise, 1, 2),
      ]
    case .set(.focusOnVoice, .toggle(let isOn)) where reported[.focusOnVoice] != nil:
      guard reported.noise == .transparency else {
        throw .badArgument("voices can be let in while transparency is on only")
      }
      return [
        request(Command.setNoise, [ANCMode.transparency.rawValue, Self.awareness(isOn)]),
        ask(Command.noise, 1, 2),
      ]
    case .set(.pauseWhenTakenOff, .toggle(let isOn)) where reported[.pauseWhenTakenOff] != nil:
      return [request(Command.setPause, [isOn ? 1 : 0]), ask(Command.pause, 1)]
    case .set(.lowLatency, .toggle(let isOn)) where reported[.lowLatency] != nil:
      return [
        request(Command.lowLatency, [isOn ? 1 : 0]),
        ask(Command.lowLatency, 2).delayed(by: Self.lowLatencyPause),
      ]
    case .set(Self.priority.id, .choice(let name)) where reported[Self.priority.id] != nil:
      guard let number = Self.priorities.firstIndex(of: name) else {
        throw .unsupported(Self.priority.id.displayText)
      }
      return [request(Command.setPriority, [UInt8(number)]), ask(Command.priority, 1)]
    case .set(.multipoint, .toggle(let isOn)) where reported[.multipoint] != nil:
      return [request(Command.setMultipoint, [isOn ? 1 : 0]), ask(Command.multipoint, 1)]
    case .set(.equaliserPreset, .choice(let name)) where reported[.equaliserPreset] != nil:
      guard let preset = presets.first(where: { self.name(ofPreset: $0) == name }) else {
        throw .badArgument("the headphone's own preset is chosen in its maker's app")
      }
      return [request(Command.setPreset, [preset]), ask(Command.preset, 2, 3)]
    case .set(let id, let value)
    where reported.capabilities.declaration(of: id)?.accepts(value) == true:
      for gesture in HuaweiGesture.all {
        guard let fields = gesture.fields(id, value) else { continue }
        let command = Exchange(
          HuaweiFrame(gesture.command, fields).encoded(), response: ResponseID(gesture.command))
        return [command, ask(gesture)]
      }
      throw .unsupported(id.displayText)
    case .find(let sides, let isOn) where reported.ringing != nil:
      return try ring(sides, isOn: isOn)
    case .pairedDevice(let action, let address): return try request(action, address)
    default: throw .noCommand(of: Self.name)
    }
  }

  /// Returns the command, which need not be answered, and polls until the list shows the change.
  private mutating func request(
    _ action: PairedDeviceAction, _ address: BluetoothAddress
  ) throws(HeadphoneError) -> [Exchange] {
    try reported.begin(action, address)
    let types: [PairedDeviceAction: UInt8] = [.connect: 1, .disconnect: 2, .forget: 3]
    let frame = HuaweiFrame(
      action == .prefer ? Command.prefer : Command.manage,
      [HuaweiFrame.Field(types[action] ?? 1, address.bytesInReadingOrder)])
    var question = ask(Command.devices, 1)
    question.attempts = Self.mostDeviceQuestions
    return [Exchange(withoutResponse: frame.encoded()), question]
  }

  /// The time during which the headphone still reports the old value.
  private static let lowLatencyPause: Duration = .seconds(1)
  /// The maximum number of queries for the paired devices, one a second: connecting may be slow.
  private static let mostDeviceQuestions = 12

  // MARK: Settings

  static let strengths = ["normal", "comfort", "ultra", "dynamic"]
  static let strength = SettingDeclaration(
    "cancelling-strength", .choices(strengths), modes: [.noiseCancelling])
  static let priorities = ["stability", "quality"]
  static let priority = SettingDeclaration("connection-priority", .choices(priorities))
  /// Returns the level of transparency: 1 with voices first, 2 without.
  static func awareness(_ focusesOnVoice: Bool) -> UInt8 { focusesOnVoice ? 1 : 2 }
  static let voice = SettingDeclaration(.focusOnVoice, modes: [.transparency])
  static let pause = SettingDeclaration(.pauseWhenTakenOff)
}
