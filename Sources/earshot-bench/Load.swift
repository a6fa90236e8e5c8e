internal import BluetoothCodec
internal import BluetoothKernel
internal import BluetoothRadio
internal import Companion
internal import CompanionRuntime
internal import EventLoop
internal import Glibc
internal import HeadphoneProtocols
internal import JSON
internal import VirtualHeadphones

/// The whole app under more load than headphones and their surroundings cause.
@MainActor
enum Load {
  static func measure() async throws -> [BenchResult] {
    [
      try await notifications(of: 1, rate: 20_000, duration: 10),
      try await notifications(of: 6, rate: 600, duration: 10),
      try await advertisements(rate: 5_000, duration: 10),
    ]
  }

  private static let lastLevel: UInt8 = 42

  /// Measures notifications of charges, `rate` times a second for each headphone.
  private static func notifications(
    of count: Int, rate: Int, duration: Int
  ) async throws -> BenchResult {
    let stage = try Stage((1...count).map(model))
    await stage.start()
    let bridges = stage.bridges
    // Allocations for the first values and frames do not count as growth.
    await flood(bridges, rate, for: 1)
    let (memory, begin) = (residentBytes(), ContinuousClock.now)
    let cpu = await (all: processorTime(), senders: bridges[0].time())
    await flood(bridges, rate, for: duration)
    let sent = ContinuousClock.now
    for bridge in bridges { try await bridge.notify(level: lastLevel) }
    await stage.until { state in
      state.headphones.allSatisfy {
        $0.battery?.value[.left]?.level == lastLevel || !$0.link.isReady
      }
    }
    let behind = seconds(sent.duration(to: .now))
    let senders = await bridges[0].time() - cpu.senders
    let spent = processorTime() - cpu.all - senders
    let used = spent / seconds(begin.duration(to: .now))
    let each = spent / Double(rate * duration * count)
    let growth = residentBytes() - memory
    let frames = stage.mostFramesInASecond(since: begin)
    let reached = Double(rate * duration * count) / seconds(begin.duration(to: sent))
    let isUp = stage.store.state.headphones.allSatisfy(\.link.isReady)
    await stage.end()
    let isMet =
      isUp && reached > 0.98 * Double(rate * count) && frames <= 60 && growth < 1 << 20
      && behind < 1
    return BenchResult(
      name: "notifications of \(count) headphone\(count > 1 ? "s" : "")",
      value: """
        \(Int(reached)) a second for \(duration) s, \(hundredths(used * 100)) % of a core, \
        \(hundredths(each * 1e6)) µs each, at most \(frames) frames a second, \
        \(growth / 1024) kB more memory, the last value after \
        \(hundredths(behind * 1000)) ms\(isUp ? "" : ", and a link that ended")
        """,
      goal: """
        \(rate * count) a second, at most 60 frames, less than 1 MB more, the last value within 1 s
        """,
      verdict: isMet ? .met : .missed,
      numbers: [
        .init("aSecond", .number(reached)), .init("ofACore", .number(used)),
        .init("each", .number(each)), .init("frames", .number(Double(frames))),
        .init("grown", .number(Double(growth))),
        .init("behind", .number(behind)),
      ])
  }

  private static func flood(_ bridges: [Bridge], _ rate: Int, for duration: Int) async {
    await withTaskGroup(of: Void.self) { group in
      for bridge in bridges {
        group.addTask { await bridge.flood(rate * duration, within: .seconds(duration)) }
      }
    }
  }

  private static func model(_ number: Int) -> VirtualModel {
    let address = BluetoothAddress(value: 0xC0DE_5E00_5400 | UInt64(number))
    var model = VirtualModel(name: "Buds \(number)", address: PeerAddress(address, .random))
    model.information.serial = "B-\(number)"
    model.drains = false
    return model
  }

  private static let addresses = 500
  private static let headphones = 100

  private static func advertisements(rate: Int, duration: Int) async throws -> BenchResult {
    let crowd = try Crowd(addresses: addresses, headphones: headphones)
    let stage = try Stage([], radio: crowd.radio)
    await stage.start()
    await crowd.send(addresses, within: .seconds(1))
    await stage.until { $0.headphones.count >= headphones }
    let order = stage.store.state.headphones.map(\.id)
    let (cpu, begin) = (processorTime(), ContinuousClock.now)
    await crowd.send(rate * duration, within: .seconds(duration))
    let used = (processorTime() - cpu) / seconds(begin.duration(to: .now))
    let frames = stage.mostFramesInASecond(since: begin)
    // Another signal strength of a device is reported only after a second.
    try await MainLoop.clock.sleep(for: .milliseconds(1100))
    await crowd.send(addresses, within: .milliseconds(100), rssi: Crowd.lastSignal)
    await stage.until { $0.headphones.last?.rssi == Crowd.lastSignal }
    let listed = stage.store.state.headphones
    let current = listed.count { $0.rssi == Crowd.lastSignal }
    await stage.end()
    let isSteady = listed.map(\.id) == order
    let isMet = current == headphones && isSteady && used < 0.2 && frames <= 60
    return BenchResult(
      name: "advertisements of \(addresses) addresses, \(headphones) of headphones",
      value: """
        \(rate) a second for \(duration) s, \(hundredths(used * 100)) % of a core, \
        \(current) headphones with their last signal strength, \
        \(isSteady ? "in one order" : "in another order"), at most \(frames) frames a second
        """,
      goal: "all of them in one order, under 20 % of a core",
      verdict: isMet ? .met : .missed, numbers: [.init("ofACore", .number(used))])
  }
}

private func residentBytes() -> Int {
  let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  defer { close(file) }
  var room = [UInt8](repeating: 0, count: 128)
  let count = max(0, read(file, &room, room.count))
  let fields = String(decoding: room.prefix(count), as: UTF8.self).split(separator: " ")
  return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
}
