import Testing

@testable import AudioRoute

extension RealServers {
  /// A server that is not there, comes late, ends and comes back.
  ///
  /// No second passes on the clock: every return is told by the socket's directory, not by a timer.
  @Suite(.serialized) struct ServerLifeTests {
    @Test(arguments: SoundServer.Kind.allCases)
    func `a server that starts later is found`(kind: SoundServer.Kind) async throws {
      let server = try SoundServer(kind)
      let source = PulseSource(
        applicationName: "test", server: server.address, clock: MomentsClock())
      let observer = Observer(source)
      try await observer.wait(for: "no server") { $0 == .unavailable(.noServer) }
      try server.start()
      let sound = try await observer.waitForSound("the server") { _ in true }
      #expect(
        sound.serverName == "pulseaudio" || sound.serverName.hasPrefix("PulseAudio (on PipeWire"))
      #expect(!sound.serverVersion.isEmpty)
    }

    @Test(arguments: SoundServer.Kind.allCases, ["KILL", "TERM"])
    func `a server that ends is found again`(kind: SoundServer.Kind, signal: String) async throws {
      let server = try SoundServer(kind)
      let source = PulseSource(
        applicationName: "test", server: server.address, clock: MomentsClock())
      let observer = Observer(source)
      try server.start()
      try await observer.waitForSound("the server") { _ in true }
      server.end(signal)
      try await observer.wait(for: "its end") { $0 == .unavailable(.serverEnded) }
      try server.start()
      try await observer.waitForSound("its return") { _ in true }
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `a server that hangs is reported, and followed again when it goes on`(
      kind: SoundServer.Kind
    ) async throws {
      let server = try SoundServer(kind)
      let source = PulseSource(applicationName: "test", server: server.address, clock: FastClock())
      let observer = Observer(source)
      try server.start()
      try await observer.waitForSound("the server") { _ in true }
      try server.addSink("speakers")
      try await observer.waitForSound("the sink") { $0.sink(named: "speakers") != nil }
      try server.signal("STOP")
      let unresponsive = AudioError.unavailable(.unresponsive)
      let mute = AudioCommand.setMute(sink: "speakers", isMuted: true)
      await #expect(throws: unresponsive) { try await source.perform(mute) }
      try await observer.wait(for: "the hang") { $0 == .unavailable(.unresponsive) }
      // Nothing waits for a server that is known to hang.
      await #expect(throws: unresponsive) { try await source.perform(mute) }
      try server.signal("CONT")
      try await observer.waitForSound("its return") { $0.sink(named: "speakers") != nil }
      // PipeWire 1.4 keeps the volume of a null sink to itself: a response, and another sink, must do.
      try await source.perform(.setVolume(sink: "speakers", percent: 30))
      try server.addSink("headphone")
      try await observer.waitForSound("another sink") { $0.sink(named: "headphone") != nil }
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `a server that hangs from the start is reported, and found when it goes on`(
      kind: SoundServer.Kind
    ) async throws {
      let server = try SoundServer(kind)
      let early = PulseSource(applicationName: "early", server: server.address)
      let first = Observer(early)
      try server.start()
      try await first.waitForSound("the server") { _ in true }
      withExtendedLifetime(early) {}
      try server.addSink("speakers")
      try server.signal("STOP")
      let source = PulseSource(applicationName: "test", server: server.address, clock: FastClock())
      let observer = Observer(source)
      try await observer.wait(for: "the hang") { $0 == .unavailable(.unresponsive) }
      try server.signal("CONT")
      try await observer.waitForSound("its return") { $0.sink(named: "speakers") != nil }
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `a source that is let go leaves the server`(kind: SoundServer.Kind) async throws {
      let server = try SoundServer(kind)
      var source: PulseSource? = PulseSource(
        applicationName: "leaving", server: server.address, clock: MomentsClock())
      let observations = try #require(source?.observations)
      try server.start()
      for await case .running in observations { break }
      #expect(try server.pactl("list", "clients").contains("leaving"))
      source = nil
      for await _ in observations {}
      #expect(try !server.pactl("list", "clients").contains("leaving"))
    }

    @Test func `a server that turns connections down is tried again later and later`() async throws
    {
      // Nobody listens there, and a port cannot be watched as a socket's directory can.
      let clock = HurriedClock(enough: 8, except: PulseClient.timeout)
      let source = PulseSource(
        applicationName: "test", server: "tcp:127.0.0.1:1", clock: clock)
      let observer = Observer(source)
      var delays: [Duration] = []
      for await slept in clock.finished {
        delays = slept
        break
      }
      #expect(delays == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
      try await observer.wait(for: "no server") { $0 == .unavailable(.noServer) }
      #expect(await observer.history.count == 1)
    }

    @Test func `time passes on the loop's clock`() async throws {
      let clock = PulseClock(on: try #require(PulseLoop.shared))
      let start = clock.now
      try await clock.sleep(for: .milliseconds(5))
      #expect(start.duration(to: clock.now) >= .milliseconds(5))
      let endless = Task { try await clock.sleep(for: .seconds(1_000_000_000)) }
      endless.cancel()
      await #expect(throws: CancellationError.self) { try await endless.value }
    }
  }
}
