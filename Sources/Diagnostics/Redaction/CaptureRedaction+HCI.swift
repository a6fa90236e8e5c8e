/// The offsets of addresses, keys and names in commands and events (Core 5.4, Vol 4, Part E, 7).
extension CaptureRedaction {
  /// Redacts a command.
  ///
  /// - Parameters:
  ///   - bytes: the packet.
  ///   - opcode: its opcode.
  ///   - start: the offset of the parameters.
  mutating func redactCommand(_ bytes: inout RedactedBytes, opcode: UInt16, from start: Int) {
    if let offset = Self.addressOfCommand[opcode] { replaceAddress(&bytes, at: start + offset) }
    if let key = Self.keyOfCommand[opcode] { bytes.erase(start + key.offset, key.count) }
    switch opcode {
    // Write Local Name; Write Extended Inquiry Response.
    case 0x0C13: replaceText(&bytes, start, 248)
    case 0x0C52: redactAdvertising(&bytes, start + 1, 240)
    // LE Set Advertising Data, Set Scan Response Data, and the extended ones.
    case 0x2008, 0x2009: redactAdvertising(&bytes, start + 1, Int(bytes.byte(start)))
    case 0x2037, 0x2038: redactAdvertising(&bytes, start + 4, Int(bytes.byte(start + 3)))
    default: break
    }
  }

  /// Redacts an event; vendor events, which may contain anything, are erased.
  ///
  /// - Parameters:
  ///   - bytes: the packet.
  ///   - code: the event code.
  ///   - start: the offset of the parameters.
  mutating func redactEvent(_ bytes: inout RedactedBytes, code: UInt8, from start: Int) {
    if let offset = Self.addressOfEvent[code] { replaceAddress(&bytes, at: start + offset) }
    switch code {
    // Remote Name Request Complete.
    case 0x07: replaceText(&bytes, start + 7, 248)
    // Return Link Keys, Link Key Notification, User Confirmation and Passkey Notification.
    case 0x15: bytes.erase(start + 7, 16)
    case 0x18: bytes.erase(start + 6, 16)
    case 0x33, 0x3B: bytes.erase(start + 6, 4)
    // Extended Inquiry Result.
    case 0x2F: redactAdvertising(&bytes, start + 15, 240)
    case 0x0E: redactReturn(&bytes, of: bytes.word(start + 1), from: start + 3)
    case 0x3E: redactLowEnergyEvent(&bytes, subevent: bytes.byte(start), from: start + 1)
    // Vendor events may hold anything.
    case 0xFF: bytes.erase(start, bytes.bytes.count)
    default: break
    }
  }

  /// Redacts the return parameters of a command.
  ///
  /// - Parameters:
  ///   - bytes: the packet.
  ///   - opcode: the opcode of the command.
  ///   - start: the offset of the return parameters, of which the first is the status.
  private mutating func redactReturn(
    _ bytes: inout RedactedBytes, of opcode: UInt16, from start: Int
  ) {
    switch opcode {
    // Read Local Name; Read Local OOB Data; Read BD_ADDR.
    case 0x0C14: replaceText(&bytes, start + 1, 248)
    case 0x0C57, 0x0C7D: bytes.erase(start + 1, 64)
    case 0x1009: replaceAddress(&bytes, at: start + 1)
    // LE Read Peer and Local Resolvable Address.
    case 0x202B, 0x202C: replaceAddress(&bytes, at: start + 1)
    default: break
    }
  }

  /// Redacts an LE Meta event.
  ///
  /// - Parameters:
  ///   - bytes: the packet.
  ///   - subevent: the subevent code.
  ///   - start: the offset of the parameters after it.
  private mutating func redactLowEnergyEvent(
    _ bytes: inout RedactedBytes, subevent: UInt8, from start: Int
  ) {
    switch subevent {
    case 0x01: replaceAddress(&bytes, at: start + 5)
    // Enhanced Connection Complete, both versions.
    case 0x0A, 0x29: for offset in [5, 11, 17] { replaceAddress(&bytes, at: start + offset) }
    // Read Local P-256 Public Key Complete, Generate DHKey Complete.
    case 0x08: bytes.erase(start + 1, 64)
    case 0x09: bytes.erase(start + 1, 32)
    case 0x0B: for offset in [3, 10] { replaceAddress(&bytes, at: start + offset) }
    case 0x02: redactReports(&bytes, from: start, header: 9, address: 2, length: 8)
    case 0x0D:
      redactReports(&bytes, from: start, header: 24, address: 3, length: 23, second: 17)
    default: break
    }
  }

  /// Redacts advertising reports: a count, then for each a header, AD structures, and in legacy
  /// reports the RSSI.
  ///
  /// - Parameters:
  ///   - bytes: the packet.
  ///   - start: the offset of the count.
  ///   - header: the length of a report's header.
  ///   - address: the offset of the advertiser's address in it.
  ///   - length: the offset of the data's length in it.
  ///   - second: the offset of the target address in it; `nil` for legacy reports.
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

  /// The offset of the address in the parameters of a command.
  private static let addressOfCommand: [UInt16: Int] = {
    var offsets: [UInt16: Int] = [
      // LE Create Connection, LE Extended Create Connection.
      0x2005: 0, 0x200D: 6, 0x2043: 3, 0x2035: 1,
    ]
    for opcode: UInt16 in [
      0x0405, 0x0408, 0x0409, 0x040A, 0x040B, 0x040C, 0x040D, 0x040E, 0x0419, 0x041A, 0x0429,
      0x042A, 0x042B, 0x042C, 0x042D, 0x042E, 0x042F, 0x0430, 0x0433, 0x0434, 0x043D, 0x043E,
      0x0445, 0x0809, 0x080A, 0x080B, 0x0C0D, 0x0C11, 0x0C12,
    ] { offsets[opcode] = 0 }
    // Accept list, resolving list and similar: the address type comes first.
    for opcode: UInt16 in [0x2011, 0x2012, 0x2027, 0x2028, 0x202B, 0x202C, 0x204E] {
      offsets[opcode] = 1
    }
    return offsets
  }()

  /// The offset and length of the key in the parameters of a command.
  private static let keyOfCommand: [UInt16: (offset: Int, count: Int)] = [
    // Link Key, PIN and Passkey Reply; OOB data.
    0x040B: (6, 16), 0x040D: (7, 16), 0x042E: (6, 4), 0x0430: (6, 32), 0x0445: (6, 64),
    // Write Stored Link Key.
    0x0C11: (7, 16),
    // LE Encrypt, LE Enable Encryption, LE Long Term Key Request Reply.
    0x2017: (0, 32), 0x2019: (10, 18), 0x201A: (2, 16),
    // LE Generate DHKey, LE Add Device To Resolving List.
    0x2026: (0, 64), 0x205E: (0, 65), 0x2027: (7, 32),
  ]

  /// The offset of the address in the parameters of an event.
  private static let addressOfEvent: [UInt8: Int] = {
    var offsets: [UInt8: Int] = [
      0x02: 1, 0x03: 3, 0x07: 1, 0x12: 1, 0x15: 1, 0x22: 1, 0x2C: 3, 0x2F: 1, 0x36: 1,
    ]
    for code: UInt8 in [0x04, 0x16, 0x17, 0x18, 0x31, 0x32, 0x33, 0x34, 0x35, 0x3B, 0x3C, 0x3D] {
      offsets[code] = 0
    }
    return offsets
  }()
}
