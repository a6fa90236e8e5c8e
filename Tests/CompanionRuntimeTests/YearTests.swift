import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import CompanionRuntime
import Foundation
import HeadphoneProtocols
import Locking
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

@testable import EventLoop

/// A year with one headphone in random days: used, dropped, flooded, left alone or suspended.
///
/// The ordinary run takes two months, `scripts/test thorough` the whole year in a minute. At the
/// end of each day, the program knows the headphone's state, and has no more timers, watched
/// descriptors, state and files than after the first month.
@MainActor @Suite struct YearTests {
  @Test(arguments: [18, 2026] as [UInt64])
  func `a year leaves nothing behind`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let life = await Life()
    var month: Traces?
    var links = 0
    try await life.until("the first link") { $0.link.isReady && $0.anc.confirmed != nil }
    let days = Thoroughness.rounds(60, thorough: 365)
    for day in 1...days {
      for _ in 0...random.below(3) {
        let place = "day \(day) of seed \(seed)"
        switch random.below(7) {
        case 0: try await life.change(to: ANCMode.allCases[random.below(3)], place)
        case 1: try await life.pressButton(for: ANCMode.allCases[random.below(3)], place)
        case 2:
          let reasons: [BearerClosed.Reason] = [.supervisionTimeout, .peer, .adapterGone]
          try await life.loseLink(reasons[random.below(3)], place)
          links += 1
        case 3: try await life.flood(with: 300, &random, place)
        case 4:
          try await life.loseLink(during: random.below(12) + 1, place)
          links += 1
        // The machine sleeps, whatever else does.
        case 5: life.clock.jump(by: .seconds(3600 * (1 + random.below(72))))
        default: life.readAgain()
        }
      }
      let traces = try await life.evening("day \(day) of seed \(seed)")
      if day == 30 { month = traces }
      guard let month, day > 30 else { continue }
      #expect(traces.timers <= 8, "day \(day)")
      #expect(traces.watches <= month.watches + 2, "day \(day)")
      #expect(traces.stateLength <= month.stateLength * 2, "day \(day)")
      // The battery's history has a limit in days, not in bytes.
      #expect(traces.fileBytes <= month.fileBytes + 32_768, "day \(day)")
    }
    #expect(links > days / 4)
    await life.effects.stop()
  }
}

/// The quantities that must not grow.
private struct Traces {
  var timers: Int
  var watches: Int
  /// The length of the whole state as text.
  var stateLength: Int
  var fileBytes: Int
}

/// The program and one virtual headphone, with a separate clock and poll loop.
@MainActor
private struct Life {
  let clock = ManualClock()
  let loop = PollLoop(name: "year")
  let headphone: VirtualHeadphone
  let effects: LiveEffectHandler
  let store: Store
  private let folder = TemporaryFolder()

  init() async {
    headphone = VirtualHeadphone(.aurora, loop: loop, clock: ManualClock())
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let profile = DeviceProfile.earshot
    let clock = clock
    effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: VirtualRadio(headphones: [headphone], clock: ManualClock()),
        services: profile.advertisedServices,
        prepareDriver: HeadphoneConnection.drivers(
          of: [profile], keepingIn: known, clock: ManualClock()),
        makeAudio: { SilentAudio() }, clock: clock, known: known, jitter: { 1 }))
    let start = clock.now
    store = Store(
      handler: effects,
      now: {
        let passed = start.duration(to: clock.now)
        return Timestamp(milliseconds: passed.components.seconds * 1000)
      })
    let store = store
    await effects.start(autoConnect: .matching(VirtualModel.aurora.name)) { store.send($0) }
  }

  struct Stuck: Error, CustomStringConvertible { var description: String }

  func until(_ what: String, _ isReached: (HeadphoneState) -> Bool) async throws {
    var states = store.states.makeAsyncIterator()
    while store.state.headphones.selected.map(isReached) != true {
      guard await states.next() != nil else { throw Stuck(description: what) }
    }
  }

  func change(to mode: ANCMode, _ place: String) async throws {
    store.send(.pressed(.setANC(mode)))
    try await until("\(place): \(mode)") { $0.anc.confirmed == mode && $0.anc.pending == nil }
  }

  func pressButton(for mode: ANCMode, _ place: String) async throws {
    await headphone.happen(.press(mode))
    try await untilShown("\(place): its button")
  }

  func loseLink(_ reason: BearerClosed.Reason, _ place: String) async throws {
    await headphone.dropLink(reason)
    try await comeBack(place)
  }

  /// Breaks the link in the middle of the user's actions.
  func loseLink(during pdu: Int, _ place: String) async throws {
    await headphone.injectFaults { $0.lastPDU = pdu }
    while store.state.headphones.selected?.link.isReady == true {
      let mode =
        store.state.headphones.selected?.anc.confirmed == .off ? ANCMode.transparency : .off
      store.send(.pressed(.setANC(mode)))
      try await until("\(place): \(mode)") {
        !$0.link.isReady || $0.anc.confirmed == mode && $0.anc.pending == nil
      }
    }
    try await comeBack(place)
  }

  private func comeBack(_ place: String) async throws {
    try await until("\(place): the end of the link") { !$0.link.isReady }
    // The machine may sleep longer than any pause between two attempts.
    var states = store.states.makeAsyncIterator()
    while store.state.headphones.selected?.link.isReady != true {
      if let headphone = store.state.headphones.selected, case .reconnecting = headphone.link {
        store.send(.timerFired(.reconnect(headphone.id)))
        clock.jump(by: .seconds(3600))
      }
      guard await states.next() != nil else { throw Stuck(description: place) }
    }
    try await until("\(place): all values") { $0.anc.confirmed != nil }
  }

  /// Sends more events than anybody can read, of which the last one counts.
  func flood(with count: Int, _ random: inout SeededGenerator, _ place: String) async throws {
    let modes = [ANCMode.off, .noiseCancelling, .transparency]
    for _ in 0..<count { await headphone.happen(.press(modes[random.below(3)])) }
    await headphone.happen(.press(.transparency))
    await headphone.happen(.press(.off))
    try await untilShown("\(place): the end of the flood")
  }

  func readAgain() { store.send(.pressed(.refresh)) }

  /// Waits for a quiet point, and checks that the screen shows the headphone's state.
  func evening(_ place: String) async throws -> Traces {
    try await untilShown("\(place): its state")
    #expect(store.state.headphones.selected?.malformed == 0, "\(place)")
    return Traces(
      timers: clock.sleeping, watches: loop.watchCount,
      stateLength: "\(store.state)".utf8.count, fileBytes: fileBytes)
  }

  /// Waits until the state is the headphone's.
  ///
  /// The headphone's mode may differ from that of the last press: an earlier write may arrive after
  /// the press.
  private func untilShown(_ what: String) async throws {
    var states = store.states.makeAsyncIterator()
    while !(await isShown) {
      guard await states.next() != nil else { throw Stuck(description: what) }
    }
  }

  /// Whether the state is the headphone's, which may still be changing.
  private var isShown: Bool {
    get async {
      let actual = await headphone.snapshot
      guard let shown = store.state.headphones.selected, shown.link.isReady else { return false }
      return shown.anc.pending == nil && shown.eq.pending == nil
        && shown.anc.confirmed == actual.anc && shown.eq.confirmed == actual.eq
    }
  }

  private var fileBytes: Int {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return names.reduce(0) { sum, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
      return sum + (attributes?[.size] as? Int ?? 0)
    }
  }
}

extension PollLoop {
  /// The number of watched descriptors.
  fileprivate var watchCount: Int {
    watches.withLock { watches in
      (0..<4096).reduce(0) { $0 + watches.watchers(of: $1).count }
    }
  }
}
