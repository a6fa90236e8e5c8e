public import BluetoothCodec
public import HeadphoneProtocols

/// A headphone of Bose's as a value: frames go in, frames come out.
///
/// Keys of ``values`` are `[block, function]`. Get answers a status with the value; SetGet changes
/// it first; Start answers a result; an unknown function is answered with an error, 3 or 4 by its
/// block.
public struct VirtualBose: VirtualSerialHeadphone {
  public let service = SerialService.serialPort
  /// Payloads of what can be asked for, by block and function.
  public var values: [[UInt8]: [UInt8]]
  /// Functions that want more rights, which no repetition gives.
  public var closed: Set<[UInt8]> = []

  public var channel: UInt8?

  public var vendor: UInt16? { BoseProtocol.vendor }
  public var format: FrameFormat { BoseFrame.format }

  public init(values: [[UInt8]: [UInt8]]) { self.values = values }

  public mutating func answer(_ frame: Bytes) -> [[UInt8]] {
    (try? BoseFrame(decoding: frame)).map { [execute($0)] } ?? []
  }

  private mutating func execute(_ frame: BoseFrame) -> [UInt8] {
    let key = [frame.function.block, frame.function.number]
    func say(_ operation: BoseFrame.Operation, _ payload: [UInt8]) -> [UInt8] {
      BoseFrame(frame.function, operation, payload).encoded()
    }
    guard let value = values[key] else { return say(.error, [frame.function.block > 9 ? 3 : 4]) }
    let payload = Array(frame.payload)
    switch frame.operation {
    case .get: return say(.status, value)
    case .setGet where closed.contains(key): return say(.error, [5])
    case .setGet:
      values[key] = changed(key, value, payload)
      return say(.status, values[key] ?? value)
    case .start:
      values[key] = [payload.first ?? 0]
      return say(.result, values[key] ?? value)
    case .set: return say(.error, [5])
    case .status, .error, .result, .processing: return say(.error, [5])
    }
  }

  /// How a SetGet of this function changes the stored value; single bytes replace the first.
  private func changed(_ key: [UInt8], _ value: [UInt8], _ payload: [UInt8]) -> [UInt8] {
    if key == [1, 10] { return [payload == [1] ? 0x07 : 0x05] }
    guard payload.count == 2, let first = payload.first else { return payload + value.dropFirst() }
    switch key {
    case [1, 5]: return [value[0], first, value[2]]
    case [1, 7]:
      var bands = value
      bands[Int(payload[1]) * 4 + 2] = first
      return bands
    case [1, 11]: return payload + value.dropFirst(2)
    default: return value
    }
  }
}

extension VirtualBose {
  /// Two modes, no "off"; a battery in percent.
  public static let overEar = VirtualBose(values: [
    [0, 1]: Array("1.1.0".utf8), [0, 3]: [0x40, 0x39, 0x01], [0, 5]: Array("4.0.4".utf8),
    [2, 2]: [90, 0xFF, 0xFF, 0], [31, 3]: [0], [1, 24]: [1], [1, 11]: [1, 2, 0x0F],
    [1, 10]: [0x07],
    [1, 7]: [0xF6, 0x0A, 0, 0, 0xF6, 0x0A, 0, 1, 0xF6, 0x0A, 0, 2],
  ])
}
