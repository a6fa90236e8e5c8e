public import BluetoothCodec

/// The protocol of JBL's headphones over LE; they offer no controls over BR/EDR.
///
/// Noise control consists of three pairs of a slot (1 cancelling, 2 ambient sound, 3 talk-through)
/// and a flag, 1 for on. In a command, the pairs follow the byte 10.
///
/// The bytes are recorded from TUNE230NC. No other command is ever sent: one resets the headphone.
public struct JBLProtocol: FamilyProtocol, TabledProtocol {
  public typealias Frame = JBLFrame

  public static let name = "JBL"
  static let manufacturer = name

  /// The UUID of the service: 65786365-6C70-6F69-6E74-2E636F6D0000.
  public static let service = uuid(0)
  /// The characteristics for commands: that of TUNE230NC, then that of Wave Buds 2.
  public static let writes = [uuid(2), .bit16(0xA202)]
  /// The characteristics for responses and reports, in the same order.
  public static let notifies = [uuid(1), .bit16(0xA205)]

  private static func uuid(_ number: UInt64) -> BluetoothUUID {
    BluetoothUUID(high: 0x6578_6365_6C70_6F69, low: 0x6E74_2E63_6F6D_0000 | number)
  }

  private static let noise = MakerRow(0x91, asking: [0x11], prefix: [0x12], [.custom(readSlots)])
  static let rows = [
    // Enables reports.
    MakerRow(0x9B, asking: [1, 1], []),
    // A part at 0 is absent.
    MakerRow(
      0x25, asking: [0], prefix: [1],
      [
        .skip(2), .battery(.left, absent: 0), .battery(.right, absent: 0), .skip(1),
        .battery(.case, absent: 0),
      ]),
    noise,
  ]
  static let openingRows = rows.count

  var reported = ReportedValues()
  var state = TableState()

  public init(on channel: FamilyChannel, _ models: ModelCatalog) {}

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

  mutating func ask(_ number: UInt16, _ payload: [UInt8]) -> Exchange {
    Exchange(
      JBLFrame(UInt8(truncatingIfNeeded: number), payload).encoded(), response: ResponseID(number))
  }

  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    let slot: Int
    switch command {
    case .setANC(let mode):
      guard reported.noise != nil, let index = Self.modes.firstIndex(of: mode) else {
        throw .noMode(mode)
      }
      slot = index
    case .set(Self.talkThrough.id, .toggle(let isOn)) where reported[Self.talkThrough.id] != nil:
      slot = isOn ? 3 : 2
    default: throw Self.unsupported
    }
    let pairs = (1...3).flatMap { number -> [UInt8] in [UInt8(number), number == slot ? 1 : 0] }
    let frame = JBLFrame(UInt8(truncatingIfNeeded: Self.noise.question), [0x10] + pairs)
    return [ask(Self.noise).after([Exchange(withoutResponse: frame.encoded())])]
  }

  mutating func apply(
    _ frame: JBLFrame, to message: inout ParsedMessage
  ) throws(MalformedBytes) {
    let number = UInt16(frame.command)
    if row(number, frame.payload) != nil { message.responses = [ResponseID(number)] }
    try apply(number, frame.payload)
  }

  private static func readSlots(
    _ reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    var slots: [UInt8] = []
    for expected: UInt8 in 1...3 {
      _ = try reader.uint8(in: expected...expected)
      slots.append(try reader.uint8())
    }
    let isTalking = slots[2] == 1
    if slots.allSatisfy({ $0 <= 1 }), slots.count(where: { $0 == 1 }) <= 1 {
      let slot = slots.firstIndex(of: 1).map { $0 + 1 } ?? 0
      reported.apply(isTalking ? .transparency : modes[slot])
    } else {
      reported.reject(reader.impossible(slots.max() ?? 0))
    }
    if slots[2] <= 1 { reported.apply(talkThrough, .toggle(isTalking)) }
  }

  /// The modes, by the number of the slot that is on, or 0 if none is.
  private static let modes: [ANCMode] = [.off, .noiseCancelling, .transparency]
  private static let talkThrough = SettingDeclaration("talk-through")
}
