import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct FirmwareChoiceTests {
  @Test func `U opens the page, asks the headphone, and wants a file`() {
    var scenario = Scenario.withUpdatable()
    scenario.press(.firmware, effects: [.askFirmware(ear), .recallFirmware(ear)]) {
      $0.page = .firmware
      $0.dialog = .entry(TextEntry(.firmwareImage(ear)))
    }
  }

  static func unfinished(_ file: InterruptedUpdate.File) -> InterruptedUpdate {
    InterruptedUpdate(
      path: "/home/me/new.fw", version: FirmwareVersion(1, 5, 0), bytes: 28_797, total: 77_831,
      timestamp: Timestamp(milliseconds: 1_795_269_802_000), file: file)
  }

  @Test func `the file of an unfinished update stands in the entry, and Enter goes on with it`() {
    var scenario = Scenario.withUpdatable()
    scenario.given(.pressed(.firmware), .firmware(ear, .recalled(Self.unfinished(.there))))
    #expect(
      scenario.state.dialog == .entry(TextEntry(.firmwareImage(ear), text: "/home/me/new.fw")))
    scenario.given(.pressed(.back))
    let effects = scenario.effects(of: .pressed(.accept))
    #expect(effects == [.examineFirmware(ear, path: "/home/me/new.fw")])
  }

  @Test func `what was typed meanwhile stays`() {
    var scenario = Scenario.withUpdatable()
    scenario.given(
      .pressed(.firmware), .typed(.character("x")),
      .firmware(ear, .recalled(Self.unfinished(.there))))
    #expect(scenario.state.dialog == .entry(TextEntry(.firmwareImage(ear), text: "x")))
  }

  @Test(arguments: [InterruptedUpdate.File.gone, .changed])
  func `a file that is not what it was is reported, not offered`(file: InterruptedUpdate.File) {
    var scenario = Scenario.withUpdatable()
    scenario.given(.pressed(.firmware), .firmware(ear, .recalled(Self.unfinished(file))))
    #expect(scenario.state.dialog == .entry(TextEntry(.firmwareImage(ear))))
    #expect(scenario.state.headphones[ear]?.firmware.unfinished?.advice != nil)
    scenario.given(.pressed(.back), .pressed(.accept))
    #expect(scenario.state.dialog == .entry(TextEntry(.firmwareImage(ear))))
  }

  @Test func `an update that goes on is unfinished no more`() {
    var scenario = Scenario.withUpdatable()
    scenario.given(
      .pressed(.firmware), .firmware(ear, .recalled(Self.unfinished(.there))),
      .pressed(.accept))
    var offer = offer()
    offer.path = "/home/me/new.fw"
    scenario.given(
      .firmware(ear, .examined(offer)), .pressed(.accept), .pressed(.right), .pressed(.accept))
    #expect(scenario.state.headphones[ear]?.firmware.isRunning == true)
    #expect(scenario.state.headphones[ear]?.firmware.unfinished == nil)
  }

  @Test func `a headphone that takes no firmware says so`() {
    var scenario = Scenario.withReady()
    scenario.press(.firmware, effects: [.noticeTimer]) {
      $0.explains("this headphone has no firmware update", ear)
    }
  }

  @Test func `without a headphone there is nothing to update`() {
    var scenario = Scenario.withAdapter()
    scenario.press(.firmware, effects: [.noticeTimer]) {
      $0.explains("no headphone yet", remedy: .scan)
    }
    var unknown = Scenario.withHeadphone()
    unknown.given(.pressed(.firmware))
    #expect(unknown.state.page == .main)
  }

  @Test(arguments: ["new.fw", " new.fw ", "'new.fw'", "\"new.fw\" "])
  func `the typed file is read, whatever a paste puts around its name`(typed: String) {
    var scenario = Scenario.withUpdatable()
    scenario.given(.pressed(.firmware))
    for character in typed { scenario.given(.typed(.character(character))) }
    scenario.press(.accept, effects: [.examineFirmware(ear, path: "new.fw")]) {
      $0.dialog = nil
      $0.headphones.update(ear) { $0.firmware.stage = .examining(path: "new.fw") }
    }
  }

  @Test func `no name is no file`() {
    var scenario = Scenario.withUpdatable()
    scenario.given(.pressed(.firmware), .typed(.character(" ")))
    let effects = scenario.effects(of: .pressed(.accept))
    #expect(effects.isEmpty && scenario.firmware == FirmwareState.Stage.none)
  }

  @Test func `a file that is no image is reported with its reason, and another can be chosen`() {
    var scenario = Scenario.withUpdatable()
    scenario.given(
      .pressed(.firmware), .typed(.character("x")), .pressed(.accept),
      .firmware(ear, .rejected(path: "x", reason: "no image", advice: "Download it again.")))
    #expect(
      scenario.firmware == .rejected(path: "x", reason: "no image", advice: "Download it again."))
    scenario.given(.pressed(.accept))
    #expect(scenario.state.dialog == .entry(TextEntry(.firmwareImage(ear), text: "x")))
  }

  @Test func `news of a file that was given up changes nothing`() {
    var scenario = Scenario.withOffer()
    scenario.given(.firmware(ear, .rejected(path: "x", reason: "late", advice: "")))
    #expect(scenario.firmware == .offered(offer()))
    scenario.given(.firmware(ear, .examined(offer(.untrusted))))
    #expect(scenario.firmware == .offered(offer()))
  }

  @Test func `installing asks, and No is the answer until one chooses Yes`() {
    var scenario = Scenario.withOffer()
    scenario.press(.accept) { $0.dialog = .question(Question(.installFirmware(ear))) }
    scenario.press(.accept) { $0.dialog = nil }
    #expect(scenario.firmware == .offered(offer()))
  }

  @Test func `the question says what is lost and how long it takes`() {
    let state = Scenario.withOffer().state
    let words = Question.Subject.installFirmware(ear).text(state)
    for part in [
      "1.5.0", "Ear (a)", "12 to 35 s", "restart", "Do not switch it off", "old firmware",
    ] {
      #expect(words.contains(part), "\(part)")
    }
  }

  @Test func `Yes begins the update over the ready link`() {
    var scenario = Scenario.withOffer()
    scenario.given(.pressed(.accept), .pressed(.right))
    scenario.press(.accept, effects: [.installFirmware(ear, offer(), scenario.updateTarget)]) {
      $0.dialog = nil
      $0.headphones.update(ear) {
        $0.firmware.stage = .running(offer(), beginning)
        $0.link = .connected(.firmwareUpdate)
      }
      $0.logs(.info, ear, "firmware 1.5.0 is being installed")
      $0.logs(.info, ear, "updating the firmware")
    }
  }

  @Test(arguments: [
    (FirmwareTrust.untrusted, FirmwareRefusal.untrustedSignature), (.noKey, .noTrustedKey),
  ])
  func `an image that nobody trusted has signed is not even asked about`(
    trust: FirmwareTrust, refusal: FirmwareRefusal
  ) {
    var scenario = Scenario.withOffer(offer(trust))
    scenario.press(.accept) {
      $0.complains("firmware not sent: \(refusal.explanation)", advice: refusal.advice, ear)
    }
  }

  @Test func `an image for other hardware is not even asked about`() {
    var scenario = Scenario.withOffer(offer { $0.hardware = 1 })
    let refusal = FirmwareRefusal.wrongHardware(image: 1, headphone: 0xA102)
    scenario.press(.accept) {
      $0.complains("firmware not sent: \(refusal.explanation)", advice: refusal.advice, ear)
    }
  }

  @Test func `a bud that runs low while the question is open stops the update`() {
    var scenario = Scenario.withOffer()
    scenario.given(
      .pressed(.accept), .pressed(.right),
      .headphone(ear, .batteryChanged([.right: Battery(level: 12)])))
    let refusal = FirmwareRefusal.batteryTooLow(.right, level: 12, minimum: 30)
    scenario.press(.accept, effects: [.cancelTimer(.notice)]) {
      $0.dialog = nil
      $0.notice = nil
      $0.complains("firmware not sent: \(refusal.explanation)", advice: refusal.advice, ear)
    }
  }

  @Test func `who insists on an image that is not newer leaves it to the headphone`() {
    let old = offer { $0.version = FirmwareVersion(1, 4, 0) }
    var scenario = Scenario.withOffer(old)
    scenario.given(.pressed(.accept))
    #expect(
      Question.Subject.installFirmware(ear).text(scenario.state).hasPrefix("It is not newer"))
    scenario.given(.pressed(.right))
    let effects = scenario.effects(of: .pressed(.accept))
    var forced = old
    forced.isForced = true
    #expect(effects == [.installFirmware(ear, forced, scenario.updateTarget)])
  }

  @Test func `a link that is gone when one says Yes begins nothing`() {
    var scenario = Scenario.withOffer()
    scenario.given(.pressed(.accept), .pressed(.right), .link(ear, .ended(.timeout)))
    let effects = scenario.effects(of: .pressed(.accept))
    #expect(effects == [.noticeTimer] && scenario.firmware == .offered(offer()))
  }

  @Test func `on the page U chooses another image, and Esc goes back`() {
    var scenario = Scenario.withOffer()
    scenario.press(.firmware) {
      $0.dialog = .entry(TextEntry(.firmwareImage(ear), text: "new.fw"))
    }
    scenario.press(.back) { $0.dialog = nil }
    scenario.press(.back) { $0.page = .main }
    scenario.press(.firmware, effects: [.askFirmware(ear)]) { $0.page = .firmware }
  }

  @Test func `every check is reported, those that passed too`() throws {
    let headphone = try #require(Scenario.withOffer().state.headphones[ear])
    #expect(
      headphone.firmwareChecks == [
        FirmwareCheck(.signature, .passed), FirmwareCheck(.hardware, .passed),
        FirmwareCheck(.version, .passed), FirmwareCheck(.securityCounter, .leftToHeadphone),
        FirmwareCheck(.battery, .passed),
      ])
    let running = try #require(Scenario.withUpdate().state.headphones[ear])
    #expect(running.firmwareChecks.first?.refusal == .updateRunning)
  }
}
