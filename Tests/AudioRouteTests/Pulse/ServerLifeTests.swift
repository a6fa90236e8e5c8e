import AudioRoute
import Testing

extension RealServers {
  /// A server that is not there, comes late, ends and comes back.
  ///
  /// The clock stands still: every return is told by the socket's directory, not by a timer.
  @Suite struct ServerLifeTests {
    @Test(arguments: SoundServer.Kind.allCases)
    func aServerThatStartsLaterIsFound(kind: SoundServer.Kind) async throws {
      let server = try SoundServer(kind)
      let source = PulseSource(
        applicationName: "test", server: server.address, clock: StoppedClock())
      let observer = Observer(source)
      try await observer.wait(for: "no server") { $0 == .unavailable(.noServer) }
      try server.start()
      let sound = try await observer.waitForSound("the server") { _ in true }
      #expect(
        sound.serverName == "pulseaudio" || sound.serverName.hasPrefix("PulseAudio (on PipeWire"))
      #expect(!sound.serverVersion.isEmpty)
    }

    @Test(arguments: SoundServer.Kind.allCases, ["KILL", "TERM"])
    func aServerThatEndsIsFoundAgain(kind: SoundServer.Kind, signal: String) async throws {
      let server = try SoundServer(kind)
      let source = PulseSource(
        applicationName: "test", server: server.address, clock: StoppedClock())
      let observer = Observer(source)
      try server.start()
      try await observer.waitForSound("the server") { _ in true }
      server.end(signal)
      try await observer.wait(for: "its end") { $0 == .unavailable(.serverEnded) }
      try server.start()
      try await observer.waitForSound("its return") { _ in true }
    }
  }
}
