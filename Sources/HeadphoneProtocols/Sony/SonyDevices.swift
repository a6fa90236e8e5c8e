internal import BluetoothCodec

/// The phones and computers paired with a headphone of the second generation, in table 2.
///
/// | bytes | meaning |
/// | --- | --- |
/// | 36 t | request |
/// | 37 t, 39 t | response, report: count, entries, position of the device that plays |
/// | entry | address as text (17), position (0: not connected), length and text of the name |
/// | 3C t a address | command: a is 0 disconnect, 1 connect, 2 forget |
/// | 3C 01 address | command to play from a connected device |
/// | 3D | outcome of a command |
///
/// The type t is 00. In other headphones it is 02, and an entry has three bytes of the device's
/// class before the name.
enum SonyDevices {
  static let question: UInt8 = 0x36
  static let command: UInt8 = 0x3C
  static let outcome: UInt8 = 0x3D
  /// The value in a play command where other commands have a type.
  private static let switching: UInt8 = 0x01

  static func type(by functions: Set<UInt8>) -> UInt8? {
    functions.contains(0x30)
      ? 0x00 : functions.contains(0x32) || functions.contains(0x33) ? 0x02 : nil
  }

  static func declaration(by functions: Set<UInt8>) -> SettingDeclaration {
    functions.contains(0x31)
      ? .pairedDevices(.connect, .disconnect, .play, .forget)
      : .pairedDevices(.connect, .disconnect, .forget)
  }

  /// Decodes the entries that follow command and type.
  static func list(
    _ reader: inout ByteReader, type: UInt8
  ) throws(MalformedBytes) -> [PairedDevice] {
    var entries: [(device: PairedDevice, place: UInt8)] = []
    for _ in 0..<(try reader.uint8()) {
      let text = textFromAir(try reader.read(17))
      guard let address = BluetoothAddress(text) else { throw reader.malformed(.badLength(17)) }
      let place = try reader.uint8()
      if type == 0x02 { _ = try reader.read(3) }
      let name = textFromAir(try reader.read(Int(try reader.uint8())))
      entries.append((PairedDevice(address, name: name, isConnected: place > 0), place))
    }
    let playing = try reader.uint8()
    return entries.map { entry in
      var device = entry.device
      device.isPlaying = entry.place > 0 && entry.place == playing
      return device
    }
  }

  static func payload(
    _ action: PairedDeviceAction, _ address: BluetoothAddress, type: UInt8
  ) -> [UInt8]? {
    let head: [UInt8]
    switch action {
    case .disconnect: head = [type, 0]
    case .connect: head = [type, 1]
    case .forget: head = [type, 2]
    case .play: head = [switching]
    case .prefer: return nil
    }
    return [command] + head + Array(address.description.utf8)
  }

  static func refusal(_ payload: Bytes) -> HeadphoneError? {
    let bytes = Array(payload.dropFirst().prefix(3))
    guard bytes.count == 3 else { return nil }
    if bytes[0] == switching { return bytes[1] == 0 ? nil : .refused(.wrongState) }
    return switch bytes[2] & 0x0F {
    case 1: .refused(.unspecified)
    case 3: .refused(.busy)
    default: nil
    }
  }
}
