public import BluetoothCodec
public import HeadphoneProtocols

/// A simulated Sony headphone of either generation, as a value.
///
/// Each command is acknowledged at once with the inverted sequence bit, and answers have a sequence
/// bit of their own. The number of a set command is that of its request plus 2; a notification,
/// plus 3, follows with the resulting value.
///
/// Messages of table 2 have frames of another kind, and keys of ``values`` with 0E before the
/// message.
///
/// Some numbers mean different things in the two generations. As on real headphones, a request of
/// one generation may switch the other off, so that tests reveal it.
public struct VirtualSony: VirtualSerialHeadphone {
  public let service: BluetoothUUID
  /// The response to the first request, whose length determines the generation.
  public var greeting: [UInt8]
  /// The listed functions.
  public var functions: [UInt8]
  /// The listed functions of table 2; if empty, table 2 is not answered.
  public var secondFunctions: [UInt8] = []
  /// The answers to requests, by their first two bytes; commands change them.
  public var values: [[UInt8]: [UInt8]]
  /// The commands, with their types, that are acknowledged but ignored.
  public var ignored: Set<[UInt8]> = []
  /// The commands, with their types, that are acknowledged and then raise an alert.
  public var alerting: Set<[UInt8]> = []
  /// Whether the headphone was switched off, which no command of Earshot must do.
  public private(set) var isOff = false
  /// The payloads that were received.
  public private(set) var received: [[UInt8]] = []
  public var devices = VirtualPairedDevices.three
  private var sequence: UInt8 = 0

  public init(
    service: BluetoothUUID, greeting: [UInt8], functions: [UInt8], values: [[UInt8]: [UInt8]]
  ) {
    self.service = service
    self.greeting = greeting
    self.functions = functions
    self.values = values
  }

  public var format: FrameFormat { SonyFrame.format }

  private var isFirst: Bool { greeting.count == 4 }

  public mutating func open() -> [[UInt8]] {
    sequence = 0
    return []
  }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? SonyFrame(decoding: frame),
      [.command, .secondCommand].contains(frame.kind)
    else {
      return []
    }
    var responses = [SonyFrame(.acknowledgement, sequence: 1 - frame.sequence).encoded()]
    let payload = Array(frame.payload)
    let payloads: [[UInt8]]
    if frame.kind == .command {
      received.append(payload)
      payloads = execute(payload)
    } else {
      payloads = executeInSecondTable(payload)
    }
    for payload in payloads {
      responses.append(SonyFrame(frame.kind, sequence: sequence, payload: payload[...]).encoded())
      sequence = 1 - sequence
    }
    return responses
  }

  private mutating func executeInSecondTable(_ payload: [UInt8]) -> [[UInt8]] {
    let head = Array(payload.prefix(2))
    guard head.count == 2, !isOff else { return [] }
    switch head {
    case [0x06, 0x00] where !secondFunctions.isEmpty:
      return [
        [0x07, 0x00, UInt8(clamping: secondFunctions.count)]
          + secondFunctions.flatMap { [$0, 0] }
      ]
    case [0x36, 0x02] where secondFunctions.contains(0x32): return [[0x37, 0x02] + list]
    case [0x3C, 0x01], [0x3C, 0x02]: return manage(payload)
    default:
      if let value = values[[0x0E] + head] { return [[head[0] + 1, head[1]] + value] }
      let question = [0x0E, head[0] &- 2, head[1]]
      guard values[question] != nil else { return [] }
      values[question] = Array(payload.dropFirst(2))
      return [[head[0] + 1] + payload.dropFirst()]
    }
  }

  private var list: [UInt8] {
    var bytes = [UInt8(clamping: devices.all.count)]
    var (places, playing): (UInt8, UInt8) = (0, 0)
    for device in devices.all {
      if device.isConnected { places += 1 }
      if device.isPlaying == true { playing = places }
      bytes += Array(device.address.description.utf8)
      bytes += [device.isConnected ? places : 0, 0xFF, 0xFF, 0xFF]
      bytes += Self.text(device.name ?? "")
    }
    return bytes + [playing]
  }

  private mutating func manage(_ payload: [UInt8]) -> [[UInt8]] {
    let actions: [PairedDeviceAction] = [.disconnect, .connect, .forget]
    let isSwitch = payload[1] == 0x01
    guard payload.count == (isSwitch ? 19 : 20), isSwitch || payload[2] < 3,
      let address = BluetoothAddress(String(decoding: payload.suffix(17), as: UTF8.self))
    else { return [] }
    devices.perform(isSwitch ? .play : actions[Int(payload[2])], address)
    let outcome = isSwitch ? [0x00] : [payload[2], payload[2] << 4]
    return [[0x3D, payload[1]] + outcome + payload.suffix(17), [0x39, 0x02] + list]
  }

  private mutating func execute(_ payload: [UInt8]) -> [[UInt8]] {
    let head = Array(payload.prefix(2))
    guard head.count == 2, !isOff, !ignored.contains(head) else { return [] }
    if alerting.contains(head) { return [[0x99, 0x01, 0x01, 0x01]] }
    switch payload {
    case [0x00, 0x00]: return [greeting]
    case [0x06, 0x00]:
      return [
        [0x07, 0x00, UInt8(clamping: functions.count)]
          + functions.flatMap { isFirst ? [$0] : [$0, 0] }
      ]
    default: break
    }
    // The battery request of one generation switches the other off.
    if head[0] == (isFirst ? 0x22 : 0x24) {
      isOff = true
      return []
    }
    if let value = values[head] { return [[head[0] + 1] + head.dropFirst() + value] }
    return execute(command: payload)
  }

  private mutating func execute(command payload: [UInt8]) -> [[UInt8]] {
    guard payload[0] >= 2 else { return [] }
    let question = [payload[0] - 2, payload[1]]
    guard let now = values[question] else { return [] }
    var value = Array(payload.dropFirst(2))
    switch question[0] {
    // The headphone reports its own kind, whichever kind the command has.
    case 0x66 where question[1] == 0x02 && value.count > 1:
      if value[0] == 0x11 { value[0] = 0x01 }
      value[1] = now[1]
    // If only a preset is set, the headphone determines the bands.
    case 0x56 where value.count == 2: value = [value[0]] + now.dropFirst()
    case 0x56 where value.first == 0xFF: value[0] = 0xA0
    default: if value.count < now.count { value += now.dropFirst(value.count) }
    }
    values[question] = value
    return [[payload[0] + 1, payload[1]] + value]
  }
}

extension VirtualSony {
  public static let overEar = VirtualSony(
    service: SonyProtocol.firstService, greeting: [0x01, 0x00, 0x40, 0x10],
    functions: [
      0x71, 0x38, 0x62, 0xF5, 0x81, 0x51, 0xA1, 0xE1, 0xE2, 0xD2, 0xF6, 0xD1, 0xF4, 0xF3, 0x39,
      0x12, 0x13, 0x11, 0x30, 0xC1, 0x14, 0x22, 0x21,
    ],
    values: [
      [0x04, 0x01]: text("WH-1000XM4"), [0x04, 0x02]: text("2.5.0"), [0x10, 0x00]: [70, 0],
      [0x60, 0x02]: [0x02, 0x00, 0x01, 0x02, 0x00, 21, 0x01, 21],
      [0x66, 0x02]: [0x01, 0x02, 0x02, 0x01, 0x00, 0x00],
      [0x56, 0x01]: [0x00, 6, 10, 10, 10, 10, 10, 10], [0xF6, 0x03]: [0x00, 1],
      [0xF6, 0x05]: [0x01, 0], [0xF6, 0x04]: [0x01, 0x10, 0x00], [0xFA, 0x05]: [0x00, 0, 0, 3],
      [0xE6, 0x01]: [0x00, 0], [0xE6, 0x02]: [0x00, 0], [0x0E, 0x46, 0x01]: [0x01, 1],
      [0xD0, 0xD1]: [0x02] + text("TOUCH_PANEL_SETTING") + [0, 1, 0], [0xD6, 0xD1]: [0x01, 1],
      [0xD0, 0xD2]: [0x02] + text("MULTIPOINT_SETTING") + [0, 1, 0], [0xD6, 0xD2]: [0x01, 1],
      [0xA6, 0x01]: [0x20, 15],
      [0x18, 0x00]: [0x01],
    ])

  /// WF-1000XM6, earbuds of the second generation with adaptive ambient sound.
  public static let earbuds: VirtualSony = {
    var sony = earbudsWithoutSecondTable
    sony.secondFunctions = [0x31, 0x32, 0x42]
    sony.values[[0x0E, 0x46, 0x01]] = [0, 1]
    return sony
  }()

  private static let earbudsWithoutSecondTable = VirtualSony(
    service: SonyProtocol.secondService,
    greeting: [0x01, 0x00, 0x03, 0x00, 0x10, 0x04, 0x00, 0x00],
    functions: [0x29, 0x2A, 0x6D, 0x57, 0xF1, 0xFC, 0xF3, 0x25, 0xE2, 0x69, 0xD2, 0xD3],
    values: [
      [0x04, 0x01]: text("WF-1000XM6"), [0x04, 0x02]: text("1.0.1"),
      [0x22, 0x09]: [85, 0, 80, 0, 100, 100], [0x22, 0x0A]: [60, 1, 100],
      [0x66, 0x19]: [1, 1, 1, 0, 12, 0, 0],
      [0x56, 0x04]: [0x00, 10] + Array(repeating: 6, count: 10), [0xF6, 0x01]: [0],
      [0xF6, 0x0C]: [1, 0], [0xFA, 0x0C]: [0, 1], [0xF6, 0x03]: [2, 0x35, 0x20],
      [0x26, 0x05]: [0x10, 0x00], [0xE6, 0x01]: [1], [0x66, 0x30]: [2],
      [0xA6, 0x20]: [18], [0x12, 0x02]: [0x01], [0xF2, 0x10]: [0],
      [0xD0, 0xD2]: [0x00, 0x01] + text("MULTIPOINT_SETTING") + [0], [0xD6, 0xD2]: [0x00, 0],
      [0xD0, 0xD3]: [0x00, 0x01] + text("TOUCH_PANEL_SETTING") + [0], [0xD6, 0xD3]: [0x00, 0],
    ])

  private static func text(_ text: String) -> [UInt8] {
    [UInt8(clamping: text.utf8.count)] + Array(text.utf8)
  }
}
