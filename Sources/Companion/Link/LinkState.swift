public import Bluetooth
public import HeadphoneProtocols

/// The state of one headphone's control link (docs/protocol.md section 8).
public enum LinkState: Hashable, Sendable {
  /// No link is wanted; why there is none any more.
  case unwanted(LinkEnd)
  /// A link is wanted, and an attempt is under way or has yet to begin.
  case pending(LinkAttempt, RetryPolicy = .backoff(failures: 0))
  /// The channel is open, so that commands can travel.
  case connected(LinkUse, RetryPolicy = .backoff(failures: 0))
  /// The link or an attempt has ended, and the next attempt waits for its delay.
  case reconnecting(Retry)
  /// The headphone restarts into new firmware and will be back; nil: its link has yet to end.
  case firmwareRestarting(Retry? = nil)
}

/// The reason why no link is wanted.
public enum LinkEnd: Hashable, Sendable {
  /// None was wanted yet, or a command that wanted one has ended.
  case idle
  /// The link has ended, and no further attempt is set.
  case disconnected(DisconnectReason)
  /// The user cancelled the attempt.
  case userCancelled
  /// The process lacks a capability.
  case permissionDenied(capability: String)
  /// The device lacks what the driver needs; `missing` names it.
  case unsupported(missing: String)
  /// A failure after which a retry would not help.
  case failed(FailureReason)
}

/// The progress of a wanted link before its channel is open.
public enum LinkAttempt: Hashable, Sendable {
  /// The adapter is not free for it yet.
  case waitingForBluetooth(AdapterWait)
  /// The headphone has not advertised yet.
  case scanning
  /// The adapter is connecting, for at most 10 s.
  case connecting
}

/// The use of an open channel.
public enum LinkUse: Hashable, Sendable {
  /// The driver starts.
  case starting(StartPhase)
  /// Pairing is in progress, with or without an open question; nil: it began on a ready link.
  case pairing(during: StartPhase? = nil)
  /// The values are live.
  case ready
  /// A firmware image is being transferred; values stay live.
  case firmwareUpdate
  /// The headphone deletes its settings and bonds; the link is about to end.
  case factoryReset
}

/// The condition that a queued connection waits for.
public enum AdapterWait: Hashable, Sendable {
  /// There is no adapter, or its state is unknown.
  case adapter
  /// The adapter is off.
  case power
  /// A radio switch (rfkill) blocks the adapter.
  case unblocking
  /// The process lacks a capability for the adapter.
  case permission(capability: String)
  /// Another headphone is being connected: one at a time.
  case turn
  /// The adapter is at its connection limit.
  case room

  /// Whether it is the adapter itself that is not ready.
  var isForAdapter: Bool {
    switch self {
    case .adapter, .power, .unblocking, .permission: true
    case .turn, .room: false
    }
  }
}

/// What follows when the link or an attempt fails.
public enum RetryPolicy: Hashable, Sendable {
  /// Nothing: only a command wants the link.
  case none
  /// Another attempt, after a delay that grows with each failure since the link was last steady
  /// (ready for 30 s).
  case backoff(failures: Int)
  /// The same while the headphone restarts into new firmware.
  case restart(failures: Int)

  /// The policy of a link that is ready: the headphone is back from its restart.
  var afterRestart: RetryPolicy {
    if case .restart(let failures) = self { .backoff(failures: failures) } else { self }
  }
}

/// The pause before the next connection attempt.
public struct Retry: Hashable, Sendable {
  /// 1 for the first retry.
  public var attempt: Int
  /// The reason for which the last link or attempt ended.
  public var after: DisconnectReason

  /// The longest delay between two attempts.
  public static let longestDelay: Duration = .seconds(60)

  public init(attempt: Int, after: DisconnectReason) {
    self.attempt = attempt
    self.after = after
  }

  /// The nominal delay: 1 s, 2 s, 4 s… 60 s at most; ±20 % jitter is added.
  public var delay: Duration {
    attempt > 6 ? Self.longestDelay : .seconds(1 << (attempt - 1))
  }
}

/// The reason why a link ended, or an attempt to connect failed.
///
/// Wider than `BearerClosed.Reason`, which it includes: an attempt also fails because of the adapter,
/// and a system error is kept as the text that a person reads, since the log, JSON and screens of
/// another process show it.
public enum DisconnectReason: Hashable, Sendable {
  /// The person asked for it.
  case user
  /// The headphone ended it (HCI 0x13, 0x14, 0x15).
  case peer
  /// The supervision timeout passed (HCI 0x08).
  case timeout
  /// This machine ended it (HCI 0x16).
  case localHost
  /// The adapter was switched off or is gone.
  case adapterGone
  /// The headphone restarts into new firmware and will be back.
  case firmwareRestart
  /// Encryption keys differ (HCI 0x3D).
  case micFailure
  /// No connection within the time-out.
  case connectTimeout
  /// The headphone, or this machine's kernel, refused the connection.
  case refused
  /// The link was up, and an ATT request had no answer in 30 s.
  case requestTimeout
  /// A resource is in use; by what, as a sentence fragment.
  case busy(String)
  /// The headphone broke the protocol.
  case protocolViolation(String)
  /// Another system error, as a sentence fragment.
  case system(String)
}

/// A failure after which another attempt would not help.
public enum FailureReason: Hashable, Sendable {
  /// The link could not be secured, or the headphone not paired.
  case security(SecurityFailure)
  /// The driver could not start; the reason as a sentence fragment.
  case start(String)
}

extension DisconnectReason {
  /// The reason why a channel of the link closed.
  public init(_ reason: BearerClosed.Reason) {
    self =
      switch reason {
      case .user: .user
      case .peer: .peer
      case .supervisionTimeout: .timeout
      case .localHost: .localHost
      case .adapterGone: .adapterGone
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
  /// Whether the link is to be kept up, because of the user, a command or the rule for starting.
  public var isWanted: Bool { if case .unwanted = self { false } else { true } }

  /// The link is up and the headphone's values are live.
  public var isReady: Bool { use == .ready || use == .firmwareUpdate }

  /// The channel itself is open, so that commands can travel.
  public var isConnected: Bool { use != nil }

  /// The use of the channel; nil: it is not open.
  public var use: LinkUse? { if case .connected(let use, _) = self { use } else { nil } }

  /// The progress of an attempt; nil: the link is in another state.
  public var attempt: LinkAttempt? {
    if case .pending(let attempt, _) = self { attempt } else { nil }
  }

  /// Whether something is in progress that the user can cancel.
  public var isBusy: Bool {
    switch self {
    case .pending(.waitingForBluetooth(.power), _), .pending(.waitingForBluetooth(.permission), _):
      false
    case .pending, .connected(.starting, _), .connected(.pairing, _), .reconnecting,
      .firmwareRestarting:
      true
    case .unwanted, .connected: false
    }
  }

  /// An attempt or a link of it is under way in the runtime.
  var isUnderWay: Bool {
    switch self {
    case .pending(.connecting, _), .connected, .firmwareRestarting: true
    case .unwanted, .pending, .reconnecting: false
    }
  }

  /// The pause until the next attempt, for which a timer runs; nil: there is none.
  var retry: Retry? {
    switch self {
    case .reconnecting(let retry), .firmwareRestarting(let retry?): retry
    case .unwanted, .pending, .connected, .firmwareRestarting(nil): nil
    }
  }

  /// What follows when the link fails.
  public var retryPolicy: RetryPolicy {
    switch self {
    case .unwanted: .none
    case .pending(_, let policy), .connected(_, let policy): policy
    case .reconnecting(let retry): .backoff(failures: retry.attempt)
    case .firmwareRestarting(let retry): .restart(failures: retry?.attempt ?? 0)
    }
  }
}
