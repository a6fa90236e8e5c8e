public import BluetoothCodec
public import HeadphoneProtocols

/// Simulated Technics earbuds as a value: they receive frames and return frames.
public struct VirtualTechnics: VirtualSerialHeadphone {
  /// The battery levels in % of right, left and case; a request for nil is rejected.
  public var levels: [UInt8?]
  /// The mode of noise control, and the levels of cancelling and transparency.
  public var noise: [UInt8] = [1, 80, 40]
  /// The commands that were carried out.
  public private(set) var commands: [UInt16] = []

  public init(levels: [UInt8?]) { self.levels = levels }

  public var service: BluetoothUUID { TechnicsProtocol.service }
  public var format: FrameFormat { TechnicsFrame.format }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? TechnicsFrame(decoding: frame), frame.kind == .command else { return [] }
    let command = frame.command
    func response(_ payload: [UInt8]) -> [[UInt8]] {
      [TechnicsFrame(.response, command, payload).encoded()]
    }
    switch (command, Array(frame.payload)) {
    case (0x0CD6, let side) where side.count == 1 && side[0] < 2:
      guard let level = levels[Int(side[0])] else { return response([1]) }
      return response([0]) + [TechnicsFrame(.report, command, [0, side[0], level]).encoded()]
    case (0x0040, []): return response(levels[2].map { [0, $0] } ?? [1])
    case (0x000A, []): return response([0] + noise)
    case (0x000B, let state) where state.count == 3: noise = state
    case (0x0068, _), (0x0022, _), (0x0039, _): break
    default: return []
    }
    commands.append(command)
    return response([0])
  }
}
