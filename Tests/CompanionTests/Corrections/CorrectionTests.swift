import AudioRoute
import BluetoothCodec
import HeadphoneProtocols
import Testing

@testable import Companion

struct CorrectionTests {
  private static let sink = "bluez_output.ear"
  private static let curve = ParametricEQ(
    preamp: -6,
    filters: [
      .init(.peak, frequency: 100, gain: 5, width: .quality(1)),
      .init(.peak, frequency: 3000, gain: -4, width: .quality(2)),
    ])

  private static func correction(_ name: String, gain: Double = 5) -> Correction {
    var curve = curve
    curve.filters[0].gain = gain
    return Correction(name: name, form: "over-ear", source: "oratory1990", curve: curve)
  }

  private static let model = CorrectionModel([
    correction("Maker Ear"), correction("Maker Ear (ANC on)", gain: 3),
    correction("Maker Ear (ANC off)", gain: 1),
  ])

  private static func match(
    _ model: CorrectionModel?, for names: [String] = ["Ear (a)"]
  ) throws -> CorrectionEvent {
    .found(.certain(try #require(model)), for: names)
  }

  private func heard(
    _ sinks: [AudioSink], default name: String?, server: String = "PulseAudio (on PipeWire 0.3.65)"
  )
    -> Action
  {
    .audio(
      .running(
        AudioSnapshot(serverName: server, serverVersion: "15", defaultSink: name, sinks: sinks)))
  }

  private func chainSink(_ slot: Int) -> AudioSink {
    AudioSink(
      name: "earshot.correction.\(slot).\(Self.sink)", description: "corrected", volume: 100,
      activity: .running)
  }

  private func name(_ slot: Int) -> String { chainSink(slot).name }

  /// Returns a headphone without bands whose sound is here, with its correction on.
  private func corrected() throws -> Scenario {
    var scenario = Scenario.withHeadphone()
    scenario.given(
      .configured(Preferences(), isResident: true),
      heard([bluetoothSink(), speakers], default: Self.sink),
      .correction(ear, .changed(.on(true))), .correction(ear, try Self.match(Self.model)))
    return scenario
  }

  private func correction(_ scenario: Scenario) -> CorrectionState? {
    scenario.state.headphones[ear]?.correction
  }

  private func status(_ scenario: Scenario) -> CorrectionStatus? {
    scenario.state.headphones[ear].map(scenario.state.correctionStatus(of:))
  }

  // MARK: On this computer

  @Test func `switching it on looks the headphone up, and keeps the choice`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(.configured(Preferences(), isResident: true))
    let effects = scenario.effects(of: .correction(ear, .changed(.on(true))))
    #expect(effects.contains(.correction(.find(ear, names: ["Ear (a)"], maker: ""))))
    #expect(
      effects.contains {
        if case .keep(.correction, let known) = $0 { known.correction.isOn } else { false }
      })
    #expect(status(scenario) == .settling("it is being looked up"))
  }

  @Test func `the answer about another name than was asked for last is dropped`() throws {
    var scenario = Scenario.withHeadphone()
    scenario.given(
      .configured(Preferences(), isResident: true), .correction(ear, .changed(.on(true))),
      .correction(ear, .changed(.line("Maker Ear"))),
      .correction(ear, .found(.missing, for: ["Ear (a)"])))
    #expect(status(scenario) == .settling("it is being looked up"))
    scenario.given(.correction(ear, try Self.match(Self.model, for: ["Maker Ear"])))
    #expect(scenario.state.headphones[ear].flatMap(scenario.state.correction)?.name == "Maker Ear")
  }

  @Test func `a chain starts once the curve is known, and counts once the server has its sink`()
    throws
  {
    var scenario = try corrected()
    let chain = try #require(correction(scenario)?.chain)
    #expect(chain.chain.target == Self.sink && !chain.isUp)
    #expect(chain.chain.name == name(chain.chain.slot))
    let effects = scenario.effects(
      of: heard([bluetoothSink(), speakers, chainSink(chain.chain.slot)], default: Self.sink))
    #expect(
      effects == [
        .startTimer(.correction(ear), .exactly(.seconds(5))),
        .audio(.route(sink: chain.chain.name)),
      ])
    #expect(status(scenario) == .settling("the sound is being sent through it"))
    let reached = scenario.effects(
      of: heard(
        [bluetoothSink(), speakers, chainSink(chain.chain.slot)], default: chain.chain.name))
    #expect(reached == [.cancelTimer(.correction(ear))])
  }

  @Test func `a chain that the sound never goes through gets it once more, and then words say so`()
    throws
  {
    var scenario = try corrected()
    let slot = try #require(correction(scenario)?.chain?.chain.slot)
    scenario.given(heard([bluetoothSink(), speakers, chainSink(slot)], default: Self.sink))
    // A choice that is no other than the one before has no effect.
    #expect(
      scenario.effects(of: .timerFired(.correction(ear))).starts(with: [
        .audio(.route(sink: Self.sink)), .audio(.route(sink: name(slot))),
        .startTimer(.correction(ear), .exactly(.seconds(5))),
      ]))
    #expect(status(scenario)?.isBeingSet == true)
    let given = scenario.effects(of: .timerFired(.correction(ear)))
    #expect(given.contains(.correction(.end(ear, slot: slot))))
    #expect(status(scenario) == .failed("PipeWire does not send the sound through it"))
    #expect(
      scenario.state.problem?.text
        == "no correction for Ear (a): PipeWire does not send the sound through it")
  }

  @Test func `sound that comes late is through it, also when it was sent there again`() throws {
    var scenario = try corrected()
    let slot = try #require(correction(scenario)?.chain?.chain.slot)
    let sinks = [bluetoothSink(), speakers, chainSink(slot)]
    scenario.given(heard(sinks, default: Self.sink), .timerFired(.correction(ear)))
    #expect(
      scenario.effects(of: heard(sinks, default: name(slot))) == [.cancelTimer(.correction(ear))])
    #expect(status(scenario) == .inUse)
    // What was started for it is over: a person takes it out of the chain.
    scenario.given(heard(sinks, default: Self.sink), .timerFired(.correction(ear)))
    #expect(status(scenario) == .ready)
  }

  @Test func `sound that went elsewhere meanwhile is left there`() throws {
    var scenario = try corrected()
    let slot = try #require(correction(scenario)?.chain?.chain.slot)
    let sinks = [bluetoothSink(), speakers, chainSink(slot)]
    scenario.given(heard(sinks, default: Self.sink))
    #expect(
      scenario.effects(of: heard(sinks, default: speakers.name)).contains(
        .cancelTimer(.correction(ear))))
    #expect(scenario.effects(of: .timerFired(.correction(ear))).isEmpty)
    #expect(status(scenario) == .ready)
  }

  @Test func `a chain that takes over while the server has no default gets the sound, too`() throws
  {
    var (scenario, slot) = try inUse()
    let other = 1 - slot
    scenario.given(.correction(ear, .changed(.strength(50))))
    let both = [bluetoothSink(), speakers, chainSink(slot), chainSink(other)]
    #expect(
      scenario.effects(of: heard(both, default: nil)).contains(.correction(.end(ear, slot: slot))))
    let effects =
      scenario.effects(of: heard(both, default: name(slot)))
      + scenario.effects(
        of: heard([bluetoothSink(), speakers, chainSink(other)], default: Self.sink))
    #expect(effects.filter { $0 == .audio(.route(sink: name(other))) }.count == 1)
  }

  @Test func `a chain that takes over and never gets the sound is sent it once more, too`() throws {
    var (scenario, slot) = try inUse()
    let other = 1 - slot
    scenario.given(.correction(ear, .changed(.strength(50))))
    let both = [bluetoothSink(), speakers, chainSink(slot), chainSink(other)]
    scenario.given(heard(both, default: name(slot)))
    #expect(
      scenario.effects(of: .timerFired(.correction(ear))).starts(with: [
        .audio(.route(sink: Self.sink)), .audio(.route(sink: name(other))),
      ]))
    scenario.given(heard(both, default: Self.sink))
    #expect(
      scenario.effects(of: heard(both, default: name(other))) == [
        .correction(.end(ear, slot: slot)), .cancelTimer(.correction(ear)),
      ])
    #expect(status(scenario) == .inUse)
  }

  /// Returns ``corrected()`` with the sound going through the chain.
  private func inUse() throws -> (Scenario, slot: Int) {
    var scenario = try corrected()
    let slot = try #require(correction(scenario)?.chain?.chain.slot)
    scenario.given(
      heard([bluetoothSink(), speakers, chainSink(slot)], default: Self.sink),
      heard([bluetoothSink(), speakers, chainSink(slot)], default: name(slot)))
    return (scenario, slot)
  }

  @Test func `the sound that goes through it goes to the headphone`() throws {
    let (scenario, _) = try inUse()
    #expect(status(scenario) == .inUse)
    let headphone = try #require(scenario.state.headphones[ear])
    guard case .connected(let sink, _) = scenario.state.route(of: headphone) else {
      Issue.record("\(scenario.state.route(of: headphone))")
      return
    }
    #expect(sink.name == Self.sink)
    #expect(scenario.state.output?.name == Self.sink)
    #expect(!scenario.state.outputs.contains { $0.name.hasPrefix("earshot") })
  }

  @Test func `another strength gets a chain of its own, which takes over before the old one ends`()
    throws
  {
    var (scenario, slot) = try inUse()
    let other = 1 - slot
    let started = scenario.effects(of: .correction(ear, .changed(.strength(50))))
    #expect(
      started.contains {
        if case .correction(.start(ear, let chain)) = $0 {
          chain.slot == other && chain.curve.filters[0].gain == 2.5
        } else {
          false
        }
      })
    let both = [bluetoothSink(), speakers, chainSink(slot), chainSink(other)]
    #expect(
      scenario.effects(of: heard(both, default: name(slot))).contains(
        .audio(.route(sink: name(other)))))
    #expect(
      scenario.effects(of: heard(both, default: name(other))) == [
        .correction(.end(ear, slot: slot)), .cancelTimer(.correction(ear)),
      ])
    #expect(status(scenario) == .inUse)
  }

  @Test func `switching it off brings the sound to the headphone first`() throws {
    var (scenario, slot) = try inUse()
    let effects = scenario.effects(of: .correction(ear, .changed(.on(false))))
    let route = try #require(effects.firstIndex(of: .audio(.route(sink: Self.sink))))
    let end = try #require(effects.firstIndex(of: .correction(.end(ear, slot: slot))))
    #expect(route < end)
    #expect(status(scenario) == .off)
  }

  @Test func `the sink goes: the child ends, and nothing is routed`() throws {
    var (scenario, slot) = try inUse()
    let effects = scenario.effects(of: heard([speakers], default: speakers.name))
    #expect(effects.contains(.correction(.end(ear, slot: slot))))
    #expect(!effects.contains { if case .audio = $0 { true } else { false } })
    #expect(status(scenario) == .waiting("its sound is not connected"))
  }

  @Test func `the server ends and returns: a chain starts again`() throws {
    var (scenario, slot) = try inUse()
    #expect(
      scenario.effects(of: .audio(.unavailable(.serverEnded))).contains(
        .correction(.end(ear, slot: slot))))
    let effects = scenario.effects(of: heard([bluetoothSink(), speakers], default: Self.sink))
    #expect(effects.contains { if case .correction(.start) = $0 { true } else { false } })
  }

  @Test func `a child that dies is started again three times, and then words say why`() throws {
    var scenario = try corrected()
    for attempt in 1...3 {
      let slot = try #require(correction(scenario)?.chain?.chain.slot)
      scenario.given(.correction(ear, .chainEnded(slot: slot, "pipewire ended with 144")))
      #expect((correction(scenario)?.chain != nil) == (attempt < 3))
    }
    #expect(status(scenario) == .failed("pipewire ended with 144"))
    #expect(scenario.state.problem?.text == "no correction for Ear (a): pipewire ended with 144")
    scenario.given(.correction(ear, .changed(.on(true))))
    #expect(correction(scenario)?.chain != nil)
  }

  @Test func `an output that the server ends again and again ends in words`() throws {
    var scenario = try corrected()
    for _ in 0..<3 {
      let slot = try #require(correction(scenario)?.chain?.chain.slot)
      scenario.given(
        heard([bluetoothSink(), speakers, chainSink(slot)], default: Self.sink),
        heard([bluetoothSink(), speakers], default: Self.sink))
    }
    #expect(correction(scenario)?.chain == nil)
    #expect(status(scenario) == .failed("PipeWire ended its output 3 times"))
  }

  @Test func `however often the headphone goes, it is corrected when it is back`() throws {
    var scenario = try corrected()
    for _ in 0..<5 {
      let slot = try #require(correction(scenario)?.chain?.chain.slot)
      scenario.given(
        heard([bluetoothSink(), speakers, chainSink(slot)], default: Self.sink),
        // The server destroys the output of the chain before that of the headphone.
        heard([bluetoothSink(), speakers], default: Self.sink),
        heard([speakers], default: "speakers"),
        heard([bluetoothSink(), speakers], default: Self.sink))
    }
    #expect(correction(scenario)?.failure == nil && correction(scenario)?.chain != nil)
  }

  @Test func `a child without a sink is ended after its time, and another started, three in all`()
    throws
  {
    var scenario = try corrected()
    for attempt in 1...3 {
      let slot = try #require(correction(scenario)?.chain?.chain.slot)
      let effects = scenario.effects(of: .timerFired(.correction(ear)))
      #expect(effects.contains(.correction(.end(ear, slot: slot))))
      #expect(
        effects.contains { if case .correction(.start) = $0 { true } else { false } }
          == (attempt < 3))
      #expect(
        effects.contains(.startTimer(.correction(ear), .exactly(.seconds(5)))) == (attempt < 3))
    }
    #expect(status(scenario) == .failed("PipeWire made no output for it, 3 times in 5 s"))
  }

  @Test func `a sink of the same name that is still there does not count, unless it stays`() throws
  {
    var scenario = try corrected()
    let slot = try #require(correction(scenario)?.chain?.chain.slot)
    let names = (0..<8).map(chainSink)
    scenario.given(heard([bluetoothSink(), speakers] + names, default: Self.sink))
    scenario.given(.correction(ear, .changed(.on(false))), .correction(ear, .changed(.on(true))))
    #expect(correction(scenario)?.chain?.chain.slot == (slot + 1) % 8)
    #expect(correction(scenario)?.chain?.isUp == false)
    scenario.given(.timerFired(.correction(ear)))
    #expect(correction(scenario)?.chain?.isUp == true)
  }

  @Test
  func `sound that moves to the headphone goes through the chain; taken out of it, it stays out`()
    throws
  {
    var (scenario, slot) = try inUse()
    let sinks = [bluetoothSink(), speakers, chainSink(slot)]
    scenario.given(heard(sinks, default: speakers.name))
    #expect(status(scenario) == .ready)
    #expect(
      scenario.effects(of: heard(sinks, default: Self.sink)).contains(
        .audio(.route(sink: name(slot)))))
    scenario.given(heard(sinks, default: name(slot)))
    #expect(
      !scenario.effects(of: heard(sinks, default: Self.sink)).contains(
        .audio(.route(sink: name(slot)))))
  }

  @Test func `PulseAudio cannot, and words say so`() throws {
    var scenario = try corrected()
    scenario.given(heard([bluetoothSink()], default: Self.sink, server: "pulseaudio"))
    // Its own equaliser may have it, once it is connected.
    #expect(status(scenario) == .waiting("the headphone is not connected"))
    scenario.given(.correction(ear, .changed(.place(.computer))))
    guard case .unavailable(let why)? = status(scenario) else {
      Issue.record("\(String(describing: status(scenario)))")
      return
    }
    #expect(why.contains("that needs PipeWire"))
    #expect(correction(scenario)?.chain == nil)
  }

  @Test func `a process that ends soon starts no chain`() throws {
    var scenario = Scenario.withHeadphone()
    scenario.given(
      heard([bluetoothSink()], default: Self.sink), .correction(ear, .changed(.on(true))),
      .correction(ear, try Self.match(Self.model)))
    #expect(correction(scenario)?.chain == nil)
  }

  @Test func `it follows the noise mode`() throws {
    var able = allFeatures
    able.eqBands = 0
    var scenario = Scenario.withReady(able)
    scenario.given(
      .correction(ear, .changed(.on(true))),
      .correction(ear, try Self.match(Self.model, for: ["EAR-1", "Ear (a)"])))
    scenario.given(.headphone(ear, .ancChanged(.off)))
    var changed = try #require(scenario.state.headphones[ear])
    #expect(scenario.state.correction(of: changed)?.name == "Maker Ear (ANC off)")
    scenario.given(.headphone(ear, .ancChanged(.noiseCancelling)))
    changed = try #require(scenario.state.headphones[ear])
    #expect(scenario.state.correction(of: changed)?.name == "Maker Ear (ANC on)")
    // One that was chosen by its condition stays.
    scenario.given(.correction(ear, .changed(.line("Maker Ear (ANC off)"))))
    changed = try #require(scenario.state.headphones[ear])
    #expect(scenario.state.correction(of: changed)?.name == "Maker Ear (ANC off)")
  }

  // MARK: In the headphone

  @Test func `own bands get it, and what they had before when it is switched off`() throws {
    var scenario = Scenario.withReady()
    let before = [BandGain](repeating: BandGain(decibels: 1), count: 5)
    scenario.given(
      .configured(Preferences(), isResident: true),
      .headphone(ear, .eqChanged(.custom, bands: before)),
      .correction(ear, .changed(.on(true))))
    let effects = scenario.effects(
      of: .correction(ear, try Self.match(Self.model, for: ["EAR-1", "Ear (a)"])))
    let gains = try #require(correction(scenario)?.applied)
    #expect(
      effects.contains {
        if case .perform(ear, .setCustomEQ(gains), _) = $0 { true } else { false }
      })
    #expect(correction(scenario)?.choice.before == EQSound(preset: .custom, gains: before))
    scenario.given(.headphone(ear, .eqChanged(.custom, bands: gains)))
    let token = CommandToken(rawValue: scenario.state.commandCount)
    scenario.given(.commandEnded(ear, .setCustomEQ(gains), token, .done))
    #expect(status(scenario) == .inHeadphone)
    let off = scenario.effects(of: .correction(ear, .changed(.on(false))))
    #expect(
      off.contains { if case .perform(ear, .setCustomEQ(before), _) = $0 { true } else { false } })
    #expect(correction(scenario)?.choice.before == nil)
  }

  /// Returns a headphone with bands whose correction was sent but not confirmed.
  private func given(step: Int8 = 1) throws -> (Scenario, gains: [BandGain]) {
    var able = allFeatures
    able.eqStep = try #require(BandGain(halfDecibels: step))
    var scenario = Scenario.withReady(able)
    let flat = [BandGain](repeating: .flat, count: 5)
    scenario.given(
      .configured(Preferences(), isResident: true),
      .headphone(ear, .eqChanged(.custom, bands: flat)),
      .correction(ear, .changed(.on(true))),
      .correction(ear, try Self.match(Self.model, for: ["EAR-1", "Ear (a)"])))
    return (scenario, try #require(correction(scenario)?.applied))
  }

  private func end(
    _ gains: [BandGain], _ scenario: inout Scenario, _ outcome: CommandOutcome = .done
  ) {
    let token = CommandToken(rawValue: scenario.state.commandCount)
    scenario.given(.commandEnded(ear, .setCustomEQ(gains), token, outcome))
  }

  @Test(arguments: [1, 2, 3, 4] as [Int8])
  func `gains are in the headphone's own steps`(step: Int8) throws {
    let (scenario, gains) = try given(step: step)
    #expect(gains.contains { $0 != .flat })
    #expect(gains.allSatisfy { $0.halfDecibels.isMultiple(of: step) })
    #expect(status(scenario) == .settling("the headphone is being set"))
  }

  @Test func `a headphone that rounds once more has the correction, and says so`() throws {
    var (scenario, gains) = try given()
    end(gains, &scenario)
    let rounded = gains.map { BandGain(decibels: $0.decibels.rounded()) }
    #expect(rounded != gains)
    scenario.given(.headphone(ear, .eqChanged(.custom, bands: rounded)))
    #expect(status(scenario) == .inHeadphone)
    let headphone = try #require(scenario.state.headphones[ear])
    #expect(
      scenario.state.correctionLosses(of: headphone).last
        == "the headphone rounded the gains once more")
    // What comes later is a person's.
    scenario.given(.headphone(ear, .eqChanged(.custom, bands: [.flat] + rounded.dropFirst())))
    #expect(status(scenario) == .overridden)
  }

  @Test func `gains that were never confirmed were not changed by anybody`() throws {
    var (scenario, gains) = try given()
    end(gains, &scenario, .failed(.noResponse))
    #expect(status(scenario) == .settling("the headphone has not confirmed it"))
    // What it had comes back all the same.
    let before = try #require(correction(scenario)?.choice.before?.gains)
    let off = scenario.effects(of: .correction(ear, .changed(.on(false))))
    #expect(
      off.contains {
        if case .keep(.correction, let known) = $0 { !known.correction.isOn } else { false }
      })
    #expect(scenario.state.headphones[ear]?.bands.shown == before)
  }

  @Test func `gains that are changed later stay when the correction is switched off`() throws {
    var (scenario, gains) = try given()
    end(gains, &scenario)
    #expect(status(scenario) == .inHeadphone)
    let own = [BandGain](repeating: BandGain(decibels: 3), count: 5)
    scenario.given(.headphone(ear, .eqChanged(.custom, bands: own)))
    #expect(status(scenario) == .overridden)
    scenario.given(.correction(ear, .changed(.on(false))))
    #expect(scenario.state.headphones[ear]?.bands.shown == own)
  }

  @Test func `one that no line certainly is cannot be heard`() {
    for (match, why) in [
      (CorrectionMatch.missing, "there is no measurement of this model"),
      (.several([]), "several measurements could match, choose one"),
    ] {
      var scenario = Scenario.withHeadphone()
      scenario.given(
        .configured(Preferences(), isResident: true), .correction(ear, .changed(.on(true))),
        .correction(ear, .found(match, for: ["Ear (a)"])))
      #expect(status(scenario) == .unavailable(why))
      #expect(status(scenario)?.name == .waiting && status(scenario)?.displayText == "no: \(why)")
    }
  }

  // MARK: Curves

  @Test func `a part of a correction, bass and the preamp that both need`() {
    let half = Self.curve.adjusted(strength: 50, bass: 0)
    #expect(half.filters.map(\.gain) == [2.5, -2])
    #expect(half.preamp == -3)
    let loud = Self.curve.adjusted(strength: 100, bass: 6)
    #expect(loud.peak < 0.01)
    var clipping = Self.curve
    clipping.preamp = 20
    #expect(clipping.adjusted(strength: 100, bass: 0).peak < 0.01)
    #expect(Self.curve.adjusted(strength: 0, bass: 0).response(at: 100) == 0)
  }

  @Test func `a comparison is as loud as the correction`() {
    let plain = Self.curve.uncorrected
    #expect(abs(plain.level - Self.curve.level) < 0.01 && plain.filters.isEmpty)
    #expect(plain.preamp <= 0)
  }

  @Test func `the configuration of a chain`() {
    let chain = CorrectionChain(
      target: "a\"b", slot: 1, description: "Ear \"x\"\\", curve: Self.curve)
    let text = chain.configuration
    #expect(text.contains(#"node.description = "Ear \"x\"\\""#))
    #expect(
      text.contains(
        "label = bq_highshelf control = { \"Freq\" = 0.0000 \"Q\" = 1.0000 \"Gain\" = -6.0000 }"))
    #expect(text.contains(#"{ output = "preamp:Out" input = "band1:In" }"#))
    #expect(text.contains(#"outputs = [ "band2:Out" ]"#))
    #expect(text.contains("node.dont-reconnect = true") && text.contains("node.passive = true"))
    #expect(text.contains("node.dont-fallback = true"))
    #expect(CorrectionChain.target(of: chain.name) == "a\"b")
    #expect(CorrectionChain.target(of: "speakers") == nil)
  }
}
