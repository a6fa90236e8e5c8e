import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import FirmwareCrypto
import HeadphoneProtocols
import Persistence
import Testing
import VirtualHeadphones

@testable import CompanionRuntime

/// Whole updates of a virtual headphone by the program, over real descriptors.
@MainActor @Suite struct FirmwareStoryTests {
  static let new = FirmwareVersion(1, 5, 0)
  static let old = FirmwareVersion(1, 4, 2)

  @Test func `from the key to the new version`() async throws {
    let stage = try FirmwareStage()
    await stage.start()
    await stage.choose()
    await stage.until { $0.firmware.status?.running == Self.old }
    stage.accept()
    #expect(await stage.untilEnded() == .installed(Self.new))
    #expect(await stage.runsNew)
    let headphone = try #require(stage.store.state.headphones.selected)
    #expect(headphone.link.use == .ready && headphone.information.firmware == "1.5.0")
    await stage.effects.stop()
  }

  @Test func `other controls work meanwhile`() async throws {
    let stage = try FirmwareStage()
    await stage.start()
    await stage.choose()
    stage.accept()
    stage.press(.setANC(.adaptive))
    await stage.until { $0.anc.confirmed == .adaptive }
    #expect(await stage.untilEnded() == .installed(Self.new))
    await stage.effects.stop()
  }

  @Test(arguments: [true, false])
  func `a lost link or battery is resumed by itself`(isBattery: Bool) async throws {
    let stage = try FirmwareStage()
    await stage.start()
    await stage.choose()
    stage.accept()
    await stage.until { $0.firmware.bytes > 50_000 }
    if isBattery {
      await stage.headphone.cutPower()
    } else {
      await stage.headphone.dropLink(.supervisionTimeout)
    }
    #expect(await stage.untilEnded() == .installed(Self.new))
    #expect(await stage.runsNew)
    await stage.effects.stop()
  }

  @Test func `a program that was ended goes on where it stopped`() async throws {
    let first = try FirmwareStage()
    await first.start()
    await first.choose()
    first.accept()
    await first.until { $0.firmware.bytes > 50_000 }
    await first.effects.stop()
    let kept = try #require(await first.headphone.firmware?.status.offset)
    #expect(kept >= 49_152)

    let second = try FirmwareStage(after: first)
    await second.start()
    await second.choose()
    second.accept()
    await second.until { $0.firmware.bytes > 0 }
    #expect((second.store.state.headphones.selected?.firmware.bytes ?? 0) >= 45_056)
    #expect(await second.untilEnded() == .installed(Self.new))
    #expect(await second.runsNew)
    await second.effects.stop()
  }

  @Test func `who ends the link pauses, and goes on later`() async throws {
    let stage = try FirmwareStage()
    await stage.start()
    await stage.choose()
    stage.accept()
    await stage.until { $0.firmware.bytes > 20_000 }
    stage.press(.dropControlLink)
    guard case .paused = stage.stage else {
      Issue.record("not paused")
      return
    }
    stage.press(.connectOrDisconnect)
    await stage.until { $0.link.use == .ready }
    stage.accept()
    #expect(await stage.untilEnded() == .installed(Self.new))
    await stage.effects.stop()
  }

  @Test func `firmware that does not start is reported as rolled back`() async throws {
    let stage = try FirmwareStage(size: 10_000)
    var faults = FirmwareReceiver.Faults()
    faults.newImageFails = true
    await stage.headphone.injectFaults(inFirmware: faults)
    await stage.start()
    await stage.choose()
    stage.accept()
    #expect(await stage.untilEnded() == .failed(.rolledBack(running: Self.old)))
    #expect(stage.store.state.headphones.selected?.information.firmware == "1.4.2")
    await stage.effects.stop()
  }

  @Test func `two programs do not update one headphone at a time`() async throws {
    let stage = try FirmwareStage(size: 10_000)
    await stage.start()
    await stage.choose()
    let id = try #require(stage.store.state.headphones.selected?.id.rawValue)
    let other = try FirmwareLock(id, in: stage.folder.state)
    stage.accept()
    await stage.until { !$0.firmware.isRunning }
    #expect(stage.store.state.problem?.text.contains("under way") == true)
    withExtendedLifetime(other) {}
    await stage.effects.stop()
  }

  @Test func `a file that has changed since it was looked at is not sent`() async throws {
    let stage = try FirmwareStage(size: 10_000)
    await stage.start()
    await stage.choose()
    let another = try FirmwareImage(
      packing: [1, 2, 3], hardware: 0xA102, version: Self.new, securityCounter: 2,
      key: VirtualVendor.key)
    try FirmwareFile.write(another, to: stage.path)
    stage.accept()
    await stage.until { !$0.firmware.isRunning }
    #expect(stage.store.state.problem?.text.contains("has changed") == true)
    #expect(await stage.headphone.firmware?.state == .idle)
    await stage.effects.stop()
  }

  @Test func `a file that is not there, or is no image, is reported`() async throws {
    let stage = try FirmwareStage(size: 10)
    await stage.start()
    await stage.choose("/nowhere/new.fw")
    guard case .rejected(_, let reason, _) = stage.stage else {
      Issue.record("not rejected")
      return
    }
    #expect(reason.contains("no such file"))
    try stage.folder.state.file("bad.fw").replace(with: Array("EFW1 and no more".utf8))
    await stage.choose(stage.folder.state.file("bad.fw").path)
    guard case .rejected(_, let why, let advice) = stage.stage else {
      Issue.record("not rejected")
      return
    }
    #expect(why.contains("truncated") && advice.contains("again"))
    await stage.effects.stop()
  }

  @Test func `keys of a request count for that request, not for the image`() async throws {
    let stage = try FirmwareStage(size: 10_000, trusting: MakerKeys())
    await stage.start()
    let id = try #require(stage.store.state.headphones.selected?.id)
    let entry = TextEntry(.firmwareImage(id), text: stage.path)
    stage.store.press(.accept, in: .entry(entry)) { effect in
      guard case .examineFirmware(let id, let path) = effect else { return false }
      stage.effects.examineFirmware(id, at: path, trusting: MakerKeys(VirtualVendor.keys)) {
        stage.store.send($0)
      }
      return true
    }
    await stage.until { $0.firmware.offer != nil }
    let question = Dialog.question(Question(.installFirmware(id), isYesChosen: true))
    // Somebody else says yes, who trusts nobody.
    stage.store.press(.accept, in: question)
    await stage.until { !$0.firmware.isRunning }
    #expect(stage.store.state.problem?.text.contains("firmware not sent") == true)
    stage.store.press(.accept, in: question) { effect in
      guard case .installFirmware(let id, let offer, let target) = effect else { return false }
      stage.effects.installFirmware(
        offer, on: id, target, trusting: MakerKeys(VirtualVendor.keys)
      ) { stage.store.send($0) }
      return true
    }
    #expect(await stage.untilEnded() == .installed(Self.new))
    await stage.effects.stop()
  }

  @Test func `what the headphone is counts again when the first byte is about to be sent`()
    async throws
  {
    let stage = try FirmwareStage(size: 10_000)
    await stage.start()
    await stage.choose()
    let id = try #require(stage.store.state.headphones.selected?.id)
    let question = Dialog.question(Question(.installFirmware(id), isYesChosen: true))
    stage.store.press(.accept, in: question) { effect in
      guard case .installFirmware(let id, let offer, var target) = effect else { return false }
      #expect(target.profile == DeviceProfile.earshot.name && target.hardware == 0xA102)
      target.hardware = 0xA103
      stage.effects.installFirmware(offer, on: id, target) { stage.store.send($0) }
      return true
    }
    await stage.until { !$0.firmware.isRunning }
    #expect(stage.store.state.problem?.text.contains("hardware") == true)
    #expect(await stage.headphone.firmware?.state == .idle)
    await stage.effects.stop()
  }

  @Test func `nothing is sent to the store after the end`() async throws {
    let stage = try FirmwareStage(size: 10_000)
    await stage.start()
    let id = try #require(stage.store.state.headphones.selected?.id)
    await stage.effects.stop()
    let before = stage.store.state
    stage.effects.begin(.inspect(id)) { stage.store.send($0) }
    stage.effects.begin(.disconnect(id)) { stage.store.send($0) }
    stage.effects.examineFirmware(id, at: stage.path) { stage.store.send($0) }
    stage.effects.begin(.pair(id, audio: nil)) { stage.store.send($0) }
    #expect(stage.store.state == before)
  }
}
