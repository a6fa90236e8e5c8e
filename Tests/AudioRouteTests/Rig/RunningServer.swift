import AudioRoute
import TestSupport

/// A real server that runs, with two sinks, and a source that follows it.
struct RunningServer {
  let server: SoundServer
  let source: PulseSource
  let observer: Observer

  /// The sound goes to "speakers"; "headphone" carries the properties of the server's own module.
  init(_ kind: SoundServer.Kind) async throws {
    server = try SoundServer(kind)
    // In real time: PipeWire's server may keep a new default to itself until it is asked again.
    source = PulseSource(applicationName: "test", server: server.address)
    observer = Observer(source)
    do {
      try server.start()
      try await prepare(kind)
    } catch {
      throw RigFailure("\(error)\n\(server.account)")
    }
  }

  private func prepare(_ kind: SoundServer.Kind) async throws {
    // With a default, WirePlumber is there as well.
    try await observer.waitForSound("a default sink") { kind == .pulseAudio || $0.route != nil }
    try server.addSink("speakers", properties: [("device.description", "Speakers")])
    try server.addSink(
      "headphone",
      properties: kind == .pulseAudio
        ? BluetoothSinks.pulseAudio(protocol: "a2dp_sink", codec: "sbc")
        : BluetoothSinks.pipeWire(profile: "a2dp-sink", codec: "sbc"))
    try await observer.waitForSound("both sinks") { sound in
      ["speakers", "headphone"].allSatisfy { sound.sink(named: $0) != nil }
    }
    // PipeWire 1.4 keeps volume and mute of a null sink to itself until it has played once.
    if kind == .pipeWire {
      let player = try server.play(on: "headphone")
      try await observer.waitForSound("sound on the headphone") {
        $0.sink(named: "headphone")?.activity == .running
      }
      player.end()
      try await observer.waitForSound("its end") {
        $0.sink(named: "headphone")?.activity != .running
      }
    }
    try server.pactl("set-default-sink", "speakers")
    try await observer.waitForSound("the speakers") { $0.defaultSink == "speakers" }
  }
}
