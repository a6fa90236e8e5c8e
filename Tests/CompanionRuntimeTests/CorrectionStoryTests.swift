import BluetoothAttributes
import BluetoothCodec
import Companion
import Configuration
import EventLoop
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

@testable import CompanionRuntime

/// Corrections and curves in the equalisers of virtual headphones.
@MainActor @Suite struct CorrectionStoryTests {
  private let folder = TemporaryFolder()

  /// Runs a command in a separate program.
  private func run(
    _ model: VirtualModel, _ work: (CommandTarget) async throws(CommandError) -> Void
  ) async throws {
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let radio = VirtualRadio([model])
    let effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: radio,
        services: FamilyAdvertisements.services.union(DeviceProfile.earshot.advertisedServices),
        patterns: FamilyAdvertisements.patterns, models: .bundled,
        prepareDriver: HeadphoneConnection.drivers(
          keepingIn: known, models: .bundled, radio: radio),
        makeAudio: { SilentAudio() }, clock: ContinuousClock(), known: known))
    let store = Store(handler: effects, now: { .now })
    await effects.start(autoConnect: .never, doing: []) { store.send($0) }
    let target = CommandTarget(
      store: store, effects: effects, fallback: .lastUsed(else: .only), timeout: .seconds(20))
    target.namesakeTime = .zero
    try await target.run(model.name) { () throws(CommandError) in try await work(target) }
    await effects.stop()
  }

  /// Gains between the steps of any headphone's equaliser, and beyond the range of most.
  private static let curve = """
    Preamp: -3.3 dB
    Filter 1: ON LSC Fc 105 Hz Gain 5.4 dB Q 0.70
    Filter 2: ON PK Fc 900 Hz Gain -3.7 dB Q 0.60
    Filter 3: ON PK Fc 2600 Hz Gain 2.3 dB Q 1.10
    Filter 4: ON HSC Fc 9000 Hz Gain -11.9 dB Q 0.70
    """

  private nonisolated static let models = (VirtualModel.environment + VirtualModel.families).filter
  {
    !$0.name.isEmpty
  }

  @Test(.timeLimit(.minutes(2)), arguments: models)
  func `an imported curve and a correction are confirmed by every headphone with bands`(
    model: VirtualModel
  ) async throws {
    let file = folder.state.file("curve.txt")
    try file.replace(with: Array(Self.curve.utf8))
    let curve = try ParametricEQFile.read(file.path)
    try await run(model) { target throws(CommandError) in
      guard let bands = target.headphone?.capabilities.flatMap({ EQBands($0) }) else { return }
      try await target.until { $0.bands.confirmed != nil && $0.presetToCome != nil }
      let before = target.headphone?.bands.confirmed

      let report = try await target.correct([.file(file.path), .on(true)])
      #expect(target.headphone.map(target.state.correctionStatus(of:)) == .inHeadphone)
      let adjusted = EQFit(curve.adjusted(strength: 100, bass: 0), to: bands)
      #expect(target.headphone?.bands.confirmed == adjusted.gains)
      #expect(!report.text.contains("rounded the gains once more"))
      _ = try await target.correct([.on(false)])
      #expect(target.headphone?.bands.confirmed == before)

      let fit = EQFit(curve, to: bands)
      try await target.perform(.setCustomEQ(fit.gains))
      #expect(target.headphone?.gainsInForce == fit.gains)
      #expect(target.state.problem == nil)
    }
  }

  @Test func `a correction that cannot be heard is refused, and stays off`() async throws {
    try await run(.aurora) { target throws(CommandError) in
      do throws(CommandError) {
        _ = try await target.correct([.on(true)])
        Issue.record("it is on")
      } catch {
        #expect(error.status == .failed)
        #expect(
          error.message == "no correction for Aurora Buds: there is no measurement of this model\n"
            + "earshot correction find WORDS")
      }
      #expect(target.headphone?.correction.choice.isOn == false)
    }
  }
}
