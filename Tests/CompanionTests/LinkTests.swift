import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct LinkTests {
  @Test func `the equaliser that is reported twice stands once among the events`() {
    var scenario = Scenario.withReady()
    func reported(_ action: Action) -> [String] {
      let before = scenario.state.log.total
      scenario.given(action)
      return scenario.state.log.lines.suffix(scenario.state.log.total - before)
        .filter { $0.level == .info }.map(\.text)
    }
    let flat = [BandGain](repeating: .flat, count: 5)
    #expect(reported(.headphone(ear, .eqChanged(.balanced, bands: flat))) == [])
    #expect(reported(.headphone(ear, .eqChanged(.balanced, bands: flat))) == [])
    #expect(reported(.headphone(ear, .eqChanged(.vocal, bands: flat))) == ["equaliser: vocal"])
  }

  @Test func `what a headphone has may become more after the start`() {
    var scenario = Scenario.withReady()
    var later = description()
    later.capabilities.batteries = Part.allCases
    later.information.firmware = "9.9"
    later.missing = ["something: why"]
    scenario.send(.headphone(ear, .described(later))) {
      $0.headphones.update(ear) {
        $0.capabilities = later.capabilities
        $0.information = later.information
        $0.missing = later.missing
        $0.lastPacket = noon
      }
      $0.logs(.debug, ear, "features read again")
    }
  }

  @Test func `what has failed beside the link is in the log, also at the start`() {
    var starting = Scenario.withHeadphone()
    starting.given(.pressed(.connectOrDisconnect), .link(ear, .connected))
    for var scenario in [Scenario.withReady(), starting] {
      scenario.send(.headphone(ear, .noted("a stream: refused"))) {
        $0.headphones.update(ear) { $0.lastPacket = noon }
        $0.logs(.info, ear, "a stream: refused")
      }
    }
  }

  @Test func `a wanted headphone goes through every state to ready`() {
    var scenario = Scenario.withHeadphone()
    scenario.press(.connectOrDisconnect, effects: [.connect(ear)]) {
      $0.headphones.update(ear) {
        $0.link = .pending(.connecting)
      }
    }
    scenario.send(.link(ear, .connected)) {
      $0.headphones.update(ear) { $0.link = .connected(.starting(.discoveringServices)) }
      $0.logs(.info, ear, "connected")
    }
    scenario.send(.headphone(ear, .starting(.discoveringCharacteristics))) {
      $0.headphones.update(ear) { $0.link = .connected(.starting(.discoveringCharacteristics)) }
      $0.logs(.debug, ear, "discovering characteristics")
    }
    scenario.send(.headphone(ear, .starting(.subscribing))) {
      $0.headphones.update(ear) { $0.link = .connected(.starting(.subscribing)) }
      $0.logs(.debug, ear, "subscribing")
    }
    scenario.send(
      .link(ear, .ready(description(), isEncrypted: false)),
      effects: [
        .remember(
          KnownHeadphone(
            id: ear, name: "Ear (a)",
            address: PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random),
            serial: earSerial, lastUsed: noon)),
        .startTimer(.steady(ear), .exactly(.seconds(30))),
      ]
    ) {
      $0.headphones.update(ear) {
        $0.link = .connected(.ready)
        $0.driver = "Earshot protocol"
        $0.capabilities = allFeatures
        $0.information = DeviceInformation(model: "EAR-1", serial: "0001")
        $0.serial = earSerial
        $0.mtu = 185
        $0.isEncrypted = false
        $0.lastUsed = noon
      }
      $0.logs(.info, ear, "ready after 12 requests, MTU 185", event: "controls ready")
    }
  }

  @Test func `a lost link is tried again after 1, 2, 4 s and so on, 60 s at most`() {
    var scenario = Scenario.withReady()
    for (attempt, seconds) in [1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
      let retry = Retry(attempt: attempt + 1, after: .timeout)
      let wasUp = attempt == 0
      scenario.send(
        .link(ear, .ended(.timeout)),
        effects: [
          .cancelTimer(.steady(ear)), .startTimer(.reconnect(ear), .about(.seconds(seconds))),
        ]
      ) {
        $0.headphones.update(ear) {
          _ = $0.failures.add(.timeout, to: .backoff(failures: attempt))
          $0.link = .reconnecting(retry)
          $0.mtu = nil
          $0.isEncrypted = nil
        }
        $0.logs(
          .warning, ear,
          "\(wasUp ? "link ended" : "no link"): the headphone is out of range or off",
          sound: wasUp ? .link : nil)
      }
      scenario.send(.timerFired(.reconnect(ear)), effects: [.connect(ear)]) {
        $0.headphones.update(ear) {
          $0.link = .pending(.connecting, .backoff(failures: attempt + 1))
        }
      }
    }
  }

  @Test func `failures for different reasons do not add up, and those for one do`() {
    let reasons: [DisconnectReason] = [
      .timeout, .connectTimeout, .refused, .peer, .requestTimeout, .localHost, .system("EIO"),
    ]
    /// Returns the nominal pauses in seconds after failures for these reasons.
    func pauses(_ reasons: [DisconnectReason]) -> [Int64] {
      var scenario = Scenario.withReady()
      return reasons.compactMap { reason in
        let effects = scenario.effects(of: .link(ear, .ended(reason)))
        scenario.given(.timerFired(.reconnect(ear)))
        return effects.lazy.compactMap { effect -> Int64? in
          guard case .startTimer(.reconnect(ear), .about(let pause)) = effect else { return nil }
          return pause.components.seconds
        }.first
      }
    }
    #expect(pauses(reasons) == reasons.map { _ in 1 })
    #expect(pauses(reasons + reasons) == reasons.map { _ in 1 } + reasons.map { _ in 2 })
    // Alternating failures are no way to connect without pauses.
    let alternating = pauses((0..<16).map { $0.isMultiple(of: 2) ? .refused : .peer })
    #expect(alternating == [1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 32, 32, 60, 60, 60, 60])
  }

  @Test func `a link that stays ready for 30 s begins to count again`() {
    var scenario = Scenario.withReady()
    scenario.given(
      .link(ear, .ended(.peer)), .timerFired(.reconnect(ear)), .link(ear, .connected),
      .link(ear, .ready(description(), isEncrypted: false)))
    scenario.send(.timerFired(.steady(ear))) {
      $0.headphones.update(ear) { $0.link = .connected(.ready) }
    }
  }

  @Test(arguments: [
    LinkState.pending(.connecting), .reconnecting(Retry(attempt: 1, after: .peer)),
  ])
  func `cancelling wins at once`(link: LinkState) {
    var scenario = Scenario.withHeadphone()
    scenario.given(.pressed(.connectOrDisconnect))
    if link.attempt != .connecting { scenario.given(.link(ear, .ended(.peer))) }
    #expect(scenario.state.headphones[ear]?.link == link)
    scenario.press(
      .connectOrDisconnect,
      effects: [.cancelTimer(.reconnect(ear)), .cancelTimer(.steady(ear)), .disconnect(ear)]
    ) {
      $0.headphones.update(ear) {
        $0.link = .unwanted(.userCancelled)
      }
      $0.logs(.info, ear, "connecting was cancelled")
    }
  }

  @Test func `a retry that was cancelled meanwhile does nothing`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(
      .pressed(.connectOrDisconnect), .link(ear, .ended(.peer)), .pressed(.connectOrDisconnect))
    scenario.send(.timerFired(.reconnect(ear))) {
      $0.logs(.debug, ear, "ignored: an unexpected retry")
    }
  }

  @Test func `disconnecting is not undone by a retry`() {
    var scenario = Scenario.withReady()
    scenario.press(
      .connectOrDisconnect,
      effects: [.cancelTimer(.reconnect(ear)), .cancelTimer(.steady(ear)), .disconnect(ear)]
    ) {
      $0.headphones.update(ear) {
        $0.link = .unwanted(.disconnected(.user))
        $0.mtu = nil
        $0.isEncrypted = nil
      }
      $0.logs(.info, ear, "disconnected by you")
    }
    scenario.send(.link(ear, .ended(.user))) {
      $0.logs(.debug, ear, "ignored: \"disconnected by you\" of a link that is not under way")
    }
  }

  @Test func `keys that differ end all trying`() {
    var scenario = Scenario.withReady()
    scenario.send(.link(ear, .ended(.micFailure)), effects: [.cancelTimer(.steady(ear))]) {
      $0.headphones.update(ear) {
        $0.link = .unwanted(.disconnected(.micFailure))
        $0.mtu = nil
        $0.isEncrypted = nil
      }
      $0.logs(.warning, ear, "link ended: the encryption keys differ", sound: .link)
      $0.complains(
        "Ear (a): the encryption keys differ",
        advice: "pair again, or forget it here", ear, remedy: .pair)
    }
  }

  @Test(arguments: [
    (LinkEvent.unsupported(missing: "FFF3"), LinkEnd.unsupported(missing: "FFF3")),
    (.denied(capability: "CAP_NET_RAW"), .permissionDenied(capability: "CAP_NET_RAW")),
    (.failed(.security(.keyMissing)), .failed(.security(.keyMissing))),
  ])
  func `what trying again cannot fix ends in its own state and says what to do`(
    event: LinkEvent, end: LinkEnd
  ) {
    var scenario = Scenario.withHeadphone()
    scenario.given(.pressed(.connectOrDisconnect), .link(ear, .connected), .link(ear, event))
    #expect(scenario.state.headphones[ear]?.link == .unwanted(end))
    #expect(scenario.state.problem?.advice.isEmpty == false)
  }

  @Test func `ready out of turn is ignored with a line`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(.pressed(.connectOrDisconnect))
    scenario.send(.link(ear, .ready(description(), isEncrypted: nil))) {
      $0.logs(.debug, ear, "ignored: ready while connecting")
    }
  }

  @Test func `events of an unknown device are ignored with a line`() {
    var scenario = Scenario()
    scenario.send(.headphone(bud, .ancChanged(.off))) {
      $0.logs(
        .debug, bud, "ignored: \"noise control: off\" without a link")
    }
  }
}
