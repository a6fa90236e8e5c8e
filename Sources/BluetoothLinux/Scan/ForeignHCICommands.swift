internal import BluetoothCodec

/// The commands about scanning and connecting that other processes sent to the adapter, until each
/// is completed.
///
/// The kernel sends one command at a time, so the next completion of an opcode is that of the
/// oldest one.
struct ForeignHCICommands: Hashable, Sendable {
  /// The opcodes that affect a scan.
  private static let relevant: Set<HCIOpcode> = [
    .reset, .readLocalSupportedCommands, .leSetScanParameters, .leSetScanEnable,
    .leSetExtendedScanParameters, .leSetExtendedScanEnable, .leCreateConnection,
    .leExtendedCreateConnection,
  ]

  /// These commands, their completions, and new connections, but no reports.
  static let packets = PacketFilter(
    rules: relevant.flatMap {
      [PacketFilter.command($0), PacketFilter.complete($0), PacketFilter.status($0)]
    }
      + [LEEventCode.connectionComplete, LEEventCode.enhancedConnectionComplete]
      .map { PacketFilter.subevent($0) })

  /// The number of outstanding commands, above that of a kernel that sends one at a time.
  private static let limit = 16

  private var outstanding: [HCICommand] = []
  /// Whether a connection is being made, which a scan would obstruct.
  var isConnecting = false
  /// Whether the latest scan parameters request scan responses; `nil` if no process has set any.
  ///
  /// Programs request them; the kernel, which waits for a device to connect, does not.
  private(set) var scansActively: Bool?

  /// Records a command of another process.
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

  /// The command of another process that a completion belongs to; `nil` if it is not theirs.
  mutating func completed(_ opcode: HCIOpcode) -> HCICommand? {
    guard let index = outstanding.firstIndex(where: { $0.opcode == opcode }) else { return nil }
    return outstanding.remove(at: index)
  }
}
