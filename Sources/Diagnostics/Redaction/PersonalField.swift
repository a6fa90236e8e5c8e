/// A personal or secret field of an HCI packet, by its offset (Core 5.4, Vol 4, Part E, 7).
indirect enum PersonalField {
  /// An address of 6 bytes.
  case address(Int)
  /// A key, or an input of a key.
  case secret(Int, count: Int)
  /// A name of at most 248 bytes, which ends before the first zero.
  case name(Int)
  /// AD structures in a field of a fixed length.
  case structures(Int, count: Int)
  /// AD structures after a byte with their length.
  case countedStructures(Int)
  /// A count in one byte, and that number of entries with these fields.
  case entries(Int, of: Int, [PersonalField])
}

extension PersonalField {
  /// The fields of commands by opcode; offsets count from the first parameter.
  static let ofCommands: [UInt16: [PersonalField]] = table([
    // Link control, from Create Connection on: connections, names, pairing.
    (
      [
        0x0405, 0x0408, 0x0409, 0x040A, 0x040C, 0x040E, 0x0419, 0x041A, 0x0429, 0x042A, 0x042B,
        0x042C, 0x042D, 0x042F, 0x0433, 0x0434, 0x043E, 0x043F, 0x0440,
      ], [.address(0)]
    ),
    // Link Key, PIN Code, Passkey, OOB Data and Extended OOB Data Request Reply.
    ([0x040B], [.address(0), .secret(6, count: 16)]),
    ([0x040D], [.address(0), .secret(7, count: 16)]),
    ([0x042E], [.address(0), .secret(6, count: 4)]),
    ([0x0430], [.address(0), .secret(6, count: 32)]),
    ([0x0445], [.address(0), .secret(6, count: 64)]),
    // Set Connectionless Peripheral Broadcast Receive.
    ([0x0442], [.address(1)]),
    // Switch Role; Read and Delete Stored Link Key; Send Keypress Notification.
    ([0x080B, 0x0C0D, 0x0C12, 0x0C60], [.address(0)]),
    // Write Stored Link Key.
    ([0x0C11], [.entries(0, of: 22, [.address(0), .secret(6, count: 16)])]),
    // Write Local Name, Write Extended Inquiry Response.
    ([0x0C13], [.name(0)]), ([0x0C52], [.structures(1, count: 240)]),
    // LE: Set Random Address, for one advertising set, too; Set Advertising Parameters.
    ([0x2005], [.address(0)]), ([0x2035], [.address(1)]), ([0x2006], [.address(7)]),
    ([0x2036, 0x207F], [.address(12)]),
    // LE Create Connection, Extended Create Connection and its second version, Periodic
    // Advertising Create Sync.
    ([0x200D], [.address(6)]), ([0x2043, 0x2044], [.address(3)]), ([0x2085], [.address(5)]),
    // Accept, resolving, periodic and monitored lists; Read Resolvable Address, Set Privacy Mode:
    // the type of the address comes first.
    (
      [
        0x2011, 0x2012, 0x2028, 0x202B, 0x202C, 0x2047, 0x2048, 0x204E, 0x2098, 0x2099,
      ], [.address(1)]
    ),
    ([0x2027], [.address(1), .secret(7, count: 32)]),
    // LE Set Advertising and Scan Response Data, the extended ones, Periodic Advertising Data.
    ([0x2008, 0x2009], [.countedStructures(0)]), ([0x2037, 0x2038], [.countedStructures(3)]),
    ([0x203F], [.countedStructures(2)]), ([0x2083], [.countedStructures(7)]),
    // LE Encrypt, Enable Encryption, Long Term Key Request Reply, Generate DHKey.
    ([0x2017], [.secret(0, count: 32)]), ([0x2019], [.secret(10, count: 18)]),
    ([0x201A], [.secret(2, count: 16)]), ([0x2026], [.secret(0, count: 64)]),
    ([0x205E], [.secret(0, count: 65)]),
    // LE Create BIG, its test, and BIG Create Sync: the broadcast code.
    ([0x2068], [.secret(15, count: 16)]), ([0x2069], [.secret(20, count: 16)]),
    ([0x206B], [.secret(4, count: 16)]),
  ])

  /// The fields of commands' return parameters by opcode; offsets count from the status.
  static let ofReturns: [UInt16: [PersonalField]] = table([
    // Commands of link control, Send Keypress Notification, Read BD_ADDR, LE Read Peer and Local
    // Resolvable Address.
    (
      [
        0x0408, 0x040B, 0x040C, 0x040D, 0x040E, 0x041A, 0x042B, 0x042C, 0x042D, 0x042E, 0x042F,
        0x0430, 0x0433, 0x0434, 0x0440, 0x0442, 0x0445, 0x0C60, 0x1009, 0x202B, 0x202C,
      ], [.address(1)]
    ),
    // Read Local Name, Read Extended Inquiry Response, Read Local OOB Data and the extended one.
    ([0x0C14], [.name(1)]), ([0x0C51], [.structures(2, count: 240)]),
    ([0x0C57, 0x0C7D], [.secret(1, count: 64)]),
    // LE Encrypt, LE Rand: hosts make keys from their results.
    ([0x2017], [.secret(1, count: 16)]), ([0x2018], [.secret(1, count: 8)]),
  ])

  /// The fields of events by code; offsets count from the first parameter.
  static let ofEvents: [UInt8: [PersonalField]] = table([
    // Connection Request, PIN Code and Link Key Request, Page Scan Repetition Mode Change, pairing,
    // Connectionless Peripheral Broadcast.
    (
      [
        0x04, 0x16, 0x17, 0x20, 0x31, 0x32, 0x34, 0x35, 0x3C, 0x3D, 0x51, 0x52,
      ], [.address(0)]
    ),
    // Role Change, Simple Pairing Complete, Synchronization Train Received, Truncated Page
    // Complete.
    ([0x12, 0x36, 0x50, 0x53], [.address(1)]),
    // Connection Complete, Synchronous Connection Complete.
    ([0x03, 0x2C], [.address(3)]),
    // Inquiry Result, with RSSI, Extended Inquiry Result.
    ([0x02, 0x22], [.entries(0, of: 14, [.address(0)])]),
    ([0x2F], [.address(1), .structures(15, count: 240)]),
    // Remote Name Request Complete.
    ([0x07], [.address(1), .name(7)]),
    // Return Link Keys, Link Key Notification, User Confirmation and Passkey Notification.
    ([0x15], [.entries(0, of: 22, [.address(0), .secret(6, count: 16)])]),
    ([0x18], [.address(0), .secret(6, count: 16)]),
    ([0x33, 0x3B], [.address(0), .secret(6, count: 4)]),
  ])

  /// The fields of LE Meta events by subevent code; offsets count from the byte after it.
  static let ofLowEnergyEvents: [UInt8: [PersonalField]] = table([
    // Connection Complete, and the enhanced ones.
    ([0x01], [.address(5)]), ([0x0A, 0x29], [.address(5), .address(11), .address(17)]),
    // Read Local P-256 Public Key Complete, Generate DHKey Complete.
    ([0x08], [.secret(1, count: 64)]), ([0x09], [.secret(1, count: 32)]),
    // Directed Advertising Report.
    ([0x0B], [.entries(0, of: 16, [.address(2), .address(9)])]),
    // Periodic Advertising Sync Established and Transfer Received, in both versions.
    ([0x0E, 0x24], [.address(5)]), ([0x18, 0x26], [.address(9)]),
    // Periodic Advertising Report, in both versions.
    ([0x0F], [.countedStructures(6)]), ([0x25], [.countedStructures(9)]),
    // Scan Request Received, Monitored Advertisers Report.
    ([0x13], [.address(2)]), ([0x34], [.address(1)]),
  ])

  private static func table<Code: Hashable>(
    _ rows: [(codes: [Code], fields: [PersonalField])]
  ) -> [Code: [PersonalField]] {
    rows.reduce(into: [:]) { table, row in
      for code in row.codes { table[code] = row.fields }
    }
  }
}
