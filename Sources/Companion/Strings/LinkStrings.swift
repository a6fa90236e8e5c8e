package import BluetoothCodec
internal import BluetoothRadio
import HeadphoneProtocols

extension LinkState {
  /// The state in a few words, in lower case.
  ///
  /// Reasons follow a colon, so that the words before it can be searched for in a log.
  package var displayText: String {
    switch self {
    case .unwanted(let end): end.displayText
    case .pending(.connecting, .backoff(let failures)) where failures > 0:
      "reconnecting (\(failures))"
    case .pending(let attempt, _): attempt.displayText
    case .connected(let use, _): use.displayText
    case .reconnecting(let retry): "reconnecting (\(retry.attempt)): \(retry.after.displayText)"
    case .firmwareRestarting: "restarting into new firmware"
    }
  }

  /// The stable names of the states in `status --json`.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case idle, waitingForBluetooth, scanning, connecting, discoveringServices
    case discoveringCharacteristics, subscribing, ready, disconnected, reconnecting
    case permissionDenied, bluetoothOff, unsupported, userCancelled, firmwareUpdate
    case firmwareRestarting, pairing, factoryReset, failed
  }

  package var name: Name {
    switch self {
    case .unwanted(let end): end.name
    case .pending(let attempt, _): attempt.name
    case .connected(let use, _): use.name
    case .reconnecting: .reconnecting
    case .firmwareRestarting: .firmwareRestarting
    }
  }
}

extension LinkEnd {
  fileprivate var displayText: String {
    switch self {
    case .idle: "not connected"
    case .disconnected(.user): DisconnectReason.user.displayText
    case .disconnected(let reason): "disconnected: \(reason.displayText)"
    case .userCancelled: "cancelled"
    case .permissionDenied(let capability): "not permitted: needs \(capability)"
    case .unsupported(let missing): "not a supported headphone: \(missing) is missing"
    case .failed(let reason): "failed: \(reason.displayText)"
    }
  }

  fileprivate var name: LinkState.Name {
    switch self {
    case .idle: .idle
    case .disconnected: .disconnected
    case .userCancelled: .userCancelled
    case .permissionDenied: .permissionDenied
    case .unsupported: .unsupported
    case .failed: .failed
    }
  }
}

extension LinkAttempt {
  fileprivate var displayText: String {
    switch self {
    case .waitingForBluetooth(.adapter): "waiting for Bluetooth"
    case .waitingForBluetooth(.power): "Bluetooth is off"
    case .waitingForBluetooth(.unblocking): "Bluetooth is blocked by rfkill"
    case .waitingForBluetooth(.permission(let capability)): "not permitted: needs \(capability)"
    case .waitingForBluetooth(.turn): "waiting for its turn to connect"
    case .waitingForBluetooth(.room): "waiting: the adapter is at its connection limit"
    case .scanning: "scanning for it"
    case .connecting: "connecting"
    }
  }

  fileprivate var name: LinkState.Name {
    switch self {
    case .waitingForBluetooth(.power): .bluetoothOff
    case .waitingForBluetooth(.permission): .permissionDenied
    case .waitingForBluetooth: .waitingForBluetooth
    case .scanning: .scanning
    case .connecting: .connecting
    }
  }
}

extension LinkUse {
  fileprivate var displayText: String {
    switch self {
    case .starting(let phase): phase.displayText
    case .pairing: "pairing"
    case .ready: "ready"
    case .firmwareUpdate: "updating the firmware"
    case .factoryReset: "being reset"
    }
  }

  fileprivate var name: LinkState.Name {
    switch self {
    case .starting(.discoveringServices): .discoveringServices
    case .starting(.discoveringCharacteristics): .discoveringCharacteristics
    case .starting(.subscribing): .subscribing
    case .pairing: .pairing
    case .ready: .ready
    case .firmwareUpdate: .firmwareUpdate
    case .factoryReset: .factoryReset
    }
  }
}

extension StartPhase {
  var displayText: String {
    switch self {
    case .discoveringServices: "discovering services"
    case .discoveringCharacteristics: "discovering characteristics"
    case .subscribing: "subscribing"
    }
  }
}

extension HeadphoneState {
  /// The state of the control link, or "nearby" for a headphone that only advertises.
  package var linkText: String {
    isAdvertisingOnly && link == .unwanted(.idle) ? "nearby, not connected" : link.displayText
  }

  /// The state of the control link, and the other program that holds it, if any.
  package var linkTextWithHolder: String {
    quality.holder.map { "\(linkText), through \($0), which holds it" } ?? linkText
  }
}

extension DisconnectReason {
  /// The reason in lower case; some texts come from the radio or driver.
  package var displayText: String {
    switch self {
    case .user: "disconnected by you"
    case .peer: "the headphone ended the link"
    case .timeout: "the headphone is out of range or off"
    case .localHost: "this machine ended the link"
    case .adapterGone: "the Bluetooth adapter is off or gone"
    case .bluetoothdGone: "bluetoothd ended"
    case .firmwareRestart: "the headphone is restarting"
    case .micFailure: "the encryption keys differ"
    case .connectTimeout: "the headphone does not answer"
    case .refused: "the headphone refused the link"
    case .requestTimeout: "the headphone stopped answering"
    case .busy(let what): what
    case .protocolViolation(let what): "the headphone broke the protocol: \(what)"
    case .system(let what): what
    }
  }

  /// The advice in lower case without a full stop, or "" if there is none.
  package var advice: String {
    switch self {
    case .user, .localHost, .firmwareRestart: ""
    case .peer: "it may have gone to its case, or to another device"
    case .timeout, .connectTimeout, .requestTimeout:
      "bring it near, take it out of its case, switch it on"
    case .adapterGone: "switch Bluetooth on or plug the adapter in; Earshot then continues"
    case .bluetoothdGone: "Earshot connects again when it is back"
    case .micFailure: "pair again, or forget it here"
    case .refused: "put it in pairing mode, or disconnect it from the other device"
    case .busy: "end the other program, or disconnect there"
    case .protocolViolation: "record it with --capture and report it"
    case .system: "the log has the details"
    }
  }

  /// The stable names of the reasons in `status --json`.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case user, peer, timeout, localHost, adapterGone, bluetoothdGone, firmwareRestart, micFailure
    case connectTimeout, refused, requestTimeout, busy, protocolViolation, system
  }

  package var name: Name {
    switch self {
    case .user: .user
    case .peer: .peer
    case .timeout: .timeout
    case .localHost: .localHost
    case .adapterGone: .adapterGone
    case .bluetoothdGone: .bluetoothdGone
    case .firmwareRestart: .firmwareRestart
    case .micFailure: .micFailure
    case .connectTimeout: .connectTimeout
    case .refused: .refused
    case .requestTimeout: .requestTimeout
    case .busy: .busy
    case .protocolViolation: .protocolViolation
    case .system: .system
    }
  }
}

extension FailureReason {
  package var displayText: String {
    switch self {
    case .security(let failure): failure.displayText
    case .start(let what): what
    }
  }

  package var advice: String {
    switch self {
    case .security(let failure): failure.advice
    case .start: "connect again; if it happens again, record it with --capture and report it"
    }
  }
}

extension SecurityFailure {
  package var displayText: String {
    switch self {
    case .refused: "pairing was refused"
    case .declined: "pairing cancelled"
    case .unanswered: "nobody answered the pairing request"
    case .unattended: "nobody can be asked whether to pair"
    case .timedOut: "pairing did not end in time"
    case .noAgent: "bluetoothd has no pairing agent"
    case .notPermitted(let capability): "pairing needs \(capability)"
    case .unsupported: "pairing is not possible with this adapter"
    case .keyMissing: "the headphone forgot this computer"
    case .closed(let closed): DisconnectReason(closed.reason).displayText
    case .bluetoothdUnresponsive: "bluetoothd does not answer"
    case .bluetoothd(let words): "bluetoothd: \(words)"
    }
  }

  package var advice: String {
    switch self {
    case .refused: "put the headphone in pairing mode and pair again"
    case .declined: "to pair it after all: earshot pair, or p on the screen"
    case .unanswered, .unattended:
      "it wants to be paired: earshot pair NAME (with --yes in a script), or p on the screen"
    case .timedOut: "hold the headphone close, put it in pairing mode and pair again"
    case .noAgent:
      "run bluetoothctl, enter \"agent on\" and \"default-agent\", and pair again while it runs"
    case .notPermitted(let capability): "grant it: \(setcapCommand(capability))"
    case .unsupported: "run earshot doctor: it has the reason, and the commands that help"
    case .keyMissing: "pair again, or forget it here"
    case .closed: FailureReason.start("").advice
    case .bluetoothdUnresponsive: "restart it: sudo systemctl restart bluetooth"
    case .bluetoothd: "try again; if it happens again: sudo systemctl restart bluetooth"
    }
  }
}

extension LinkEvent {
  var displayText: String {
    switch self {
    case .connected: "connected"
    case .ready: "ready"
    case .member(let member): member.isLinked ? "second bud connected" : "second bud disconnected"
    case .ended(let reason): reason.displayText
    case .failed(let reason): reason.displayText
    case .denied(let capability): "not permitted: needs \(capability)"
    case .unsupported(let missing): "\(missing) is missing"
    case .noRoom: "the adapter is at its connection limit"
    }
  }
}
