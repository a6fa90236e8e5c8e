public import BluetoothCodec
public import HeadphoneProtocols

/// A simulated Soundcore headphone as a value, over LE or on its serial channel.
///
/// It replays recorded states. Like a real headphone, it stores all bytes of a command, so a driver
/// that sends too many changes the settings that follow.
///
/// ```swift
/// var sport = VirtualSoundcore.sport
/// sport.respond(to: [0x08, 0xEE, 0x00, 0x00, 0x00, 0x01, 0x01, 0x0A, 0x00, 0x02])  // its state
/// ```
public struct VirtualSoundcore: VirtualSerialHeadphone, VirtualLEHeadphone {
  public let service: BluetoothUUID
  /// The body of the answer to command 0101.
  public var state: [UInt8]
  /// The offsets of the sound modes in ``state``, or empty without noise control.
  public var modes: Range<Int>
  /// The bodies of the answers to other requests: battery, charging, firmware.
  public var responses: [UInt16: [UInt8]] = [:]
  /// The number of bytes that are reported after the sound modes but are not part of a command.
  public var further = 0
  /// The offsets of press actions in ``state``, by the side and press in a command.
  public var presses: [[UInt8]: Int] = [:]
  /// The offsets of further settings in ``state``, by command.
  var settings: [UInt16: Int] = [:]
  public var devices = VirtualPairedDevices.three

  public var format: FrameFormat { SoundcoreFrame.format(of: .phone) }
  public var write: BluetoothUUID { SoundcoreProtocol.write }
  public var notify: BluetoothUUID { SoundcoreProtocol.notify }
  public var advertised: [AdvertisingStructure] { [.serviceUUIDs([service], isComplete: true)] }

  /// Creates a headphone on a serial channel; `number` is the model's, and ends the service's UUID.
  public init(number: UInt16, state: [UInt8], modes: Range<Int>) {
    // A3968 has the digits B3968; the numbers of newer models start with D, such as D1202.
    let line: UInt64 = number >> 12 == 3 ? 0xB0000 : 0xD0000
    service = BluetoothUUID(
      high: SoundcoreProtocol.serialService.high,
      low: SoundcoreProtocol.serialService.low & ~0xFFFFF | line | UInt64(number))
    self.state = state
    self.modes = modes
  }

  /// Creates a headphone over LE, which also answers requests for battery, charging and firmware.
  ///
  /// - Parameters:
  ///   - modelBits: the first 16 bits of the service, which depend on the model.
  ///   - firmware: a version of 5 characters for each bud, and the serial number of 16.
  init(
    modelBits: UInt16, state: [UInt8], modes: Range<Int>, levels: [UInt8], charging: [UInt8],
    firmware: String
  ) {
    service = BluetoothUUID(
      high: SoundcoreProtocol.service.high | UInt64(modelBits) << 48,
      low: SoundcoreProtocol.service.low)
    self.state = state
    self.modes = modes
    responses = [
      SoundcoreCommand.battery: levels, SoundcoreCommand.charging: charging,
      SoundcoreCommand.firmware: Array(firmware.utf8),
    ]
  }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? SoundcoreFrame(decoding: frame) else { return [] }
    if frame.command == SoundcoreCommand.pairedDevices { return list() }
    guard let body = execute(frame) else { return [] }
    return [SoundcoreFrame(.headphone, frame.command, body[...]).encoded()]
  }

  /// Returns a frame for each paired device, with the name padded to 32 bytes.
  private func list() -> [[UInt8]] {
    devices.all.enumerated().map { index, device in
      let name = Array((device.name ?? "").utf8.prefix(32))
      let body =
        [UInt8(clamping: devices.all.count), UInt8(clamping: index + 1), 40]
        + [device.isConnected ? 1 : 0] + device.address.littleEndianBytes + name
        + Array(repeating: 0, count: 32 - name.count)
      return SoundcoreFrame(.headphone, SoundcoreCommand.pairedDevices, body[...]).encoded()
    }
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
    case SoundcoreCommand.setPress where frame.body.count == 3:
      guard let place = presses[Array(frame.body.prefix(2))] else { return nil }
      state[place] = frame.body[frame.body.startIndex + 2]
      return []
    case SoundcoreCommand.setEQ where frame.body.count == 10:
      state.replaceSubrange(2..<12, with: frame.body)
      return []
    case SoundcoreCommand.connectDevice, SoundcoreCommand.disconnectDevice,
      SoundcoreCommand.forgetDevice:
      guard let address = try? BluetoothAddress(littleEndian: frame.body) else { return nil }
      let actions: [UInt16: PairedDeviceAction] = [
        SoundcoreCommand.connectDevice: .connect, SoundcoreCommand.disconnectDevice: .disconnect,
      ]
      devices.perform(actions[frame.command] ?? .forget, address)
      return []
    default:
      guard let place = settings[frame.command] else { return responses[frame.command] }
      guard place + frame.body.count <= state.count else { return nil }
      state.replaceSubrange(place..<place + frame.body.count, with: frame.body)
      return []
    }
  }
}

extension VirtualSoundcore {
  /// A Sport X20, with a state from the tests of an independent project.
  static let sport: VirtualSoundcore = {
    var sport = VirtualSoundcore(number: 0x3968, state: recordedSport, modes: 117..<123)
    sport.presses = [
      [0, 2]: 110, [1, 2]: 111, [0, 0]: 112, [1, 0]: 113, [0, 1]: 114, [1, 1]: 115,
    ]
    sport.settings = [0x0286: 124, 0x0B84: 126, 0x0183: 127, 0x0186: 128]
    return sport
  }()

  /// A Life Q30, with a state recorded from a real one.
  static let overEar = VirtualSoundcore(
    number: 0x302A, state: recordedOverEar, modes: 35..<39)

  /// A Space One, with a state from the tests of an independent project.
  static let spaceOne: VirtualSoundcore = {
    var headphone = VirtualSoundcore(number: 0x3035, state: recordedSpaceOne, modes: 69..<75)
    headphone.presses = [[0, 0]: 67]
    headphone.settings = [
      0x0181: 76, 0x01FF: 81, 0x0B84: 82, 0x0186: 85, 0x2082: 87, 0x01AE: 90, 0x01AF: 91,
    ]
    return headphone
  }()

  /// A Liberty 4 Pro, with a state from the tests of an independent project.
  static let liberty4Pro: VirtualSoundcore = {
    var buds = VirtualSoundcore(number: 0x3954, state: recordedLiberty4Pro, modes: 125..<129)
    buds.presses = [
      [0, 2]: 116, [1, 2]: 117, [0, 0]: 118, [1, 0]: 119, [0, 5]: 120, [1, 5]: 121, [0, 1]: 122,
      [1, 1]: 123, [0, 6]: 161, [1, 6]: 162, [0, 7]: 163, [1, 7]: 164,
    ]
    buds.settings = [0x1082: 140, 0x01FF: 141, 0x0B84: 142, 0x0186: 143, 0x1086: 153, 0x2082: 145]
    return buds
  }()

  private static let recordedSpaceOne: [UInt8] = [
    0x05, 0xFF, 0x30, 0x36, 0x2E, 0x38, 0x37, 0x33, 0x30, 0x33, 0x35, 0x30, 0x30, 0x30,
    0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x00, 0x00, 0x78, 0x78, 0x78,
    0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x00, 0x1E, 0xFF, 0x00, 0xFF, 0xFF, 0xFF, 0xFF,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x04, 0x04, 0x07, 0x03, 0x00,
    0x50, 0x00, 0x00, 0x01, 0x05, 0x00, 0x01, 0x00, 0x00, 0x00, 0x31, 0x01, 0x01, 0x01,
    0x00, 0x01, 0x02, 0x00, 0x5A, 0x00, 0x01, 0x01, 0x00, 0x00, 0x00,
  ]

  static let overEarOnLE = VirtualSoundcore(
    modelBits: 0x0100, state: recordedOverEar, modes: 35..<39, levels: [5], charging: [0],
    firmware: "02.303029086EC82F12AC")

  private static let recordedOverEar: [UInt8] =
    [0x05, 0x00, 0xFE, 0xFE, 0x3C, 0xB4, 0x8F, 0xA0, 0x8E, 0xB4, 0x74, 0x88]
    + Array(repeating: 0, count: 23) + [0x02, 0x00, 0x01, 0x00]
    + Array("02.303029086EC82F12AC".utf8)

  private static let recordedLiberty4Pro: [UInt8] = [
    0x00, 0x01, 0x63, 0x64, 0x00, 0x00, 0x30, 0x33, 0x2E, 0x32, 0x39, 0x30, 0x33, 0x2E,
    0x32, 0x39, 0x33, 0x39, 0x35, 0x34, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30,
    0x30, 0x30, 0x30, 0x30, 0x30, 0x32, 0x2E, 0x35, 0x38, 0x09, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0xFE, 0xFE, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x01, 0x91, 0x93,
    0x8B, 0x8D, 0x7A, 0x6F, 0x69, 0x64, 0x3C, 0x3C, 0x91, 0x93, 0x8B, 0x8D, 0x7A, 0x6F,
    0x69, 0x64, 0x3C, 0x3C, 0x00, 0x00, 0x00, 0x00, 0x01, 0x91, 0x93, 0x8B, 0x82, 0x7A,
    0x85, 0x85, 0x72, 0x3C, 0x3C, 0x91, 0x93, 0x8B, 0x82, 0x7A, 0x85, 0x85, 0x72, 0x3C,
    0x3C, 0x00, 0x00, 0x0A, 0x66, 0x66, 0x32, 0x33, 0xFF, 0xFF, 0x44, 0x44, 0x33, 0x02,
    0x06, 0x00, 0x00, 0xFF, 0x01, 0xFF, 0x00, 0x00, 0x00, 0x00, 0x5E, 0x01, 0x6E, 0x01,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x5F, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00,
    0x6E, 0x01, 0x00, 0x01, 0x00, 0x00, 0xFF, 0x00, 0x00, 0x11, 0x11,
  ]

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
