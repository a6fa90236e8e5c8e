public import BluetoothCodec
public import HeadphoneProtocols

/// A simulated Edifier headphone as a value: it receives frames and returns frames.
public struct VirtualEdifier: VirtualSerialHeadphone {
  /// The framing; frames in any other are not understood.
  public var framing: EdifierFrame.Framing
  /// The battery levels in %: one, or left and right.
  public var levels: [UInt8]
  /// The state of noise control: the slot and its value; in the old framing, the mode and the
  /// ambient volume.
  public var noise: [UInt8]
  /// The answers in the old framing to requests without a payload, by command number.
  public var values: [UInt8: [UInt8]] = [
    0x05: [7], 0x08: [0], 0x48: [1], 0xC6: [3, 0, 2], 0xD3: [0], 0xD5: [0],
  ]
  /// The modes that the button cycles through.
  public var cycle: UInt8 = 6
  /// Whether noise control has been requested.
  public private(set) var wasAskedForNoise = false

  /// Creates a headphone with battery levels in %: one, or left and right.
  public init(levels: [UInt8], in framing: EdifierFrame.Framing = .masked) {
    self.levels = levels
    self.framing = framing
    noise = framing == .old ? [1, 6] : [0x10, 1]
  }

  public var service: BluetoothUUID { EdifierProtocol.service }
  public var format: FrameFormat { EdifierFrame.format(of: .phone, framing) }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? EdifierFrame(decoding: frame, in: framing) else { return [] }
    let answer = framing == .old ? executeOld(frame) : execute(frame.command, frame.payload)
    return answer.map {
      [EdifierFrame(.headphone, frame.command, $0, in: framing).encoded()]
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

  /// Answers with the command's own number and the value, as recorded from a W820NB.
  private mutating func executeOld(_ frame: EdifierFrame) -> [UInt8]? {
    // The requests that read the values of commands.
    let questions: [UInt8: UInt8] = [0x06: 0x05, 0x09: 0x08, 0x49: 0x48, 0xC4: 0xD5, 0xD1: 0xD3]
    switch (frame.command, frame.payload) {
    case (0xCC, []): return noise
    case (0xC1, let value) where (1...2).contains(value.count):
      noise.replaceSubrange(..<value.count, with: value)
      return noise
    case (0xF0, [0x0A]): return [0x0A, cycle]
    case (0xF1, let value) where value.first == 0x0A && value.count == 2:
      cycle = value[1]
      return value
    case (0xD2, []):
      values[0xD3] = [0]
      return [1]
    case (0xD0, []): return execute(frame.command, [])
    case (let command, []): return values[command]
    case (let command, let value):
      guard let question = questions[command] else { return nil }
      values[question] = value
      return value
    }
  }
}
