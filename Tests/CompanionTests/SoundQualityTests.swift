import AudioRoute
import BluetoothCodec
import HeadphoneProtocols
import Testing

@testable import Companion

/// Each reason why a headphone sounds no better, and what the report advises.
@Suite struct SoundQualityTests {
  private static let address = "F0:F1:F2:F3:F4:F5"
  private static let sbc = MediaCapabilities(codec: 0, bytes: [0xFF, 0xFF, 2, 53])
  private static let aac = MediaCapabilities(codec: 2, bytes: [0x80, 0x01, 0x8C, 0x84, 0xE2, 0])
  private static let ldac = MediaCapabilities(
    codec: 0xFF, bytes: [0x2D, 1, 0, 0, 0xAA, 0, 0x3C, 7])
  private static let stream = MediaCapabilities(codec: 0, bytes: [0x21, 0x15, 2, 53])

  /// A headphone that plays music in SBC by PipeWire, and offers SBC alone.
  private func facts(
    offers: [MediaCapabilities] = [sbc], plugins: Set<String>? = ["sbc", "ldac", "aptx"],
    profiles: [String] = ["a2dp-sink-sbc"], server: String = "PulseAudio (on PipeWire 0.3.65)",
    _ change: (inout SoundQualityFacts) -> Void = { _ in }
  ) -> SoundQualityFacts {
    var facts = SoundQualityFacts(
      audio: .running(
        AudioSnapshot(serverName: server, serverVersion: "15.0", defaultSink: nil, sinks: [])),
      name: "WH-1000XM4",
      card: AudioCard(
        name: "card", description: "", address: Self.address, activeProfile: profiles[0],
        profiles: profiles.map { CardProfile(name: $0, description: "") }),
      use: SoundUse(profile: .a2dp, codec: "sbc"), condition: .music,
      survey: SoundSurvey(
        pipeWire: plugins,
        headphones: [
          .init(
            name: "WH-1000XM4", address: Self.address, offered: offers, stream: Self.stream)
        ]), address: Self.address)
    change(&facts)
    return facts
  }

  private func better(_ facts: SoundQualityFacts) -> [SoundFinding] {
    facts.findings.filter { $0.part == .better }
  }

  private func advices(_ facts: SoundQualityFacts) -> [String?] {
    better(facts).map(\.advice?.text)
  }

  private func what(_ part: SoundFinding.Part, _ facts: SoundQualityFacts) -> String? {
    facts.findings.first { $0.part == part }?.what
  }

  @Test func `both sides and the sound in use are told, most preferred first`() {
    let facts = facts(
      offers: [Self.sbc, Self.aac, Self.sbc, Self.ldac], plugins: ["sbc", "sbc_xq", "ldac", "aac"])
    #expect(what(.computer, facts) == "PipeWire 0.3.65: LDAC, AAC, SBC, SBC-XQ")
    #expect(
      what(.headphone, facts) == "LDAC (up to 96 kHz), AAC, SBC (bitpool up to 53)")
    #expect(
      what(.inUse, facts) == "music (A2DP), SBC, 44.1 kHz, bitpool up to 53, up to 328 kbit/s")
    #expect(facts.findings.prefix(3).allSatisfy { $0.state == .ok && $0.advice == nil })
  }

  @Test func `SBC is the best where nobody has more`() {
    #expect(better(facts()).map(\.what) == ["SBC is the best that both sides have"])
    let withXQ = facts(profiles: ["a2dp-sink-sbc", "a2dp-sink-sbc_xq"])
    #expect(
      advices(withXQ) == ["earshot audio profile a2dp-sink-sbc_xq --device WH-1000XM4"])
    #expect(better(withXQ).map(\.state) == [.ok])
  }

  @Test func `a codec of both sides that is not in use is chosen by its profile`() {
    let chosen = facts(
      offers: [Self.ldac, Self.sbc], profiles: ["a2dp-sink-sbc", "a2dp-sink-ldac"])
    #expect(advices(chosen) == ["earshot audio profile a2dp-sink-ldac --device WH-1000XM4"])
    let absent = facts(offers: [Self.ldac, Self.sbc])
    #expect(
      advices(absent) == [
        "earshot audio disconnect WH-1000XM4 && earshot audio connect WH-1000XM4"
      ])
  }

  @Test func `on PulseAudio the codec is chosen by its own name`() {
    let facts = facts(offers: [Self.ldac], server: "pulseaudio") {
      $0.survey.pulseAudio = ["ldac"]
      $0.card?.codecs = ["sbc", "ldac_hq"].map { CardCodec(name: $0, description: $0) }
      $0.card?.activeCodec = "sbc"
    }
    #expect(what(.computer, facts) == "pulseaudio 15.0: LDAC, SBC")
    #expect(advices(facts) == ["earshot audio profile ldac_hq --device WH-1000XM4"])
  }

  @Test(
    arguments: [
      (aac, "AAC", "libspa-codec-bluez5-aac.so"), (ldac, "LDAC", "libspa-0.2-bluetooth"),
    ])
  func `a codec that this computer lacks is named, with the package`(
    _ codec: MediaCapabilities, _ name: String, _ package: String
  ) {
    let found = better(facts(offers: [codec, Self.sbc], plugins: ["sbc"]))
    #expect(found.map(\.what) == ["the headphone offers \(name), which PipeWire 0.3.65 here lacks"])
    #expect(found.first?.state == .warning)
    #expect(found.first?.advice?.text.contains(package) == true)
  }

  @Test func `a headphone that is set to a stable connection is switched`() {
    let stable = facts {
      $0.settings["connection-priority"] = .choice("stability")
      $0.choices["connection-priority"] = ["quality", "stability"]
    }
    #expect(
      advices(stable) == ["earshot setting connection-priority quality --device WH-1000XM4"])
    let finest = facts(offers: [Self.ldac]) {
      $0.settings["connection-priority"] = .choice("stability")
      $0.choices["connection-priority"] = ["quality", "stability"]
      $0.use = SoundUse(profile: .a2dp, codec: "ldac")
    }
    #expect(better(finest).map(\.what) == ["LDAC is the best that both sides have"])
  }

  @Test func `LDAC that is off in the headphone is switched on`() {
    #expect(
      advices(facts { $0.settings["ldac"] = .toggle(false) })
        == ["earshot setting ldac on --device WH-1000XM4"])
    let rates = facts {
      $0.settings["ldac"] = .choice("off")
      $0.choices["ldac"] = ["off", "48-khz", "96-khz"]
    }
    #expect(advices(rates) == ["earshot setting ldac 96-khz --device WH-1000XM4"])
    #expect(better(facts { $0.settings["ldac"] = .toggle(true) }).map(\.state) == [.ok])
  }

  @Test func `two connections are named where the headphone offers little`() {
    let two = facts {
      $0.connections = 2
      $0.settings[.multipoint] = .toggle(true)
    }
    #expect(advices(two) == ["earshot multipoint off --device WH-1000XM4"])
    #expect(advices(facts { $0.connections = 2 }) == ["earshot multipoint --device WH-1000XM4"])
    #expect(better(facts { $0.connections = 1 }).map(\.state) == [.ok])
  }

  @Test func `an open microphone comes before all else`() {
    let call = facts(offers: [Self.ldac]) {
      $0.use = SoundUse(profile: .handsFree, codec: "cvsd")
      $0.condition = .call(["Zoom"])
    }
    #expect(what(.inUse, call) == "calls (HFP), CVSD: call quality: Zoom uses its microphone")
    #expect(advices(call) == ["choose another: earshot audio microphone"])
  }

  @Test func `LE Audio is pointed out, and is nothing better itself`() {
    let lc3 = MediaCapabilities(codec: "lc3", rates: [48_000])
    #expect(
      advices(facts(offers: [Self.sbc, lc3], plugins: ["sbc", "lc3"]))
        == ["earshot doctor --le-audio"])
    let used = facts(offers: [Self.sbc, lc3], plugins: ["sbc", "lc3"]) {
      $0.use = SoundUse(profile: .leAudio, codec: "lc3")
    }
    #expect(better(used).map(\.what) == ["LC3 is the best that both sides have"])
  }

  @Test func `what is unknown is said, never guessed`() {
    let silent = SoundQualityFacts(audio: .unavailable(.noServer))
    #expect(silent.findings.count == 4 && silent.findings.allSatisfy { $0.state == .unknown })
    #expect(silent.findings.allSatisfy { $0.advice != nil })
    let alone = facts { $0.survey.headphones = nil }
    #expect(what(.headphone, alone) == "bluetoothd does not answer, or is not seen")
    #expect(better(alone).map(\.state) == [.unknown])
    let absent = facts { $0.survey.headphones = [] }
    #expect(
      absent.findings.first { $0.part == .headphone }?.advice?.text
        == "earshot audio connect WH-1000XM4")
    let folders = facts(offers: [Self.ldac], plugins: nil)
    #expect(folders.findings.first?.state == .unknown)
    #expect(better(folders).map(\.state) == [.unknown])
  }

  @Test(
    arguments: [
      ("ldac_hq", "ldac"), ("sbc_xq_552", "sbc_xq"), ("SBC", "sbc"), ("aac_eld", "aac_eld"),
      ("faststream_duplex", "faststream"), ("aptx_ll_duplex", "aptx_ll"), ("aptx_hd", "aptx_hd"),
      ("opus_05_51", "opus_05"), ("mystery", "mystery"),
    ])
  func `variants of a codec are one`(_ name: String, _ family: String) {
    #expect(codecFamily(name) == family)
  }

  @Test func `a headphone's facts are those of its sound and its settings`() {
    var scenario = Scenario.withReady()
    scenario.given(
      sound(
        to: "bluez_output.ear", bluetoothSink(),
        cards: [
          AudioCard(
            name: "bluez_card.ear", description: "Ear (a)", address: Self.address,
            activeProfile: "a2dp_sink", profiles: [])
        ]), .headphone(ear, .settingChanged(.multipoint, .toggle(true))))
    let facts = scenario.state.soundQualityFacts(
      of: scenario.state.headphones[ear], or: nil, SoundSurvey())
    #expect(facts.name == "Ear (a)" && facts.address == Self.address)
    #expect(facts.use == SoundUse(profile: .a2dp, codec: "sbc") && facts.condition == .music)
    #expect(facts.settings[.multipoint] == .toggle(true) && facts.connections == nil)
    let device = scenario.state.soundQualityFacts(of: nil, or: "ear", SoundSurvey())
    #expect(device.name == "Ear (a)" && device.address == Self.address)
    #expect(scenario.state.soundQualityFacts(of: nil, or: "other", SoundSurvey()).name == nil)
  }
}
