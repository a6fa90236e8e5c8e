public import Bluetooth
public import BluetoothCodec
public import GATT

/// The protocol of QCY's earbuds over BLE, by one published layout.
///
/// | block | parameters | meaning |
/// | --- | --- | --- |
/// | FE | number of a block | asks for it |
/// | 2F | left, right, case: %, 80 charging | battery |
/// | 0C | 0 off, 1 cancelling, 2 cancelling for outdoors, 3 transparency | noise control |
///
/// Models with another chip have the same service and stay silent; nothing else is ever sent.
public struct QCYProtocol: FamilyProtocol {
  public typealias Frame = QCYFrame

  public static let name = "QCY"

  public static let service = BluetoothUUID.bit16(0xA001)
  /// The characteristic for commands.
  public static let write = BluetoothUUID.bit16(0x1001)
  /// The characteristic for answers and reports.
  public static let notify = BluetoothUUID.bit16(0x1002)

  /// Its company, in manufacturer data.
  public static let company: UInt16 = 0x521C
  public static let advertised: [AdvertisingPattern] = [
    .manufacturer(company: company, prefix: [])
  ]

  private enum Command {
    static let ask: UInt8 = 0xFE
    static let battery: UInt8 = 0x2F
    static let noise: UInt8 = 0x0C
  }

  private var reported = ReportedValues()

  /// Creates the protocol; all models have the same.
  public init(on channel: FamilyChannel, _ models: ModelCatalog) {}

  /// The characteristics of the service; nil: there is none.
  public static func channel(in database: Database) -> FamilyChannel? {
    database.services.lazy.filter { $0.uuid == service }.compactMap {
      FamilyChannel(
        of: $0, write: $0.characteristic(write), notify: $0.characteristic(notify))
    }.first
  }

  /// By what was reported.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.noise != nil { able.ancModes = [.off, .noiseCancelling, .transparency] }
    return able
  }

  public var information: DeviceInformation { DeviceInformation(manufacturer: "QCY") }

  // MARK: Asking

  /// Asks for battery and noise control.
  public mutating func questions() -> [Exchange] {
    reported = ReportedValues()
    return [Self.ask(Command.battery), Self.ask(Command.noise)]
  }

  private static func ask(_ command: UInt8) -> Exchange {
    Exchange(
      QCYFrame(Command.ask, [command]).encoded(), response: ResponseID(UInt16(command)))
  }

  /// The command, and behind it the question for what is true then.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    let value: UInt8
    switch command {
    case .setANC(let mode):
      guard reported.noise != nil, let index = Self.values[mode] else { throw .noMode(mode) }
      value = index
    case .set(Self.outdoor.id, .toggle(let isOn)) where reported[Self.outdoor.id] != nil:
      value = isOn ? Self.outdoorValue : Self.values[.noiseCancelling] ?? 1
    default: throw .noCommand(of: Self.name)
    }
    let frame = QCYFrame(Command.noise, [value]).encoded()
    return [Self.ask(Command.noise).after([Exchange(withoutResponse: frame)])]
  }

  /// Confirms a command by the value that the headphone has reported since.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    try reported.confirm(command)
    return []
  }

  // MARK: Receiving

  /// Takes one frame, of which each notification is one; blocks that are not known are skipped.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    do throws(MalformedBytes) {
      var events: [HeadphoneEvent] = []
      var response: ResponseID?
      for block in try QCYFrame(decoding: value).blocks {
        guard let read = try read(block) else { continue }
        events += read
        response = response ?? ResponseID(UInt16(block.command))
      }
      return ParsedMessage(response: response, events)
    } catch {
      return ParsedMessage([.malformed(error, value)])
    }
  }

  /// What a block reports; nil: it is not known.
  private mutating func read(
    _ block: QCYFrame.Block
  ) throws(MalformedBytes) -> [HeadphoneEvent]? {
    var reader = ByteReader(block.parameters, of: "QCY parameters")
    switch block.command {
    case Command.battery:
      var levels = BatteryLevels("QCY battery")
      for part in Part.allCases {
        let byte = try reader.uint8()
        // A part that is not there is at 0.
        if byte & 0x7F > 0 { levels.add(part, withChargingBit: byte, at: reader.offset - 1) }
      }
      return reported.apply(levels)
    case Command.noise:
      let value = try reader.uint8(in: 0...3)
      let mode = Self.values.first { $0.value == value }?.key ?? .noiseCancelling
      return reported.apply(mode)
        + reported.apply(Self.outdoor, .toggle(value == Self.outdoorValue))
    default: return nil
    }
  }

  private static let values: [ANCMode: UInt8] = [
    .off: 0, .noiseCancelling: 1, .transparency: 3,
  ]
  private static let outdoorValue: UInt8 = 2
  private static let outdoor = SettingDeclaration(
    "outdoor-cancelling", .toggle, title: "Outdoor cancelling", label: "Outdoor",
    group: .noise)
}
