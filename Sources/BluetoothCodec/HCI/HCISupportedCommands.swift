internal import CBluetooth

/// The commands that a controller supports (Core 5.4, Vol 4, Part E, 6.27), one bit for each.
public struct HCISupportedCommands: Hashable, Sendable {
  static let count = 64

  let mask: Bytes

  init(mask: Bytes) { self.mask = mask }

  /// Creates a set of the commands that have a constant in `HCIOpcode`.
  public init(_ commands: some Sequence<HCIOpcode>) {
    var mask = [UInt8](repeating: 0, count: Self.count)
    for (octet, bit) in commands.compactMap({ Self.bits[$0] }) { mask[octet] |= 1 << bit }
    self.mask = mask[...]
  }

  /// Returns whether the controller supports a command that has a constant in `HCIOpcode`.
  public func contains(_ opcode: HCIOpcode) -> Bool {
    guard let (octet, bit) = Self.bits[opcode] else { return false }
    return mask[mask.startIndex + octet] >> bit & 1 == 1
  }

  /// Returns the specification's name, or nil if `HCIOpcode` or libbluetooth lacks the command.
  static func name(of opcode: HCIOpcode) -> String? {
    guard let (octet, bit) = bits[opcode] else { return nil }
    return textOfLibrary(hci_cmdtostr(UInt32(octet) * 8 + UInt32(bit)))
  }

  private static let bits: [HCIOpcode: (octet: Int, bit: UInt8)] = [
    .reset: (5, 7),
    .readLocalSupportedCommands: (14, 4),
    .readRSSI: (15, 5),
    .leSetScanParameters: (26, 2),
    .leSetScanEnable: (26, 3),
    .leConnectionUpdate: (27, 2),
    .leReadPHY: (35, 4),
    .leSetExtendedScanParameters: (37, 5),
    .leSetExtendedScanEnable: (37, 6),
  ]
}
