import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct HookTests {
  private let all = Dictionary(
    uniqueKeysWithValues: Hook.allCases.map { ($0, HookCommand.program([$0.rawValue])) })

  /// Returns a ready headphone with a command for each hook.
  private func scenario(_ hooks: [Hook: HookCommand]? = nil) -> Scenario {
    var scenario = Scenario.withReady()
    scenario.given(.configured(\.hooks, hooks ?? all))
    return scenario
  }

  private func runs(_ scenario: inout Scenario, _ action: Action) -> [HookRun] {
    scenario.effects(of: action).compactMap { effect in
      if case .runHook(let run) = effect { run } else { nil }
    }
  }

  private func wearing(_ left: Bool?, _ right: Bool?) -> Action {
    .headphone(ear, .wearingChanged(Wearing(left: left, right: right)))
  }

  @Test func `connecting and disconnecting are notified where a person wants it`() {
    func notified(_ scenario: inout Scenario, _ action: Action) -> [Effect] {
      scenario.effects(of: action).filter { if case .notify = $0 { true } else { false } }
    }
    var rules = NotificationRules()
    var scenario = Scenario.withHeadphone()
    scenario.given(.pressed(.connectOrDisconnect), .link(ear, .connected))
    let ready = Action.link(ear, .ready(description(), isEncrypted: false))
    var silent = scenario
    #expect(notified(&silent, ready) == [])
    #expect(notified(&silent, .link(ear, .ended(.timeout))) == [])
    (rules.connected, rules.disconnected) = (true, true)
    scenario.given(.configured(\.notifications, rules))
    #expect(notified(&scenario, ready) == [.notify(summary: "Ear (a) is connected", body: "")])
    let gone = notified(&scenario, .link(ear, .ended(.timeout)))
    guard case .notify("Ear (a) is disconnected", let why)? = gone.first, gone.count == 1 else {
      Issue.record("\(gone)")
      return
    }
    #expect(!why.isEmpty)
  }

  @Test func `a low battery is notified unless a person wants none`() {
    func notifies(_ scenario: inout Scenario) -> Bool {
      scenario.effects(of: .headphone(ear, .batteryChanged([.left: Battery(level: 9)]))).contains {
        if case .notify = $0 { true } else { false }
      }
    }
    var scenario = Scenario.withReady()
    var silent = scenario
    #expect(notifies(&scenario))
    var rules = NotificationRules()
    rules.lowBattery = false
    silent.given(.configured(\.notifications, rules))
    #expect(!notifies(&silent))
  }

  @Test func `a headphone that is forgotten here, or removed elsewhere, disconnects`() {
    var preferences = Preferences()
    preferences.hooks = all
    preferences.notifications.connected = true
    preferences.notifications.disconnected = true
    var scenario = scenario()
    scenario.given(.configured(preferences, isResident: true))
    var other = scenario
    scenario.given(.pressed(.forget), .pressed(.left))
    let address = BluetoothAddress(
      scenario.state.headphones[ear]?.address.address.description ?? "")
    let effects = scenario.effects(of: .pressed(.accept))
    let hooks = effects.compactMap { if case .runHook(let run) = $0 { run.hook } else { nil } }
    #expect(hooks == [.disconnected])
    #expect(
      effects.contains(
        .notify(summary: "Ear (a) is disconnected", body: DisconnectReason.user.displayText)))
    guard let address else { return #expect(Bool(false)) }
    #expect(runs(&other, .deviceNews(.removed(address))).map(\.hook) == [.disconnected])
    #expect(runs(&other, .deviceNews(.removed(address))) == [])
  }

  @Test func `connecting and disconnecting run a command each, once`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(.configured(\.hooks, all), .pressed(.connectOrDisconnect))
    #expect(runs(&scenario, .link(ear, .connected)) == [])
    let ready = runs(&scenario, .link(ear, .ready(description(), isEncrypted: false)))
    #expect(
      ready == [
        HookRun(
          .connected, .program(["connected"]), headphone: ear,
          variables: [
            "EARSHOT_EVENT": "connected", "EARSHOT_ID": "ear", "EARSHOT_NAME": "Ear (a)",
            "EARSHOT_ADDRESS": "F0:F1:F2:F3:F4:F5",
          ])
      ])
    #expect(runs(&scenario, .headphone(ear, .ancChanged(.off))) == [])
    let ended = runs(&scenario, .link(ear, .ended(.timeout)))
    #expect(ended.map(\.hook) == [.disconnected])
    #expect(ended.first?.variables["EARSHOT_REASON"]?.isEmpty == false)
    #expect(ended.first?.variables["EARSHOT_ANC"] == "off")
  }

  @Test func `pairing on a link that is up is no disconnection`() {
    var scenario = scenario()
    #expect(runs(&scenario, .pressed(.pair)) == [])
    #expect(scenario.state.headphones[ear]?.link.use == .pairing())
    #expect(runs(&scenario, .pairing(.ended(ear, nil))) == [])
    #expect(scenario.state.headphones[ear]?.link.isReady == true)
  }

  @Test func `the first bud that is put in and the last that is taken out are news`() {
    var scenario = scenario()
    #expect(runs(&scenario, wearing(false, false)) == [])
    #expect(runs(&scenario, wearing(true, false)).map(\.hook) == [.worn])
    #expect(runs(&scenario, wearing(true, true)) == [])
    #expect(runs(&scenario, wearing(false, true)) == [])
    #expect(runs(&scenario, wearing(false, false)).map(\.hook) == [.takenOff])
  }

  @Test func `what is worn when the headphone connects is no news`() {
    var scenario = scenario()
    #expect(runs(&scenario, wearing(true, true)) == [])
  }

  @Test func `a low charge runs one command for all parts, and a critical one another`() {
    var scenario = scenario()
    let low = runs(
      &scenario,
      .headphone(
        ear, .batteryChanged([.left: Battery(level: 18), .right: Battery(level: 15)])))
    #expect(low.map(\.hook) == [.lowBattery])
    #expect(low.first?.variables["EARSHOT_PARTS"] == "left right")
    #expect(low.first?.variables["EARSHOT_LEVEL"] == "15")
    #expect(low.first?.variables["EARSHOT_CHARGE"] == "low")
    #expect(low.first?.variables["EARSHOT_LEFT"] == "18")
    #expect(runs(&scenario, .headphone(ear, .batteryChanged([.left: Battery(level: 17)]))) == [])
    let critical = runs(
      &scenario, .headphone(ear, .batteryChanged([.left: Battery(level: 9)])))
    #expect(critical.first?.variables["EARSHOT_PARTS"] == "left")
    #expect(critical.first?.variables["EARSHOT_CHARGE"] == "critical")
  }

  @Test func `a gesture on a bud runs a command each time, with the bud and the gesture`() {
    var scenario = scenario()
    for _ in 0..<2 {
      let runs = runs(&scenario, .headphone(ear, .touchUsed(.right, .doubleTap)))
      #expect(runs.map(\.hook) == [.touch])
      #expect(runs.first?.variables["EARSHOT_SIDE"] == "right")
      #expect(runs.first?.variables["EARSHOT_GESTURE"] == "double-tap")
    }
    scenario.given(.link(ear, .ended(.timeout)))
    #expect(runs(&scenario, .headphone(ear, .touchUsed(.left, .tap))) == [])
  }

  @Test func `a wearer who begins to speak and no longer speaks runs a command each`() {
    var scenario = scenario()
    func hooks(_ speech: Speech) -> [Hook] {
      runs(&scenario, .headphone(ear, .speechChanged(speech))).map(\.hook)
    }
    #expect(
      [.began, .began, .paused, .ended, .ended].map(hooks) == [[.speaking], [], [], [.silent], []])
  }

  @Test func `without a hook nothing runs`() {
    var scenario = scenario([.worn: .shell("true")])
    scenario.given(wearing(false, false))
    #expect(runs(&scenario, .link(ear, .ended(.peer))) == [])
    var idle = Scenario.withReady()
    #expect(runs(&idle, .link(ear, .ended(.peer))) == [])
    idle = Scenario.withReady()
    idle.given(.configured(\.hooks, all, isResident: false))
    #expect(runs(&idle, .link(ear, .ended(.peer))) == [])
  }

  @Test func `a name from the air cannot steer a terminal`() {
    var scenario = Scenario.withHeadphone(peripheral(ear, name: "E\u{1B}[2J"))
    scenario.given(
      .configured(\.hooks, all), .pressed(.connectOrDisconnect), .link(ear, .connected))
    let ready = runs(&scenario, .link(ear, .ready(description(), isEncrypted: false)))
    #expect(ready.first?.variables["EARSHOT_NAME"] == "E\u{FFFD}[2J")
  }

  @Test func `a line is for the shell, a list is a program and its arguments`() {
    #expect(HookCommand.shell("a | b").arguments == ["/bin/sh", "-c", "a | b"])
    #expect(HookCommand.program(["a", "$b"]).arguments == ["a", "$b"])
  }
}
