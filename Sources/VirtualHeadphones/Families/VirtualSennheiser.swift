public import BluetoothCodec
public import HeadphoneProtocols

/// A Sennheiser headphone; it rejects unknown numbers with error 1, missing values with error 5.
public struct VirtualSennheiser: VirtualSerialHeadphone {
  /// The answers to requests; a command, whose number is one lower, changes its answer.
  public var values: [UInt16: [UInt8]]
  /// The gains of the equaliser's bands, in 0.1 dB.
  public private(set) var gains: [UInt8] = [0, 0xFB, 0, 10, 60]
  /// The states of the modes: wind reduction 0 to 2, then flags for comfort and adaptive
  /// cancelling.
  public private(set) var modes: [UInt8] = [2, 0, 0]
  /// Whether a command sets a single mode; otherwise, it must contain all modes.
  public var takesOneMode = true
  /// The features that the phone has registered for.
  public private(set) var reporting: Set<UInt8> = []

  public init(values: [UInt16: [UInt8]]) { self.values = values }

  public var service: BluetoothUUID { SennheiserProtocol.service }
  public var format: FrameFormat { GAIAFrame.format }

  public var adapts: Bool { modes[2] == 1 }

  private static let vendor: UInt16 = 0x0495

  private enum Refusal: UInt8 {
    case unknown = 0x01
    case invalid = 0x05
    case outOfRange = 0x83
  }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? GAIAFrame(decoding: frame), frame.vendor == Self.vendor else {
      return []
    }
    let (command, payload) = (frame.command, Array(frame.payload))
    func say(_ payload: [UInt8] = []) -> [[UInt8]] {
      [GAIAFrame(vendor: frame.vendor, command | 0x0100, payload).encoded()]
    }
    func refuse(_ reason: Refusal) -> [[UInt8]] {
      [GAIAFrame(vendor: frame.vendor, command | 0x0180, [reason.rawValue]).encoded()]
    }
    switch (command, payload.count) {
    case (0x0007, 1): reporting.insert(payload[0])
    case (0x1001, 2) where Int(payload[0]) < gains.count: gains[Int(payload[0])] = payload[1]
    case (0x1002, 1):
      let band = Int(payload[0])
      return band < gains.count ? say([payload[0], gains[band]]) : refuse(.outOfRange)
    case (0x1A00, takesOneMode ? 2 : 6):
      for index in stride(from: 0, to: payload.count, by: 2)
      where (1...3).contains(payload[index]) {
        modes[Int(payload[index]) - 1] = payload[index + 1]
      }
    case (0x1A01, 0): return say([1, modes[0], 2, modes[1], 3, modes[2]])
    // The request also contains the number of a timer.
    case (0x0601, 1): return say(values[command] ?? [])
    case (_, 0):
      if let value = values[command] { return say(value) }
      return refuse(values[command &+ 1] == nil ? .unknown : .invalid)
    default:
      guard let value = values[command &+ 1] else { return refuse(.unknown) }
      guard value.count == payload.count else { return refuse(.invalid) }
      // The dial cannot be set while noise control is off or adaptive.
      if command != 0x1A02 || values[0x1A05] == [1] && !adapts { values[command &+ 1] = payload }
    }
    return say()
  }
}

extension VirtualSennheiser {
  /// An HDB 630 with one battery and a dial for noise control.
  public static let overEar = VirtualSennheiser(values: [
    0x0402: [3], 0x0602: [0], 0x0603: [72], 0x0800: [0], 0x081A: [0, 0, 0xBB, 0x80],
    0x1000: [5, 0xC4, 0x3C, 0, 0], 0x1202: [3, 33, 3], 0x1206: Array("HDB 630".utf8),
    0x0401: [1], 0x0406: [0], 0x0601: [0, 0x03, 0x84], 0x0804: [0, 1], 0x0806: [1], 0x080B: [0],
    0x080D: [1], 0x0815: [0], 0x0818: [0], 0x1009: [0], 0x1607: [0], 0x1801: [0], 0x1803: [100],
    0x1805: [0], 0x1A03: [0], 0x1A05: [1], 0x2E01: [2],
  ])
}
