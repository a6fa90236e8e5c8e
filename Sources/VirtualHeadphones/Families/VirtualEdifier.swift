public import BluetoothCodec
public import HeadphoneProtocols

/// An Edifier headphone as a value: frames go in, frames come out.
public struct VirtualEdifier: VirtualSerialHeadphone {
  /// One level, or left and right.
  public var levels: [UInt8]
  /// Of noise control: the slot and a value in it.
  public var noise: [UInt8] = [0x10, 1]
  /// Whether it was asked for noise control.
  public private(set) var wasAskedForNoise = false

  public init(levels: [UInt8]) { self.levels = levels }

  public var service: BluetoothUUID { EdifierProtocol.service }
  public var format: FrameFormat { EdifierFrame.format }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? EdifierFrame(decoding: frame) else { return [] }
    return execute(frame.command, frame.payload).map {
      [EdifierFrame(.headphone, frame.command, $0).encoded()]
    } ?? []
  }

  private mutating func execute(_ command: UInt8, _ payload: [UInt8]) -> [UInt8]? {
    switch command {
    case 0xD0 where levels.count == 1: return levels
    case 0xF2 where levels.count == 2: return [3] + levels
    case 0xCC:
      wasAskedForNoise = true
      return noise
    case 0xC1 where payload.first == noise.first && payload.count == 2:
      noise = payload
      return nil
    default: return nil
    }
  }
}
