import BluetoothCodec

@testable import BluetoothKernel

/// A scan as a sequence of packets that the raw socket delivers.
struct ScanStory {
  var procedure = ScanProcedure(adapter: "hci0", own: .public)
  var now: Duration = .zero

  static let legacy = HCISupportedCommands([.leSetScanParameters, .leSetScanEnable])
  static let extended = HCISupportedCommands([
    .leSetScanParameters, .leSetScanEnable, .leSetExtendedScanParameters, .leSetExtendedScanEnable,
  ])

  mutating func start() -> [ScanProcedure.Effect] { procedure.start(at: now) }

  mutating func stop() -> [ScanProcedure.Effect] { procedure.stop(at: now) }

  mutating func wait(_ duration: Duration) -> [ScanProcedure.Effect] {
    now += duration
    return procedure.tick(at: now)
  }

  /// Sends another process's command to the controller.
  mutating func other(_ command: HCICommand) -> [ScanProcedure.Effect] {
    procedure.receive(.command(command), at: now)
  }

  mutating func completed(_ opcode: HCIOpcode, _ status: HCIStatus) -> [ScanProcedure.Effect] {
    completed(opcode, .status(status))
  }

  mutating func completed(_ opcode: HCIOpcode, _ result: HCIReturn) -> [ScanProcedure.Effect] {
    event(.commandComplete(credits: 1, opcode, result))
  }

  mutating func event(_ event: HCIEvent) -> [ScanProcedure.Effect] {
    procedure.receive(.event(event), at: now)
  }

  /// Returns a scan in which this program's own scan has started.
  static func scanning(_ commands: HCISupportedCommands = legacy) -> ScanStory {
    var story = ScanStory()
    let method = ScanMethod(commands)
    _ = story.start()
    _ = story.completed(.readLocalSupportedCommands, .supportedCommands(commands))
    _ = story.completed(method.parameters(own: .public, isActive: true).opcode, .success)
    _ = story.completed(method.enable(true).opcode, .success)
    return story
  }

  /// Returns a scan for a connection that waits for the kernel's own scan.
  static func connecting() -> ScanStory {
    var story = ScanStory(
      procedure: ScanProcedure(adapter: "hci0", own: .public, for: .connection))
    _ = story.start()
    _ = story.completed(.readLocalSupportedCommands, .supportedCommands(legacy))
    return story
  }

  /// Returns a scan that has noticed another process's scan.
  static func listening() -> ScanStory {
    var story = ScanStory()
    _ = story.start()
    _ = story.completed(.readLocalSupportedCommands, .supportedCommands(legacy))
    _ = story.completed(.leSetScanParameters, .commandDisallowed)
    return story
  }
}

let enableLegacy = HCICommand.leSetScanEnable(true, filterDuplicates: false)
let disableLegacy = HCICommand.leSetScanEnable(false, filterDuplicates: false)
let legacyParameters = ScanMethod.legacy.parameters(own: .public, isActive: true)

/// Returns a report of F0:F1:F2:F3:F4:F5.
func report(
  _ data: [UInt8] = [0x02, 0x01, 0x06], rssi: Int8? = -50,
  _ properties: AdvertisingProperties = [.connectable, .scannable], last: UInt64 = 0xF5
) -> AdvertisingReport {
  AdvertisingReport(
    properties, addressType: .random,
    address: BluetoothAddress(value: 0xF0F1_F2F3_F400 + last), rssi: rssi, data: data[...])
}
