import AudioRoute

/// A real server that runs, with two sinks, and a source that follows it.
struct RunningServer {
  let server: SoundServer
  let source: PulseSource
  let observer: Observer

  /// The sound goes to "speakers"; "headphone" carries the properties of the server's own module.
  init(_ kind: SoundServer.Kind) async throws {
    server = try SoundServer(kind)
    source = PulseSource(applicationName: "test", server: server.address, clock: MomentsClock())
    observer = Observer(source)
    try server.start()
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
    try server.pactl("set-default-sink", "speakers")
    try await observer.waitForSound("the speakers") { $0.defaultSink == "speakers" }
  }
}
