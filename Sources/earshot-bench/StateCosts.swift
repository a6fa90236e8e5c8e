internal import BluetoothCodec
internal import BluetoothRadio
internal import Companion
internal import CompanionRuntime
internal import Glibc
internal import HeadphoneProtocols
internal import JSON
internal import TerminalUI

@MainActor
enum StateCosts {
  private static let rounds = 101

  static func measure() throws -> [BenchResult] {
    let quiet = state(lines: 0)
    let full = state(lines: 2 * Log.capacity - 1)
    return [
      reducing("reduce, six headphones", quiet, full) { state, turn in
        _ = state.reduce(charge(turn), at: moment)
      },
      sending("action in the store, six headphones", quiet, full) { charge($0) },
      sending("action that logs, six headphones", quiet, full) { .noted(.info, nil, "\($0)") },
    ] + (try drawing(full))
  }

  private nonisolated static let moment = Timestamp(milliseconds: 1_700_000_000_000)
  private static let ids = (1...6).map { HeadphoneID(rawValue: "00005e00530\($0)") }

  private static func state(lines: Int) -> State {
    var state = State()
    for (number, id) in ids.enumerated() {
      _ = state.reduce(.discovered(DiscoveredHeadphone.benchmark(id, number)), at: moment)
      _ = state.reduce(charge(number, of: id), at: moment)
    }
    state.log = Log()
    for number in 0..<lines {
      _ = state.reduce(
        .noted(.info, ids[0], "line \(number) of the log, as long as most"), at: moment)
    }
    return state
  }

  private static func charge(_ turn: Int, of id: HeadphoneID = ids[0]) -> Action {
    .headphone(id, .batteryChanged([.left: Battery(level: UInt8(51 + turn % 49))]))
  }

  private static func reducing(
    _ name: String, _ quiet: State, _ full: State,
    _ change: @escaping (inout State, Int) -> Void
  ) -> BenchResult {
    compare(name) { isFull in
      var state = isFull ? full : quiet
      return { turn in change(&state, turn) }
    }
  }

  /// Compares the times through a store, whose followers hold the last state.
  private static func sending(
    _ name: String, _ quiet: State, _ full: State, _ action: @escaping (Int) -> Action
  ) -> BenchResult {
    let handler = NoEffects()
    return compare(name) { isFull in
      let store = Store(isFull ? full : quiet, handler: handler, now: { moment })
      let follower = store.follow()
      return { turn in withExtendedLifetime(follower) { store.send(action(turn)) } }
    }
  }

  /// Compares times; `prepare` returns the measured closure, new for each round, as the log grows.
  private static func compare(
    _ name: String, _ prepare: (_ isFull: Bool) -> (Int) -> Void
  ) -> BenchResult {
    let repetitions = 50
    var times: [[Double]] = [[], []]
    for round in 0..<rounds {
      for which in [0, 1] {
        let act = prepare(which == 1)
        // The first call copies what the two states share.
        act(-1)
        let begin = monotonicTime()
        for turn in 0..<repetitions { act(round * repetitions + turn) }
        times[which].append((monotonicTime() - begin) / Double(repetitions))
      }
    }
    let ratios = Samples(zip(times[1], times[0]).map { $0 / $1 })
    let (short, long) = (Samples(times[0]).median * 1e9, Samples(times[1]).median * 1e9)
    return BenchResult(
      name: name,
      value: """
        \(Int(long)) ns with a full log, \(Int(short)) ns with an empty one: \
        \(hundredths(ratios.median)) (\(hundredths(ratios.interval.lowerBound)) to \
        \(hundredths(ratios.interval.upperBound)))
        """,
      goal: "at most \(hundredths(goal)) of it", verdict: ratios.verdict(atMost: goal),
      numbers: [
        .init("ratio", .number(ratios.median)), .init("ns", .number(long)),
        .init("nsWithoutLog", .number(short)),
      ])
  }

  private static let goal = 1.25

  /// Measures a page of 200x60 that changes completely, and one on which a digit changes.
  private static func drawing(_ state: State) throws -> [BenchResult] {
    let terminal = try BenchTerminal(columns: 200, rows: 60)
    defer { terminal.curses.close() }
    var (log, renamed) = (state, state)
    log.page = .log(line: 0)
    _ = renamed.reduce(.discovered(.benchmark(ids[1], 9)), at: moment)
    return [
      drawing("another page", [state, log], on: terminal),
      drawing("another digit", [state, renamed], on: terminal),
    ]
  }

  private static func drawing(
    _ name: String, _ states: [State], on terminal: BenchTerminal
  ) -> BenchResult {
    let size = terminal.curses.size
    var (views, writes, bytes): ([Double], [Double], [Double]) = ([], [], [])
    for round in 0..<2 * rounds {
      let begin = monotonicTime()
      let screen = view(states[round % 2], size: size)
      let viewed = monotonicTime()
      terminal.curses.present(screen)
      let written = monotonicTime()
      let count = terminal.readBytes()
      // The first screen is drawn completely.
      guard round > 1 else { continue }
      views.append(viewed - begin)
      writes.append(written - viewed)
      bytes.append(Double(count))
    }
    let screens = states.map { view($0, size: size) }
    var cells = 0
    for row in 0..<size.rows {
      for column in 0..<size.columns
      where screens[0][column, row] != screens[1][column, row] { cells += 1 }
    }
    let (made, put, sent) = (Samples(views), Samples(writes), Samples(bytes))
    return BenchResult(
      name: "\(name) on 200x60",
      value: """
        \(Int(made.median * 1e6)) µs to view, \(Int(put.median * 1e6)) µs to compare and write \
        \(cells) cells in \(Int(sent.median)) bytes
        """,
      goal: "a frame, 16 ms", verdict: made.median + put.median < 0.016 ? .met : .missed,
      numbers: [
        .init("view", .number(made.median)), .init("write", .number(put.median)),
        .init("cells", .number(Double(cells))), .init("bytes", .number(sent.median)),
      ])
  }
}

@MainActor
private final class NoEffects: EffectHandler {
  func begin(_ effect: Effect, send: @escaping @MainActor (Action) -> Void) {}
}

extension DiscoveredHeadphone {
  fileprivate static func benchmark(_ id: HeadphoneID, _ number: Int) -> DiscoveredHeadphone {
    DiscoveredHeadphone(
      id: id, name: "Buds \(number)",
      address: PeerAddress(BluetoothAddress(value: 0x5E00_5300 | UInt64(number)), .public),
      rssi: -50)
  }
}
