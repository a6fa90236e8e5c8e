/// A state as entries of type, length and value.
///
/// The Liberty 5 has it from firmware 03.11 on, the Liberty 5 Pro and Pro Max have no other. States of
/// all three are public; what the entries mean was compared by a user of a Pro Max with the maker's
/// app, and the first seven are the same on the Liberty 5.
struct SoundcoreEntries {
  /// What an entry is.
  enum Kind: UInt8 {
    /// The bud that reports: 0 left, 1 right.
    case host = 1
    /// Whether the other bud is connected to it.
    case isConnected = 2
    /// Whether it charges, and its level in %.
    case left = 3
    case right = 4
    /// 5 characters.
    case leftFirmware = 5
    case rightFirmware = 6
    /// 16 characters, and a zero.
    case serial = 7
    /// Flags without a meaning here, and its level in %.
    case `case` = 8
    /// The mode of noise control, and 2 bytes.
    case mode = 36
  }

  private let values: [UInt8: [UInt8]]

  /// The entries of a state; nil where it is no such state: they have to fill it, the first one first,
  /// and hold a firmware version and a serial number.
  init?(_ state: [UInt8]) {
    guard state.starts(with: [Kind.host.rawValue, 1]) else { return nil }
    var values: [UInt8: [UInt8]] = [:]
    var rest = state[...]
    while let type = rest.popFirst() {
      guard let count = rest.popFirst(), rest.count >= count, values[type] == nil else {
        return nil
      }
      values[type] = Array(rest.prefix(Int(count)))
      rest = rest.dropFirst(Int(count))
    }
    self.values = values
    guard !firmware.isEmpty, let serial, SoundcoreLayout.isSerial(serial) else { return nil }
  }

  /// The value of an entry; nil where there is none, or it is shorter.
  subscript(kind: Kind, atLeast count: Int) -> [UInt8]? {
    values[kind.rawValue].flatMap { $0.count >= count ? $0 : nil }
  }

  /// The firmware version of each bud that is there.
  var firmware: [[UInt8]] {
    [Kind.leftFirmware, .rightFirmware].compactMap { self[$0, atLeast: 5] }
      .filter(SoundcoreLayout.isVersion)
  }

  /// The serial number, without what is behind it.
  var serial: [UInt8]? { self[.serial, atLeast: 16].map { Array($0.prefix(16)) } }

  /// Whether a bud's level is its present one: the other bud's is an old one without a connection.
  func isPresent(_ side: UInt8) -> Bool {
    self[.isConnected, atLeast: 1]?.first != 0 || self[.host, atLeast: 1]?.first == side
  }
}
