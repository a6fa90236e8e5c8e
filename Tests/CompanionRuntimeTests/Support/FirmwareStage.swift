import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import EventLoop
import FirmwareCrypto
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

@testable import CompanionRuntime

/// A program, a virtual headphone with firmware updates, and an image file for it.
///
/// Time stands still, and links are made again without a pause.
@MainActor
struct FirmwareStage {
  let headphone: VirtualHeadphone
  let headphoneClock: ManualClock
  let folder: TemporaryFolder
  let dependencies: Dependencies
  let effects: LiveEffectHandler
  let store: Store
  let image: FirmwareImage
  let path: String

  /// Creates a stage; `keys` are those that the program trusts.
  init(
    size: Int = 200_000, in folder: TemporaryFolder = TemporaryFolder(),
    trusting keys: MakerKeys = MakerKeys(ofProfiles: [
      DeviceProfile.earshot.name: VirtualVendor.keys
    ]
    )
  ) throws {
    let clock = ManualClock()
    var model = VirtualModel.aurora
    // Its time stands still: it must wait for nothing.
    model.firmware?.acknowledgesAfter = 1
    model.restartTime = .zero
    let headphone = VirtualHeadphone(model, loop: .shared, clock: clock)
    try self.init(headphone, clock, size: size, in: folder, trusting: keys)
  }

  /// Starts the program again with the same headphone.
  init(after other: FirmwareStage) throws {
    try self.init(
      other.headphone, other.headphoneClock, size: other.image.payload.count, in: other.folder,
      trusting: other.dependencies.trustedKeys())
  }

  private init(
    _ headphone: VirtualHeadphone, _ clock: ManualClock, size: Int, in folder: TemporaryFolder,
    trusting keys: MakerKeys
  ) throws {
    self.headphone = headphone
    headphoneClock = clock
    self.folder = folder
    let profile = DeviceProfile.earshot
    let known = KnownHeadphones(in: folder.state)
    dependencies = Dependencies(
      radio: VirtualRadio(headphones: [headphone], clock: clock),
      services: profile.advertisedServices,
      prepareDriver: HeadphoneConnection.drivers(
        of: [profile], keepingIn: known, clock: ManualClock()),
      makeAudio: { SilentAudio() }, clock: ManualClock(), known: known,
      trustedKeys: { keys }, jitter: { 0 })
    effects = LiveEffectHandler(dependencies: dependencies)
    store = Store(handler: effects, now: { Timestamp(milliseconds: 0) })
    image = try FirmwareImage(
      packing: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) },
      hardware: 0xA102, version: FirmwareVersion(1, 5, 0), blockSize: 4096, securityCounter: 2,
      key: VirtualVendor.key)
    path = folder.state.file("new.fw").path
    try PrivateFile(path: path).replace(with: image.encoded())
  }

  /// The stored record of an update that has not ended.
  var unfinished: InterruptedUpdate? {
    let model = headphone.model
    return dependencies.known.unfinishedUpdate(
      of: HeadphoneID(model.audioAddress ?? model.address.address))
  }

  var stage: FirmwareState.Stage? { store.state.headphones.selected?.firmware.stage }

  func until(_ isReached: (HeadphoneState) -> Bool) async {
    if store.state.headphones.selected.map(isReached) == true { return }
    for await state in store.states
    where state.headphones.selected.map(isReached) == true { return }
  }

  func until(stage isReached: (FirmwareState.Stage) -> Bool) async {
    await until { isReached($0.firmware.stage) }
  }

  /// Starts the program, and waits until the headphone is ready.
  func start() async {
    await effects.start(autoConnect: .matching("Aurora Buds")) { [store] in store.send($0) }
    await until(\.link.isReady)
    await until { $0.battery != nil }
  }

  func press(_ commands: UserCommand...) {
    for command in commands { store.send(.pressed(command)) }
  }

  /// Opens the page and chooses the file.
  func choose(_ path: String? = nil) async {
    press(.firmware)
    store.send(.typed(.clear))
    for character in path ?? self.path { store.send(.typed(.character(character))) }
    press(.accept)
    await until { stage in
      if case .examining = stage { false } else { true }
    }
  }

  /// Accepts what the page offers.
  func accept() { press(.accept, .right, .accept) }

  func untilEnded() async -> FirmwareOutcome? {
    await until { stage in
      if case .ended = stage { true } else { false }
    }
    if case .ended(_, let outcome) = stage { return outcome }
    return nil
  }

  var runsNew: Bool {
    get async { await headphone.firmware?.running.image[...] == image.payload }
  }
}

extension FirmwareState {
  /// The number of bytes that the headphone has.
  var bytes: Int {
    if case .running(_, let progress) = stage { progress.bytes } else { 0 }
  }
}
