import Companion
import CompanionRuntime
import EventLoop
import Foundation
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

/// Two years with buds whose batteries age, with the real store and files, and a manual clock.
@MainActor @Suite struct BatteryYearsTests {
  private let folder = TemporaryFolder()
  private let clock = ManualClock()
  private let loop = PollLoop(name: "battery years")
  /// 2024-11-24 08:00 UTC, a Sunday.
  private let start = Timestamp(milliseconds: 1_732_435_200_000)
  private var known: KnownHeadphones { KnownHeadphones(in: folder.state, environment: "virtual") }

  /// Starts the program, and waits until its link is up.
  private func begin() async -> (LiveEffectHandler, Store) {
    let headphone = VirtualHeadphone(.aurora, loop: loop, clock: ManualClock())
    let profile = DeviceProfile.earshot
    let effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: VirtualRadio(headphones: [headphone], clock: ManualClock()),
        services: profile.advertisedServices,
        prepareDriver: HeadphoneConnection.drivers(
          of: [profile], keepingIn: known, clock: ManualClock()),
        makeAudio: { SilentAudio() }, clock: clock, known: known, jitter: { 1 }))
    let (clock, start) = (clock, start)
    let store = Store(
      handler: effects,
      now: {
        let passed = clock.now.sinceStart.components.seconds
        return Timestamp(milliseconds: start.milliseconds + passed * 1000)
      })
    await effects.start(autoConnect: .matching(VirtualModel.aurora.name)) { store.send($0) }
    for await state in store.states
    where state.headphones.selected.map({ $0.link.isReady && $0.charges != nil }) == true {
      break
    }
    return (effects, store)
  }

  @Test func `two years end in a figure, a comparison and a small file`() async throws {
    var uses = 0
    var (effects, store) = await begin()
    // Each report is a file that is written: the ordinary run has a use every third day.
    let pause = Thoroughness.rounds(3, thorough: 1)
    for day in stride(from: 0, to: 730, by: pause) {
      if day % 90 == 87 {
        await effects.stop()
        (effects, store) = await begin()
      }
      let id = try #require(store.state.headphones.selected?.id)
      let isWeekend = [0, 6].contains(day % 7)
      let mode = isWeekend ? ANCMode.off : .noiseCancelling
      // 6 h at first, 4 h 10 min in the end; 1.4 times that with noise control off.
      let life = max(250, 366 - 116 * day / 600) * (isWeekend ? 14 : 10) / 10
      let isAlone = day % 11 == 10
      store.send(.headphone(id, .ancChanged(mode)))
      for (place, rest) in [(0, 1), (1, 4), (5, 1)] {
        let level = UInt8(97 - place * 30 * 100 / life)
        let right = isAlone ? nil : level - 1
        store.send(
          .headphone(
            id,
            .batteryChanged([.left: Battery(level: level), .right: Battery(level: right)])))
        // The clock is only read, here and below.
        clock.jump(by: .seconds(1800 * rest))
      }
      let charging = Battery(level: 60, isCharging: true)
      store.send(.headphone(id, .batteryChanged([.left: charging, .right: charging])))
      clock.jump(by: .seconds(pause * 24 * 3600 - 6 * 1800))
      uses += 1
      if uses % 10 == 0 { await effects.saved() }
    }
    await effects.stop()
    (effects, store) = await begin()
    let headphone = try #require(store.state.headphones.selected)
    let discharges = try known.charges(of: headphone.id).discharges
    #expect(discharges.count == uses)
    let bytes = try #require(
      FileManager.default.attributesOfItem(
        atPath: "\(folder.path)/virtual-discharges-\(headphone.id.rawValue).json")[.size] as? Int)
    #expect(bytes < uses * 40)
    let id = headphone.id
    store.send(.headphone(id, .ancChanged(.noiseCancelling)))
    let first = pause == 1 ? "November" : "December"
    let line = store.state.infoLines.first { $0.label == "Full charge" }?.value
    #expect(line == "lasts about 4 h 10 min with noise cancelling; 6 h in \(first) 2024")
    let report = try BatteryAgeReport(
      #require(store.state.headphones.selected), at: Timestamp(milliseconds: 1_795_500_000_000))
    #expect(report.text.contains("2025-05  noise-cancelling  5 h 30 min"))
    await effects.stop()
  }
}
