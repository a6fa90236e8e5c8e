public import BluetoothCodec
public import HeadphoneProtocols

/// An Edifier headphone as a value: frames go in, frames come out.
public struct VirtualEdifier: VirtualSerialHeadphone {
  /// How its frames are written; it understands no others.
  public var framing: EdifierFrame.Framing
  /// One level, or left and right.
  public var levels: [UInt8]
  /// Of noise control: the slot and a value in it; in the old framing the mode, and the volume of
  /// ambient sound.
  public var noise: [UInt8]
  /// Answers of the old framing to questions without a payload, by their numbers.
  public var values: [UInt8: [UInt8]] = [
    0x05: [7], 0x08: [0], 0x48: [1], 0xC6: [3, 0, 2], 0xD3: [0], 0xD5: [0],
  ]
  /// The modes that its button steps by.
  public var cycle: UInt8 = 6
  /// Whether it was asked for noise control.
  public private(set) var wasAskedForNoise = false

  /// Creates a headphone with the levels of its batteries in %: one, or left and right.
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

  /// As a W820NB was recorded: a command is answered by its number, with the value.
  private mutating func executeOld(_ frame: EdifierFrame) -> [UInt8]? {
    // The question for what a command has set.
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
