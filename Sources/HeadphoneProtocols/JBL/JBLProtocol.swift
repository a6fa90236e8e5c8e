public import BluetoothCodec
public import GATT

/// The protocol of JBL's headphones over BLE, beside an audio side that has no controls.
///
/// | command | payload | meaning |
/// | --- | --- | --- |
/// | 9B | 01 01 | reports on; answered by 02 01 00 |
/// | 25 | 00; answer 01, at 3, 4 and 6 levels | battery of left, right and case |
/// | 91 | 11; answer and report 12, three pairs | noise control |
/// | 91 | 10, three pairs | its order |
///
/// A pair is a slot and 1 where it is on: 1 cancelling, 2 ambient sound, 3 talk-through. Recorded
/// from TUNE230NC. One command resets a headphone, which is why no other is ever sent.
public struct JBLProtocol: FamilyProtocol, ReportingProtocol {
  public typealias Frame = JBLFrame

  public static let name = "JBL"

  /// 65786365-6C70-6F69-6E74-2E636F6D0000.
  public static let service = uuid(0)
  /// The characteristics for commands: of TUNE230NC, and of Wave Buds 2.
  public static let writes = [uuid(2), .bit16(0xA202)]
  /// The characteristics for answers and reports, in the same order.
  public static let notifies = [uuid(1), .bit16(0xA205)]

  private static func uuid(_ number: UInt64) -> BluetoothUUID {
    BluetoothUUID(high: 0x6578_6365_6C70_6F69, low: 0x6E74_2E63_6F6D_0000 | number)
  }

  private enum Command {
    static let battery: UInt8 = 0x25
    static let noise: UInt8 = 0x91
    static let reports: UInt8 = 0x9B
  }

  /// The first bytes of noise control's payloads.
  private enum Noise {
    static let set: UInt8 = 0x10
    static let get: UInt8 = 0x11
    static let report: UInt8 = 0x12
  }

  private(set) var reported = ReportedValues()

  /// Creates the protocol; all models have the same.
  public init(on channel: FamilyChannel, _ models: ModelCatalog) {}

  /// The characteristics of the service; nil: there is none.
  public static func channel(in database: Database) -> FamilyChannel? {
    for service in database.services where service.uuid == Self.service {
      for (write, notify) in zip(writes, notifies) {
        let channel = FamilyChannel(
          of: service, write: service.characteristic(write), notify: service.characteristic(notify))
        if let channel { return channel }
      }
    }
    return nil
  }

  /// By what was reported.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.noise != nil { able.ancModes = [.off, .noiseCancelling, .transparency] }
    return able
  }

  public var information: DeviceInformation { DeviceInformation(manufacturer: "JBL") }

  // MARK: Asking

  /// Switches reports on, and asks for battery and noise control.
  public mutating func questions() -> [Exchange] {
    reported = ReportedValues()
    return [
      Self.ask(Command.reports, [1, 1]), Self.ask(Command.battery, [0]),
      Self.ask(Command.noise, [Noise.get]),
    ]
  }

  private static func ask(_ command: UInt8, _ payload: [UInt8]) -> Exchange {
    Exchange(JBLFrame(command, payload).encoded(), response: ResponseID(UInt16(command)))
  }

  /// The command, and behind it the question for what is true then.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    let slot: UInt8
    switch command {
    case .setANC(let mode):
      guard reported.noise != nil, let index = Self.modes.firstIndex(of: mode) else {
        throw .noMode(mode)
      }
      slot = UInt8(index)
    case .set(Self.talkThrough.id, .toggle(let isOn)) where reported[Self.talkThrough.id] != nil:
      slot = isOn ? 3 : 2
    default: throw .noCommand(of: Self.name)
    }
    let pairs = (UInt8(1)...3).flatMap { number -> [UInt8] in [number, number == slot ? 1 : 0] }
    let frame = JBLFrame(Command.noise, [Noise.set] + pairs).encoded()
    return [Self.ask(Command.noise, [Noise.get]).after([Exchange(withoutResponse: frame)])]
  }

  // MARK: Receiving

  /// Takes one frame, of which each notification is one; commands that are not known are skipped.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    do throws(MalformedBytes) {
      let frame = try JBLFrame(decoding: value)
      let response = ResponseID(UInt16(frame.command))
      switch (frame.command, frame.payload.first) {
      case (Command.reports, _): return ParsedMessage(response: response)
      case (Command.battery, 0x01):
        return ParsedMessage(response: response, try parse(battery: frame))
      case (Command.noise, Noise.report):
        return ParsedMessage(response: response, try parse(noise: frame))
      default: return ParsedMessage()
      }
    } catch {
      return ParsedMessage([.malformed(error, value)])
    }
  }

  /// A bud at 0 is not there.
  private mutating func parse(battery frame: JBLFrame) throws(MalformedBytes) -> [HeadphoneEvent] {
    var reader = ByteReader(frame.payload, of: "JBL battery")
    _ = try reader.read(3)
    var levels = BatteryLevels("JBL battery")
    for part in Part.allCases {
      if part == .case { _ = try reader.uint8() }
      let level = try reader.uint8()
      if level > 0 { levels.add(part, level, at: reader.offset - 1) }
    }
    return reported.apply(levels)
  }

  /// Takes the three slots, of which at most one is on.
  private mutating func parse(noise frame: JBLFrame) throws(MalformedBytes) -> [HeadphoneEvent] {
    var reader = ByteReader(frame.payload.dropFirst(), of: "JBL noise control")
    var slot = 0
    for expected in 1...3 {
      _ = try reader.uint8(in: UInt8(expected)...UInt8(expected))
      guard try reader.flag() else { continue }
      guard slot == 0 else { throw reader.impossible(1) }
      slot = expected
    }
    return reported.apply(slot == 3 ? .transparency : Self.modes[slot])
      + reported.apply(Self.talkThrough, .toggle(slot == 3))
  }

  /// By the slot that is on.
  private static let modes: [ANCMode] = [.off, .noiseCancelling, .transparency]
  private static let talkThrough = SettingDeclaration(
    "talk-through", .toggle, title: "Talk-through", label: "Talk", group: .noise)
}
