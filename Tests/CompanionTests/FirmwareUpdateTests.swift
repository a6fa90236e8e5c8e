import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct FirmwareUpdateTests {
  @Test func `progress is shown, and a phase is reported once`() {
    var scenario = Scenario.withUpdate()
    let sending = progress(.transferring, 7783, rate: 28_900)
    scenario.send(.firmware(ear, .progressed(sending))) {
      $0.headphones.update(ear) {
        $0.firmware.stage = .running(offer(), sending)
        $0.firmwareProgress = 9
      }
      $0.logs(.info, ear, "firmware: sending")
    }
    let more = progress(.transferring, 70_000, rate: 28_900)
    scenario.send(.firmware(ear, .progressed(more))) {
      $0.headphones.update(ear) {
        $0.firmware.stage = .running(offer(), more)
        $0.firmwareProgress = 89
      }
    }
  }

  @Test func `other controls work while firmware travels`() {
    var scenario = Scenario.withUpdate()
    scenario.given(.headphone(ear, .ancChanged(.noiseCancelling)))
    let effects = scenario.effects(of: .pressed(.setANC(.transparency)))
    #expect(
      effects == [.perform(ear, .setANC(.transparency), CommandToken(rawValue: 1))])
  }

  @Test func `the keys of the page begin no second update`() {
    var scenario = Scenario.withUpdate()
    for key in [UserCommand.accept, .firmware] {
      let effects = scenario.effects(of: .pressed(key))
      #expect(effects.isEmpty && scenario.state.dialog == nil)
    }
  }

  @Test func `the restart is a state of its own, and the headphone is awaited`() {
    var scenario = Scenario.withUpdate()
    scenario.given(.firmware(ear, .progressed(progress(.restarting, 77_831))))
    #expect(scenario.link == .firmwareRestarting())
    let lost = scenario.effects(of: .link(ear, .ended(.peer)))
    #expect(scenario.link == .firmwareRestarting(Retry(attempt: 1, after: .peer)))
    #expect(lost.contains(.startTimer(.reconnect(ear), .about(.seconds(1)))))
    let retry = scenario.effects(of: .timerFired(.reconnect(ear)))
    #expect(retry == [.connect(ear)])
    scenario.given(.link(ear, .connected))
    let reported = Scenario.updatableDescription(firmware: "1.5.0")
    let ready = scenario.effects(of: .link(ear, .ready(reported, isEncrypted: false)))
    #expect(ready.contains(.installFirmware(ear, offer(), scenario.updateTarget)))
    #expect(scenario.link?.use == .firmwareUpdate)
  }

  @Test func `a link that ends with the order to restart is a restart too`() {
    var scenario = Scenario.withUpdate()
    scenario.given(
      .firmware(ear, .progressed(progress(.activating, 77_831))), .link(ear, .ended(.peer)))
    #expect(scenario.link == .firmwareRestarting(Retry(attempt: 1, after: .peer)))
    scenario.given(.firmware(ear, .progressed(progress(.restarting, 77_831))))
    #expect(scenario.link == .firmwareRestarting(Retry(attempt: 1, after: .peer)))
  }

  @Test func `success is reported only when the update says so, and the link goes on`() {
    var scenario = Scenario.withUpdate()
    scenario.given(.firmware(ear, .progressed(progress(.confirming, 77_831))))
    scenario.send(
      .firmware(ear, .ended(.installed(FirmwareVersion(1, 5, 0)))),
      effects: [.pauseFirmware(ear), .noticeTimer]
    ) {
      $0.headphones.update(ear) {
        $0.firmware.stage = .ended(offer(), .installed(FirmwareVersion(1, 5, 0)))
        $0.firmwareProgress = nil
        $0.link = .connected(.ready)
        $0.information.firmware = "1.5.0"
      }
      $0.logs(.debug, ear, "no longer updating the firmware")
      $0.says("Ear (a) runs firmware 1.5.0", ear)
    }
  }

  @Test func `an old version is reported as rolled back, never as success`() {
    var scenario = Scenario.withUpdate()
    let failure = FirmwareFailure.rolledBack(running: FirmwareVersion(1, 4, 2))
    scenario.given(.firmware(ear, .ended(.failed(failure))))
    #expect(scenario.firmware == .ended(offer(), .failed(failure)))
    #expect(scenario.state.headphones[ear]?.information.firmware == "1.4.2")
    #expect(
      scenario.state.problem == Problem(failure.explanation, advice: failure.advice))
    #expect(scenario.state.notice == nil)
    // A second try is offered, and asks again.
    scenario.given(.pressed(.accept))
    #expect(scenario.state.dialog == .question(Question(.installFirmware(ear))))
  }

  @Test func `a lost link is connected again, and goes on by itself`() {
    var scenario = Scenario.withUpdate()
    let sent = progress(.transferring, 40_000)
    scenario.given(.firmware(ear, .progressed(sent)), .link(ear, .ended(.timeout)))
    #expect(scenario.firmware == .running(offer(), sent))
    #expect(scenario.state.headphones[ear]?.firmwareProgress == nil)
    scenario.given(.timerFired(.reconnect(ear)), .link(ear, .connected))
    let effects = scenario.effects(
      of: .link(ear, .ready(Scenario.updatableDescription(), isEncrypted: false)))
    #expect(effects.contains(.installFirmware(ear, offer(), scenario.updateTarget)))
  }

  @Test(arguments: [FirmwareUpdate.Phase.transferring, .restarting])
  func `a link that carries nothing any more is changed`(phase: FirmwareUpdate.Phase) {
    var scenario = Scenario.withUpdate()
    scenario.given(.firmware(ear, .progressed(progress(phase, 100))))
    let effects = scenario.effects(of: .firmware(ear, .needsLink))
    #expect(effects.first == .disconnect(ear))
    #expect(effects.contains(.startTimer(.reconnect(ear), .about(.seconds(1)))))
    #expect(scenario.state.headphones[ear]?.link.isWanted == true)
  }

  @Test(arguments: [UserCommand.connectOrDisconnect, .dropControlLink])
  func `who ends the link pauses the update, and can go on later`(key: UserCommand) {
    var scenario = Scenario.withUpdate()
    let sent = progress(.transferring, 40_000)
    scenario.given(.firmware(ear, .progressed(sent)))
    let effects = scenario.effects(of: .pressed(key))
    #expect(effects.contains(.disconnect(ear)) && effects.contains(.pauseFirmware(ear)))
    #expect(scenario.firmware == .paused(offer(), sent))
    scenario.given(
      .pressed(.connectOrDisconnect), .link(ear, .connected),
      .link(ear, .ready(Scenario.updatableDescription(), isEncrypted: false)),
      .pressed(.accept), .pressed(.right))
    let resumed = scenario.effects(of: .pressed(.accept))
    #expect(resumed == [.installFirmware(ear, offer(), scenario.updateTarget)])
  }

  @Test func `a link that cannot come back by itself pauses the update`() {
    var scenario = Scenario.withUpdate()
    let effects = scenario.effects(of: .link(ear, .ended(.micFailure)))
    #expect(effects.contains(.pauseFirmware(ear)))
    #expect(scenario.firmware == .paused(offer(), beginning))
  }

  @Test func `what the runtime finds forbidden is reported, and nothing was sent`() {
    var scenario = Scenario.withUpdate()
    scenario.given(.firmware(ear, .refused(.updateRunning)))
    #expect(scenario.firmware == .offered(offer()) && scenario.link?.use == .ready)
    #expect(scenario.state.problem?.text.contains("under way") == true)
  }

  @Test func `what stops the update is reported, and it can be gone on with`() {
    var scenario = Scenario.withUpdate()
    scenario.given(.firmware(ear, .stopped(reason: "the file is gone", advice: "Find it.")))
    #expect(scenario.firmware == .paused(offer(), beginning) && scenario.link?.use == .ready)
    #expect(
      scenario.state.problem
        == Problem("the update is paused: the file is gone", advice: "Find it."))
  }

  @Test(arguments: [false, true])
  func `quitting asks while an update is under way, linked or not`(isLost: Bool) {
    var scenario = Scenario.withUpdate()
    if isLost { scenario.given(.link(ear, .ended(.timeout))) }
    scenario.given(.pressed(.quit))
    #expect(scenario.state.dialog == .question(Question(.quitDuringUpdate)))
    #expect(!scenario.state.isQuitting)
    scenario.given(.pressed(.back))
    #expect(!scenario.state.isQuitting)
    scenario.given(.pressed(.quit), .pressed(.quit))
    #expect(scenario.state.isQuitting)
  }

  @Test func `a client quits at once, and is told that the update continues`() {
    var scenario = Scenario.withUpdate()
    var state = scenario.state.seen(from: scenario.state.firstViewpoint)
    #expect(state.reduce(.pressed(.quit), at: scenario.now).isEmpty)
    #expect(state.isQuitting && state.dialog == nil)
    #expect(scenario.state.clientQuitText?.contains("continues") == true)
    scenario.given(.firmware(ear, .ended(.installed(FirmwareVersion(1, 5, 0)))))
    #expect(scenario.state.clientQuitText == nil)
  }

  @Test func `a paused or ended update lets one quit at once`() {
    var scenario = Scenario.withUpdate()
    scenario.given(
      .firmware(ear, .ended(.installed(FirmwareVersion(1, 5, 0)))), .pressed(.quit))
    #expect(scenario.state.isQuitting)
  }

  @Test func `a headphone that is forgotten takes its update along`() {
    var scenario = Scenario.withUpdate()
    scenario.given(.pressed(.forget), .pressed(.right))
    let effects = scenario.effects(of: .pressed(.accept))
    #expect(effects.contains(.forget(ear)))
    scenario.given(.firmware(ear, .progressed(progress(.transferring, 1))))
    #expect(scenario.state.headphones.isEmpty)
  }

  @Test func `news of an update that is over changes nothing but the log`() {
    var scenario = Scenario.withOffer()
    let news: [FirmwareEvent] = [
      .progressed(beginning), .needsLink, .refused(.updateRunning),
      .stopped(reason: "", advice: ""), .ended(.installed(FirmwareVersion(1, 5, 0))),
    ]
    for event in news {
      scenario.send(.firmware(ear, event)) {
        $0.logs(.debug, ear, "ignored: an unexpected firmware event")
      }
    }
  }

  @Test func `what the headphone says of its firmware is kept`() {
    var scenario = Scenario.withUpdatable()
    let status = FirmwareStatus(
      state: .receiving, offset: 40_000, running: FirmwareVersion(1, 4, 2),
      pending: FirmwareVersion(1, 5, 0))
    scenario.send(.firmware(ear, .reported(status))) {
      $0.headphones.update(ear) { $0.firmware.status = status }
    }
    #expect(scenario.state.headphones[ear]?.runningFirmware == FirmwareVersion(1, 4, 2))
  }
}
