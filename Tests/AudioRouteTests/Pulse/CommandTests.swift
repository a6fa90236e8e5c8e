import AudioRoute
import TestSupport
import Testing

extension RealServers {
  /// What a person wants is done by a real server, and told as any other change.
  @Suite(.serialized) struct CommandTests {
    @Test(arguments: SoundServer.Kind.allCases)
    func `routing moves what plays`(kind: SoundServer.Kind) async throws {
      let running = try await RunningServer(kind)
      let player = try running.server.play()
      try await running.observer.waitForSound("play") {
        $0.sink(named: "speakers")?.activity == .running
      }
      try await running.source.perform(.route(sink: "headphone"))
      try await running.observer.waitForSound("the headphone plays") {
        $0.route?.name == "headphone" && $0.route?.activity == .running
          && $0.sink(named: "speakers")?.activity != .running
      }
      // It follows the default again, and is not pinned to the headphone.
      try running.server.pactl("set-default-sink", "speakers")
      try await running.observer.waitForSound("the speakers play") {
        $0.route?.name == "speakers" && $0.route?.activity == .running
      }
      player.end()
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `a stream that chose its sink is moved too`(kind: SoundServer.Kind) async throws {
      let running = try await RunningServer(kind)
      let player = try running.server.play(on: "headphone")
      try await running.observer.waitForSound("the headphone plays") {
        $0.sink(named: "headphone")?.activity == .running
      }
      try await running.source.perform(.route(sink: "speakers"))
      try await running.observer.waitForSound("the speakers play") {
        $0.route?.name == "speakers" && $0.route?.activity == .running
          && $0.sink(named: "headphone")?.activity != .running
      }
      player.end()
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `what records is moved to the microphone, but not what records an output`(
      kind: SoundServer.Kind
    ) async throws {
      let running = try await RunningServer(kind)
      for name in ["desk", "headset"] { try running.server.addSource(name) }
      let caller = try running.server.record("headset", as: "caller")
      let recorder = try running.server.record("speakers.monitor", as: "recorder")
      try await running.observer.waitForSound("the caller records") {
        $0.source(named: "headset")?.programs == ["caller"]
          && $0.sources.allSatisfy { !$0.name.hasSuffix(".monitor") }
      }
      try await running.source.perform(.record(source: "desk"))
      try await running.observer.waitForSound("the desk's microphone") {
        $0.microphone?.name == "desk" && $0.source(named: "desk")?.programs == ["caller"]
          && $0.source(named: "headset")?.programs == []
      }
      caller.end()
      try await running.observer.waitForSound("nothing records") {
        $0.source(named: "desk")?.programs == []
      }
      recorder.end()
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `what plays is named by itself and by its file, while it does`(
      kind: SoundServer.Kind
    ) async throws {
      let running = try await RunningServer(kind)
      let player = try running.server.play(on: "headphone", as: "Film")
      try await running.observer.waitForSound("the film plays") {
        $0.playing.contains { $0.isCalled("film") && $0.isCalled("pacat") }
      }
      player.end()
      try await running.observer.waitForSound("nothing plays") { $0.playing.isEmpty }
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `the balance is kept`(kind: SoundServer.Kind) async throws {
      let running = try await RunningServer(kind)
      try running.server.pactl("set-sink-volume", "headphone", "40%", "80%")
      try await running.observer.waitForSound("80 %") {
        $0.sink(named: "headphone")?.volume == 80
      }
      try await running.source.perform(.setVolume(sink: "headphone", percent: 50))
      try await running.observer.waitForSound("50 %") {
        $0.sink(named: "headphone")?.volume == 50
      }
      let volumes = try running.server.pactl("get-sink-volume", "headphone")
      #expect(volumes.contains("25%") && volumes.contains("50%"))
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `every percentage is read as it was set`(kind: SoundServer.Kind) async throws {
      let running = try await RunningServer(kind)
      for percent in [0, 1, 33, 67, 99, 100] {
        try await running.source.perform(.setVolume(sink: "headphone", percent: percent))
        try await running.observer.waitForSound("\(percent) %") {
          $0.sink(named: "headphone")?.volume == percent
        }
      }
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `a volume that another program sets again at once is seen again`(
      kind: SoundServer.Kind
    ) async throws {
      let running = try await RunningServer(kind)
      for _ in 1...20 {
        try running.server.pactl("set-sink-volume", "headphone", "100%")
        try await running.observer.waitForSound("100 %") {
          $0.sink(named: "headphone")?.volume == 100
        }
        let seen = await running.observer.history.count
        try await running.source.perform(.setVolume(sink: "headphone", percent: 60))
        try running.server.pactl("set-sink-volume", "headphone", "100%")
        try await running.observer.wait(for: "100 % once more", after: seen) {
          guard case .running(let sound) = $0 else { return false }
          return sound.sink(named: "headphone")?.volume == 100
        }
      }
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `mute is set and taken back`(kind: SoundServer.Kind) async throws {
      let running = try await RunningServer(kind)
      for isMuted in [true, false] {
        try await running.source.perform(.setMute(sink: "headphone", isMuted: isMuted))
        try await running.observer.waitForSound("mute \(isMuted)") {
          $0.sink(named: "headphone")?.isMuted == isMuted
        }
      }
    }

    /// PulseAudio holds what plays.
    ///
    /// PipeWire answers yes and plays on, so it is not asked.
    @Test func `what plays is held and goes on`() async throws {
      let running = try await RunningServer(.pulseAudio)
      let player = try running.server.play()
      let sound = try await running.observer.waitForSound("play") {
        $0.sink(named: "speakers")?.activity == .running
      }
      #expect(sound.canSuspend)
      for isSuspended in [true, false] {
        try await running.source.perform(
          .setSuspended(sink: "speakers", isSuspended: isSuspended))
        try await running.observer.waitForSound("held: \(isSuspended)") {
          $0.sink(named: "speakers")?.activity == (isSuspended ? .suspended : .running)
        }
      }
      player.end()
    }

    @Test func `PipeWire is known not to hold what plays`() async throws {
      let running = try await RunningServer(.pipeWire)
      let sound = try await running.observer.waitForSound("the server") { _ in true }
      #expect(!sound.canSuspend)
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `what is not there is not found`(kind: SoundServer.Kind) async throws {
      let running = try await RunningServer(kind)
      let commands: [AudioCommand] = [
        .route(sink: "gone"), .setVolume(sink: "gone", percent: 5),
        .setMute(sink: "gone", isMuted: true), .setSuspended(sink: "gone", isSuspended: true),
        .setProfile(card: "gone", profile: "off"), .record(source: "gone"),
        .setOffset(card: "gone", port: "headphone-output", milliseconds: 120),
      ]
      for command in commands {
        await #expect(throws: AudioError.notFound("gone")) {
          try await running.source.perform(command)
        }
      }
    }

    /// An answer that ends before it is waited for is an answer all the same.
    @Test(arguments: SoundServer.Kind.allCases)
    func `a command ends also while the server is asked for everything`(kind: SoundServer.Kind)
      async throws
    {
      let running = try await RunningServer(kind)
      for attempt in 1...50 {
        let source = PulseSource(
          applicationName: "test", server: running.server.address, clock: MomentsClock())
        for await case .running in source.observations { break }
        try await source.perform(.route(sink: attempt.isMultiple(of: 2) ? "speakers" : "headphone"))
      }
      try await running.observer.waitForSound("the last route") { $0.defaultSink == "speakers" }
    }

    @Test func `without a server every command says why`() async throws {
      let server = try SoundServer(.pulseAudio)
      let source = PulseSource(
        applicationName: "test", server: server.address, clock: MomentsClock())
      let observer = Observer(source)
      try await observer.wait(for: "no server") { $0 == .unavailable(.noServer) }
      await #expect(throws: AudioError.unavailable(.noServer)) {
        try await source.perform(.setMute(sink: "headphone", isMuted: true))
      }
    }
  }
}
