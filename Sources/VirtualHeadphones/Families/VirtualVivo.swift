public import BluetoothCodec
public import HeadphoneProtocols

/// Simulated vivo earbuds as a value: they receive frames and return frames.
public struct VirtualVivo: VirtualSerialHeadphone {
  /// The battery levels in % of left, right and case; FF for a missing part.
  public var levels: [UInt8]
  /// The GAIA version of the answers, which commands for noise control must have, too.
  public var version: UInt8 = 3
  /// The mode of noise control: 0 cancelling, 1 off, 2 transparency.
  public var mode: UInt8 = 1
  /// The bytes after the mode, in reports and in accepted commands.
  public var tail: [UInt8] = [0x04, 0x00]

  public init(levels: [UInt8]) { self.levels = levels }

  public var service: BluetoothUUID { VivoProtocol.service }
  public var format: FrameFormat { GAIAFrame.format }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? GAIAFrame(decoding: frame), let payload = execute(frame) else {
      return []
    }
    let response = frame.command | 0x8000
    return [
      GAIAFrame(version: version, vendor: frame.vendor, response, [0] + payload).encoded()
    ]
  }

  private mutating func execute(_ frame: GAIAFrame) -> [UInt8]? {
    switch (frame.vendor, frame.command) {
    case (0x000A, 0x0300): return [3, 3, 1]
    case (0x001B, 0x0207): return levels + [0]
    case (0x001B, 0x0230) where frame.version == version: return [mode] + tail
    case (0x001B, 0x0130) where frame.version == version:
      guard let wanted = frame.payload.first, Array(frame.payload.dropFirst()) == tail else {
        return nil
      }
      mode = wanted
      return [mode] + tail
    default: return nil
    }
  }
}
