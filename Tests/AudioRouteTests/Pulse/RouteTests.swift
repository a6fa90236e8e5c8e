import AudioRoute
import TestSupport
import Testing

extension RealServers {
  /// What others change on a real server is told.
  @Suite(.serialized) struct RouteTests {
    @Test(arguments: SoundServer.Kind.allCases)
    func `the default sink is followed to the headphone`(kind: SoundServer.Kind) async throws {
      let running = try await RunningServer(kind)
      try running.server.pactl("set-default-sink", "headphone")
      let sound = try await running.observer.waitForSound("the headphone") {
        $0.defaultSink == "headphone"
      }
      let route = try #require(sound.route)
      #expect(
        route.bluetooth
          == BluetoothSink(address: BluetoothSinks.address, profile: .a2dp, codec: "sbc"))
      #expect(route.description == "MyHeadphone")
      #expect(sound.sink(named: "speakers")?.bluetooth == nil)
      #expect(sound.sink(named: "speakers")?.description == "Speakers")
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `volume and mute are followed`(kind: SoundServer.Kind) async throws {
      let running = try await RunningServer(kind)
      try running.server.pactl("set-sink-volume", "headphone", "37%")
      try await running.observer.waitForSound("37 %") {
        $0.sink(named: "headphone")?.volume == 37
      }
      try running.server.pactl("set-sink-mute", "headphone", "1")
      let sound = try await running.observer.waitForSound("the mute") {
        $0.sink(named: "headphone")?.isMuted == true
      }
      #expect(sound.sink(named: "speakers")?.isMuted == false)
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `a sink that goes leaves the sound to another`(kind: SoundServer.Kind) async throws {
      let running = try await RunningServer(kind)
      let module = try running.server.addSink("passing")
      try running.server.pactl("set-default-sink", "passing")
      try await running.observer.waitForSound("the passing sink") { $0.route?.name == "passing" }
      try running.server.pactl("unload-module", module)
      let sound = try await running.observer.waitForSound("its end") {
        $0.sink(named: "passing") == nil && $0.route != nil
      }
      #expect(["speakers", "headphone"].contains(sound.route?.name))
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `a sink runs while something plays`(kind: SoundServer.Kind) async throws {
      let running = try await RunningServer(kind)
      let player = try running.server.play()
      try await running.observer.waitForSound("play") { $0.route?.activity == .running }
      player.end()
      try await running.observer.waitForSound("silence") { $0.route?.activity != .running }
    }

    @Test(arguments: [
      (
        SoundServer.Kind.pulseAudio,
        BluetoothSinks.pulseAudio(protocol: "handsfree_head_unit", codec: "CVSD"),
        AudioProfile.handsFree, "CVSD"
      ),
      (
        .pulseAudio, BluetoothSinks.pulseAudio(protocol: "a2dp_sink", codec: "ldac"), .a2dp, "ldac"
      ),
      (
        .pipeWire, BluetoothSinks.pipeWire(profile: "headset-head-unit", codec: "msbc"), .handsFree,
        "msbc"
      ),
      (.pipeWire, BluetoothSinks.pipeWire(profile: "bap-sink", codec: "lc3"), .leAudio, "lc3"),
    ])
    func `profiles and codecs are read`(
      kind: SoundServer.Kind, properties: [(String, String)], profile: AudioProfile, codec: String
    ) async throws {
      let running = try await RunningServer(kind)
      try running.server.addSink("other", properties: properties)
      let sound = try await running.observer.waitForSound("the other sink") {
        $0.sink(named: "other") != nil
      }
      #expect(
        sound.sink(named: "other")?.bluetooth
          == BluetoothSink(address: BluetoothSinks.address, profile: profile, codec: codec))
    }

    @Test func `a server without a default sink names none`() async throws {
      let server = try SoundServer(.pipeWire)
      let source = PulseSource(
        applicationName: "test", server: server.address, clock: MomentsClock())
      let observer = Observer(source)
      // It is what chooses the default.
      try server.start(without: "wireplumber")
      let sound = try await observer.waitForSound("the server") { _ in true }
      #expect(sound.defaultSink == nil)
      #expect(sound.route == nil)
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `what changes nothing is not reported`(kind: SoundServer.Kind) async throws {
      let running = try await RunningServer(kind)
      try running.server.pactl("set-sink-volume", "headphone", "50%")
      try await running.observer.waitForSound("50 %") {
        $0.sink(named: "headphone")?.volume == 50
      }
      for _ in 1...10 { try running.server.pactl("set-sink-volume", "headphone", "50%") }
      try running.server.pactl("set-sink-volume", "headphone", "51%")
      try await running.observer.waitForSound("51 %") {
        $0.sink(named: "headphone")?.volume == 51
      }
      let history = await running.observer.history
      #expect(zip(history, history.dropFirst()).allSatisfy { $0 != $1 })
    }
  }
}
