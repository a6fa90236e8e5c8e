internal import AudioRoute
internal import BluetoothCodec
internal import BluetoothRadio
internal import CAllocations
internal import Companion
internal import HeadphoneProtocols
internal import JSON
internal import TerminalUI

/// The time and allocations of reducing each kind of action, and of drawing the resulting screen.
///
/// Each is measured in a small state, and in states with a full log, a long list of headphones, or
/// the history of many months. Other work on the machine affects all alike.
@MainActor
enum ActionCosts {
  private static let rounds = 101
  private static let (few, many) = (10, 1000)

  static func measure() throws -> [BenchResult] {
    let ordinary = state()
    // Rules about the sound examine every headphone after each action; nobody has so many.
    let large = [
      ("lines of log", state(lines: many), 0),
      ("headphones", state(headphones: many), 0.001),
      ("months of history", state(months: many), 0),
    ]
    return kinds.map { cost(of: $0, in: ordinary) }
      + large.flatMap { name, state, enough in
        kinds.map {
          growth(of: $0, from: ordinary, to: state, "\(many) \(name)", enough: enough)
        }
      }
  }

  private struct Kind: Sendable {
    var name: String
    /// Returns the action; nil if nothing is reduced, as after a change of the size.
    var action: (@Sendable (Int) -> Action)?
    var size: @Sendable (Int) -> Size = { _ in Size(columns: 120, rows: 40) }
  }

  private static let kinds = [
    Kind(name: "a key", action: { .pressed($0.isMultiple(of: 2) ? .nextANC : .flipTransparency) }),
    Kind(
      name: "a notification",
      action: { .headphone(used, .batteryChanged([.left: Battery(level: UInt8(51 + $0 % 49))])) }),
    Kind(
      name: "an advertisement",
      action: { .discovered(advertised(1, rssi: Int8(-40 - $0 % 40))) }),
    Kind(
      name: "a resize", size: { Size(columns: 120 + $0 % 2, rows: 40) }),
  ]

  private nonisolated static let moment = Timestamp(milliseconds: 1_700_000_000_000)
  private nonisolated static let used = id(0)

  private nonisolated static func id(_ number: Int) -> HeadphoneID {
    HeadphoneID(rawValue: "00005e00\(number)")
  }

  private nonisolated static func advertised(
    _ number: Int, rssi: Int8 = -50
  ) -> DiscoveredHeadphone {
    DiscoveredHeadphone(
      id: id(number), name: "Buds \(number)",
      address: PeerAddress(BluetoothAddress(value: 0x5E00_5300 | UInt64(number)), .public),
      rssi: rssi)
  }

  private static func state(
    lines: Int = few, headphones: Int = few, months: Int = few
  ) -> State {
    var capabilities = Capabilities()
    capabilities.ancModes = ANCMode.allCases
    capabilities.eqPresets = EQPreset.allCases
    capabilities.batteries = Part.allCases
    let description = HeadphoneDescription(
      driver: "Earshot protocol", capabilities: capabilities, information: DeviceInformation(),
      mtu: 185, requests: 12)
    // All headphones are known, so that none is dropped to make room.
    let known = (0..<headphones).map { number in
      KnownHeadphone(
        id: id(number), name: "Buds \(number)", address: advertised(number).address,
        lastUsed: moment)
    }
    let discharges = (0..<100 * months).map { number in
      Discharge(
        minute: Int64(20_000_000 + number * 400), minutes: 240, mode: .noiseCancelling,
        left: Discharge.Drop(from: 100, to: 20), right: nil)
    }
    var state = State()
    let actions: [Action] = [
      .adapterChanged(
        .ready(Adapter(name: "hci0", address: BluetoothAddress(value: 1), isPowered: true))),
      .launched(known, autoConnect: .never, scans: false), .discovered(advertised(0)),
      .linkWanted(used, by: .program, retries: true), .link(used, .connected),
      .link(used, .ready(description, isEncrypted: false)),
      .headphone(used, .ancChanged(.noiseCancelling)),
      .charges(used, BatteryHistory(discharges: discharges)),
      .headphone(used, .batteryChanged([.left: Battery(level: 50)])), .discovered(advertised(1)),
    ]
    for action in actions { _ = state.reduce(action, at: moment) }
    state.log = Log()
    for number in 0..<lines {
      _ = state.reduce(.noted(.info, used, "line \(number), as long as most"), at: moment)
    }
    return state
  }

  private struct Cost {
    /// The time in s.
    var time: Samples
    var allocations: UInt
  }

  /// Measures the reduction of actions, each in the same state, which observers retain.
  private static func reducing(_ kind: Kind, in states: [State]) -> [Cost] {
    measuring(states) { state, turn in
      guard let action = kind.action?(turn) else { return { 0 } }
      return {
        var copy = state
        return copy.reduce(action, at: moment).count
      }
    }
  }

  private static func viewing(_ kind: Kind, in states: [State]) -> [Cost] {
    measuring(states) { state, turn in
      var after = state
      if let action = kind.action?(turn) { _ = after.reduce(action, at: moment) }
      let size = kind.size(turn)
      return { [after] in view(after, size: size).size.columns }
    }
  }

  private static func measuring(
    _ states: [State], _ prepare: (State, Int) -> () -> Int
  ) -> [Cost] {
    var times = states.map { _ in [Double]() }
    var counts = states.map { _ in [UInt]() }
    for round in 0..<rounds {
      for (index, state) in states.enumerated() {
        let body = prepare(state, round)
        let (before, begin) = (allocation_count(), monotonicTime())
        let result = body()
        let end = monotonicTime()
        counts[index].append(allocation_count() - before)
        times[index].append(end - begin)
        precondition(result >= 0)
      }
    }
    return zip(times, counts).map { times, counts in
      Cost(time: Samples(times), allocations: counts.sorted()[counts.count / 2])
    }
  }

  /// The goal in s, which leaves most of a frame's time for everything else.
  private static let goal = 0.002

  private static func cost(of kind: Kind, in state: State) -> BenchResult {
    let reduced = reducing(kind, in: [state])[0]
    let viewed = viewing(kind, in: [state])[0]
    let sum = reduced.time.median + viewed.time.median
    return BenchResult(
      name: kind.name,
      value: """
        \(Int(reduced.time.median * 1e9)) ns and \(reduced.allocations) allocations to reduce, \
        \(Int(viewed.time.median * 1e9)) ns and \(viewed.allocations) to view
        """,
      goal: "2 ms", verdict: sum <= goal ? .met : .missed,
      numbers: [
        .init("reduce", .number(reduced.time.median)),
        .init("reduceAllocations", .number(Double(reduced.allocations))),
        .init("view", .number(viewed.time.median)),
        .init("viewAllocations", .number(Double(viewed.allocations))),
      ])
  }

  /// The factor that a hundredfold state may add to the time.
  private static let mostGrowth = 1.5

  /// Compares the times in two states; any growth is accepted up to `enough` seconds.
  private static func growth(
    of kind: Kind, from small: State, to large: State, _ what: String, enough: Double
  ) -> BenchResult {
    let pairs = [reducing(kind, in: [small, large]), viewing(kind, in: [small, large])]
    let ratios = pairs.map { pair in
      pair[0].time.median > 0 ? pair[1].time.median / pair[0].time.median : 1
    }
    let isMet = zip(pairs, ratios).allSatisfy { pair, ratio in
      ratio <= mostGrowth || pair[1].time.median <= enough
    }
    return BenchResult(
      name: "\(kind.name) with \(what)",
      value: """
        \(hundredths(ratios[0])) of the time to reduce, \(hundredths(ratios[1])) to view, \
        \(pairs[0][1].allocations) and \(pairs[1][1].allocations) allocations in place of \
        \(pairs[0][0].allocations) and \(pairs[1][0].allocations)
        """,
      goal: "at most \(hundredths(mostGrowth)) of the time with \(few)"
        + (enough > 0 ? ", or \(Int(enough * 1e3)) ms" : ""),
      verdict: isMet ? .met : .missed,
      numbers: [.init("reduce", .number(ratios[0])), .init("view", .number(ratios[1]))])
  }
}
