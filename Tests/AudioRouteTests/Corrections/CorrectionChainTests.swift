import AudioRoute
import CompanionRuntime
import Glibc
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing

@testable import Companion

extension RealServers {
  /// Corrections on this computer, by PipeWire's filter-chain.
  @MainActor
  @Suite(.serialized) struct Corrections {
    /// A folder of the test's own, which goes with it.
    private final class Folder {
      let path: String

      init() throws {
        var template = Array("/tmp/earshot-correction-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw RigFailure("mkdtemp: errno \(errno)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      }

      deinit { _ = try? run(["rm", "-rf", path], environment: ["PATH": "/usr/bin:/bin"]) }
    }

    private let tones = Tones()

    /// A server whose sound goes to the headphone, and the program beside it.
    private func start() async throws -> (RunningServer, CorrectedComputer, Folder) {
      let running = try await RunningServer(.pipeWire)
      let folder = try Folder()
      let computer = CorrectedComputer(running.server, folder: folder.path)
      try await computer.wait("the server") {
        if case .running = $0.audio { true } else { false }
      }
      try await computer.source.perform(.route(sink: "headphone"))
      try await computer.wait("the headphone") { $0.output?.name == "headphone" }
      return (running, computer, folder)
    }

    /// Plays the tones for a minute, on the default sink or another.
    private func play(
      on server: SoundServer, from folder: Folder, sink: String? = nil
    ) throws -> ChildProcess {
      let file = folder.path + "/tones"
      if access(file, F_OK) != 0 { try tones.write(to: file, periods: 200) }
      return try server.run(
        ["pacat", "--raw", "--format=float32le", "--rate=48000", "--channels=2"]
          + (sink.map { ["--device=\($0)"] } ?? []) + [file])
    }

    @Test func `the response of 20 lines of the table is that of their filters`() async throws {
      let running = try await RunningServer(.pipeWire)
      let folder = try Folder()
      let children = ChainRunner(
        clock: ContinuousClock(), folder: StateFolder(path: folder.path),
        variables: running.server.environment)
      let table = CorrectionTable.bundled()
      let lines = (0..<20).compactMap { table[$0 * table.count / 20] }
      try #require(lines.count == 20)
      let chains = lines.enumerated().map { number, line in
        CorrectionChain(
          target: "line\(number)", slot: 0, description: line.name,
          curve: line.curve.adjusted(strength: 100, bass: 0))
      }
      for chain in chains { try running.server.addSink(chain.target) }
      try await running.observer.waitForSound("the sinks") { sound in
        chains.allSatisfy { sound.sink(named: $0.target) != nil }
      }
      for chain in chains {
        children.start(chain, of: HeadphoneID(rawValue: chain.target)) { event in
          Issue.record("\(chain.description): \(event)")
        }
      }
      try await running.observer.waitForSound("the chains") { sound in
        chains.allSatisfy { sound.sink(named: $0.name) != nil }
      }
      let music = try chains.map { try play(on: running.server, from: folder, sink: $0.name) }
      let measured = try measure(running.server, folder, of: chains.map(\.target))
      for chain in chains {
        expect(try #require(measured[chain.target]), toBe: chain.curve, chain.description)
      }
      for player in music { player.end() }
      await children.stop()
    }

    @Test func `another line of the table, and another noise mode, is heard`() async throws {
      let (running, computer, folder) = try await start()
      let music = try play(on: running.server, from: folder)
      computer.change(.place(.computer))
      computer.change(.line("Sennheiser HD 650"))
      computer.change(.on(true))
      try await expectHeard("Sennheiser HD 650", computer, running.server, folder)
      computer.change(.line(nil))
      computer.hear(.noiseCancelling)
      let with = try await expectHeard("Sony WH-1000XM4 (ANC on)", computer, running.server, folder)
      computer.hear(.off)
      let without = try await expectHeard(
        "Sony WH-1000XM4 (ANC Off)", computer, running.server, folder)
      #expect(zip(with, without).contains { abs($0 - $1) > 1 })
      music.end()
      await computer.stop()
    }

    @Test func `the server is killed while music plays, and returns: so does the correction`()
      async throws
    {
      let (running, computer, folder) = try await start()
      let music = try play(on: running.server, from: folder)
      computer.change(.on(true))
      try await computer.wait(for: .inUse)
      running.server.end()
      try await computer.wait("the end") {
        if case .unavailable = $0.audio { true } else { false }
      }
      music.end()
      try running.server.start()
      try await computer.wait("a default") { state in
        if case .running(let sound) = state.audio { sound.defaultSink != nil } else { false }
      }
      try running.server.addSink(
        "headphone", properties: BluetoothSinks.pipeWire(profile: "a2dp-sink", codec: "sbc"))
      try await computer.wait("the headphone's sink") { state in
        if case .running(let sound) = state.audio {
          sound.sink(named: "headphone") != nil
        } else {
          false
        }
      }
      try await computer.source.perform(.route(sink: "headphone"))
      try await computer.wait(for: .inUse)
      // The child of the server before would live on without a sink.
      let children = try running.server.finish([
        "sh", "-c", "pgrep -fc '[p]ipewire -c \(folder.path)/correction'",
      ])
      #expect(children.filter { $0.isNumber } == "1")
      let more = try play(on: running.server, from: folder)
      try measure(running.server, folder, isThatOf: computer)
      more.end()
      await computer.stop()
    }

    /// Waits until a line is in force alone, and measures it.
    @discardableResult
    private func expectHeard(
      _ line: String, _ computer: CorrectedComputer, _ server: SoundServer, _ folder: Folder
    ) async throws -> [Double] {
      try await computer.wait(line) { state in
        guard let headphone = state.headphones[CorrectedComputer.headphone] else { return false }
        let correction = headphone.correction
        return state.correction(of: headphone)?.name == line && correction.next == nil
          && correction.chain?.chain.curve == correction.prepared?.curve
          && state.correctionStatus(of: headphone) == .inUse
      }
      return try measure(server, folder, isThatOf: computer, line)
    }

    /// What is heard on the headphone is the curve that is in force.
    @discardableResult
    private func measure(
      _ server: SoundServer, _ folder: Folder, isThatOf computer: CorrectedComputer,
      _ name: String = ""
    ) throws -> [Double] {
      let gains = try measure(server, folder)
      let curve = try #require(
        computer.store.state.headphones[CorrectedComputer.headphone]?.correction.prepared?.curve)
      expect(gains, toBe: curve, name)
      return gains
    }

    /// Within 0.5 dB of the biquads of the Audio EQ Cookbook.
    private func expect(_ gains: [Double], toBe curve: ParametricEQ, _ name: String) {
      let wanted = curve.response(at: tones.frequencies)
      for (frequency, (gain, wanted)) in zip(tones.frequencies, zip(gains, wanted)) {
        #expect(
          abs(gain - wanted) < 0.5, "\(name) at \(Int(frequency)) Hz: \(gain), not \(wanted)")
      }
    }

    /// The gains of the tones on the headphone.
    @discardableResult
    private func measure(_ server: SoundServer, _ folder: Folder) throws -> [Double] {
      try #require(measure(server, folder, of: ["headphone"])["headphone"])
    }

    /// The gains of the tones on each of some sinks.
    private func measure(
      _ server: SoundServer, _ folder: Folder, of sinks: [String]
    ) throws -> [String: [Double]] {
      var measured: [String: [Double]] = [:]
      for _ in 0..<8 {
        let missing = sinks.filter { measured[$0] == nil }
        guard !missing.isEmpty else { return measured }
        let recorders = missing.map { sink in
          "timeout 3 parec --raw --format=float32le --rate=48000 --channels=2 --latency-msec=20 "
            + "--device=\(sink).monitor >\(folder.path)/\(sink) &"
        }
        _ = try server.finish(["sh", "-c", recorders.joined(separator: "\n") + "\nwait"])
        for sink in missing {
          measured[sink] = tones.gains(of: try Tones.left(of: "\(folder.path)/\(sink)"))
        }
      }
      let missing = sinks.filter { measured[$0] == nil }
      guard missing.isEmpty else {
        throw RigFailure("no two periods of a recording agree: \(missing)")
      }
      return measured
    }

    @Test(arguments: ["KILL", "STOP"])
    func `a child that is killed or paused: the music goes on, and the correction returns`(
      signal: String
    ) async throws {
      let (running, computer, folder) = try await start()
      let music = try play(on: running.server, from: folder)
      computer.change(.on(true))
      try await computer.wait(for: .inUse)
      try measure(running.server, folder)
      let slot = computer.store.state.headphones[CorrectedComputer.headphone]?.correction.slot
      _ = try running.server.finish([
        "sh", "-c", "pkill -\(signal) -f '[p]ipewire -c \(folder.path)/correction'",
      ])
      try await computer.wait("another child") { state in
        let correction = state.headphones[CorrectedComputer.headphone]?.correction
        return correction?.slot != slot && correction?.chain?.isUp == true
      }
      try await computer.wait(for: .inUse)
      try measure(running.server, folder, isThatOf: computer)
      music.end()
      await computer.stop()
    }

    @Test func `another strength takes over without a gap`() async throws {
      let (running, computer, folder) = try await start()
      let music = try play(on: running.server, from: folder)
      computer.change(.on(true))
      try await computer.wait(for: .inUse)
      try measure(running.server, folder)
      let recording = try running.server.run([
        "sh", "-c",
        "exec parec --raw --format=float32le --rate=48000 --channels=2 --latency-msec=20 --device=headphone.monitor "
          + ">\(folder.path)/gaps",
      ])
      for strength in [50, 80] {
        computer.change(.strength(strength))
        try await computer.wait("strength \(strength)") { state in
          let correction = state.headphones[CorrectedComputer.headphone]?.correction
          return correction?.next == nil && correction?.prepared != nil
            && correction?.chain?.chain.curve == correction?.prepared?.curve
            && state.correctionSinks.isInUse
        }
        try measure(running.server, folder)
      }
      recording.end("INT")
      music.end()
      let samples = try Tones.left(of: folder.path + "/gaps")
      #expect(samples.count > 2 * 48_000)
      #expect(samples.drop { $0 == 0 }.longestSilence < 2 * 1024)
      await computer.stop()
    }

    @Test func `the headphone goes: nothing plays corrected on the speakers; it comes back`()
      async throws
    {
      let (running, computer, _) = try await start()
      computer.change(.on(true))
      try await computer.wait(for: .inUse)
      let modules = try running.server.pactl("list", "short", "modules")
      let line = try #require(modules.split(separator: "\n").first { $0.contains("=headphone") })
      try running.server.pactl("unload-module", String(line.prefix { $0 != "\t" }))
      try await computer.wait("the end") { state in
        state.headphones[CorrectedComputer.headphone]?.correction.chain == nil
          && state.correctionSinks.names.isEmpty && state.output?.name == "speakers"
      }
      try running.server.addSink(
        "headphone", properties: BluetoothSinks.pipeWire(profile: "a2dp-sink", codec: "sbc"))
      try await computer.wait("a chain") {
        $0.headphones[CorrectedComputer.headphone]?.correction.chain?.isUp == true
      }
      try await computer.wait(for: .inUse)
      computer.change(.on(false))
      try await computer.wait("the headphone alone") {
        $0.correctionSinks == CorrectionSinks(defaultSink: "headphone")
      }
      await computer.stop()
    }
  }
}

extension Sequence<Float> {
  /// The most samples of silence one after the other.
  fileprivate var longestSilence: Int {
    var (longest, present) = (0, 0)
    for sample in self {
      present = sample == 0 ? present + 1 : 0
      longest = Swift.max(longest, present)
    }
    return longest
  }
}
