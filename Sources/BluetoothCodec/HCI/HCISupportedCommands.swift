/// The commands that a controller supports (Core 5.4, Vol 4, Part E, 6.27).
public struct HCISupportedCommands: Hashable, Sendable {
  /// Bytes of the mask.
  static let count = 64

  /// A bit for each command; 64 bytes.
  let mask: Bytes

  init(mask: Bytes) { self.mask = mask }

  /// A controller that has these commands, as far as they are listed in `HCIOpcode`.
  public init(_ commands: some Sequence<HCIOpcode>) {
    var mask = [UInt8](repeating: 0, count: Self.count)
    for (octet, bit) in commands.compactMap({ Self.bits[$0] }) { mask[octet] |= 1 << bit }
    self.mask = mask[...]
  }

  /// Whether the controller supports a command; false for one whose bit is not in this table (Core
  /// 5.4, Vol 4, Part E, 6.27).
  public func contains(_ opcode: HCIOpcode) -> Bool {
    guard let (octet, bit) = Self.bits[opcode] else { return false }
    return mask[mask.startIndex + octet] >> bit & 1 == 1
  }

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
