import BluetoothCodec
import Companion
import FirmwareCrypto
import Headphones
import Persistence
import Synchronization
import TestSupport
import Testing
import VirtualHeadphones

@testable import CompanionRuntime

/// The same update from the command line: one headphone, as many links as it takes.
@MainActor @Suite(.timeLimit(.minutes(2))) struct FirmwareInstallationTests {
  static let new = FirmwareVersion(1, 5, 0)
  let finder = Finder(selector: "Aurora", newDevice: .nearest, timeout: .seconds(20))

  func installation(
    of image: FirmwareImage, by keys: MakerKeys = MakerKeys(VirtualVendor.keys),
    in world: Dependencies
  ) -> FirmwareInstallation {
    FirmwareInstallation(image, at: "/images/new.fw", by: FirmwarePolicy(keys: keys), world: world)
  }

  @Test func `installs and tells the version that runs`() async throws {
    let stage = try FirmwareStage()
    let version = try await installation(of: stage.image, in: stage.world)
      .run(finding: finder) { _ in }
    #expect(version == Self.new)
    #expect(await stage.runsNew)
  }

  @Test func `goes on by itself after the battery was out`() async throws {
    let stage = try FirmwareStage()
    let isCut = Mutex(false)
    let version = try await installation(of: stage.image, in: stage.world)
      .run(finding: finder) { [headphone = stage.headphone] progress in
        guard progress.bytes > 50_000, isCut.withLock({ exchange(&$0, with: true) }) == false else {
          return
        }
        await headphone.cutPower()
      }
    #expect(version == Self.new)
    #expect(await stage.runsNew)
  }

  @Test func `a command that was ended goes on where it stopped`() async throws {
    let stage = try FirmwareStage()
    let clock = ManualClock()
    let first = Task {
      try await installation(of: stage.image, in: stage.world).run(finding: finder) { progress in
        // Here it stays until it is ended.
        if progress.bytes > 50_000 { try? await clock.sleep(for: .seconds(1)) }
      }
    }
    await clock.sleepers(1)
    first.cancel()
    _ = await first.result
    let unfinished = try #require(stage.unfinished)
    #expect(unfinished.bytes > 50_000 && unfinished.total == stage.image.payload.count)
    #expect(unfinished.version == Self.new && unfinished.path == "/images/new.fw")
    #expect(unfinished.file == .gone)
    let offsets = Mutex<[Int]>([])
    let version = try await installation(of: stage.image, in: stage.world).run(finding: finder) {
      progress in
      if progress.phase == .transferring { offsets.withLock { $0.append(progress.bytes) } }
    }
    #expect(version == Self.new)
    #expect(try #require(offsets.withLock { $0.first }) >= 45_056)
    #expect(stage.unfinished == nil)
    #expect(await stage.runsNew)
  }

  @Test func `refuses a unknownDevice's image before it looks for a headphone`() async throws {
    let stage = try FirmwareStage(size: 10)
    let unknownDevice = try #require(SigningKey().verifyingKey)
    await #expect(throws: CommandError.firmwareRefused(.untrustedSignature)) {
      try await installation(of: stage.image, by: MakerKeys([unknownDevice]), in: stage.world)
        .run(finding: finder) { _ in }
    }
    await #expect(throws: CommandError.firmwareRefused(.noTrustedKey)) {
      try await installation(of: stage.image, by: MakerKeys(), in: stage.world).run(finding: finder)
      { _ in }
    }
  }

  @Test func `refuses an image whose maker is trusted for another kind of headphone`() async throws
  {
    let stage = try FirmwareStage(size: 10)
    let keys = MakerKeys(ofProfiles: ["Acme buds": VirtualVendor.keys])
    await #expect(
      throws: CommandError.firmwareRefused(
        .otherProfile(signed: ["Acme buds"], headphone: "Earshot protocol"))
    ) {
      try await installation(of: stage.image, by: keys, in: stage.world).run(finding: finder) { _ in
      }
    }
    #expect(await !stage.runsNew)
  }

  @Test func `refuses while another program updates the same headphone`() async throws {
    let stage = try FirmwareStage(size: 10)
    let id = try #require(stage.headphone.model.audioAddress ?? nil)
    let other = try FirmwareLock(
      id.description.filter { $0 != ":" }.lowercased(), in: stage.folder.state)
    await #expect(throws: CommandError.firmwareRefused(.updateRunning)) {
      try await installation(of: stage.image, in: stage.world).run(finding: finder) { _ in }
    }
    withExtendedLifetime(other) {}
  }

  @Test func `a lock is free again when its owner lets go`() throws {
    let folder = TemporaryFolder()
    do {
      let first = try FirmwareLock("ear", in: folder.state)
      #expect(try first != nil && FirmwareLock("ear", in: folder.state) == nil)
      #expect(try FirmwareLock("bud", in: folder.state) != nil)
      withExtendedLifetime(first) {}
    }
    #expect(try FirmwareLock("ear", in: folder.state) != nil)
  }
}

/// Sets a value; gives the one before.
private func exchange<Value>(_ place: inout Value, with value: Value) -> Value {
  defer { place = value }
  return place
}
