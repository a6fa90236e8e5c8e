public import BluetoothCodec
public import HeadphoneProtocols

/// Simulated Redmi earbuds as a value; they answer only a phone that has answered their challenge.
public struct VirtualRedmi: VirtualSerialHeadphone {
  /// The battery levels of left, right and case in %; bit 7: charging; FF for a missing part.
  public var levels: [UInt8]
  /// The mode of noise control: 0 off, 1 cancelling, 2 transparency.
  public var mode: UInt8 = 1
  /// The value of wear detection, 0 for on.
  public var wearDetection: UInt8 = 0
  /// The values of the configurations by number, except for noise control.
  public var configurations: [UInt8: [UInt8]] = [
    0x02: [4, 8, 1, 1, 1, 3, 2, 2, 2, 3, 6, 0], 0x03: [0], 0x04: [1], 0x07: [0], 0x0A: [7, 7],
  ]
  /// The strength of the current mode of noise control.
  public var strength: UInt8 = 0
  /// The ringing buds: bit 0 left, bit 1 right.
  public private(set) var ringing: UInt8 = 0
  /// Whether the phone has answered the challenge correctly.
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
    case 0x02:
      return [5, 1, 0x10, 0x37, 0x10, 0x37, 5, 3, 0x27, 0x17, 0x50, 0x6D, 4, 7] + levels
    case 0xF3: return frame.payload.last.flatMap { configuration($0) }
    case 0xF2 where frame.payload.count > 3:
      configure(Array(frame.payload.dropFirst(2)))
    case 0x09: return [2, 0x09, mode, 2, 0x0A, wearDetection]
    case 0x08 where frame.payload.starts(with: [2, 4]): mode = frame.payload.last ?? mode
    case 0x08 where frame.payload.starts(with: [2, 6]):
      wearDetection = frame.payload.last ?? wearDetection
    default: return nil
    }
    return []
  }

  private func configuration(_ number: UInt8) -> [UInt8]? {
    let value = number == 0x0B ? [mode, strength] : configurations[number]
    return value.map { [UInt8($0.count + 2), 0, number] + $0 }
  }

  /// Changes a configuration, given by number and value; FF keeps the present byte.
  private mutating func configure(_ change: [UInt8]) {
    let (number, value) = (change[0], Array(change.dropFirst()))
    switch number {
    case 0x09 where value.count == 2:
      ringing = value[0] == 1 ? ringing | value[1] : ringing & ~value[1]
    case 0x0B where value.count == 2: (mode, strength) = (value[0], value[1])
    case 0x02 where value.count == 3:
      guard var touches = configurations[number],
        let press = stride(from: 0, to: touches.count, by: 3).first(where: {
          touches[$0] == value[0]
        })
      else { break }
      for side in 1...2 where value[side] != 0xFF { touches[press + side] = value[side] }
      configurations[number] = touches
    default:
      guard let old = configurations[number], old.count == value.count else { break }
      configurations[number] = zip(old, value).map { $1 == 0xFF ? $0 : $1 }
    }
  }
}
