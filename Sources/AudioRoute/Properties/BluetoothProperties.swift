/// The Bluetooth properties in the property list of a sink or card.
///
/// The keys are those of PulseAudio's module-bluez5-device.c, of PipeWire's spa/plugins/bluez5 and
/// of WirePlumber's scripts (docs/audio.md has a table).
struct BluetoothProperties {
  let name: String
  let value: (String) -> String?

  /// Whether any of the known keys marks the sink or card as Bluetooth.
  var isBluetooth: Bool {
    value("device.bus") == "bluetooth"
      || value("device.api").map(["bluez", "bluez5"].contains) == true
      || value("api.bluez5.address") != nil
  }

  /// The address in upper case with colons, from the first key that has one, or from the name.
  var address: String? {
    let places = ["api.bluez5.address", "device.string", "api.bluez5.path", "bluez.path"]
    return (places.lazy.compactMap(value) + [name]).lazy.compactMap(bluetoothAddress(in:)).first
  }

  var profile: AudioProfile? {
    // The common sink of two LE Audio earbuds has members instead of a profile.
    if value("api.bluez5.set.leader") != nil { return .leAudio }
    return (value("bluetooth.protocol") ?? value("api.bluez5.profile")).flatMap(
      AudioProfile.init(serverName:))
  }

  /// The codec in use, by the server's name, for example "sbc_xq".
  var codec: String? { value("bluetooth.codec") ?? value("api.bluez5.codec") }
}

/// Returns the first Bluetooth address in a text, in the form "F0:F1:F2:F3:F4:F5", or nil.
///
/// Its bytes may be separated by ":", "_" or "-", as in "bluez_sink.F0_F1_F2_F3_F4_F5.a2dp_sink".
/// Longer runs of hexadecimal digits are not addresses.
func bluetoothAddress(in text: String) -> String? {
  let characters = Array(text.utf8)
  let isHex = { (byte: UInt8) in Character(UnicodeScalar(byte)).isHexDigit }
  let isBetween = { (byte: UInt8) in byte == 0x3A || byte == 0x5F || byte == 0x2D }
  guard characters.count >= 17 else { return nil }
  for start in 0...(characters.count - 17) {
    let window = characters[start..<start + 17]
    let isAddress = window.enumerated().allSatisfy { offset, byte in
      offset % 3 == 2 ? isBetween(byte) : isHex(byte)
    }
    let isWhole =
      (start == 0 || !isHex(characters[start - 1]))
      && (start + 17 == characters.count || !isHex(characters[start + 17]))
    guard isAddress, isWhole else { continue }
    let bytes = window.split(whereSeparator: isBetween)
    return bytes.map { String(decoding: $0, as: UTF8.self).uppercased() }.joined(separator: ":")
  }
  return nil
}
