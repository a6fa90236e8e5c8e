/// A state that consists of entries, each with type, length and value.
///
/// The Liberty 5 reports it from firmware 03.11 on, and the Liberty 5 Pro and Pro Max report no
/// other. States of all three are public. A user of a Pro Max compared the entries with the maker's
/// app; the first seven are the same on the Liberty 5.
struct SoundcoreEntries {
  enum Kind: UInt8 {
    /// The bud that sends the report: 0 left, 1 right.
    case host = 1
    /// Whether the other bud is connected to the one that reports.
    case isConnected = 2
    /// Whether the bud is charging, and its level in %; the same for ``right``.
    case left = 3
    case right = 4
    /// The firmware version, 5 characters; the same for ``rightFirmware``.
    case leftFirmware = 5
    case rightFirmware = 6
    /// The serial number, 16 characters and a zero.
    case serial = 7
    /// Flags of unknown meaning, and the level of the case in %.
    case `case` = 8
    /// The mode of noise control, and 2 bytes of unknown meaning.
    case mode = 36
  }

  private let values: [UInt8: [UInt8]]

  /// Decodes the entries of a state, or returns nil unless they fill the state, begin with
  /// ``Kind/host``, and include a firmware version and a serial number.
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

  /// The value of an entry, or nil if the entry is missing or shorter than `count`.
  subscript(kind: Kind, atLeast count: Int) -> [UInt8]? {
    values[kind.rawValue].flatMap { $0.count >= count ? $0 : nil }
  }

  var firmware: [[UInt8]] {
    [Kind.leftFirmware, .rightFirmware].compactMap { self[$0, atLeast: 5] }
      .filter(SoundcoreLayout.isVersion)
  }

  var serial: [UInt8]? { self[.serial, atLeast: 16].map { Array($0.prefix(16)) } }

  /// Returns whether a bud's level is current, since a bud without a connection reports an old one.
  func isPresent(_ side: UInt8) -> Bool {
    self[.isConnected, atLeast: 1]?.first != 0 || self[.host, atLeast: 1]?.first == side
  }
}
