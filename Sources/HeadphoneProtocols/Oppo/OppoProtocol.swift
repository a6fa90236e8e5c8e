public import BluetoothCodec

/// The protocol of Oppo's Enco, Realme's and OnePlus's Buds over RFCOMM.
///
/// The meaning of numbers depends on the product (`OppoProduct`), which is read first. Without a
/// table for the product, noise control is neither reported nor set.
///
/// | command | payload of the response, after its result | becomes |
/// | --- | --- | --- |
/// | 0100 | bits | nothing; the command starts the conversation |
/// | 0103 | product, 3 bytes LE | recognition, model |
/// | 0105 | text "part,kind,version,…" | firmware |
/// | 0106 | count, then part and level each | batteries |
/// | 0109 | count, then part and state each | wearing, if the product has wear detection |
/// | 010C | 1, 1, value LE16 | noise control |
/// | 010D | count, then number and flag each | wear detection, switches |
/// | 010F | preset | setting `equaliser-preset` |
/// | 0112 | count, then devices | paired devices, if the product has multipoint |
/// | 0124 | lowest, highest, current gain, signed | setting `bass` |
/// | 0200 | count, then events | the events to register for |
/// | 0204 | event's number, then as above | the same, unprompted; event 6: devices are read again |
/// | 0503 | count, then number and flag each | switches, unprompted |
/// | 0504 | preset | the same, unprompted |
/// | 0512 | count, then devices | paired devices, unprompted |
///
/// The response to a command precedes its effect: OnePlus Buds Pro report the old mode for another
/// quarter of a second. The request that follows a command is therefore repeated until the value
/// has changed.
///
/// The layout of a paired device:
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 6 | address | low byte first |
/// | 6 | 1 | length | number of following bytes |
/// | 7 | 1 | state | 0 not connected, 1 connecting, 2 connected |
/// | 8 | 1 | flags | bit 2: playing |
/// | 9 | 1 + n | name | its length n, then UTF-8, which may end in zeros |
///
/// Three projects agree on this layout, but not on the commands, so paired devices are only read.
/// Another flag marks the preferred device according to one project, and the playing one according
/// to another.
///
/// Recorded with Enco Air3 Pro, Enco Buds3 Pro, OnePlus Buds Pro and Pro 2, and Realme Buds Air 7.
public struct OppoProtocol: FramedProtocol {
  public typealias Frame = OppoFrame

  public static let name = "Oppo / Realme / OnePlus"

  /// The makers' own service.
  public static let service = BluetoothUUID(
    high: 0x0000_079A_D102_11E1, low: 0x9B23_0002_5B00_A5A5)
  /// The service of OnePlus Buds Pro, Enco Buds3 Pro and others, whose Device ID records name the
  /// maker of their chip; on other makers' headphones, it is GAIA.
  public static let commonService = BluetoothUUID(
    high: 0x0000_1107_D102_11E1, low: 0x9B23_0002_5B00_A5A5)
  public static let services = [
    SerialService(service), SerialService(commonService, vendor: 0x02B0, isCommon: true),
  ]

  enum Command {
    static let handshake: UInt16 = 0x0100
    static let product: UInt16 = 0x0103
    static let firmware: UInt16 = 0x0105
    static let battery: UInt16 = 0x0106
    static let wearing: UInt16 = 0x0109
    static let noise: UInt16 = 0x010C
    static let switches: UInt16 = 0x010D
    static let preset: UInt16 = 0x010F
    static let devices: UInt16 = 0x0112
    static let bass: UInt16 = 0x0124
    static let events: UInt16 = 0x0200
    static let event: UInt16 = 0x0204
    static let register: UInt16 = 0x0205
    static let setSwitch: UInt16 = 0x0403
    static let setNoise: UInt16 = 0x0404
    static let setPreset: UInt16 = 0x0406
    static let setBass: UInt16 = 0x041B
    static let switchesChanged: UInt16 = 0x0503
    static let presetChanged: UInt16 = 0x0504
    static let devicesChanged: UInt16 = 0x0512
  }

  /// Battery, wearing, noise control, paired devices and touch: the events to register for if the
  /// headphone does not list its own.
  private static let usualEvents: [UInt8] = [0x01, 0x02, 0x03, devicesEvent, 0xF1]
  static let devicesEvent: UInt8 = 0x06
  /// The last sequence number, after which numbering restarts at 1.
  private static let lastSequence: UInt8 = 250
  /// The sequence number of the request that an event triggers; it belongs to no exchange.
  private static let replySequence: UInt8 = 251
  /// The result of a command that fails because both buds are charging or in the case.
  private static let resultInCase: UInt8 = 0x0E
  /// The maximum number of repetitions of the request after a command; about 20 were needed.
  private static let mostRepetitions = 32

  private struct Pending: Sendable {
    var command: HeadphoneCommand
    var question: Exchange
    var repetitions = 0
  }

  var reader = FrameReader(OppoFrame.format)
  var reported = ReportedValues()
  var number: UInt32?
  var firmware: String?
  private var sequence: UInt8 = 0
  private var round = 0
  var events: [UInt8]?
  var game = usualGame
  static let usualGame: UInt8 = 0x06
  private var isRegistered = false
  private var pending: Pending?

  public init(on service: BluetoothUUID) {}

  public var isRecognised: Bool { number != nil }

  var product: OppoProduct? { number.flatMap { OppoProduct.all[$0] } }
  var noise: OppoNoise? { product?.noise }

  var ancModes: [ANCMode] {
    ANCMode.allCases.filter { mode in noise?.values.contains { $0.mode == mode } == true }
  }

  /// The model and firmware; the headphone does not report its maker.
  public var information: DeviceInformation {
    DeviceInformation(model: product?.name, firmware: firmware)
  }

  public mutating func questions() -> [Exchange] {
    (reported, number, pending) = (ReportedValues(), nil, nil)
    (round, events, game) = (0, nil, Self.usualGame)
    return [ask(Command.handshake), ask(Command.product)]
  }

  /// Returns the requests for features and available events, then the registration for these events
  /// and the request for the paired devices.
  public mutating func furtherQuestions() -> [Exchange] {
    guard isRecognised else { return [] }
    defer { round += 1 }
    switch round {
    case 0:
      let always = [
        ask(Command.battery), ask(Command.firmware), ask(Command.events), ask(Command.preset),
        ask(Command.switches, [1, 0x04]),
        ask(Command.switches, Self.list(Set(switches.map(\.number)).subtracting([0x04]).sorted())),
        ask(Command.bass), ask(Command.wearing),
      ]
      return always + (noise == nil ? [] : [ask(Command.noise, [1, 1])])
    case 1:
      let register = ask(Command.register, Self.list(events ?? Self.usualEvents))
      return [register] + (reported[.multipoint] == nil ? [] : [ask(Command.devices)])
    default: return []
    }
  }

  private static func list(_ bytes: [UInt8]) -> Bytes { [UInt8(clamping: bytes.count)] + bytes }

  private mutating func ask(_ command: UInt16, _ payload: Bytes = []) -> Exchange {
    sequence = sequence == Self.lastSequence ? 1 : sequence + 1
    return Exchange(
      OppoFrame(command, sequence: sequence, payload: payload).encoded(),
      response: ResponseID(command, sequence: sequence))
  }

  /// Returns a registration if necessary, the command, and the request that reads the value back.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    (reported.refusal, pending) = (nil, nil)
    if case .pairedDevice(let action, let address) = command {
      // Always throws, as paired devices cannot be changed.
      try reported.begin(action, address)
    }
    let (order, question) = try request(command)
    pending = Pending(command: command, question: question)
    return registration(before: order) + [question]
  }

  private mutating func request(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> (Exchange, Exchange) {
    switch command {
    case .setANC(let mode) where capabilities.ancModes.contains(mode):
      // Keep the current strength if the mode has it, or else use the mode's first state.
      let values = noise?.values.filter { $0.mode == mode } ?? []
      let kept = values.first { $0.strength.map { .choice($0) } == reported[Self.strength] }
      guard let value = kept ?? values.first else { break }
      return request(value)
    case .setANC(let mode): throw .noMode(mode)
    case .set(Self.strength, .choice(let name)) where reported[Self.strength] != nil:
      guard let value = noise?.values.first(where: { $0.strength == name }) else { break }
      return request(value)
    case .set(.equaliserPreset, .choice(let name)) where reported[.equaliserPreset] != nil:
      guard let number = presets.first(where: { $0.value == name })?.key else { break }
      return (ask(Command.setPreset, [number]), ask(Command.preset))
    case .set(Self.bass, .level(let gain)) where reported[Self.bass] != nil:
      guard reported.capabilities.declaration(of: Self.bass)?.accepts(.level(gain)) == true,
        let gain = Int8(exactly: gain)
      else { break }
      return (ask(Command.setBass, [UInt8(bitPattern: gain)]), ask(Command.bass))
    case .set(let id, .toggle(let isOn)) where reported[id] != nil:
      guard let number = number(of: id) else { break }
      return (
        ask(Command.setSwitch, [number, isOn ? 1 : 0]), ask(Command.switches, [1, number])
      )
    default: break
    }
    throw Self.unsupported
  }

  private mutating func request(_ value: OppoNoise.Value) -> (Exchange, Exchange) {
    (ask(Command.setNoise, [1, 1] + value.command), ask(Command.noise, [1, 1]))
  }

  /// Returns a command, preceded by the registration if the channel needs one.
  ///
  /// The pauses were tested. The first frame is followed by one more byte. The second has the form
  /// of a response and is the same for all headphones.
  private mutating func registration(before order: Exchange) -> [Exchange] {
    guard product?.isLocked == true, !isRegistered else { return [order] }
    isRegistered = true
    let hello = OppoFrame(Command.handshake, sequence: 0x23).encoded() + [0x12]
    let register = OppoFrame(0x8500, sequence: 0x41, payload: [0x00, 0xB5, 0x50, 0xA0, 0x69])
    return [
      Exchange(withoutResponse: hello),
      Exchange(withoutResponse: register.encoded()).delayed(by: .seconds(2)),
      order.delayed(by: .milliseconds(1500)),
    ]
  }

  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    pending = nil
    try reported.confirm(command)
    return []
  }

  private func reply(to frame: OppoFrame) -> [UInt8]? {
    guard frame.command == Command.event, frame.payload.first == Self.devicesEvent,
      reported.pairedDevices != nil
    else { return nil }
    return OppoFrame(Command.devices, sequence: Self.replySequence).encoded()
  }

  /// Applies a frame; a result other than 0 ends its exchange without changing a value.
  mutating func apply(_ frame: OppoFrame, to message: inout ParsedMessage) throws(MalformedBytes) {
    var payload = ByteReader(frame.payload, of: "Oppo message")
    guard frame.command & OppoFrame.responseBit != 0 else {
      message.reply = reply(to: frame)
      return try applyReport(frame.command, &payload)
    }
    let command = frame.command & ~OppoFrame.responseBit
    let response = ResponseID(command, sequence: frame.sequence)
    message.responses = [response]
    let result = try payload.uint8()
    guard result == 0 else {
      reported.refusal =
        result == Self.resultInCase
        ? .badArgument("both buds are charging or in the case: take one out")
        : .refused(.unspecified)
      return
    }
    try applyAnswer(command, &payload)
    guard let pending, pending.question.response == response, isOpen(pending.command) else {
      return
    }
    // The value has not changed yet.
    message.responses = []
    guard pending.repetitions < Self.mostRepetitions else { return }
    self.pending?.repetitions += 1
    message.reply = pending.question.values.last.map { Array($0) }
  }

  private func isOpen(_ command: HeadphoneCommand) -> Bool {
    guard reported.refusal == nil else { return false }
    do { try reported.confirm(command) } catch { return true }
    return false
  }
}
