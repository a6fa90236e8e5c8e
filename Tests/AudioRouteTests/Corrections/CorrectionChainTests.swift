import AudioRoute
import CompanionRuntime
import Glibc
import TestSupport
import Testing

@testable import Companion

extension RealServers {
  /// Corrections on this computer, by PipeWire's filter-chain.
  @MainActor
  @Suite struct Corrections {
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

    private func play(
      on server: SoundServer, from folder: Folder
    ) throws -> ChildProcess {
      try tones.write(to: folder.path + "/tones", periods: 200)
      return try server.run([
        "pacat", "--raw", "--format=float32le", "--rate=48000", "--channels=2",
        "\(folder.path)/tones",
      ])
    }

    @Test func `the response is that of the table`() async throws {
      let (running, computer, folder) = try await start()
      let music = try play(on: running.server, from: folder)
      computer.change(.on(true))
      try await computer.wait(for: .inUse)
      let rows = [
        "Sony WH-1000XM4", "Sennheiser HD 650", "Samsung Galaxy Buds2 Pro", "Sony WF-1000XM4",
        "Apple AirPods Pro 2 (ANC mode)", "Bose QuietComfort 45",
      ]
      for row in rows {
        computer.change(.line(row))
        try await computer.wait(row) { state in
          guard let headphone = state.headphones[CorrectedComputer.headphone] else { return false }
          let correction = headphone.correction
          return state.correction(of: headphone)?.name == row && correction.next == nil
            && correction.chain?.chain.curve == correction.prepared?.curve
            && state.correctionStatus(of: headphone) == .inUse
        }
        let measured = try await measure(running.server, folder)
        let curve = try #require(
          computer.store.state.headphones[CorrectedComputer.headphone]?.correction.prepared?.curve)
        for (frequency, (gain, wanted)) in zip(
          tones.frequencies, zip(measured, curve.response(at: tones.frequencies)))
        {
          #expect(
            abs(gain - wanted) < 0.5, "\(row) at \(Int(frequency)) Hz: \(gain), not \(wanted)")
        }
      }
      music.end()
      await computer.stop()
    }

    /// The gains of the tones on the headphone.
    ///
    /// A machine that is busy loses samples; what two periods in a row agree on was lost by neither.
    private func measure(_ server: SoundServer, _ folder: Folder) async throws -> [Double] {
      for _ in 0..<8 {
        _ = try server.finish([
          "timeout", "3", "sh", "-c",
          "parec --raw --format=float32le --rate=48000 --channels=2 --latency-msec=20 "
            + "--device=headphone.monitor >\(folder.path)/recording",
        ])
        let samples = try Tones.left(of: folder.path + "/recording")
        var before: [Double]?
        for period in (0..<samples.count / Tones.period).reversed() {
          let start = period * Tones.period
          let gains = tones.gains(in: samples[start..<start + Tones.period])
          if let before, zip(before, gains).allSatisfy({ abs($0 - $1) < 0.05 }) { return gains }
          before = gains
        }
      }
      throw RigFailure("no two periods of the recording agree")
    }

    @Test func `kill -9 of the child: the music goes on, and the correction returns`() async throws
    {
      let (running, computer, folder) = try await start()
      let music = try play(on: running.server, from: folder)
      computer.change(.on(true))
      try await computer.wait(for: .inUse)
      _ = try await measure(running.server, folder)
      let slot = computer.store.state.headphones[CorrectedComputer.headphone]?.correction.slot
      _ = try running.server.finish([
        "sh", "-c", "pkill -KILL -f '[p]ipewire -c \(folder.path)/correction'",
      ])
      try await computer.wait("another child") { state in
        let correction = state.headphones[CorrectedComputer.headphone]?.correction
        return correction?.slot != slot && correction?.chain?.isUp == true
      }
      try await computer.wait(for: .inUse)
      let measured = try await measure(running.server, folder)
      music.end()
      let curve = try #require(
        computer.store.state.headphones[CorrectedComputer.headphone]?.correction.prepared?.curve)
      for (gain, wanted) in zip(measured, curve.response(at: tones.frequencies)) {
        #expect(abs(gain - wanted) < 0.5)
      }
      await computer.stop()
    }

    @Test func `another strength takes over without a gap`() async throws {
      let (running, computer, folder) = try await start()
      let music = try play(on: running.server, from: folder)
      computer.change(.on(true))
      try await computer.wait(for: .inUse)
      _ = try await measure(running.server, folder)
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
        _ = try await measure(running.server, folder)
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
