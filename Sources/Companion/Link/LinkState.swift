package import BluetoothCodec
internal import BluetoothRadio
package import HeadphoneProtocols

/// The state of one headphone's control link (docs/protocol.md section 8).
package enum LinkState: Hashable, Sendable {
  case unwanted(LinkEnd)
  case pending(LinkAttempt, RetryPolicy = .backoff(failures: 0))
  case connected(LinkUse, RetryPolicy = .backoff(failures: 0))
  case reconnecting(Retry)
  /// The headphone restarts into new firmware; nil until its link has ended.
  case firmwareRestarting(Retry? = nil)
}

package enum LinkEnd: Hashable, Sendable {
  /// No link was wanted yet, or the command that wanted it has ended.
  case idle
  case disconnected(DisconnectReason)
  case userCancelled
  case permissionDenied(capability: String)
  case unsupported(missing: String)
  case failed(FailureReason)
}

package enum LinkAttempt: Hashable, Sendable {
  case waitingForBluetooth(AdapterWait)
  case scanning
  /// The adapter is connecting, for at most 10 s.
  case connecting
}

package enum LinkUse: Hashable, Sendable {
  case starting(StartPhase)
  /// Pairing is in progress, during a phase of the start or on a ready link if nil.
  case pairing(during: StartPhase? = nil)
  case ready
  /// A firmware image is being transferred, and values are live.
  case firmwareUpdate
  /// The headphone is deleting its settings and bonds, and will end the link.
  case factoryReset
}

package enum AdapterWait: Hashable, Sendable {
  case adapter
  case power
  /// A radio switch (rfkill) blocks the adapter.
  case unblocking
  case permission(capability: String)
  /// Another headphone is being connected.
  case turn
  /// The adapter is at its connection limit.
  case room

  var isForAdapter: Bool {
    switch self {
    case .adapter, .power, .unblocking, .permission: true
    case .turn, .room: false
    }
  }
}

package enum RetryPolicy: Hashable, Sendable {
  /// No retry, since only a command wants the link.
  case none
  /// Another attempt, with a delay that grows with each failure since the link was ready for 30 s.
  case backoff(failures: Int)
  /// As ``backoff(failures:)``, while the headphone restarts into new firmware.
  case restart(failures: Int)

  /// The policy after the headphone is back from its restart.
  var afterRestart: RetryPolicy {
    if case .restart(let failures) = self { .backoff(failures: failures) } else { self }
  }
}

package struct Retry: Hashable, Sendable {
  /// The number of the attempt, 1 for the first retry.
  package var attempt: Int
  package var after: DisconnectReason
  /// The number of failures for this reason since the link was last ready for 30 s.
  package var repeats: Int

  package static let longestDelay: Duration = .seconds(60)

  /// Creates a pause; without `repeats`, all failures were for the same reason.
  package init(attempt: Int, after: DisconnectReason, repeats: Int? = nil) {
    self.attempt = attempt
    self.after = after
    self.repeats = repeats ?? attempt
  }

  /// The nominal delay, to which ±20 % jitter is added: 1 s, 2 s, 4 s… 60 s at most.
  ///
  /// Only failures for the same reason add up: another one shows that something has changed.
  package var delay: Duration {
    repeats > 6 ? Self.longestDelay : .seconds(1 << (repeats - 1))
  }
}

/// The reason why a link ended or an attempt to connect failed.
///
/// System errors are text, since logs, JSON and screens of other processes show them.
package enum DisconnectReason: Hashable, Sendable {
  case user
  /// The headphone ended the link (HCI 0x13, 0x14, 0x15).
  case peer
  /// The supervision timeout passed (HCI 0x08).
  case timeout
  /// This computer ended the link (HCI 0x16).
  case localHost
  case adapterGone
  /// bluetoothd, which held the link, exited.
  case bluetoothdGone
  case firmwareRestart
  /// The encryption keys differ (HCI 0x3D).
  case micFailure
  case connectTimeout
  /// The headphone or this computer's kernel refused the connection.
  case refused
  /// An ATT request had no response in 30 s.
  case requestTimeout
  /// A resource is in use, described by this sentence fragment.
  case busy(String)
  case protocolViolation(String)
  /// Another system error, as a sentence fragment.
  case system(String)
}

package enum FailureReason: Hashable, Sendable {
  case security(SecurityFailure)
  /// The driver could not start for this reason, as a sentence fragment.
  case start(String)
}

extension DisconnectReason {
  package init(_ reason: BearerClosed.Reason) {
    self =
      switch reason {
      case .user: .user
      case .peer: .peer
      case .supervisionTimeout: .timeout
      case .localHost: .localHost
      case .adapterGone: .adapterGone
      case .bluetoothdGone: .bluetoothdGone
      case .firmwareRestart: .firmwareRestart
      case .micFailure: .micFailure
      case .connectTimeout: .connectTimeout
      case .refused: .refused
      case .requestTimeout: .requestTimeout
      case .protocolViolation(let what): .protocolViolation(what)
      case .system(let code, let what): .system("\(what): \(describeErrno(code))")
      }
  }
}

extension LinkState {
  package var isWanted: Bool { if case .unwanted = self { false } else { true } }

  /// Whether the link is up and the values are live.
  package var isReady: Bool { use == .ready || use == .firmwareUpdate }

  package var isConnected: Bool { use != nil }

  package var use: LinkUse? { if case .connected(let use, _) = self { use } else { nil } }

  package var attempt: LinkAttempt? {
    if case .pending(let attempt, _) = self { attempt } else { nil }
  }

  /// Whether something is in progress that the user can cancel.
  package var isBusy: Bool {
    switch self {
    case .pending(.waitingForBluetooth(.power), _), .pending(.waitingForBluetooth(.permission), _):
      false
    case .pending, .connected(.starting, _), .connected(.pairing, _), .reconnecting,
      .firmwareRestarting:
      true
    case .unwanted, .connected: false
    }
  }

  var isUnderWay: Bool {
    switch self {
    case .pending(.connecting, _), .connected, .firmwareRestarting: true
    case .unwanted, .pending, .reconnecting: false
    }
  }

  var retry: Retry? {
    switch self {
    case .reconnecting(let retry), .firmwareRestarting(let retry?): retry
    case .unwanted, .pending, .connected, .firmwareRestarting(nil): nil
    }
  }

  package var retryPolicy: RetryPolicy {
    switch self {
    case .unwanted: .none
    case .pending(_, let policy), .connected(_, let policy): policy
    case .reconnecting(let retry): .backoff(failures: retry.attempt)
    case .firmwareRestarting(let retry): .restart(failures: retry?.attempt ?? 0)
    }
  }
}
