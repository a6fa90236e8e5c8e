public import BluetoothCodec
public import HeadphoneProtocols

/// Simulated Moondrop earbuds as a value: they receive frames and return frames.
public struct VirtualMoondrop: VirtualSerialHeadphone {
  /// The levels in % of left, right and case; 0 for a bud in the case, FF for an unknown level.
  public var levels: [UInt8]
  /// The values of noise control (4003) and gain (1E01).
  public var values: [UInt16: UInt8] = [0x4003: 1, 0x1E01: 1]
  /// The requests by the commands that set their values.
  private static let commands: [UInt16: UInt16] = [0x4004: 0x4003, 0x1E02: 0x1E01]

  public init(levels: [UInt8]) { self.levels = levels }

  public var service: BluetoothUUID { SerialService.serialPort }
  public var format: FrameFormat { GAIAFrame.format }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? GAIAFrame(decoding: frame) else { return [] }
    func say(_ bit: UInt16, _ payload: [UInt8]) -> [[UInt8]] {
      [
        GAIAFrame(version: 4, vendor: frame.vendor, frame.command | bit, payload).encoded()
      ]
    }
    switch (frame.vendor, frame.command) {
    case (0x000A, 0x0300): return say(0x8000, [0, 4, 3, 1])
    case (0x001D, 0x0005): return say(0x0100, Array("3.5.2".utf8))
    case (0x001D, 0x1A01): return say(0x0100, zip(1...3, levels).flatMap { [$0, $1] })
    case (0x001D, let number):
      if let value = values[number] { return say(0x0100, [value]) }
      guard let question = Self.commands[number], let value = frame.payload.first else {
        return say(0x0180, [1])
      }
      values[question] = value
      return say(0x0100, [value, 0, 0])
    default: return []
    }
  }
}
