public import BluetoothCodec
public import HeadphoneProtocols

/// Redmi's earbuds as a value: they say nothing to a phone that has not answered their challenge.
public struct VirtualRedmi: VirtualSerialHeadphone {
  /// Left, right and case; bit 7: it charges; FF: not there.
  public var levels: [UInt8]
  /// 0 off, 1 cancels, 2 lets through.
  public var mode: UInt8 = 1
  /// 0: wear detection is on.
  public var wearDetection: UInt8 = 0
  /// Whether the phone has answered the challenge.
  public private(set) var isTrusting = false
  private let challenge = Array(UInt8(0x20)..<0x30)

  public init(levels: [UInt8]) { self.levels = levels }

  public var service: BluetoothUUID { RedmiProtocol.service }
  public var format: FrameFormat { RedmiFrame.format }

  public mutating func open() -> [[UInt8]] {
    isTrusting = false
    return []
  }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? RedmiFrame(decoding: frame) else { return [] }
    switch (frame.kind, frame.opcode) {
    case (.request, 0x50):
      return RedmiCipher.response(to: frame.payload.dropFirst()).map {
        [respond(to: frame, [1] + $0)]
      }
        ?? []
    case (.request, 0x51):
      let own = RedmiFrame(.earbudsRequest, 0x50, sequence: 1, [1] + challenge)
      return [respond(to: frame, [1]), own.encoded()]
    case (.response, 0x50):
      guard let right = RedmiCipher.response(to: challenge[...]), frame.payload == [1] + right[...]
      else { return [] }
      isTrusting = true
      return [RedmiFrame(.earbudsRequest, 0x51, sequence: 2, [1]).encoded()]
    case (.request, _) where isTrusting:
      return execute(frame).map { [respond(to: frame, $0)] } ?? []
    default: return []
    }
  }

  private func respond(to frame: RedmiFrame, _ payload: [UInt8]) -> [UInt8] {
    RedmiFrame(.response, frame.opcode, sequence: frame.sequence, payload).encoded()
  }

  private mutating func execute(_ frame: RedmiFrame) -> [UInt8]? {
    switch frame.opcode {
    case 0x02: return [5, 1, 0x10, 0x37, 0x10, 0x37, 4, 7] + levels
    case 0x09: return [2, 0x09, mode, 2, 0x0A, wearDetection]
    case 0x08 where frame.payload.starts(with: [2, 4]): mode = frame.payload.last ?? mode
    case 0x08 where frame.payload.starts(with: [2, 6]):
      wearDetection = frame.payload.last ?? wearDetection
    default: return nil
    }
    return []
  }
}
