public import BluetoothCodec

/// vivo's and iQOO's earbuds over GAIA.
///
/// Answers are of GAIA's older kind: the command with bit 15, and a status. A command for noise control
/// ends with the bytes that the model reports behind its mode; where those are not known, noise
/// control is read only. Hello and battery are asked in version 4 of GAIA; a TWS Air3 Pro answers them
/// in version 3, and noise control then has the version of the answer.
public struct VivoProtocol: PlainFramedProtocol {
  public typealias Frame = GAIAFrame

  public static let name = "vivo / iQOO"

  /// 00000837-D102-11E1-9B23-00025B00A5A5.
  public static let service = BluetoothUUID(
    high: 0x0000_0837_D102_11E1, low: 0x9B23_0002_5B00_A5A5)

  /// Qualcomm's older number among GAIA's vendors: the hello.
  private static let qualcomm: UInt16 = 0x000A
  private static let vivo: UInt16 = 0x001B
  private static let responseBit: UInt16 = 0x8000

  private enum Command {
    static let hello: UInt16 = 0x0300
    static let setNoise: UInt16 = 0x0130
    static let battery: UInt16 = 0x0207
    static let noise: UInt16 = 0x0230
  }

  var reader = FrameReader(GAIAFrame.format)
  private(set) var reported = ReportedValues()
  private var hasResponded = false
  private var hasAskedNoise = false
  /// The version of GAIA of its last answer.
  private var version = latestVersion
  /// What the headphone reports behind the mode.
  private var tail: [UInt8] = []

  init() {}

  public var isRecognised: Bool { hasResponded }

  public var information: DeviceInformation { DeviceInformation(manufacturer: "vivo") }

  // MARK: Asking

  /// The hello, and the battery, which every model has.
  public mutating func questions() -> [Exchange] {
    (reported, hasResponded, hasAskedNoise, tail) = (ReportedValues(), false, false, [])
    version = Self.latestVersion
    return [ask(Self.qualcomm, Command.hello), ask(Self.vivo, Command.battery)]
  }

  public mutating func furtherQuestions() -> [Exchange] {
    guard hasResponded, !hasAskedNoise else { return [] }
    hasAskedNoise = true
    return [askNoise()]
  }

  private func ask(_ vendor: UInt16, _ command: UInt16, _ payload: [UInt8] = []) -> Exchange {
    Exchange(
      GAIAFrame(version: version, vendor: vendor, command, payload).encoded(),
      response: ResponseID(command))
  }

  private func askNoise() -> Exchange {
    ask(Self.vivo, Command.noise, version == Self.latestVersion ? [0x00] : [])
  }

  /// The command, and behind it the question for what is true then.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    reported.refusal = nil
    guard case .setANC(let mode) = command else { throw Self.unsupported }
    guard capabilities.ancModes.contains(mode), let raw = Self.modes.firstIndex(of: mode) else {
      throw .noMode(mode)
    }
    guard Self.tails[version]?.contains(tail) == true else {
      throw .unsupported("noise control that Earshot can set: the rest of its command is unknown")
    }
    return [
      ask(Self.vivo, Command.setNoise, [UInt8(raw)] + tail), askNoise(),
    ]
  }

  // MARK: Receiving

  mutating func events(
    of frame: GAIAFrame, response: inout ResponseID?
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard frame.command & Self.responseBit != 0 else { return [] }
    let command = frame.command & ~Self.responseBit
    response = ResponseID(command)
    if frame.vendor == Self.vivo { version = frame.version }
    var payload = ByteReader(frame.payload, of: "vivo answer")
    guard try payload.uint8() == 0 else {
      reported.refusal = .refused(.unspecified)
      return []
    }
    return frame.vendor == Self.vivo ? try events(of: command, &payload) : []
  }

  private mutating func events(
    of command: UInt16, _ payload: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    switch command {
    case Command.battery:
      let levels = try Self.batteries(&payload)
      hasResponded = hasResponded || !levels.parts.isEmpty
      return reported.apply(levels)
    case Command.noise, Command.setNoise:
      let raw = try payload.uint8()
      guard Int(raw) < Self.modes.count else { throw payload.impossible(raw) }
      if command == Command.noise { tail = Array(payload.rest()) }
      return reported.apply(Self.modes[Int(raw)])
    default: return []
    }
  }

  /// Left, right and case, and a bit for each that charges.
  private static func batteries(
    _ payload: inout ByteReader
  ) throws(MalformedBytes) -> BatteryLevels {
    let raw = Array(try payload.read(Part.allCases.count))
    let charging = try payload.uint8()
    var levels = BatteryLevels("vivo battery")
    for (index, part) in Part.allCases.enumerated() where raw[index] != absent {
      levels.add(part, raw[index], isCharging: charging & 1 << index != 0, at: index)
    }
    return levels
  }

  private static let absent: UInt8 = 0xFF
  /// By their numbers.
  private static let modes: [ANCMode] = [.noiseCancelling, .off, .transparency]
  private static let latestVersion: UInt8 = 4
  /// By the version of GAIA: of the TWS Air3 Pro and of the TWS 3e, and of the family.
  private static let tails: [UInt8: Set<[UInt8]>] = [
    3: [[0x04, 0x00], [0x03]], latestVersion: [[0x03, 0x01]],
  ]
}
