internal import BluetoothCodec

extension CaptureRedaction {
  private static let vendorGroup: UInt8 = 0x3F

  /// Redacts a command; vendor-specific ones, which may contain anything, are erased.
  mutating func redactCommand(_ bytes: inout RedactedBytes, opcode: UInt16, from start: Int) {
    guard HCIOpcode(rawValue: opcode).group != Self.vendorGroup else {
      return bytes.erase(start, bytes.bytes.count)
    }
    redact(PersonalField.ofCommands[opcode], of: &bytes, from: start)
    // Set Event Filter, for a device with this address.
    if opcode == 0x0C05, bytes.byte(start + 1) == 2 { replaceAddress(&bytes, at: start + 2) }
  }

  /// Redacts an event; vendor-specific ones, which may contain anything, are erased.
  mutating func redactEvent(_ bytes: inout RedactedBytes, code: UInt8, from start: Int) {
    redact(PersonalField.ofEvents[code], of: &bytes, from: start)
    switch code {
    // Connection Complete, Disconnection Complete: another link will have the handle.
    case 0x03, 0x05: links[bytes.word(start + 1)] = nil
    case 0x0E: redactReturn(&bytes, of: bytes.word(start + 1), from: start + 3)
    case 0x3E: redactLowEnergyEvent(&bytes, subevent: bytes.byte(start), from: start + 1)
    case 0xFF: bytes.erase(start, bytes.bytes.count)
    default: break
    }
  }

  private mutating func redactReturn(
    _ bytes: inout RedactedBytes, of opcode: UInt16, from start: Int
  ) {
    guard HCIOpcode(rawValue: opcode).group != Self.vendorGroup else {
      return bytes.erase(start + 1, bytes.bytes.count)
    }
    redact(PersonalField.ofReturns[opcode], of: &bytes, from: start)
  }

  private mutating func redactLowEnergyEvent(
    _ bytes: inout RedactedBytes, subevent: UInt8, from start: Int
  ) {
    redact(PersonalField.ofLowEnergyEvents[subevent], of: &bytes, from: start)
    switch subevent {
    // Advertising Report, Extended Advertising Report.
    case 0x02: redactReports(&bytes, from: start, header: 9, address: 2, length: 8)
    case 0x0D:
      redactReports(&bytes, from: start, header: 24, address: 3, length: 23, second: 17)
    // Responses to periodic advertising: entries of any length.
    case 0x28: replaceTexts(&bytes, start + 4, bytes.bytes.count)
    default: break
    }
  }

  private mutating func redact(
    _ fields: [PersonalField]?, of bytes: inout RedactedBytes, from start: Int
  ) {
    for field in fields ?? [] {
      switch field {
      case .address(let offset): replaceAddress(&bytes, at: start + offset)
      case .secret(let offset, let count): bytes.erase(start + offset, count)
      case .name(let offset): replaceName(&bytes, start + offset, 248)
      case .structures(let offset, let count): redactAdvertising(&bytes, start + offset, count)
      case .countedStructures(let offset):
        redactAdvertising(&bytes, start + offset + 1, Int(bytes.byte(start + offset)))
      case .entries(let offset, let length, let fields):
        for index in 0..<Int(bytes.byte(start + offset)) {
          redact(fields, of: &bytes, from: start + offset + 1 + index * length)
        }
      }
    }
  }

  /// Redacts advertising reports: a count, then a header and AD structures each, and maybe the
  /// RSSI.
  ///
  /// `address`, `length` and `second` (the target address) are offsets in the header. Only legacy
  /// reports end with the RSSI.
  private mutating func redactReports(
    _ bytes: inout RedactedBytes, from start: Int, header: Int, address: Int, length: Int,
    second: Int? = nil
  ) {
    var report = start + 1
    for _ in 0..<bytes.byte(start) {
      let count = Int(bytes.byte(report + length))
      replaceAddress(&bytes, at: report + address)
      if let second { replaceAddress(&bytes, at: report + second) }
      redactAdvertising(&bytes, report + header, count)
      report += header + count + (second == nil ? 1 : 0)
    }
  }
}
