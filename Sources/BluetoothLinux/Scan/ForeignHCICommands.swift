internal import BluetoothCodec

/// Commands about scanning and connecting that others have sent to the adapter, until each is
/// completed.
///
/// The kernel sends one command at a time, so that what completes next with an opcode is the
/// oldest of them.
struct ForeignHCICommands: Hashable, Sendable {
  private static let relevant: Set<HCIOpcode> = [
    .reset, .readLocalSupportedCommands, .leSetScanParameters, .leSetScanEnable,
    .leSetExtendedScanParameters, .leSetExtendedScanEnable, .leCreateConnection,
    .leExtendedCreateConnection,
  ]
  /// More than a kernel that sends one at a time can owe.
  private static let limit = 16

  private var outstanding: [HCICommand] = []
  /// Whether a connection is being made; scanning then would stand in its way.
  var isConnecting = false
  /// Whether who set the last parameters asks for scan responses, as programs do and the kernel,
  /// which waits for a device to connect, does not; nil: nobody has set any.
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

  /// The command of others that this completes; nil if it is not theirs.
  mutating func completed(_ opcode: HCIOpcode) -> HCICommand? {
    guard let index = outstanding.firstIndex(where: { $0.opcode == opcode }) else { return nil }
    return outstanding.remove(at: index)
  }
}
