import AudioRoute
import Testing

@Suite struct ScriptedAudioSourceTests {
  private static let address = "F0:F1:F2:F3:F4:F5"
  private static let headphoneSink = "virtual_output.F0_F1_F2_F3_F4_F5"
  private static let card = "virtual_card.F0_F1_F2_F3_F4_F5"

  private let source = ScriptedAudioSource(headphones: [("MyHeadphone", address)])

  private func sound() async throws -> AudioSnapshot {
    for await observation in source.observations {
      guard case .running(let sound) = observation else { break }
      return sound
    }
    throw AudioError.unavailable(.noServer)
  }

  @Test func `it says that it is virtual and routes to the headphone`() async throws {
    let sound = try await sound()
    #expect(sound.serverName == "virtual")
    let route = try #require(sound.route)
    #expect(route.name == Self.headphoneSink)
    #expect(
      route.bluetooth == BluetoothSink(address: Self.address, profile: .a2dp, codec: "sbc"))
    #expect(sound.card(named: Self.card)?.activeKind == .a2dp)
  }

  @Test func `a route is taken where it is reported to`() async throws {
    try await source.perform(.route(sink: "virtual_speakers"))
    let sound = try await sound()
    #expect(sound.defaultSink == "virtual_speakers")
    #expect(sound.route?.activity == .running)
    #expect(sound.sink(named: Self.headphoneSink)?.activity == .suspended)
  }

  @Test func `volume and mute outlive a call`() async throws {
    try await source.perform(.setVolume(sink: Self.headphoneSink, percent: 130))
    try await source.perform(.setMute(sink: Self.headphoneSink, isMuted: true))
    try await source.perform(.setProfile(card: Self.card, profile: "headset-head-unit"))
    let route = try #require(try await sound().route)
    #expect(route.bluetooth?.profile == .handsFree)
    #expect(route.volume == 100)
    #expect(route.isMuted)
  }

  @Test func `a headphone that goes leaves the sound to the speakers`() async throws {
    source.change { $0.disconnect(address: Self.address) }
    let sound = try await sound()
    #expect(sound.defaultSink == "virtual_speakers")
    #expect(sound.sinks.count == 1)
    #expect(sound.cards.isEmpty)
  }

  @Test func `the profile off keeps the card without a sink`() async throws {
    try await source.perform(.setProfile(card: Self.card, profile: "off"))
    let sound = try await sound()
    #expect(sound.sink(named: Self.headphoneSink) == nil)
    #expect(sound.card(named: Self.card)?.activeKind == nil)
    #expect(sound.defaultSink == "virtual_speakers")
  }

  @Test func `a call has the headphone's microphone, and another one can be taken`() async throws {
    try await source.perform(.setProfile(card: Self.card, profile: "headset-head-unit"))
    let call = try await sound()
    #expect(call.microphone?.isBluetooth == true)
    let other = try #require(call.source(named: "virtual_microphone"))
    for command in call.commands(toRecordFrom: other) { try await source.perform(command) }
    let music = try await sound()
    #expect(music.microphone == other)
    #expect(music.card(named: Self.card)?.activeKind == .a2dp)
    #expect(music.sources == [other])
  }

  @Test func `a program calls by the headphone, and another one plays`() async throws {
    source.change { $0.call("Zoom", address: Self.address) }
    let call = try await sound()
    #expect(call.card(named: Self.card)?.activeKind == .handsFree)
    #expect(call.microphone?.programs == ["Zoom"])
    source.change { $0.call(nil, address: Self.address) }
    source.change { $0.play("mpv") }
    let music = try await sound()
    #expect(music.card(named: Self.card)?.activeKind == .a2dp)
    #expect(music.sources.allSatisfy { $0.programs.isEmpty })
    #expect(music.playing == [AudioProgram(name: "mpv")])
    source.change { $0.play(nil) }
    #expect(try await sound().playing == [])
  }

  @Test(arguments: [
    (AudioCommand.route(sink: "gone"), AudioError.notFound("gone")),
    (.setVolume(sink: "gone", percent: 5), .notFound("gone")),
    (.setMute(sink: "gone", isMuted: true), .notFound("gone")),
    (.setProfile(card: "gone", profile: "off"), .notFound("gone")),
    (.record(source: "gone"), .notFound("gone")),
    (.setProfile(card: card, profile: "aac"), .notFound("aac")),
  ])
  func `what is not there is not found`(command: AudioCommand, error: AudioError) async {
    await #expect(throws: error) { try await source.perform(command) }
  }

  @Test func `a server that ended refuses and comes back as it was`() async throws {
    let before = try await sound()
    source.end(.serverEnded)
    await #expect(throws: AudioError.unavailable(.serverEnded)) {
      try await source.perform(.route(sink: "virtual_speakers"))
    }
    source.start()
    #expect(try await sound() == before)
  }

  @Test func `what changes nothing is not reported`() async throws {
    let observer = Observer(source)
    try await source.perform(.route(sink: Self.headphoneSink))
    try await source.perform(.setVolume(sink: Self.headphoneSink, percent: 50))
    try await source.perform(.setMute(sink: Self.headphoneSink, isMuted: true))
    try await observer.waitForSound("the mute") { $0.route?.isMuted == true }
    #expect(await observer.history.count <= 2)
  }
}
