public import BluetoothCodec
public import HeadphoneProtocols

/// A Sennheiser headphone as a value: frames go in, frames come out.
public struct VirtualSennheiser: VirtualSerialHeadphone {
  /// Answers to questions; a command, whose number is one above, changes them.
  public var values: [UInt16: [UInt8]]
  /// Whether it cancels adaptively: the third of its modes.
  public var adapts = false
  /// Reduction of wind, 0 to 2, and whether it cancels comfortably: the first two.
  public var otherModes: [UInt8] = [2, 0]

  public init(values: [UInt16: [UInt8]]) { self.values = values }

  public var service: BluetoothUUID { SennheiserProtocol.service }
  public var format: FrameFormat { GAIAFrame.format }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? GAIAFrame(decoding: frame), frame.vendor == 0x0495 else { return [] }
    func say(_ kind: UInt16, _ payload: [UInt8]) -> [[UInt8]] {
      [GAIAFrame(vendor: frame.vendor, frame.command | kind, payload).encoded()]
    }
    let payload = Array(frame.payload)
    switch frame.command {
    case 0x1A00 where payload.isEmpty:
      return say(0x0100, [1, otherModes[0], 2, otherModes[1], 3, adapts ? 1 : 0])
    case 0x1A01 where payload.first == 3:
      adapts = payload.last == 1
      return say(0x0100, [])
    case 0x1A01 where payload.count == 2 && [1, 2].contains(payload[0]):
      otherModes[Int(payload[0]) - 1] = payload[1]
      return say(0x0100, [])
    case 0x1001 where payload.count == 2 && payload[0] < 5:
      values[0x1002]?[Int(payload[0])] = payload[1]
      return say(0x0100, [])
    case let question where payload.isEmpty:
      return values[question].map { say(0x0100, $0) } ?? say(0x0180, [1])
    case let command:
      guard values[command &- 1] != nil else { return say(0x0180, [1]) }
      // The dial does not move without noise control, or while that adapts.
      if command != 0x1A03 || values[0x1A04] == [1] && !adapts { values[command &- 1] = payload }
      return say(0x0100, [])
    }
  }
}

extension VirtualSennheiser {
  /// One battery, a dial of noise control.
  public static let overEar = VirtualSennheiser(values: [
    0x0603: [72], 0x0402: [3], 0x0400: [1], 0x1008: [0], 0x1202: [3, 33, 3],
    0x0805: [1], 0x080C: [1], 0x0817: [0], 0x1002: [0, 0xFB, 0, 10, 60],
    0x1206: Array("HDB 630".utf8), 0x1A02: [0], 0x1A04: [1],
  ])
}
