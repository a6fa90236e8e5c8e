public import BluetoothCodec
public import HeadphoneProtocols

/// A Soundcore headphone as a value: what is written goes in, what it notifies comes out.
public struct VirtualSoundcore: Hashable, Sendable {
  /// The first 16 bits of its service, which are the model's.
  public var modelBits: UInt16
  /// The answer to command 0101; nil: a model with a format of its own.
  public var state: SoundcoreState?
  /// Steps of the battery, or of both.
  public var levels: [UInt8]
  /// One or two.
  public var charging: [Bool]
  /// One of 5 characters for each bud, and the serial number of 16.
  public var firmware: [UInt8]

  /// `firmware` is what command for it is answered: a version of 5 characters for each bud, then
  /// 16.
  public init(
    modelBits: UInt16, state: SoundcoreState?, levels: [UInt8], charging: [Bool], firmware: String
  ) {
    self.modelBits = modelBits
    self.state = state
    self.levels = levels
    self.charging = charging
    self.firmware = Array(firmware.utf8)
  }

  var service: BluetoothUUID {
    let model = UInt64(modelBits) << 48
    return BluetoothUUID(
      high: SoundcoreProtocol.service.high | model, low: SoundcoreProtocol.service.low)
  }

  /// A command is acknowledged by its number without a body.
  public mutating func answer(_ value: Bytes) -> [[UInt8]] {
    guard let frame = try? SoundcoreFrame(decoding: value), frame.sender == .phone,
      let body = execute(frame.command, frame.body)
    else { return [] }
    return [SoundcoreFrame(.headphone, frame.command, body[...]).encoded()]
  }

  /// The body of the answer; nil: the command is not known, or its body is malformed.
  private mutating func execute(_ command: UInt16, _ body: Bytes) -> [UInt8]? {
    switch command {
    case SoundcoreCommand.state: return state?.encoded() ?? Array(repeating: 0, count: 20)
    case SoundcoreCommand.battery: return levels
    case SoundcoreCommand.charging: return charging.map { $0 ? 1 : 0 }
    case SoundcoreCommand.firmware: return firmware
    case SoundcoreCommand.setSoundModes:
      guard let modes = try? SoundcoreSoundModes(decoding: body) else { return nil }
      state?.soundModes = modes
      return []
    case SoundcoreCommand.setEQ:
      guard let eq = try? SoundcoreEQ(decoding: body) else { return nil }
      state?.eq = eq
      return []
    default: return nil
    }
  }
}
