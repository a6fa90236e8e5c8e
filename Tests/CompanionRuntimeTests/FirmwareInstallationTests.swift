import BluetoothCodec
import Companion
import FirmwareCrypto
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

@testable import CompanionRuntime

/// The same update from the command line, over as many links as needed.
@MainActor @Suite struct FirmwareInstallationTests {
  static let new = FirmwareVersion(1, 5, 0)
  /// Runs the command in a separate program.
  private func install(
    on stage: FirmwareStage, trusting keys: MakerKeys = MakerKeys(),
    report: @escaping (FirmwareProgress) -> Void = { _ in }
  ) async throws(CommandError) -> FirmwareVersion {
    await stage.effects.start(autoConnect: .never, doing: []) { [store = stage.store] in
      store.send($0)
    }
    let target = CommandTarget(
      store: stage.store, effects: stage.effects, fallback: .lastUsed(else: .nearest),
      timeout: .seconds(20))
    target.namesakeTime = .zero
    let outcome: Result<FirmwareVersion, CommandError>
    do throws(CommandError) {
      try await target.check(stage.path, trusting: keys, isForced: false)
      var version = FirmwareVersion(0, 0, 0)
      try await target.run("Aurora Buds") { () throws(CommandError) in
        try await target.until { $0.battery != nil }
        version = try await target.install(
          stage.path, trusting: keys, isForced: false, report: report)
      }
      outcome = .success(version)
    } catch {
      outcome = .failure(error)
    }
    await stage.effects.stop()
    return try outcome.get()
  }

  @Test func `installs and tells the version that runs`() async throws {
    let stage = try FirmwareStage()
    var phases: [FirmwareUpdate.Phase] = []
    let version = try await install(on: stage) { phases.append($0.phase) }
    #expect(version == Self.new)
    #expect(phases.contains(.transferring) && phases.contains(.confirming))
    #expect(await stage.runsNew)
  }

  @Test func `goes on by itself after the battery was out`() async throws {
    let stage = try FirmwareStage()
    var isCut = false
    let version = try await install(on: stage) { [headphone = stage.headphone] progress in
      guard progress.bytes > 50_000, !isCut else { return }
      isCut = true
      Task { await headphone.cutPower() }
    }
    #expect(version == Self.new)
    #expect(await stage.runsNew)
  }

  @Test func `refuses an unknown device's image before it looks for a headphone`() async throws {
    let stage = try FirmwareStage(size: 10, trusting: MakerKeys())
    let unknownDevice = SigningKey().verifyingKey
    await #expect(throws: CommandError.firmwareRefused(.untrustedSignature)) {
      try await install(on: stage, trusting: MakerKeys([unknownDevice]))
    }
    let other = try FirmwareStage(size: 10, trusting: MakerKeys())
    await #expect(throws: CommandError.firmwareRefused(.noTrustedKey)) {
      try await install(on: other)
    }
  }

  @Test func `refuses an image whose maker is trusted for another kind of headphone`() async throws
  {
    let stage = try FirmwareStage(
      size: 10, trusting: MakerKeys(ofProfiles: ["Acme buds": VirtualVendor.keys]))
    await #expect(
      throws: CommandError.firmwareRefused(
        .otherProfile(signed: ["Acme buds"], headphone: "Earshot protocol"))
    ) {
      try await install(on: stage)
    }
    #expect(await !stage.runsNew)
  }

  @Test func `refuses while another program updates the same headphone`() async throws {
    let stage = try FirmwareStage(size: 10)
    let id = try #require(stage.headphone.model.audioAddress ?? nil)
    let other = try FirmwareLock(
      id.description.filter { $0 != ":" }.lowercased(), in: stage.folder.state)
    let error = await #expect(throws: CommandError.self) { try await install(on: stage) }
    #expect(error?.message.contains("under way") == true)
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
