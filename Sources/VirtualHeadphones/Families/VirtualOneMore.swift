public import BluetoothCodec
public import HeadphoneProtocols

/// A simulated 1MORE headphone as a value: it receives frames and returns frames.
public struct VirtualOneMore: VirtualSerialHeadphone {
  /// The battery level in %.
  public var level: UInt8
  /// The one-byte values by request: 5F noise control, 6C LDAC, 77 multipoint, 6A preset.
  public var values: [UInt16: UInt8] = [0x5F: 1, 0x6C: 0, 0x77: 1, 0x6A: 0]

  public init(level: UInt8) { self.level = level }

  public var service: BluetoothUUID { OneMoreProtocol.service }
  public var format: FrameFormat { OneMoreFrame.format(of: .phone) }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? OneMoreFrame(decoding: frame),
      let payload = execute(frame.command, frame.payload)
    else { return [] }
    return [
      OneMoreFrame(.headphone, frame.command, sequence: frame.sequence, payload).encoded()
    ]
  }

  private mutating func execute(_ command: UInt16, _ payload: Bytes) -> [UInt8]? {
    if command == 0x4E { return [0, 1, 2, 3, level, 0, 0, 0, level, 0] }
    if let value = values[command] { return [value] }
    guard let value = payload.first, values[command + 1] != nil else { return nil }
    values[command + 1] = value
    return [1]
  }
}
