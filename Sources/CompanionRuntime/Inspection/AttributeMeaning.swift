internal import BluetoothCodec
internal import Companion
internal import HeadphoneProtocols

extension [UInt8] {
  /// Returns the interpretation of a value, or nil for an unknown format or a wrong length.
  ///
  /// Sources: Bluetooth SIG, GATT Specification Supplement; docs/protocol.md section 3.
  func meaning(as type: BluetoothUUID) -> String? {
    if let control = controlMeaning(as: type) { return control }
    switch type.short16 {
    case 0x2A19: return count == 1 && self[0] <= 100 ? "\(self[0])%" : nil
    case 0x2902: return count == 2 ? configuration(["notify", "indicate"], else: "off") : nil
    case 0x2903: return count == 2 ? configuration(["broadcast"], else: "off") : nil
    case 0x2900:
      return count == 2
        ? configuration(["reliable write", "writable auxiliaries"], else: "none") : nil
    case 0x2904: return presentationFormat
    case 0x2A50: return plugAndPlay
    case 0x2A01: return count == 2 ? appearance : nil
    case 0x2A05:
      return count == 4 ? "handles \(handleText(word(0))) to \(handleText(word(2)))" : nil
    case 0x2A04: return connectionParameters
    case 0x2AA6: return count == 1 ? (self[0] == 1 ? "supported" : "not supported") : nil
    case 0x2B29:
      return count >= 1
        ? configuration(["robust caching", "enhanced ATT", "multiple notifications"], else: "none")
        : nil
    case 0x2B3A: return count >= 1 ? configuration(["enhanced ATT"], else: "none") : nil
    default: return nil
    }
  }

  var quoted: String? { displayText.map { "\"\($0)\"" } }

  private func controlMeaning(as type: BluetoothUUID) -> String? {
    for control in [ControlService.short, .long] where count == 1 {
      if type == control.ancMode { return ANCMode(rawValue: self[0])?.title.lowercased() }
      if type == control.eqPreset { return EQPreset(rawValue: self[0])?.title.lowercased() }
    }
    return nil
  }

  private func word(_ index: Int) -> UInt16 { UInt16(self[index]) | UInt16(self[index + 1]) << 8 }

  /// Returns the names of the bits set in a Client Characteristic Configuration (Core 5.4, Vol 3,
  /// Part G, 3.3.3.3) or a similar bit field.
  private func configuration(_ names: [String], else nothing: String) -> String {
    let set = names.enumerated().filter { self[0] >> UInt8($0.offset) & 1 == 1 }.map(\.element)
    return set.isEmpty ? nothing : set.joined(separator: ", ")
  }

  /// Characteristic Presentation Format (Core 5.4, Vol 3, Part G, 3.3.3.5).
  private var presentationFormat: String? {
    guard count == 7 else { return nil }
    let formats: [UInt8: String] = [
      0x01: "boolean", 0x04: "uint8", 0x06: "uint16", 0x08: "uint32", 0x0C: "sint8",
      0x0E: "sint16", 0x10: "sint32", 0x19: "UTF-8", 0x1B: "structure",
    ]
    let units: [UInt16: String] = [0x2700: "no unit", 0x27AD: "%", 0x2722: "Hz", 0x272F: "°C"]
    let places: [UInt16: String] = [0x010D: "left", 0x010E: "right", 0x0106: "main"]
    let unit = word(2)
    var parts = [formats[self[0]] ?? "format \(self[0])"]
    parts.append(units[unit] ?? "unit \(handleText(unit))")
    if self[4] == 1, word(5) != 0 {
      parts.append(places[word(5)] ?? "description \(handleText(word(5)))")
    }
    return parts.joined(separator: ", ")
  }

  private var plugAndPlay: String? {
    guard count == 7 else { return nil }
    let source = self[0] == 1 ? "Bluetooth SIG" : self[0] == 2 ? "USB" : "source \(self[0])"
    return "\(source) vendor \(handleText(word(1))), product \(handleText(word(3))), "
      + "version \(handleText(word(5)))"
  }

  /// Appearance: the category is in the upper ten bits (Assigned Numbers 2.6).
  private var appearance: String {
    let value = word(0)
    let names: [UInt16: String] = [
      0x000: "unknown", 0x001: "phone", 0x002: "computer", 0x021: "audio sink",
      0x025: "wearable audio",
    ]
    let kinds: [UInt16: String] = [
      0x0941: "earbud", 0x0942: "headset", 0x0943: "headphones", 0x0944: "neckband",
      0x0945: "left earbud", 0x0946: "right earbud",
    ]
    return kinds[value] ?? names[value >> 6] ?? "category \(value >> 6)"
  }

  /// Peripheral Preferred Connection Parameters: intervals in 1.25 ms, the time-out in 10 ms.
  private var connectionParameters: String? {
    guard count == 8 else { return nil }
    func milliseconds(_ value: UInt16) -> String {
      "\(Int(value) * 125 / 100).\(Int(value) * 125 % 100 / 10) ms"
    }
    return "interval \(milliseconds(word(0))) to \(milliseconds(word(2))), latency \(word(4)), "
      + "timeout \(Int(word(6)) * 10) ms"
  }
}
