public import BluetoothCodec
internal import HeadphoneProtocols

/// A Soundcore headphone on its serial channel as a value: frames go in, frames come out.
///
/// As a real one it writes as many bytes as an order has: too many change what follows.
public struct VirtualSoundcoreSerial: VirtualSerialHeadphone {
  public let service: BluetoothUUID
  /// The body of its answer to command 0101.
  public var state: [UInt8]
  /// Where in it the sound modes are, in bytes.
  public var modes: Range<Int>
  /// How many bytes of them it reports beside their own: some models report more than they take.
  public var further = 0
  private var begun: [UInt8] = []

  /// - Parameter number: the last 16 bits of the service.
  public init(number: UInt16, state: [UInt8], modes: Range<Int>) {
    service = BluetoothUUID(
      high: SoundcoreSerialProtocol.service.high,
      low: SoundcoreSerialProtocol.service.low | UInt64(number))
    self.state = state
    self.modes = modes
  }

  public mutating func open() -> [[UInt8]] {
    begun = []
    return []
  }

  public mutating func receive(_ piece: Bytes) -> [[UInt8]] {
    begun += piece
    var answers: [[UInt8]] = []
    while begun.count >= 9 {
      let size = max(9, Int(begun[7]) | Int(begun[8]) << 8)
      guard begun.count >= size else { break }
      if let frame = try? SoundcoreFrame(decoding: begun[..<size]), frame.sender == .phone,
        let body = execute(frame)
      {
        answers.append(SoundcoreFrame(.headphone, frame.command, body[...]).encoded())
      }
      begun = Array(begun[size...])
    }
    return answers
  }

  private mutating func execute(_ frame: SoundcoreFrame) -> [UInt8]? {
    switch frame.command {
    case SoundcoreCommand.state: return state
    case SoundcoreCommand.soundModes:
      return modes.isEmpty
        ? nil : Array(state[modes.lowerBound...].prefix(modes.count + further))
    case SoundcoreCommand.setSoundModes:
      let end = min(modes.lowerBound + frame.body.count, state.count)
      state.replaceSubrange(modes.lowerBound..<end, with: frame.body)
      return []
    default: return nil
    }
  }
}

extension VirtualSoundcoreSerial {
  /// A Sport X20, whose state an independent project has in its tests.
  static let sport = VirtualSoundcoreSerial(
    number: 0x3968, state: recordedSport, modes: 117..<123)

  private static let recordedSport: [UInt8] = [
    0x00, 0x01, 0x05, 0x05, 0x00, 0x00, 0x30, 0x31, 0x2E, 0x36, 0x35, 0x30, 0x31, 0x2E,
    0x36, 0x35, 0x33, 0x39, 0x36, 0x38, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30,
    0x30, 0x30, 0x30, 0x30, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFE, 0xFE, 0x78, 0x78,
    0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xFF, 0xFF, 0xFF, 0x30, 0x01, 0x01, 0x87, 0x72, 0x8C, 0x8E, 0x96, 0x91, 0xA6, 0x86,
    0x3C, 0x3C, 0x87, 0x72, 0x8C, 0x8E, 0x96, 0x91, 0xA6, 0x86, 0x3C, 0x3C, 0xFF, 0xFF,
    0xFF, 0xFF, 0x01, 0x97, 0x97, 0x8C, 0x8F, 0x97, 0x91, 0xA5, 0x86, 0x3C, 0x00, 0x97,
    0x97, 0x8C, 0x8F, 0x97, 0x91, 0xA5, 0x86, 0x3C, 0x00, 0x00, 0x00, 0x08, 0x61, 0x66,
    0x30, 0x33, 0x44, 0x44, 0x37, 0x00, 0x32, 0x01, 0x00, 0x00, 0xFF, 0x36, 0x01, 0x00,
    0x01, 0x00, 0x01, 0x02, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xFF, 0xFF, 0xFF,
  ]
}
