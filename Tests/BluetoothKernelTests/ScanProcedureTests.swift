import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Testing

@testable import BluetoothKernel

@Suite struct ScanProcedureTests {
  @Test func `asks for the commands then scans the legacy way`() {
    var story = ScanStory()
    #expect(story.start() == [.send(.readLocalSupportedCommands)])
    #expect(
      story.completed(.readLocalSupportedCommands, .supportedCommands(ScanStory.legacy))
        == [.send(legacyParameters)])
    #expect(story.completed(.leSetScanParameters, .success) == [.send(enableLegacy)])
    #expect(story.completed(.leSetScanEnable, .success) == [])
    #expect(story.procedure.nextDeadline == nil)
    #expect(story.stop() == [.send(disableLegacy)])
    #expect(story.completed(.leSetScanEnable, .success) == [.finished])
    #expect(story.procedure.isOver)
  }

  @Test func `scans the extended way where the controller has both commands`() {
    var story = ScanStory()
    _ = story.start()
    let method = ScanMethod.extended
    #expect(
      story.completed(.readLocalSupportedCommands, .supportedCommands(ScanStory.extended))
        == [.send(method.parameters(own: .public, isActive: true))])
    #expect(
      story.completed(.leSetExtendedScanParameters, .success) == [.send(method.enable(true))])
    #expect(story.completed(.leSetExtendedScanEnable, .success) == [])
    #expect(story.stop() == [.send(method.enable(false))])
  }

  @Test func `one extended command alone is not enough`() {
    let commands = HCISupportedCommands([.leSetScanEnable, .leSetExtendedScanEnable])
    #expect(ScanMethod(commands) == .legacy)
  }

  @Test func `an old controller that cannot report is driven the legacy way`() {
    var story = ScanStory()
    _ = story.start()
    #expect(
      story.event(.commandStatus(.unknownCommand, credits: 1, .readLocalSupportedCommands))
        == [.send(legacyParameters)])
  }

  @Test func `hears legacy and extended reports alike`() {
    var story = ScanStory.scanning()
    #expect(story.event(.le(.advertisingReports([report()]))) == [.received(report())])
    #expect(
      story.event(.le(.extendedAdvertisingReports([report(), report(rssi: -60)])))
        == [.received(report()), .received(report(rssi: -60))])
  }

  @Test(arguments: [HCIOpcode.leSetScanParameters, .leSetScanEnable])
  func `listens along when somebody scans already`(disallowed: HCIOpcode) {
    var story = ScanStory()
    _ = story.start()
    _ = story.completed(.readLocalSupportedCommands, .supportedCommands(ScanStory.legacy))
    if disallowed == .leSetScanEnable { _ = story.completed(.leSetScanParameters, .success) }
    #expect(story.completed(disallowed, .commandDisallowed) == [.listensAlong])
    #expect(story.event(.le(.advertisingReports([report()]))) == [.received(report())])
    #expect(story.stop() == [.finished])
  }

  @Test func `another error ends the scan with its name`() {
    var story = ScanStory()
    _ = story.start()
    _ = story.completed(.readLocalSupportedCommands, .supportedCommands(ScanStory.legacy))
    #expect(
      story.completed(.leSetScanParameters, .hardwareFailure)
        == [.failed(.controller(status: 0x03, during: "LE Set Scan Parameters"))])
    #expect(story.procedure.isOver)
  }

  @Test func `takes over one second after the other stopped`() {
    var story = ScanStory.listening()
    _ = story.other(disableLegacy)
    #expect(story.completed(.leSetScanEnable, .success) == [])
    #expect(story.wait(.milliseconds(999)) == [])
    #expect(story.wait(.milliseconds(1)) == [.send(legacyParameters)])
  }

  @Test func `says nothing where only the kernel looks for what it connects to`() {
    var story = ScanStory.scanning()
    _ = story.other(disableLegacy)
    _ = story.completed(.leSetScanEnable, .success)
    _ = story.other(
      .leSetScanParameters(
        LEScanTiming(isActive: false, interval: 96, window: 48), own: .public, filterPolicy: 0))
    _ = story.completed(.leSetScanParameters, .success)
    _ = story.other(enableLegacy)
    #expect(story.completed(.leSetScanEnable, .success) == [])
    #expect(story.event(.le(.advertisingReports([report()]))) == [.received(report())])
  }

  @Test func `leaves the scanner to who takes it and never switches theirs off`() {
    var story = ScanStory.scanning()
    _ = story.other(disableLegacy)
    _ = story.completed(.leSetScanEnable, .success)
    _ = story.other(legacyParameters)
    _ = story.completed(.leSetScanParameters, .success)
    _ = story.other(enableLegacy)
    #expect(story.completed(.leSetScanEnable, .success) == [.listensAlong])
    #expect(story.stop() == [.finished])
  }

  @Test func `waits until the kernel's connection is made`() {
    var story = ScanStory.scanning()
    _ = story.other(disableLegacy)
    _ = story.completed(.leSetScanEnable, .success)
    _ = story.other(createConnection)
    _ = story.event(.commandStatus(.success, credits: 1, .leCreateConnection))
    #expect(story.wait(.seconds(15)) == [])
    _ = story.event(.le(.connectionComplete(connection)))
    #expect(story.wait(.milliseconds(999)) == [])
    #expect(story.wait(.milliseconds(1)) == [.send(legacyParameters)])
  }

  @Test func `a connection that the controller refused is not waited for`() {
    var story = ScanStory.scanning()
    _ = story.other(disableLegacy)
    _ = story.completed(.leSetScanEnable, .success)
    _ = story.other(createConnection)
    _ = story.event(.commandStatus(.commandDisallowed, credits: 1, .leCreateConnection))
    #expect(story.wait(.seconds(1)) == [.send(legacyParameters)])
  }

  @Test func `a completion of another's command is not taken for its own`() {
    var story = ScanStory()
    _ = story.start()
    _ = story.completed(.readLocalSupportedCommands, .supportedCommands(ScanStory.legacy))
    _ = story.other(legacyParameters)
    #expect(story.completed(.leSetScanParameters, .success) == [])
    #expect(story.completed(.leSetScanParameters, .success) == [.send(enableLegacy)])
  }

  @Test func `a scan for a connection starts passively where the kernel does not scan`() {
    var story = ScanStory.connecting()
    #expect(story.wait(.milliseconds(299)) == [])
    let passive = ScanMethod.legacy.parameters(own: .public, isActive: false)
    #expect(story.wait(.milliseconds(1)) == [.send(passive)])
    #expect(story.completed(.leSetScanParameters, .success) == [.send(enableLegacy)])
    #expect(story.completed(.leSetScanEnable, .success) == [])
    #expect(story.stop() == [.send(disableLegacy)])
  }

  @Test func `a scan for a connection leaves the scanner to a kernel that scans`() {
    var story = ScanStory.connecting()
    _ = story.other(enableLegacy)
    #expect(story.completed(.leSetScanEnable, .success) == [])
    #expect(story.procedure.nextDeadline == nil)
    #expect(story.wait(.seconds(60)) == [])
    #expect(story.stop() == [.finished])
  }

  @Test func `a scan for a connection does not obstruct one that is being made`() {
    var story = ScanStory.connecting()
    _ = story.other(createConnection)
    _ = story.event(.commandStatus(.success, credits: 1, .leCreateConnection))
    #expect(story.wait(.seconds(15)) == [])
    #expect(story.stop() == [.finished])
  }

  @Test func `a refused scan for a connection uses the one that runs`() {
    var story = ScanStory.connecting()
    _ = story.wait(.milliseconds(300))
    #expect(story.completed(.leSetScanParameters, .commandDisallowed) == [])
    #expect(story.procedure.nextDeadline == nil)
  }

  @Test func `an adapter that is reset is off`() {
    var story = ScanStory.scanning()
    _ = story.other(.reset)
    #expect(story.completed(.reset, .success) == [.failed(.poweredOff(adapter: "hci0"))])
  }

  @Test func `a controller that never answers is given up`() {
    var story = ScanStory()
    _ = story.start()
    #expect(story.procedure.nextDeadline == .seconds(2))
    #expect(
      story.wait(.seconds(2)) == [.failed(.system(errno: 110, during: "wait for the adapter"))])
  }

  @Test func `a controller that does not answer the end is not waited for long`() {
    var story = ScanStory.scanning()
    _ = story.stop()
    #expect(story.wait(.seconds(2)) == [.finished])
  }

  @Test func `asks the kernel to discover when listening brings nothing`() {
    var story = ScanStory.listening()
    #expect(story.wait(.milliseconds(1999)) == [])
    #expect(story.wait(.milliseconds(1)) == [.startDiscovery])
    story.procedure.receiveDiscoveryStatus(.success)
    #expect(story.procedure.nextDeadline == nil)
    // The kernel stops what it did before and starts again: no news for anybody.
    _ = story.other(disableLegacy)
    _ = story.completed(.leSetScanEnable, .success)
    _ = story.other(enableLegacy)
    #expect(story.completed(.leSetScanEnable, .success) == [])
    #expect(story.procedure.discoveryEnded() == [.startDiscovery])
    story.procedure.receiveDiscoveryStatus(.success)
    #expect(story.stop() == [.stopDiscovery, .finished])
  }

  @Test func `one report is enough to go on listening`() {
    var story = ScanStory.listening()
    _ = story.event(.le(.advertisingReports([report()])))
    #expect(story.procedure.nextDeadline == nil)
    #expect(story.wait(.seconds(10)) == [])
  }

  @Test(arguments: [ManagementStatus.busy, .permissionDenied])
  func `listens on where the kernel does not discover`(status: ManagementStatus) {
    var story = ScanStory.listening()
    _ = story.wait(.seconds(2))
    story.procedure.receiveDiscoveryStatus(status)
    #expect(story.event(.le(.advertisingReports([report()]))) == [.received(report())])
    #expect(story.procedure.discoveryEnded() == [])
    #expect(story.stop() == [.finished])
    #expect(story.procedure.nextDeadline == nil)
  }

  private let createConnection: HCICommand

  init() throws {
    createConnection = try HCICommand(decoding: [0x0D, 0x20, 0x00])
  }

  private let connection = LEConnection(
    status: .success, connection: 1, isPeripheral: false, peerType: .random,
    peer: BluetoothAddress(value: 1),
    timing: LEConnectionTiming(interval: 24, latency: 0, supervisionTimeout: 42),
    centralClockAccuracy: 0)
}
