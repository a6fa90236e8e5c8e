import AudioRoute
import BluetoothCodec
import BluetoothRadio
import Companion
import HeadphoneProtocols
import TestSupport
import Testing

/// Any sequence of actions results in a valid state.
@Suite struct RandomWalkTests {
  @Test(arguments: UInt64(1)...50) func `no sequence of actions breaks the state`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var state = State()
    for _ in 0..<400 {
      let action = Self.actions.randomElement(using: &random)
      let effects = action.map { state.reduce($0, at: noon) } ?? []
      for effect in effects {
        guard case .perform(let id, _, _) = effect else { continue }
        #expect(state.headphones[id]?.link.isConnected == true)
      }
      for headphone in state.headphones {
        if headphone.firmware.isRunning {
          #expect(headphone.link.isWanted && headphone.link.use != .ready)
        }
        if headphone.link.use == .firmwareUpdate { #expect(headphone.firmware.isRunning) }
        if headphone.link.isReady { #expect(headphone.mtu != nil) }
        if headphone.pairing.step == .awaitingLink { #expect(headphone.link.isWanted) }
        if !headphone.link.isConnected {
          #expect(headphone.anc.pending == nil && headphone.eq.pending == nil)
        }
        if case .reconnecting = headphone.link {
          guard case .ready = state.adapter else {
            Issue.record("a retry without an adapter")
            return
          }
        }
      }
      let attempts = state.headphones.count { $0.link.attempt == .connecting }
      #expect(attempts <= 1)
      if let pause = state.soundPause {
        #expect(state.headphones[pause.headphone]?.link.isReady == true)
        #expect(state.preferences.autoPause != .off)
      }
      #expect(state.headphones.isEmpty == (state.headphones.selected == nil))
    }
  }

  private static let actions: [Action] = {
    let ids = [ear, bud]
    let failures: [CommandOutcome] = [
      .done, .failed(.noResponse), .failed(.linkLost(.timeout)), .failed(.refused(.busy)),
    ]
    let links: [LinkEvent] =
      [
        .connected, .ready(description(), isEncrypted: nil), .ended(.timeout), .ended(.peer),
        .ended(.user), .ended(.micFailure), .ended(.adapterGone), .failed(.security(.keyMissing)),
        .denied(capability: "CAP_NET_RAW"), .unsupported(missing: "FFF3"), .noRoom,
        .ready(Scenario.updatableDescription(), isEncrypted: true),
      ]
    let events: [HeadphoneEvent] =
      StartPhase.allCases.map { .starting($0) } + ANCMode.allCases.map { .ancChanged($0) } + [
        .eqChanged(.vocal, bands: []), .ancLevelChanged(10), .findChanged(.both),
        .wearingChanged(Wearing(left: true, right: true)),
        .wearingChanged(Wearing(left: false, right: false)), .malformed("FF"),
        .batteryChanged([.left: Battery(level: 255)]), .renamed(""), .firmwareProgress(200),
      ]
    let firmware: [FirmwareEvent] =
      FirmwareUpdate.Phase.allCases.map { .progressed(progress($0, 40_000)) } + [
        .examined(offer()), .rejected(path: "y", reason: "?", advice: ""), .needsLink,
        .refused(.updateRunning), .stopped(reason: "?", advice: ""),
        .ended(.installed(FirmwareVersion(1, 5, 0))), .ended(.failed(.neverCameBack)),
      ]
    var preferences = Preferences()
    preferences.autoPause = .players
    preferences.sound.all[.buttons] = .word("on")
    preferences.scenes = [
      Scene(name: "call", wishes: [.init(.noiseMode, "transparency")], when: "call"),
      Scene(name: "film", wishes: [.init(.noiseMode, "off")], when: "program:mpv"),
    ]
    let tokens = (1...4).map { CommandToken(rawValue: $0) }
    var actions: [Action] = UserCommand.allCases.map { .pressed($0) }
    actions += ["y", "n", "\u{7}", "é", "'"].map { .typed(.character($0)) }
    actions += [.typed(.backspace), .typed(.clear), .timerFired(.notice), .timerFired(.settled)]
    actions += [
      .adapterChanged(hci0), .adapterChanged(hci0), .adapterChanged(.off(adapter: "hci0")),
      .adapterChanged(.absent), .scan(.started), .scan(.ended), .scan(.failed(.refused)),
      .launched([], autoConnect: .lastUsed(else: .only)), sound(to: nil, speakers),
      .timerFired(.pairing), .audio(.unavailable(.serverEnded)),
      .configured(\.autoPause, .players), .configured(\.autoPause, .cork), .playersPaused(["mpv"]),
      .timerFired(.wearPause), .timerFired(.heldPlay), .keyHandlerChanged(.none),
      sound(to: "bluez_output.ear", bluetoothSink()), .audioLinks(AudioLinks(up: ["00:00"])),
      .audioCommandFailed(.route(sink: ""), .notFound("")),
    ]
    actions += [
      .configured(Preferences(), isResident: true), .configured(preferences, isResident: true),
      .audio(
        .running(
          AudioSnapshot(
            serverName: "pulseaudio", serverVersion: "17.0", defaultSink: nil,
            sinks: [bluetoothSink()],
            sources: [
              AudioSource(
                name: "", description: "Ear (a)", isBluetooth: true, card: "bluez_card.ear",
                programs: ["Zoom"])
            ], playing: [AudioProgram(name: "mpv")]))),
    ]
    actions += ids.flatMap { id in ["call", "film"].map { .timerFired(.scene(id, $0)) } }
    for (number, id) in ids.enumerated() {
      let needs: [PairingRequest] = [
        .consent, .compare(Passkey(truncating: 0)), .show(Passkey(truncating: 1), entered: 1),
        .enter, .enterPIN, .showPIN(.usual),
      ]
      actions += needs.enumerated().map { offset, need in
        let question = PairingAgent.Question(
          id: UInt64(number * needs.count + offset), peer: peripheral(id).address, request: need,
          limit: .seconds(25))
        return .pairing(.asked(id, question))
      }
      actions += (0..<UInt64(ids.count * needs.count)).map {
        .pairing(.closed($0, isTooLate: $0.isMultiple(of: 2)))
      }
      actions += [
        .pairing(.ended(id, nil)), .pairing(.ended(id, .security(.refused))),
        .pairing(.bonded(id, true)), .pairing(.bonded(id, false)),
      ]
      actions += firmware.map { .firmware(id, $0) }
      actions += links.map { .link(id, $0) } + events.map { .headphone(id, $0) }
      actions += [
        .discovered(peripheral(id)), .timerFired(.reconnect(id)), .timerFired(.steady(id)),
        .measured(id, LinkQuality()),
        .securityExamined(ComputerSecurityFacts(), id, HeadphoneSurvey()),
      ]
      for token in tokens {
        for outcome in failures {
          actions.append(.commandEnded(id, .setANC(.off), token, outcome))
          actions.append(.commandEnded(id, .find(.both, isOn: true), token, outcome))
        }
      }
    }
    return actions
  }()
}
