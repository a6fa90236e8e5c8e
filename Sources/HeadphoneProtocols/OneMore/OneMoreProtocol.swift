public import BluetoothCodec

/// 1MORE's headphones over RFCOMM.
///
/// They speak on the Serial Port Profile without a company of their own, so that nothing but a
/// person says that a headphone is one (`--driver 1more`).
///
/// | ask, set | payload | becomes |
/// | --- | --- | --- |
/// | 4E | 1 to 3 firmware, 4 battery | firmware; battery, which the headphone rounds to tens |
/// | 5F, 5E | 0 off, 1 cancelling, 3 transparency | noise control |
/// | 6C, 6B | 0 off, 2 on | setting `ldac` |
/// | 77, 76 | 0 off, 1 on | setting `multipoint` |
/// | 6A, 69 | number of a preset | setting `equaliserPreset` |
///
/// A question and the command for it are proven by recordings of a SonoFlow; the presets by one
/// published layout.
public struct OneMoreProtocol: PlainFramedProtocol {
  public typealias Frame = OneMoreFrame

  public static let name = "1MORE"
  /// Every maker's, so that ``services`` asks for a person's word.
  public static let service = SerialService.serialPort
  public static var services: [SerialService] { [SerialService(service, isShared: true)] }

  private enum Command {
    static let information: UInt16 = 0x4E
    static let noise: UInt16 = 0x5F
    static let ldac: UInt16 = 0x6C
    static let devices: UInt16 = 0x77
    static let preset: UInt16 = 0x6A
    /// A command has the number before its question's.
    static func set(_ question: UInt16) -> UInt16 { question - 1 }
  }

  var reader = FrameReader(OneMoreFrame.format(of: .headphone))
  private(set) var reported = ReportedValues()
  private var round = 0
  private var sequence: UInt16 = 0
  private var firmware: String?

  init() {}

  public var isRecognised: Bool { !reported.batteries.isEmpty }

  public var information: DeviceInformation {
    DeviceInformation(manufacturer: "1MORE", firmware: firmware)
  }

  // MARK: Asking

  public mutating func questions() -> [Exchange] {
    (reported, round) = (ReportedValues(), 0)
    return [ask(Command.information)]
  }

  /// What else it has, once it has answered.
  public mutating func furtherQuestions() -> [Exchange] {
    round += 1
    guard isRecognised, round == 1 else { return [] }
    return [Command.noise, Command.ldac, Command.devices, Command.preset].map { ask($0) }
  }

  private mutating func ask(_ command: UInt16, _ payload: [UInt8] = []) -> Exchange {
    sequence &+= 1
    return Exchange(
      OneMoreFrame(.phone, command, sequence: sequence, payload).encoded(),
      response: ResponseID(command))
  }

  /// The command, and behind it the question for what is true then.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    let (question, value): (UInt16, UInt8)
    switch command {
    case .setANC(let mode):
      guard reported.noise != nil, let number = Self.modes.first(where: { $0.value == mode })?.key
      else { throw .noMode(mode) }
      (question, value) = (Command.noise, number)
    case .set(Self.ldac.id, .toggle(let isOn)) where reported[Self.ldac.id] != nil:
      (question, value) = (Command.ldac, isOn ? 2 : 0)
    case .set(.multipoint, .toggle(let isOn)) where reported[.multipoint] != nil:
      (question, value) = (Command.devices, isOn ? 1 : 0)
    case .set(.equaliserPreset, .choice(let name)) where reported[.equaliserPreset] != nil:
      guard let number = Self.presets.firstIndex(of: name) else { throw Self.unsupported }
      (question, value) = (Command.preset, UInt8(number))
    default: throw Self.unsupported
    }
    return [ask(Command.set(question), [value]), ask(question)]
  }

  // MARK: Receiving

  /// Takes one frame; commands that are not known are skipped.
  mutating func events(
    of frame: OneMoreFrame, response: inout ResponseID?
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard frame.sender == .headphone else { return [] }
    response = ResponseID(frame.command)
    var reader = ByteReader(frame.payload, of: "1MORE value")
    switch frame.command {
    case Command.information:
      _ = try reader.uint8()
      let version = try reader.read(3)
      firmware = version.map { "\($0)" }.joined(separator: ".")
      var levels = BatteryLevels("1MORE battery")
      levels.add(.left, try reader.uint8(), at: reader.offset - 1)
      return reported.apply(levels)
    case Command.noise:
      let raw = try reader.uint8()
      guard let mode = Self.modes[raw] else { throw reader.impossible(raw) }
      return reported.apply(mode)
    case Command.ldac:
      return reported.apply(Self.ldac, .toggle(try reader.uint8(in: 0...2) == 2))
    case Command.devices:
      return reported.apply(.multipoint, .toggle(try reader.uint8(in: 0...1) == 1))
    case Command.preset:
      let raw = try reader.uint8()
      guard Int(raw) < Self.presets.count else { throw reader.impossible(raw) }
      return reported.apply(Self.preset, .choice(Self.presets[Int(raw)]))
    default: return []
    }
  }

  /// Further numbers are of other models.
  private static let modes: [UInt8: ANCMode] = [0: .off, 1: .noiseCancelling, 3: .transparency]
  private static let ldac = SettingDeclaration(
    "ldac", .toggle, title: "LDAC", label: "LDAC", group: .sound)
  private static let preset = SettingDeclaration(
    .equaliserPreset, SettingDeclaration.choices(presets), title: "Equaliser", label: "EQ",
    group: .sound)
  /// By their numbers.
  private static let presets = [
    "studio", "bass-reducer", "bass-booster", "acoustic", "classical", "podcast", "deep",
    "electronic", "hip-hop", "lounge", "pop", "voice",
  ]
}
