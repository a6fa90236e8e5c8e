/// The commands that a controller supports (Core 5.4, Vol 4, Part E, 6.27).
///
/// The mask has one bit per command, numbered by octet and bit in the specification; unknown bits
/// are kept.
public struct HCISupportedCommands: Hashable, Sendable {
  /// The length of the mask in bytes.
  static let count = 64

  /// A bit for each command, 64 bytes.
  let mask: Bytes

  init(mask: Bytes) { self.mask = mask }

  /// A set of commands, as far as `HCIOpcode` names them.
  public init(_ commands: some Sequence<HCIOpcode>) {
    var mask = [UInt8](repeating: 0, count: Self.count)
    for (octet, bit) in commands.compactMap({ Self.bits[$0] }) { mask[octet] |= 1 << bit }
    self.mask = mask[...]
  }

  /// Whether the controller supports a command; false for one that `HCIOpcode` does not name.
  public func contains(_ opcode: HCIOpcode) -> Bool {
    guard let (octet, bit) = Self.bits[opcode] else { return false }
    return mask[mask.startIndex + octet] >> bit & 1 == 1
  }

  /// The octet and bit of each command (Core 5.4, Vol 4, Part E, 6.27).
  private static let bits: [HCIOpcode: (octet: Int, bit: UInt8)] = [
    .reset: (5, 7),
    .readRSSI: (15, 5),
    .leSetScanParameters: (26, 2),
    .leSetScanEnable: (26, 3),
    .leConnectionUpdate: (27, 2),
    .leReadPHY: (35, 4),
    .leSetExtendedScanParameters: (37, 5),
    .leSetExtendedScanEnable: (37, 6),
  ]
}
