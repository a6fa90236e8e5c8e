import AudioRoute
import HeadphoneProtocols
import Testing

@testable import Companion

/// The settings of the sound, and the safe volume.
@Suite struct SoundSettingTests {
  private static let address = "F0:F1:F2:F3:F4:F5"

  private func rules(
    _ own: [SoundSetting: Int] = [:], all: [SoundSetting: Int] = [:]
  ) -> SoundRules {
    var rules = SoundRules()
    for (setting, value) in all { rules.all[setting] = .number(value) }
    if !own.isEmpty {
      var ofEar = HeadphoneSoundPreferences(selector: Self.address)
      for (setting, value) in own { ofEar.preferences[setting] = .number(value) }
      rules.ofHeadphones = [ofEar]
    }
    return rules
  }

  /// A headphone of earlier runs whose sound is not connected, in a process that applies the rules.
  private func away(_ rules: SoundRules, isNew: Bool = false) -> Scenario {
    var scenario = Scenario()
    let known = KnownHeadphone(
      id: ear, name: "Ear (a)", address: randomPeer(Self.address), publicAddress: Self.address,
      lastUsed: noon, sound: KnownSound(hasPlayed: !isNew))
    scenario.given(
      .launched([known], autoConnect: .never), .adapterChanged(hci0),
      .configured(\.sound, rules), sound(to: speakers.name, speakers))
    return scenario
  }

  private func plays(at volume: Int) -> Action {
    var sink = bluetoothSink()
    sink.volume = volume
    return sound(to: sink.name, speakers, sink)
  }

  private func volumes(_ effects: [Effect]) -> [Int] {
    effects.compactMap {
      guard case .audio(.setVolume(sink: "bluez_output.ear", let percent)) = $0 else { return nil }
      return percent
    }
  }

  // MARK: The ceiling

  @Test func `a raise above the ceiling is put back each time, and told once`() {
    var scenario = away(rules([.ceiling: 60]))
    #expect(volumes(scenario.effects(of: plays(at: 40))) == [])
    #expect(volumes(scenario.effects(of: plays(at: 100))) == [60])
    #expect(
      scenario.state.notice?.text
        == "Ear (a): its volume was raised to 100%: put back to its ceiling of 60%")
    #expect(scenario.state.notice?.remedy == .soundSettings)
    scenario.given(plays(at: 60), .timerFired(.notice))
    #expect(volumes(scenario.effects(of: plays(at: 90))) == [60])
    #expect(scenario.state.notice == nil)
    // In the next connection again.
    scenario.given(sound(to: speakers.name, speakers), plays(at: 40), plays(at: 100))
    #expect(scenario.state.notice != nil)
  }

  @Test func `the ceiling of all applies where a headphone has none, and its own before it`() {
    var scenario = away(rules(all: [.ceiling: 70]))
    #expect(volumes(scenario.effects(of: plays(at: 100))) == [70])
    scenario.given(plays(at: 70))
    let effects = scenario.effects(
      of: .configured(\.sound, rules([.ceiling: 50], all: [.ceiling: 70])))
    #expect(volumes(effects) == [50])
  }

  @Test func `other outputs, and processes for one command, have no ceiling`() {
    var scenario = away(rules(all: [.ceiling: 30]))
    #expect(volumes(scenario.effects(of: sound(to: speakers.name, speakers))) == [])
    var single = away(SoundRules())
    single.given(.configured(\.sound, rules([.ceiling: 30]), isResident: false))
    #expect(volumes(single.effects(of: plays(at: 100))) == [])
  }

  @Test func `a program that insists is answered twenty times, and again after a while`() {
    var scenario = away(rules([.ceiling: 60]))
    scenario.given(plays(at: 60))
    for _ in 1...20 { #expect(volumes(scenario.effects(of: plays(at: 100))) == [60]) }
    let last = scenario.effects(of: plays(at: 100))
    #expect(volumes(last) == [])
    #expect(last.contains(.startTimer(.ceiling(ear), .exactly(.seconds(10)))))
    #expect(scenario.effects(of: plays(at: 99)) == [])
    #expect(volumes(scenario.effects(of: .timerFired(.ceiling(ear)))) == [60])
    for _ in 1...20 { scenario.given(plays(at: 100)) }
    // It waits for nothing once the headphone is away.
    #expect(
      scenario.effects(of: sound(to: speakers.name, speakers))
        .contains(.cancelTimer(.ceiling(ear))))
  }

  @Test func `a raise now and then is put back for ever`() {
    var scenario = away(rules([.ceiling: 60]))
    for minute in 1...100 {
      scenario.now = Timestamp(milliseconds: noon.milliseconds + Int64(minute) * 60_000)
      #expect(volumes(scenario.effects(of: plays(at: 100))) == [60])
      scenario.given(plays(at: 60))
    }
  }

  @Test func `the keys stop at the ceiling and name the settings`() {
    var scenario = away(rules([.ceiling: 60]))
    scenario.given(plays(at: 58))
    #expect(volumes(scenario.effects(of: .pressed(.raise))) == [60])
    scenario.given(plays(at: 60))
    #expect(volumes(scenario.effects(of: .pressed(.raise))) == [])
    #expect(scenario.state.notice?.text == "its volume has a ceiling of 60%")
    #expect(scenario.state.notice?.remedy == .soundSettings)
    #expect(volumes(scenario.effects(of: .barSet(.soundVolume, percent: 90))) == [])
    #expect(volumes(scenario.effects(of: .barSet(.soundVolume, percent: 20))) == [20])
  }

  // MARK: The first volume

  @Test func `a new headphone does not begin at 100 percent, and is new only once`() {
    var scenario = away(SoundRules(), isNew: true)
    let effects = scenario.effects(of: plays(at: 100))
    #expect(volumes(effects) == [50])
    #expect(
      effects.contains {
        if case .keep(.sound, let known) = $0 { known.sound.hasPlayed } else { false }
      })
    // What the person chooses later stays, in this connection and the next.
    scenario.now = Timestamp(milliseconds: noon.milliseconds + 10_000)
    #expect(volumes(scenario.effects(of: plays(at: 90))) == [])
    scenario.given(sound(to: speakers.name, speakers))
    #expect(volumes(scenario.effects(of: plays(at: 90))) == [])
  }

  @Test func `what a server or a headphone restores right after the beginning is put back, too`() {
    var scenario = away(rules([.firstVolume: 30]))
    #expect(volumes(scenario.effects(of: plays(at: 25))) == [])
    scenario.now = Timestamp(milliseconds: noon.milliseconds + 2_000)
    #expect(volumes(scenario.effects(of: plays(at: 100))) == [30])
    #expect(scenario.state.notice?.text == "Ear (a): its sound begins at 30% instead of 100%")
  }

  @Test(arguments: [-3600, 3600, 31_536_000, -31_536_000])
  func `a clock that is set leaves no first volume behind as a ceiling`(seconds: Int64) {
    var scenario = away(rules([.firstVolume: 30]))
    #expect(volumes(scenario.effects(of: plays(at: 25))) == [])
    scenario.now = Timestamp(milliseconds: noon.milliseconds + 10_000 + seconds * 1000)
    #expect(volumes(scenario.effects(of: plays(at: 90))) == [])
  }

  @Test func `a first volume of its own applies at each connection`() {
    var scenario = away(rules([.firstVolume: 30]))
    for _ in 1...3 {
      #expect(volumes(scenario.effects(of: plays(at: 80))) == [30])
      scenario.given(sound(to: speakers.name, speakers))
    }
  }

  @Test func `sound that is there at the start is left as it is`() {
    var scenario = Scenario()
    scenario.given(
      .adapterChanged(hci0), .configured(\.sound, SoundRules()),
      .discovered(peripheral(ear, publicAddress: Self.address)))
    #expect(volumes(scenario.effects(of: plays(at: 100))) == [])
    // So it is when the server was away.
    scenario.given(.audio(.unavailable(.serverEnded)))
    #expect(volumes(scenario.effects(of: plays(at: 100))) == [])
  }

  @Test func `a headphone that is recognised after its sound began is a new one as well`() {
    var scenario = Scenario()
    scenario.given(
      .adapterChanged(hci0), .configured(\.sound, SoundRules()),
      sound(to: speakers.name, speakers), plays(at: 100))
    let effects = scenario.effects(
      of: .discovered(peripheral(ear, publicAddress: Self.address)))
    #expect(volumes(effects) == [50])
  }

  // MARK: The page

  @Test func `a value that was changed just before the end is written`() {
    var scenario = away(SoundRules())
    scenario.given(.pressed(.soundSettings), .pressed(.down), .pressed(.left))
    let effects = scenario.effects(of: .pressed(.quit))
    #expect(
      effects.contains { if case .changeConfiguration(.sound) = $0 { true } else { false } })
  }

  @Test func `arrows change the value of the row, and the file gets the last one`() {
    var scenario = away(SoundRules())
    scenario.given(.pressed(.soundSettings), .pressed(.down))
    #expect(scenario.state.page == .soundSettings(line: 1))
    let effects = scenario.effects(of: .pressed(.left))
    #expect(effects == [.startTimer(.soundSetting, .exactly(.milliseconds(400)))])
    scenario.given(.pressed(.left))
    #expect(scenario.state.soundSettingRows.first { $0.setting == .ceiling }?.value == "90%")
    #expect(
      scenario.state.soundSettingRows.first { $0.setting == .ceiling }?.origin == "this headphone")
    let written = scenario.effects(of: .timerFired(.soundSetting))
    #expect(
      written.contains(
        .changeConfiguration(
          .sound(
            SoundSettingChange(
              .ceiling, .number(90), selector: Self.address, remark: "Ear (a)")))))
    // The next key press is not lost to a file that is read meanwhile.
    scenario.given(.pressed(.left), .configured(\.sound, rules([.ceiling: 90])))
    #expect(scenario.state.soundSettingRows.first { $0.setting == .ceiling }?.value == "85%")
  }

  @Test func `a change that cannot be written is taken back`() {
    var scenario = away(SoundRules())
    scenario.given(.pressed(.soundSettings), .pressed(.down), .pressed(.left))
    scenario.given(.timerFired(.soundSetting))
    let change = SoundSettingChange(.ceiling, .number(95), selector: Self.address)
    scenario.given(.configurationKept(.sound(change), why: "no room"))
    #expect(scenario.state.soundSettingRows.first { $0.setting == .ceiling }?.value == "none")
    #expect(scenario.state.problem?.text == "not saved: no room")
  }

  @Test(arguments: SoundSetting.allCases)
  func `every value that the arrows reach is one that the file accepts`(setting: SoundSetting) {
    for step in [1, -1] {
      var value = setting.standard
      for _ in 1...1000 {
        value = setting.value(after: value, by: step)
        if let value { #expect(setting.accepts(value)) }
      }
    }
    #expect(setting.accepts(setting.example))
    #expect(setting.standard.map(setting.accepts) != false)
    #expect(!setting.displayText.contains("`"))
  }

  // MARK: The sync offset

  private func card(offset: Int?) -> AudioCard {
    AudioCard(
      name: "bluez_card.ear", description: "Ear (a)", address: Self.address,
      activeProfile: "a2dp-sink", profiles: [],
      output: offset.map { CardOutput(port: "headphone-output", offset: $0) })
  }

  private func plays(offset: Int?, latency: Int? = nil) -> Action {
    var sink = bluetoothSink()
    sink.latency = latency
    return sound(to: sink.name, speakers, sink, cards: [card(offset: offset)])
  }

  private static let offsetOf120 = Effect.audio(
    .setOffset(card: "bluez_card.ear", port: "headphone-output", milliseconds: 120))

  @Test func `the offset of the file is set once in a connection, and after a change`() {
    var scenario = away(rules([.offset: 120]))
    #expect(scenario.effects(of: plays(offset: 0)).contains(Self.offsetOf120))
    scenario.given(plays(offset: 120))
    // Another program's change is its own.
    #expect(!scenario.effects(of: plays(offset: 40)).contains(Self.offsetOf120))
    scenario.given(sound(to: speakers.name, speakers))
    #expect(scenario.effects(of: plays(offset: 40)).contains(Self.offsetOf120))
    var kept = away(SoundRules())
    kept.given(plays(offset: 40))
    #expect(
      kept.effects(of: .configured(\.sound, rules([.offset: 120])))
        .contains(Self.offsetOf120))
  }

  @Test func `what the server has already is not set, nor what it cannot have`() {
    var scenario = away(rules([.offset: 120]))
    #expect(!scenario.effects(of: plays(offset: 120)).contains(Self.offsetOf120))
    var without = away(rules([.offset: 120]))
    #expect(!without.effects(of: plays(offset: nil)).contains(Self.offsetOf120))
  }

  @Test func `the panel has a row for it that the arrows change`() {
    var scenario = away(SoundRules())
    scenario.given(plays(offset: nil))
    #expect(!scenario.state.audioRows.contains(.offset))
    scenario.given(plays(offset: 40, latency: 85))
    #expect(scenario.state.offsetText == "+40 ms, server 45 ms")
    scenario.given(.pointed(.audio(.offset)))
    #expect(
      scenario.effects(of: .pressed(.right)).contains(
        .audio(.setOffset(card: "bluez_card.ear", port: "headphone-output", milliseconds: 50))))
    #expect(scenario.state.offsetText == "+50 ms, server 45 ms")
    scenario.given(.pressed(.left), .pressed(.left))
    #expect(scenario.state.soundRules.number(.offset, for: peripheralState(scenario)) == 30)
  }

  private func peripheralState(_ scenario: Scenario) -> HeadphoneState {
    scenario.state.headphones[0]
  }

  @Test func `a headphone's table is found by address or name, and the better match counts`() {
    var rules = rules([.ceiling: 60])
    var byName = HeadphoneSoundPreferences(selector: "Ea")
    byName.preferences[.ceiling] = .number(40)
    rules.ofHeadphones.insert(byName, at: 0)
    let scenario = away(rules)
    let headphone = scenario.state.headphones.selected
    #expect(headphone.flatMap { rules.number(.ceiling, for: $0) } == 60)
    #expect(
      rules.change(of: .firstVolume, to: .number(20), for: headphone).selector == Self.address)
    #expect(rules.change(of: .buttons, to: .word("on"), for: headphone).selector == nil)
  }
}
