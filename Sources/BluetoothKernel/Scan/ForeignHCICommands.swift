internal import BluetoothCodec

/// The pending commands about scanning and connecting that other processes sent to the adapter.
///
/// The kernel sends one command at a time, so a completion belongs to the oldest with its opcode.
struct ForeignHCICommands: Hashable, Sendable {
  private static let relevant: Set<HCIOpcode> = [
    .reset, .readLocalSupportedCommands, .leSetScanParameters, .leSetScanEnable,
    .leSetExtendedScanParameters, .leSetExtendedScanEnable, .leCreateConnection,
    .leExtendedCreateConnection,
  ]

  /// The filter for these commands, their completions, and new connections, but not reports.
  static let packets = PacketFilter(
    rules: relevant.flatMap {
      [PacketFilter.command($0), PacketFilter.complete($0), PacketFilter.status($0)]
    }
      + [LEEventCode.connectionComplete, LEEventCode.enhancedConnectionComplete]
      .map { PacketFilter.subevent($0) })

  /// The largest number of outstanding commands; the kernel sends one at a time.
  private static let limit = 16

  private var outstanding: [HCICommand] = []
  var isConnecting = false
  /// Whether the latest scan is active, as programs' scans are and the kernel's are not, or nil.
  private(set) var scansActively: Bool?

  mutating func sent(_ command: HCICommand) {
    guard Self.relevant.contains(command.opcode) else { return }
    if outstanding.count == Self.limit { outstanding.removeFirst() }
    outstanding.append(command)
    if command.isConnecting { isConnecting = true }
    switch command {
    case .leSetScanParameters(let timing, _, _): scansActively = timing.isActive
    case .leSetExtendedScanParameters(let scan):
      scansActively = (scan.le1M ?? scan.leCoded)?.isActive
    default: break
    }
  }

  mutating func completed(_ opcode: HCIOpcode) -> HCICommand? {
    guard let index = outstanding.firstIndex(where: { $0.opcode == opcode }) else { return nil }
    return outstanding.remove(at: index)
  }
}
