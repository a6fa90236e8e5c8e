public import BluetoothCodec

/// The protocol of QCY's and SoundPEATS's earbuds over LE, with one published layout for each.
///
/// Both makers use the same service, frames and battery block, but different numbers for noise
/// control. The name of SoundPEATS's firmware, or a number that only one of them has, identifies
/// the maker. Until the maker is known, noise control is neither reported nor set.
///
/// | block | parameters | meaning |
/// | --- | --- | --- |
/// | FE | number of a block | request for the block |
/// | 2F | left, right, case: %, 80 charging | battery |
/// | 0C | 0 off, 1 cancelling, 2 cancelling for outdoors, 3 transparency | noise control of QCY |
/// | 0C | 02 off, 63 cancelling, A5 transparency | noise control of SoundPEATS |
/// | 09, 23, 24, 2A | 1 on, 2 off; any other report: off | low latency, LDAC, multipoint, wind |
/// | 2C | 1 on, 2 off; the rest is unchanged | wear detection |
/// | 22 | preset, LE16 gain, then `QCYEqualiser.Band` each | equaliser |
///
/// | characteristic | value |
/// | --- | --- |
/// | 0007 | firmware, as text or three numbers of each bud; SoundPEATS: "SPTS04_20221202_V62" |
/// | 0008 | left, right, case: %, 80 charging |
///
/// Models with another chip have the same service but do not answer; their battery and firmware are
/// read from the characteristics, and nothing else is ever sent to them.
///
/// SoundPEATS's noise control is that of a Capsule3 Pro, according to two projects. The switches
/// are requested only from QCY's earbuds and confirmed by recorded answers of a MeloBuds N70, whose
/// wear detection was also written. Noise control of the N70 (block 17) is left out, because two
/// projects number it differently.
public struct QCYProtocol: FamilyProtocol, TabledProtocol {
  public typealias Frame = QCYFrame

  public static let name = "QCY"
  static let manufacturer = name

  public static let service = BluetoothUUID.bit16(0xA001)
  public static let write = BluetoothUUID.bit16(0x1001)
  public static let notify = BluetoothUUID.bit16(0x1002)

  public static let company: UInt16 = 0x521C
  public static let advertised: [AdvertisingPattern] = [
    .manufacturer(company: company, prefix: [])
  ]

  public static let version = BluetoothUUID.bit16(0x0007)
  public static let levels = BluetoothUUID.bit16(0x0008)

  /// The makers, by their noise control numbers.
  private enum Maker: String, Hashable, CaseIterable {
    case qcy = "QCY"
    case soundPeats = "SoundPEATS"

    static let soundPeatsFirmware = "SPTS"

    var values: [UInt8: ANCMode] {
      switch self {
      case .qcy: [0: .off, 1: .noiseCancelling, 2: .noiseCancelling, 3: .transparency]
      case .soundPeats: [0x02: .off, 0x63: .noiseCancelling, 0xA5: .transparency]
      }
    }
  }

  private enum Block {
    static let ask: UInt8 = 0xFE
    static let noise: UInt16 = 0x0C
    static let equaliser: UInt16 = 0x22
  }

  // A part that is absent reports 0.
  private static let battery = MakerRow(
    0x2F, Part.allCases.map { .battery($0, absent: 0, hasChargingBit: true) })
  /// The battery, and the settings that only QCY's earbuds have.
  static let rows = [
    battery, toggle(0x09, .lowLatency), toggle(0x23, "ldac"), toggle(0x24, .multipoint),
    toggle(0x2A, "wind-reduction"), toggle(0x2C, .wearDetection, [.keptRest]),
  ]

  private static func toggle(
    _ block: UInt16, _ id: SettingID, _ others: [MakerField] = []
  ) -> MakerRow {
    let setting = NumberedSetting.toggle(id, off: 2, orOff: 0...0xFF, on: 1)
    return MakerRow(block, [.setting(setting)] + others, set: block)
  }

  var reported = ReportedValues()
  var state = TableState()
  private var maker: Maker?
  private var equaliser: QCYEqualiser?
  private var hasAskedSettings = false

  public init(on channel: FamilyChannel, _ models: ModelCatalog) {}

  public static func channel(in database: Database) -> FamilyChannel? {
    database.services.lazy.filter { $0.uuid == service }.compactMap {
      var channel = FamilyChannel(
        of: $0, write: $0.characteristic(write), notify: $0.characteristic(notify))
      channel?.readable = [$0.characteristic(version), $0.characteristic(levels)]
        .compactMap(\.self)
      return channel
    }.first
  }

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
    DeviceInformation(manufacturer: maker?.rawValue, firmware: state.firmware)
  }

  public mutating func questions() -> [Exchange] {
    forget()
    (equaliser, hasAskedSettings) = (nil, false)
    return [ask(Self.battery), ask(Block.noise)]
  }

  /// Returns the requests for the settings of QCY's earbuds; only the battery request, sent last,
  /// is awaited, since a model ignores requests for settings that it lacks.
  public mutating func furtherQuestions() -> [Exchange] {
    guard maker == .qcy, !reported.batteries.isEmpty, !hasAskedSettings else { return [] }
    hasAskedSettings = true
    let settings = Self.rows.dropFirst().map(\.question) + [Block.equaliser]
    return [ask(Self.battery).after(settings.map { ask($0) })]
  }

  func ask(_ block: UInt16, _ payload: [UInt8] = []) -> Exchange {
    Exchange(
      QCYFrame(Block.ask, [UInt8(truncatingIfNeeded: block)]).encoded(),
      response: ResponseID(block))
  }

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
    case .setCustomEQ(let gains):
      guard let equaliser else { throw .unsupported("custom equaliser") }
      guard gains.count == equaliser.bands.count else {
        throw .gains(gains.count, insteadOf: equaliser.bands.count)
      }
      return [set(Block.equaliser, equaliser.with(gains).encoded())]
    default: return try tabledExchanges(for: command)
    }
    return [set(Block.noise, [value])]
  }

  func set(_ row: MakerRow, _ payload: [UInt8]) -> [Exchange] { [set(row.question, payload)] }

  /// Returns a command, which is not answered, followed by the request that reads its value back.
  private func set(_ block: UInt16, _ value: [UInt8]) -> Exchange {
    let frame = QCYFrame(UInt8(truncatingIfNeeded: block), value)
    return ask(block).after([Exchange(withoutResponse: frame.encoded())])
  }

  public mutating func receive(
    _ value: Bytes, of characteristic: BluetoothUUID
  ) -> [HeadphoneEvent] {
    parsed(value) { me, _ throws(MalformedBytes) in
      switch characteristic {
      case Self.version:
        // Three numbers, or three for each bud, some of them below any printable character.
        if [3, 6].contains(value.count), value.contains(where: { $0 < 0x20 }) {
          me.state.firmware = value.prefix(3).map { "\($0)" }.joined(separator: ".")
          me.maker = .qcy
          return
        }
        let text = textFromAir(value.prefix { $0 != 0 })
        me.state.firmware = text.isEmpty ? nil : text
        if text.hasPrefix(Maker.soundPeatsFirmware) { me.maker = .soundPeats }
      case Self.levels:
        try me.apply(Self.battery.question, value)
      default: break
      }
    }.events
  }

  /// Applies the blocks of a frame, each of which counts as the response to a request.
  mutating func apply(_ frame: QCYFrame, to message: inout ParsedMessage) {
    for block in frame.blocks {
      message.responses.insert(ResponseID(UInt16(block.command)))
      isolating { me throws(MalformedBytes) in try me.apply(block) }
    }
  }

  private mutating func apply(_ block: QCYFrame.Block) throws(MalformedBytes) {
    var reader = ByteReader(block.parameters, of: "QCY parameters")
    switch UInt16(block.command) {
    case Block.noise:
      let value = try reader.uint8()
      let makers = (maker.map { [$0] } ?? Maker.allCases).filter { $0.values[value] != nil }
      // The value 2 is off for one maker and cancelling for the other.
      if makers.count == 1, let first = makers.first, let mode = first.values[value] {
        maker = first
        reported.apply(mode)
      } else {
        reported.apply(unnamedMode: value)
      }
      if maker == .qcy { reported.apply(Self.outdoor, .toggle(value == Self.outdoorValue)) }
    case Block.equaliser where maker == .qcy:
      let equaliser = try QCYEqualiser(&reader)
      guard equaliser.isKnown else { return }
      self.equaliser = equaliser
      reported.apply(.custom, equaliser.gains)
    case let number where maker == .qcy || number == Self.battery.question:
      try apply(number, block.parameters)
    case let number: reported.skip("block \(hexadecimal(number, width: 2))")
    }
  }

  private static let outdoorValue: UInt8 = 2
  private static let outdoor = SettingDeclaration("outdoor-cancelling")
}
