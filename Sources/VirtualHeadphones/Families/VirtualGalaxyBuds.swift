public import BluetoothCodec
public import HeadphoneProtocols

/// Simulated Galaxy Buds as a value: they receive frames and return frames.
///
/// The messages by number:
///
/// | number | sender | meaning |
/// | --- | --- | --- |
/// | 0x61 | headphone | full state, sent when the channel opens |
/// | 0x88 | phone | request for the full state |
/// | 0x78 | phone | noise control |
/// | 0x84, 0x86, 0x80, 0x90 | phone | ambient volume, equaliser, ambient sound, touch |
/// | 0x6F, 0x7A, 0x7B, 0x83, 0x85, 0x96, 0xAF | phone | settings of one byte |
/// | 0x92 | phone | touch and hold: left, right |
/// | 0xA0, 0xA1, 0xA2 | phone | find: start, stop, mute one bud |
/// | 0x42, 0x81, 0xA3 | headphone | acknowledgements |
/// | 0x77 | headphone | noise control of Buds4, after an acknowledgement without a value |
///
/// Noise cancelling requires both buds in the ears, unless cancelling with one bud is allowed.
public struct VirtualGalaxyBuds: VirtualSerialHeadphone {
  public let service: BluetoothUUID
  /// The payload of the full state, as recorded from real buds.
  public var state: [UInt8]
  /// The numbers of commands that are not carried out.
  public var ignored: Set<UInt8> = []
  /// Whether acknowledgements contain a result rather than the value, as those of Buds4.
  public var confirmsByResult = false
  /// Whether both buds are ringing, except for muted ones.
  public private(set) var isSounding = false
  /// Whether each bud is muted while ringing: left, right.
  public private(set) var mutes: [UInt8] = [0, 0]

  public var vendor: UInt16? { GalaxyBudsProtocol.vendor }
  public var format: FrameFormat { GalaxyBudsFrame.format(layout) }

  public init(service: BluetoothUUID, state: [UInt8]) {
    self.service = service
    self.state = state
  }

  private var layout: GalaxyBudsFrame.Layout {
    service == GalaxyBudsProtocol.firstService ? .first : .later
  }

  public mutating func open() -> [[UInt8]] { [frame(0x61, state)] }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? GalaxyBudsFrame(decoding: frame) else { return [] }
    return execute(frame.number, Array(frame.payload))
  }

  private mutating func execute(_ number: UInt8, _ payload: [UInt8]) -> [[UInt8]] {
    guard !ignored.contains(number) else { return [] }
    switch number {
    case 0x88: return [frame(0x61, state)]
    case 0x78 where payload.count == 1:
      let isAllowed = payload[0] != 1 || state[6] == 0x11 || state[oneBudPlace] == 1
      if isAllowed { state[12] = payload[0] }
      guard confirmsByResult else { return [frame(0x42, [number, state[12]])] }
      return [frame(0x42, [number, 0])] + (isAllowed ? [frame(0x77, change)] : [])
    case 0x84 where payload.count == 1: state[layout == .first ? 9 : 23] = payload[0]
    case 0x86 where layout == .later && payload.count == 1: state[9] = payload[0]
    case 0x86 where layout == .first && payload.count == 2:
      (state[10], state[11]) = (payload[0], payload[1])
    case 0x80 where layout == .first && payload.count == 1:
      state[7] = payload[0]
      return [frame(0x81, payload)]
    case 0x90 where payload.count == 7:
      let gestures = zip(payload.dropFirst(), [0x08, 0x04, 0x02, 0x01, 0x10, 0x20] as [UInt8])
      state[10] = gestures.reduce(payload[0] == 1 ? 0x80 : 0) { $1.0 == 1 ? $0 | $1.1 : $0 }
    case 0x92 where payload.count == 2: state[11] = payload[0] << 4 | payload[1]
    case 0x6F, 0x7A, 0x7B, 0x83, 0x85, 0x96, 0xAF:
      let places: [UInt8: Int] =
        layout == .first
        ? [0x85: 8, 0xAF: 14]
        : [0x6F: oneBudPlace, 0x7A: 26, 0x7B: 27, 0x83: 24, 0x85: 8, 0x96: 30, 0xAF: 19]
      guard let value = payload.first, let place = places[number] else { return [] }
      state[place] = value
    case 0xA0: isSounding = true
    case 0xA1: (isSounding, mutes) = (false, [0, 0])
    case 0xA2:
      mutes = payload
      return [frame(0xA3, payload)]
    default: return []
    }
    guard layout == .later, number != 0xA0, number != 0xA1 else { return [] }
    return [frame(0x42, [number] + (confirmsByResult ? [0] : payload))]
  }

  /// The offset of cancelling with one bud in the state; Buds Pro differ from newer models.
  private var oneBudPlace: Int { state[1] == 0x02 ? 32 : 28 }

  /// The report of a change of noise control: the mode, the positions, and the requested mode.
  private var change: [UInt8] {
    [state[12], state[6], 1, 0, 9, 9, 0, 0, state[12], 2, 2]
  }

  private func frame(_ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
    GalaxyBudsFrame(layout, number, payload).encoded()
  }
}

extension VirtualGalaxyBuds {
  /// Galaxy Buds2 Pro out of the ears, so that they may ring, with one bud in the case.
  public static let second = VirtualGalaxyBuds(
    service: GalaxyBudsProtocol.laterService,
    state: [
      0x0B, 0x04, 0x63, 0x58, 0x01, 0x00, 0x32, 0x40, 0x01, 0x00, 0xBF, 0x21, 0x02, 0x00, 0x48,
      0x01, 0x48, 0x01, 0x03, 0x00, 0x03, 0x66, 0x00, 0x01, 0x00, 0x10, 0x01, 0x01, 0x01, 0x00,
      0x11, 0x02, 0x01, 0x01, 0x00, 0x01, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,
    ])

  /// Galaxy Buds Pro: cancelling with two strengths; a single flag locks touches.
  public static let pro: VirtualGalaxyBuds = {
    var buds = second
    (buds.state[1], buds.state[10]) = (0x02, 0x00)
    (buds.state[14], buds.state[16], buds.state[30]) = (0x2A, 0x2A, 0)
    return buds
  }()

  /// Galaxy Buds4 Pro in the ears, with a recorded state.
  public static let fourthPro: VirtualGalaxyBuds = {
    var buds = VirtualGalaxyBuds(
      service: GalaxyBudsProtocol.laterService,
      state: [
        0x04, 0x0D, 0x62, 0x5E, 0x01, 0x01, 0x11, 0x00, 0x00, 0x03, 0xFF, 0x22, 0x02, 0x00, 0x67,
        0x01, 0x67, 0x01, 0x03, 0x00, 0x04, 0x99, 0x00, 0x02, 0x04, 0x10, 0x01, 0x00, 0x00, 0x00,
        0x11, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x01, 0x00, 0x01, 0x01, 0x00, 0x00, 0x00, 0xFF, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x01,
      ])
    buds.confirmsByResult = true
    return buds
  }()

  public static let first = VirtualGalaxyBuds(
    service: GalaxyBudsProtocol.firstService,
    state: [
      0x03, 0x00, 0x46, 0x5F, 0x01, 0x00, 0x00, 0x00, 0x00, 0x02, 0x01, 0x07, 0x00, 0x22, 0x01,
    ])
}
