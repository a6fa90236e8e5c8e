import BluetoothAttributes
import BluetoothCodec
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

/// Failures of the command channel: 2 s, the same packet, three attempts.
@Suite struct CommandFaultTests {
  /// Passes the driver's time-outs, one after the other.
  private func timeouts(_ count: Int, of listener: Listener) async {
    for _ in 0..<count {
      await listener.clock.pass(.seconds(2))
    }
  }

  @Test func `a command without response fails after three tries`() async throws {
    let (listener, _) = try await Listener.started()
    await listener.phone.headphone.injectFaults { $0.commands = .never }
    let change = Task { [driver = listener.driver] in try await driver.perform(.setANCLevel(3)) }
    await timeouts(3, of: listener)
    await #expect(throws: HeadphoneError.noResponse) { try await change.value }
    #expect(listener.clock.now.sinceStart == .seconds(6))
    #expect(listener.clock.sleeping == 0)
    // The link is as it was.
    try await listener.driver.perform(.setANC(.off))
    await listener.driver.client.close()
  }

  @Test func `a command that is received at the third try succeeds`() async throws {
    let (listener, _) = try await Listener.started()
    await listener.phone.headphone.injectFaults { $0.commands = .after(ignored: 2) }
    let change = Task { [driver = listener.driver] in try await driver.perform(.setANCLevel(3)) }
    await timeouts(2, of: listener)
    try await change.value
    #expect(await listener.phone.headphone.snapshot.ancLevel == 3)
    await listener.driver.client.close()
  }

  @Test func `a late response answers the repeated command once`() async throws {
    let (listener, _) = try await Listener.started()
    _ = await listener.reported()
    await listener.phone.headphone.injectFaults { $0.commands = .late(.seconds(3)) }
    let change = Task { [driver = listener.driver] in try await driver.perform(.setANCLevel(3)) }
    await timeouts(1, of: listener)
    await listener.phone.clock.sleepers(2)
    await listener.phone.clock.pass(.seconds(3))
    try await change.value
    #expect(await listener.reported() == [.ancLevelChanged(3)])
    await listener.driver.client.close()
  }

  @Test func `a response that comes twice is taken once`() async throws {
    let (listener, _) = try await Listener.started()
    _ = await listener.reported()
    await listener.phone.headphone.injectFaults { $0.commands = .twice }
    try await listener.driver.perform(.setANCLevel(3))
    try await listener.driver.perform(.setANCLevel(4))
    #expect(await listener.reported() == [.ancLevelChanged(3), .ancLevelChanged(4)])
    await listener.driver.client.close()
  }

  @Test func `a silent command channel leaves what the attributes show`() async throws {
    let phone = Phone()
    await phone.headphone.injectFaults { $0.commands = .never }
    let listener = try await Listener(phone)
    let start = Task { [driver = listener.driver] in try await driver.start() }
    await timeouts(3, of: listener)
    let can = try await start.value.capabilities
    #expect(can.ancModes == ANCMode.allCases && can.batteries == Part.allCases)
    #expect(!can.hasFind && !can.hasANCLevel && can.eqBands == 0)
    #expect(await listener.reported().contains(.ancChanged(.noiseCancelling)))
    try await listener.driver.perform(.setANC(.off))
    await listener.driver.client.close()
  }

  @Test(arguments: [HeadphoneStatus.busy, .wrongState, .storageFailure, .other(0x42)])
  func `a refused command keeps its status and changes nothing`(status: HeadphoneStatus)
    async throws
  {
    let (listener, _) = try await Listener.started()
    _ = await listener.reported()
    await listener.phone.headphone.injectFaults { $0.refusedCommands[.setANCLevel] = status }
    await #expect(throws: HeadphoneError.refused(status)) {
      try await listener.driver.perform(.setANCLevel(3))
    }
    #expect(await listener.reported() == [])
    await listener.driver.client.close()
  }

  @Test func `a refused write is an error and no event`() async throws {
    let (listener, _) = try await Listener.started()
    _ = await listener.reported()
    await listener.phone.headphone.injectFaults {
      $0.refusedWrites[ControlService.short.ancMode] = .writeRequestRejected
    }
    let error = await #expect(throws: HeadphoneError.self) {
      try await listener.driver.perform(.setANC(.off))
    }
    guard case .gatt(.att(let response)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(response.opcode == .writeRequest && response.code == .writeRequestRejected)
    #expect(await listener.reported() == [])
    await listener.phone.headphone.injectFaults { $0 = VirtualFaults() }
    try await listener.driver.perform(.setANC(.off))
    #expect(await listener.reported() == [.ancChanged(.off)])
    await listener.driver.client.close()
  }

  @Test func `a cancelled command returns at once and the next one works`() async throws {
    let (listener, _) = try await Listener.started()
    await listener.phone.headphone.injectFaults { $0.commands = .never }
    let change = Task { [driver = listener.driver] in try await driver.perform(.setANCLevel(3)) }
    await listener.clock.sleepers(1)
    change.cancel()
    await #expect(throws: HeadphoneError.cancelled) { try await change.value }
    await listener.phone.headphone.injectFaults { $0 = VirtualFaults() }
    let next = Task { [driver = listener.driver] in try await driver.perform(.setANCLevel(4)) }
    await timeouts(1, of: listener)
    try await next.value
    #expect(await listener.phone.headphone.snapshot.ancLevel == 4)
    await listener.driver.client.close()
  }
}
