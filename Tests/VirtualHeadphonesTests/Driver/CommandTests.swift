import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Foundation
import HeadphoneDrivers
import HeadphoneProtocols
import Locking
import TestSupport
import Testing
import VirtualHeadphones

/// Commands reach the headphone, and are reported exactly once.
@Suite struct CommandTests {
  static let gains = [3, 2, 0, 0, -1, 0, 4, 24].compactMap { BandGain(halfDecibels: Int8($0)) }

  static let settings: [(HeadphoneCommand, HeadphoneEvent)] = [
    (.setANC(.transparency), .ancChanged(.transparency)),
    (.setANC(.noiseCancelling), .ancChanged(.noiseCancelling)),
    (.setANCLevel(7), .ancLevelChanged(7)),
    (.setEQ(.vocal), .eqChanged(.vocal, bands: nil)),
    (.setEQ(.balanced), .eqChanged(.balanced, bands: nil)),
    (.setCustomEQ(gains), .eqChanged(.custom, bands: gains)),
    (.setTouchAction(.left, .hold, .assistant), .touchActionsChanged([.left: [.hold: .assistant]])),
    (.set(.wearDetection, .toggle(false)), .settingChanged(.wearDetection, .toggle(false))),
    (.rename("Zoë"), .renamed("Zoë")),
  ]

  @Test(arguments: settings, [false, true])
  func `an accepted change is reported exactly once`(
    setting: (command: HeadphoneCommand, event: HeadphoneEvent), omitsEchoes: Bool
  ) async throws {
    let (listener, _) = try await Listener.started()
    await listener.phone.headphone.injectFaults { $0.omitsEchoes = omitsEchoes }
    _ = await listener.reported()
    try await listener.driver.perform(setting.command)
    #expect(await listener.reported() == [setting.event])
    await listener.driver.client.close()
  }

  @Test func `a change on the headphone is reported even if this phone just changed it`()
    async throws
  {
    let (listener, _) = try await Listener.started()
    _ = await listener.reported()
    try await listener.driver.perform(.setANC(.off))
    await listener.phone.headphone.happen(.press(.adaptive))
    await listener.phone.headphone.happen(.press(.off))
    #expect(
      await listener.reported() == [.ancChanged(.off), .ancChanged(.adaptive), .ancChanged(.off)])
    await listener.driver.client.close()
  }

  /// The default executor is the main thread's, which may be drawing a frame.
  @Test(arguments: settings)
  func `a command goes from its caller to the link without a stop on the default executor`(
    setting: (command: HeadphoneCommand, event: HeadphoneEvent)
  ) async throws {
    let (listener, _) = try await Listener.started()
    let executor = CountingExecutor()
    let jobs = try await withTaskExecutorPreference(executor) {
      let before = executor.jobs
      try await listener.driver.perform(setting.command)
      return executor.jobs - before
    }
    #expect(jobs == 1, "the caller's own continuation")
    await listener.driver.client.close()
  }

  @Test func `many changes in a row keep their order`() async throws {
    let (listener, _) = try await Listener.started()
    _ = await listener.reported()
    let modes: [ANCMode] = [.off, .transparency, .adaptive, .off, .noiseCancelling]
    for mode in modes { try await listener.driver.perform(.setANC(mode)) }
    #expect(await listener.reported() == modes.map { .ancChanged($0) })
    await listener.driver.client.close()
  }

  @Test func `the headphone really changes`() async throws {
    let (listener, _) = try await Listener.started()
    for (command, _) in Self.settings { try await listener.driver.perform(command) }
    let body = await listener.phone.headphone.snapshot
    #expect(body.anc == .noiseCancelling && body.ancLevel == 7)
    #expect(body.eq == .custom && body.gains == Self.gains)
    #expect(body.touchActions.actions[.left]?[.hold] == .assistant)
    #expect(!body.hasWearDetection && body.name == "Zoë")
    await listener.driver.client.close()
  }

  @Test func `a headphone without the characteristics takes commands`() async throws {
    let phone = Phone()
    await phone.headphone.replaceServices { services in
      services.map { service in
        var service = service
        service.characteristics.removeAll {
          $0.uuid == ControlService.short.ancMode || $0.uuid == ControlService.short.eqPreset
        }
        return service
      }
    }
    let listener = try await Listener(phone)
    _ = try await listener.driver.start()
    _ = await listener.reported()
    try await listener.driver.perform(.setANC(.off))
    try await listener.driver.perform(.setEQ(.bassBoost))
    #expect(
      await listener.reported() == [.ancChanged(.off), .eqChanged(.bassBoost, bands: nil)])
    #expect(await phone.headphone.snapshot.eq == .bassBoost)
    await listener.driver.client.close()
  }

  @Test func `a bud in an ear is not made to ring`() async throws {
    let (listener, _) = try await Listener.started()
    await #expect(throws: HeadphoneError.refused(.wrongState)) {
      try await listener.driver.perform(.find(.left, isOn: true))
    }
    _ = await listener.reported()
    for side in Side.allCases { await listener.phone.headphone.happen(.takeOut(side)) }
    try await listener.driver.perform(.find(.both, isOn: true))
    try await listener.driver.perform(.find(.left, isOn: true))
    #expect(await listener.phone.headphone.snapshot.ringing == .left)
    await listener.phone.headphone.happen(.putInEar(.left))
    let reported = await listener.reported()
    #expect(
      reported.filter { if case .findChanged = $0 { true } else { false } }
        == [.findChanged(.both), .findChanged(.left), .findChanged([])])
    await listener.driver.client.close()
  }

  @Test func `a bud that is made to ring right behind the other silences it`() async throws {
    let (listener, _) = try await Listener.started()
    let driver = listener.driver
    for side in Side.allCases { await listener.phone.headphone.happen(.takeOut(side)) }
    let left = Task.immediate { try await driver.perform(.find(.left, isOn: true)) }
    let right = Task.immediate { try await driver.perform(.find(.right, isOn: true)) }
    try await left.value
    try await right.value
    #expect(await listener.phone.headphone.snapshot.ringing == .right)
    await driver.client.close()
  }

  @Test func `touch actions are read`() async throws {
    let (listener, _) = try await Listener.started()
    _ = await listener.reported()
    try await listener.driver.perform(.readTouchActions)
    guard case .touchActionsChanged(let actions) = await listener.reported().first else {
      Issue.record("no touch actions")
      return
    }
    #expect(actions[.right]?[.doubleTap] == .next)
    #expect(actions[.left]?.count == 4)
    await listener.driver.client.close()
  }

  @Test(
    arguments: [
      .setCustomEQ([]), .setANCLevel(11), .find([], isOn: true), .rename(""),
      .rename(String(repeating: "a", count: 33)), .rename("a\u{1B}[2J"),
    ] as [HeadphoneCommand])
  func `a bad request is not sent`(command: HeadphoneCommand) async throws {
    let (listener, _) = try await Listener.started()
    let error = await #expect(throws: HeadphoneError.self) {
      try await listener.driver.perform(command)
    }
    guard case .badArgument = error else {
      Issue.record("\(command) gave \(String(describing: error))")
      return
    }
    await listener.driver.client.close()
  }

  @Test(
    arguments: [
      .setANC(.adaptive), .setEQ(.vocal), .setCustomEQ([]), .find(.left, isOn: true),
      .setANCLevel(1), .factoryReset,
    ] as [HeadphoneCommand])
  func `what a headphone lacks is unsupported`(command: HeadphoneCommand) async throws {
    let (listener, _) = try await Listener.started(.drift)
    let error = await #expect(throws: HeadphoneError.self) {
      try await listener.driver.perform(command)
    }
    guard case .unsupported = error else {
      Issue.record("\(command) gave \(String(describing: error))")
      return
    }
    await listener.driver.client.close()
  }

  @Test func `restart ends the link and is no error`() async throws {
    let (listener, _) = try await Listener.started()
    try await listener.driver.perform(.restart)
    _ = await listener.reportedToTheEnd()
    #expect(await listener.driver.client.closed == BearerClosed(.peer))
  }

  @Test func `factory reset needs a bond`() async throws {
    let (listener, _) = try await Listener.started()
    await #expect(throws: HeadphoneError.refused(.notPermitted)) {
      try await listener.driver.perform(.factoryReset)
    }
    try await listener.driver.client.bearer.raiseSecurity(to: .medium)
    try await listener.driver.perform(.rename("Other"))
    try await listener.driver.perform(.factoryReset)
    _ = await listener.reportedToTheEnd()
    #expect(await listener.phone.headphone.snapshot.name == "Aurora Buds")
  }

  @Test func `refresh tells all values again`() async throws {
    let (listener, _) = try await Listener.started()
    let first = await listener.reported().dropFirst(3)
    try await listener.driver.refresh()
    #expect(await listener.reported() == Array(first))
    await listener.driver.client.close()
  }
}

/// A task's default executor, which counts its jobs.
private final class CountingExecutor: TaskExecutor {
  private let count = Mutex(0)
  var jobs: Int { count.withLock(\.self) }

  func enqueue(_ job: consuming ExecutorJob) {
    count.withLock { $0 += 1 }
    let job = UnownedJob(job)
    DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
