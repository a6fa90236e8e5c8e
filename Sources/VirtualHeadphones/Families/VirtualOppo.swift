public import BluetoothCodec
public import HeadphoneProtocols

/// A simulated headphone of Oppo, Realme or OnePlus as a value.
///
/// | command | meaning |
/// | --- | --- |
/// | 0x0100 | features |
/// | 0x0103 | product |
/// | 0x0105 | firmware, as text "device,kind,version" |
/// | 0x0106 | batteries |
/// | 0x0109 | states of buds and case |
/// | 0x010C, 0x0404 | noise control: read, set |
/// | 0x010F, 0x0406 | preset: read, set |
/// | 0x010D, 0x0403 | switches: read, set |
/// | 0x0112 | paired devices |
/// | 0x0124, 0x041B | bass: read, set |
/// | 0x0200, 0x0205 | available events; registration for events |
///
/// Answers have bit 15 of the command set and begin with status 0, or 0E while both buds are in the
/// case. A locked headphone carries out commands only after a registration (0x8500).
public struct VirtualOppo: VirtualSerialHeadphone {
  public var service = OppoProtocol.service
  public var vendor: UInt16?
  public var format: FrameFormat { OppoFrame.format }
  /// The product number, three bytes, low byte first.
  public var product: [UInt8]
  /// The battery levels of left, right and case in %; bit 7: charging.
  public var levels: [UInt8]
  /// The value of noise control, as reported.
  public var noise: [UInt8] = [0x01]
  /// The reported values of noise control that differ from the values in commands.
  public var reports: [[UInt8]: [UInt8]] = [:]
  /// The number of requests for which the previous value is reported after a noise control command.
  public var lag = 0
  private var (old, lagging) = ([] as [UInt8], 0)
  /// Whether commands require a registration.
  public var isLocked = false
  /// The tokens of the registrations that were received.
  public private(set) var tokens: [[UInt8]] = []
  /// Whether both buds are in the case, where commands are rejected.
  public var isInCase = false
  /// The available events.
  public var events: [UInt8] = [1, 2, 3, 6]
  /// The events that the phone has registered for.
  public private(set) var registered: [UInt8] = []
  /// The states of the left and right bud: 1 out of the ear, 3 worn, 4 in the case.
  public var states: [UInt8] = [3, 3]
  /// The number of the equaliser preset.
  public var preset: UInt8 = 0

  /// The switches by number: 0 or 1.
  public var switches: [UInt8: UInt8] = [0x04: 1, 0x06: 0, 0x11: 1, 0x1B: 0]
  /// The paired phones and computers; there is no command for them.
  public var devices = VirtualPairedDevices.three
  /// The bass gain, -5 to 5.
  public var bass: Int8 = 0

  public init(product: [UInt8], levels: [UInt8]) {
    self.product = product
    self.levels = levels
  }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? OppoFrame(decoding: frame) else { return [] }
    if frame.command == 0x8500 { tokens.append(Array(frame.payload)) }
    let isCommand = frame.command >> 8 == 0x04
    guard !isCommand || !isLocked || !tokens.isEmpty else { return [] }
    let (command, sequence) = (frame.command | 0x8000, frame.sequence)
    if isCommand, isInCase {
      return [OppoFrame(command, sequence: sequence, payload: [0x0E]).encoded()]
    }
    guard let payload = execute(frame.command, Array(frame.payload)) else { return [] }
    return [OppoFrame(command, sequence: sequence, payload: ([0] + payload)[...]).encoded()]
  }

  /// Returns the payload of the answer after its status, or nil if the command is unknown.
  private mutating func execute(_ command: UInt16, _ payload: [UInt8]) -> [UInt8]? {
    switch command {
    case 0x0100: return [0xBF, 0x0F, 0x5A, 0xE6, 0x65, 0x9C, 0x40]
    case 0x0103: return product
    case 0x0105: return [3] + Array("1,2,142,2,2,142,3,2,129".utf8)
    case 0x0106: return [3, 1, levels[0], 2, levels[1], 3, levels[2]]
    case 0x0109: return [3, 1, states[0], 2, states[1], 3, 4]
    case 0x010C where payload == [1, 1]:
      lagging -= 1
      return [1, 1] + (lagging < 0 ? noise : old)
    case 0x010F: return [preset]
    case 0x010D:
      let known = payload.dropFirst().filter { switches[$0] != nil }
      return [UInt8(clamping: known.count)] + known.flatMap { [$0, switches[$0] ?? 0] }
    case 0x0403 where payload.count == 2 && switches[payload[0]] != nil:
      switches[payload[0]] = payload[1]
      return []
    case 0x0112:
      return [UInt8(clamping: devices.all.count)]
        + devices.all.flatMap { device in
          let name = Array((device.name ?? "").utf8)
          let rest = [
            device.isConnected ? 2 : 0, device.isPlaying == true ? 4 : 0,
            UInt8(clamping: name.count),
          ]
          return device.address.littleEndianBytes + [UInt8(clamping: rest.count + name.count)]
            + rest + name
        }
    case 0x0124: return [0xFB, 0x05, UInt8(bitPattern: bass)]
    case 0x041B where payload.count == 1:
      bass = Int8(bitPattern: payload[0])
      return []
    case 0x0200: return [UInt8(clamping: events.count)] + events
    case 0x0205:
      registered = Array(payload.dropFirst())
      return [UInt8(clamping: registered.count)] + registered.flatMap { [$0, 0] }
    case 0x0404 where payload.starts(with: [1, 1]):
      let value = Array(payload.dropFirst(2))
      (old, lagging) = (noise, lag)
      noise = reports[value] ?? value
      return []
    case 0x0406 where payload.count == 1:
      preset = payload[0]
      return []
    default: return nil
    }
  }
}

extension VirtualOppo {
  /// OnePlus Buds Pro, as recorded: on the service that other makers use, locked, and slow to
  /// report.
  public static let budsPro: VirtualOppo = {
    var buds = VirtualOppo(product: [0x14, 0x0C, 0x06], levels: [0xE4, 0xE4, 0x50])
    (buds.service, buds.vendor) = (OppoProtocol.commonService, 0x02B0)
    (buds.isLocked, buds.lag) = (true, 12)
    buds.events = [0x01, 0x02, 0x03, 0x04, 0x06, 0x08, 0x0A]
    return buds
  }()

  /// OnePlus Buds 4 with every switch, and cancelling with four strengths, initially smart.
  public static let everySwitch: VirtualOppo = {
    var buds = VirtualOppo(product: [0x14, 0x54, 0x06], levels: [0x50, 0x4E, 0x30])
    buds.noise = [0x80]
    buds.reports = [[0x01]: [0x08, 0x00], [0x04]: [0x00, 0x01]]
    buds.states = [7, 5]
    for number: UInt8 in [0x08, 0x09, 0x18, 0x1A, 0x1D] { buds.switches[number] = 0 }
    return buds
  }()
}
