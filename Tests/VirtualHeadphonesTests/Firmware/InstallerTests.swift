import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import FirmwareCrypto
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

/// A whole installation over descriptors: driver, GATT client and virtual headphone.
@Suite struct InstallerTests {
  static let new = FirmwareVersion(1, 5, 0)
  let phone: Phone = {
    var model = VirtualModel.aurora
    // Its time stands still: an acknowledgement must wait for nothing.
    model.firmware?.acknowledgesAfter = 1
    return Phone(model)
  }()

  func image(_ size: Int = 40_000) throws -> FirmwareImage {
    try FirmwareImage(
      packing: UpdateExample.payload(size), hardware: 0xA102, version: Self.new,
      blockSize: 4096, securityCounter: 2, key: SigningKey(seed: VirtualVendor.seed[...]))
  }

  func link(
    _ installer: FirmwareInstaller,
    report: @escaping @Sendable (FirmwareProgress) async -> Void = { _ in }
  ) async throws -> FirmwareInstaller.LinkEnd {
    let driver = GATTDriver(client: try await phone.connect(), clock: ManualClock())
    _ = try await driver.start()
    let end = try await installer.run(on: #require(driver.firmwareLink), report: report)
    await driver.client.close()
    return end
  }

  /// Passes the headphone's restart of 3 s, which its clock measures when it is connected next.
  func waitForRestart(_ more: Duration = .zero) { phone.clock.jump(by: .seconds(3) + more) }

  @Test func `an image is sent, started and kept`() async throws {
    let image = try image()
    let installer = FirmwareInstaller(image, clock: ManualClock())
    #expect(try await link(installer) == .reconnect)
    waitForRestart()
    #expect(try await link(installer) == .finished(.installed(Self.new)))
    let running = try #require(await phone.headphone.firmware?.running)
    #expect(running.version == Self.new && running.image[...] == image.payload)
    let driver = GATTDriver(client: try await phone.connect(), clock: ManualClock())
    #expect(try await driver.start().information.firmware == "1.5.0")
    await driver.client.close()
  }

  @Test func `a lost link is resumed from the last good block`() async throws {
    let image = try image()
    let installer = FirmwareInstaller(image, clock: ManualClock())
    let end = try await link(installer) { [headphone = phone.headphone] progress in
      if progress.bytes >= 20_000, progress.phase == .transferring {
        await headphone.dropLink(.supervisionTimeout)
      }
    }
    #expect(end == .reconnect)
    let before = await installer.statistics.frames
    #expect(try await link(installer) == .reconnect)
    #expect(await installer.statistics.frames - before < 40_000 / 500)
    waitForRestart()
    #expect(try await link(installer) == .finished(.installed(Self.new)))
    #expect(await phone.headphone.firmware?.running.image[...] == image.payload)
  }

  @Test func `an update that was paused goes on over the same link`() async throws {
    let installer = FirmwareInstaller(try image(), clock: ManualClock())
    let driver = GATTDriver(client: try await phone.connect(), clock: ManualClock())
    _ = try await driver.start()
    let link = try #require(driver.firmwareLink)
    let (halves, half) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      try await installer.run(on: link) { progress in
        guard progress.bytes >= 20_000 else { return }
        half.yield()
        while !Task.isCancelled { await Task.yield() }
      }
    }
    for await _ in halves { break }
    first.cancel()
    await #expect(throws: HeadphoneError.cancelled) { _ = try await first.value }
    #expect(try await installer.run(on: link) { _ in } == .reconnect)
    await driver.client.close()
  }

  @Test func `firmware that does not start is reported as rolled back`() async throws {
    var faults = FirmwareReceiver.Faults()
    faults.newImageFails = true
    await phone.headphone.injectFaults(inFirmware: faults)
    let installer = FirmwareInstaller(try image(), clock: ManualClock())
    #expect(try await link(installer) == .reconnect)
    waitForRestart()
    let old = FirmwareVersion(1, 4, 2)
    #expect(try await link(installer) == .finished(.failed(.rolledBack(running: old))))
  }

  @Test func `firmware whose revision is read as another's is not confirmed`() async throws {
    var faults = FirmwareReceiver.Faults()
    faults.keepsRevision = true
    await phone.headphone.injectFaults(inFirmware: faults)
    let installer = FirmwareInstaller(try image(), clock: ManualClock())
    #expect(try await link(installer) == .reconnect)
    waitForRestart()
    let old = FirmwareVersion(1, 4, 2)
    #expect(
      try await link(installer)
        == .finished(.failed(.revisionDiffers(expected: Self.new, reported: old))))
    #expect(await phone.headphone.firmware?.state == .trial)
  }

  @Test func `firmware that is not confirmed within a minute rolls back`() async throws {
    let installer = FirmwareInstaller(try image(), clock: ManualClock())
    #expect(try await link(installer) == .reconnect)
    waitForRestart(.seconds(60))
    let old = FirmwareVersion(1, 4, 2)
    #expect(try await link(installer) == .finished(.failed(.rolledBack(running: old))))
    #expect(await phone.headphone.firmware?.running.version == old)
  }

  @Test func `other commands are carried out while firmware travels`() async throws {
    let installer = FirmwareInstaller(try image(), clock: ManualClock())
    let driver = GATTDriver(client: try await phone.connect(), clock: ManualClock())
    _ = try await driver.start()
    let end = try await installer.run(on: #require(driver.firmwareLink)) { progress in
      if progress.phase == .transferring { try? await driver.perform(.setANC(.transparency)) }
    }
    #expect(end == .reconnect)
    #expect(await phone.headphone.snapshot.anc == .transparency)
  }

  @Test func `a headphone without the feature says so`() async throws {
    let phone = Phone(.drift)
    let driver = GATTDriver(client: try await phone.connect(), clock: ManualClock())
    _ = try await driver.start()
    let installer = FirmwareInstaller(try image(), clock: ManualClock())
    await #expect(throws: HeadphoneError.unsupported("firmware update")) {
      try await installer.run(on: #require(driver.firmwareLink)) { _ in }
    }
    await driver.client.close()
  }
}
