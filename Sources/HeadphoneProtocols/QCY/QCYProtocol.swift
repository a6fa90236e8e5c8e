public import Bluetooth
public import BluetoothCodec
public import GATT

/// The protocol of QCY's and SoundPEATS's earbuds over BLE, by one published layout each.
///
/// Both have the same service, frames and battery, and other numbers of noise control. Which of them
/// it is follows from the name of a SoundPEATS's firmware, or from a number that only one of them
/// has. Until then noise control is neither shown nor set.
///
/// | block | parameters | meaning |
/// | --- | --- | --- |
/// | FE | number of a block | asks for it |
/// | 2F | left, right, case: %, 80 charging | battery |
/// | 0C | 0 off, 1 cancelling, 2 cancelling for outdoors, 3 transparency | noise control of QCY |
/// | 0C | 02 off, 63 cancelling, A5 transparency | noise control of SoundPEATS |
/// | 09, 23, 24, 2A | 1 on, 2 off; another in a report: off | low latency, LDAC, two devices, wind |
/// | 2C | 1 on, 2 off; what follows stays | wear detection |
/// | 22 | preset, LE16 gain, then `QCYEqualiser.Band` each | equaliser |
///
/// | characteristic | value |
/// | --- | --- |
/// | 0007 | firmware, as text or three numbers of each bud; SoundPEATS: "SPTS04_20221202_V62" |
/// | 0008 | left, right, case: %, 80 charging |
///
/// Models with another chip have the same service and stay silent: their battery and firmware are
/// read. Nothing else is ever sent. Noise control of SoundPEATS is that of a Capsule3 Pro, by two
/// projects. The switches are asked of QCY's alone, and proven by the recorded answers of a MeloBuds
/// N70, of which wear detection was written, too. Noise control of the N70 (block 17) is left out,
/// because two projects number it differently.
public struct QCYProtocol: FamilyProtocol, ReportingProtocol {
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

  /// The characteristic with the firmware.
  public static let version = BluetoothUUID.bit16(0x0007)
  /// The characteristic with the battery levels.
  public static let levels = BluetoothUUID.bit16(0x0008)

  /// The makers, by their numbers of noise control.
  private enum Maker: String, Hashable, CaseIterable {
    case qcy = "QCY"
    case soundPeats = "SoundPEATS"

    /// What the firmware of SoundPEATS's earbuds begins with.
    static let soundPeatsFirmware = "SPTS"

    var values: [UInt8: ANCMode] {
      switch self {
      case .qcy: [0: .off, 1: .noiseCancelling, 2: .noiseCancelling, 3: .transparency]
      case .soundPeats: [0x02: .off, 0x63: .noiseCancelling, 0xA5: .transparency]
      }
    }
  }

  private enum Command {
    static let ask: UInt8 = 0xFE
    static let battery: UInt8 = 0x2F
    static let noise: UInt8 = 0x0C
    static let equaliser: UInt8 = 0x22
    static let wearing: UInt8 = 0x2C
  }

  /// The switches by their blocks.
  private static let switches: [UInt8: SettingDeclaration] = [
    0x09: SettingDeclaration(
      "low-latency", .toggle, title: "Low latency", label: "Latency", group: .sound),
    0x23: SettingDeclaration("ldac", .toggle, title: "LDAC", label: "LDAC", group: .sound),
    0x24: .multipoint,
    0x2A: SettingDeclaration(
      "wind-reduction", .toggle, title: "Wind noise reduction", label: "Wind", group: .noise),
    Command.wearing: .wearDetection,
  ]

  private(set) var reported = ReportedValues()
  /// Nil: it may be either.
  private var maker: Maker?
  private var firmware: String?
  /// What follows the switch of wear detection, which a command repeats.
  private var wearingActions: [UInt8] = []
  /// As it was reported last; nil: it was not.
  private var equaliser: QCYEqualiser?
  private var hasAskedSettings = false

  /// Creates the protocol; all models have the same.
  public init(on channel: FamilyChannel, _ models: ModelCatalog) {}

  /// The characteristics of the service; nil: there is none.
  public static func channel(in database: Database) -> FamilyChannel? {
    database.services.lazy.filter { $0.uuid == service }.compactMap {
      var channel = FamilyChannel(
        of: $0, write: $0.characteristic(write), notify: $0.characteristic(notify))
      channel?.readable = [$0.characteristic(version), $0.characteristic(levels)]
        .compactMap(\.self)
      return channel
    }.first
  }

  /// By what was reported.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.noise != nil { able.ancModes = [.off, .noiseCancelling, .transparency] }
    if let equaliser {
      able.eqPresets = [.custom]
      able.eqBands = equaliser.bands.count
      able.eqCentres = equaliser.bands.map { Int($0.frequency) }
      able.eqLimit = QCYEqualiser.limit
    }
    return able
  }

  public var information: DeviceInformation {
    DeviceInformation(manufacturer: maker?.rawValue, firmware: firmware)
  }

  // MARK: Asking

  /// Asks for battery and noise control.
  public mutating func questions() -> [Exchange] {
    (reported, equaliser, wearingActions) = (ReportedValues(), nil, [])
    hasAskedSettings = false
    return [Self.ask(Command.battery), Self.ask(Command.noise)]
  }

  /// Asks QCY's for their settings, once.
  ///
  /// What a model lacks it does not answer, so that only the battery behind them is awaited.
  public mutating func furtherQuestions() -> [Exchange] {
    guard maker == .qcy, !reported.batteries.isEmpty, !hasAskedSettings else { return [] }
    hasAskedSettings = true
    let settings = Self.switches.keys.sorted() + [Command.equaliser]
    return [Self.ask(Command.battery).after(settings.map(Self.ask))]
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
      guard reported.noise != nil,
        let number = maker?.values.filter({ $0.value == mode }).keys.min()
      else { throw .noMode(mode) }
      value = number
    case .set(Self.outdoor.id, .toggle(let isOn)) where reported[Self.outdoor.id] != nil:
      value = isOn ? Self.outdoorValue : 1
    case .set(let id, .toggle(let isOn)) where reported[id] != nil:
      guard let block = Self.switches.first(where: { $0.value.id == id })?.key else {
        throw .noCommand(of: Self.name)
      }
      let rest = block == Command.wearing ? wearingActions : []
      return [Self.set(block, [isOn ? 1 : 2] + rest)]
    case .setCustomEQ(let gains):
      guard let equaliser else { throw .unsupported("custom equaliser") }
      guard gains.count == equaliser.bands.count else {
        throw .gains(gains.count, insteadOf: equaliser.bands.count)
      }
      return [Self.set(Command.equaliser, equaliser.with(gains).encoded())]
    default: throw .noCommand(of: Self.name)
    }
    return [Self.set(Command.noise, [value])]
  }

  /// A command, which is not answered, and the question for what is true then.
  private static func set(_ block: UInt8, _ value: [UInt8]) -> Exchange {
    ask(block).after([Exchange(withoutResponse: QCYFrame(block, value).encoded())])
  }

  // MARK: Receiving

  /// Takes the value of a characteristic that was read.
  public mutating func receive(
    _ value: Bytes, of characteristic: BluetoothUUID
  ) -> [HeadphoneEvent] {
    do throws(MalformedBytes) {
      switch characteristic {
      case Self.version:
        // Three numbers, or as many of each bud, of which some are no letters.
        if [3, 6].contains(value.count), value.contains(where: { $0 < 0x20 }) {
          firmware = value.prefix(3).map { "\($0)" }.joined(separator: ".")
          maker = .qcy
          return []
        }
        let text = textFromAir(value.prefix { $0 != 0 })
        firmware = text.isEmpty ? nil : text
        if text.hasPrefix(Maker.soundPeatsFirmware) { maker = .soundPeats }
        return []
      case Self.levels:
        var reader = ByteReader(value, of: "QCY battery")
        return reported.apply(try Self.batteries(&reader))
      default: return []
      }
    } catch {
      return [.malformed(error, value)]
    }
  }

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
    case Command.battery: return reported.apply(try Self.batteries(&reader))
    case Command.noise:
      let value = try reader.uint8()
      let makers = (maker.map { [$0] } ?? Maker.allCases).filter { $0.values[value] != nil }
      guard let first = makers.first else { throw reader.impossible(value) }
      // 2 is off of one, and cancelling of the other.
      guard makers.count == 1, let mode = first.values[value] else { return [] }
      maker = first
      let events = reported.apply(mode)
      guard first == .qcy else { return events }
      return events + reported.apply(Self.outdoor, .toggle(value == Self.outdoorValue))
    case Command.equaliser where maker == .qcy:
      let equaliser = try QCYEqualiser(&reader)
      guard equaliser.isKnown else { return [] }
      self.equaliser = equaliser
      return reported.apply(.custom, equaliser.gains)
    case let block where maker == .qcy:
      guard let declaration = Self.switches[block] else { return nil }
      let isOn = try reader.uint8() == 1
      if block == Command.wearing { wearingActions = Array(reader.rest()) }
      return reported.apply(declaration, .toggle(isOn))
    default: return nil
    }
  }

  /// A part that is not there is at 0.
  private static func batteries(
    _ reader: inout ByteReader
  ) throws(MalformedBytes) -> BatteryLevels {
    var levels = BatteryLevels("QCY battery")
    for part in Part.allCases {
      let byte = try reader.uint8()
      if byte & 0x7F > 0 { levels.add(part, withChargingBit: byte, at: reader.offset - 1) }
    }
    return levels
  }

  private static let outdoorValue: UInt8 = 2
  private static let outdoor = SettingDeclaration(
    "outdoor-cancelling", .toggle, title: "Outdoor cancelling", label: "Outdoor",
    group: .noise)
}
