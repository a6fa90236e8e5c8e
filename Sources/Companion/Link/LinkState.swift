public import Bluetooth
public import HeadphoneProtocols

/// The state of one headphone's control link (docs/protocol.md section 8).
public enum LinkState: Hashable, Sendable {
  /// Known, and no link is wanted.
  case idle
  /// A link is wanted, and the adapter is not free for it yet.
  case waitingForBluetooth(AdapterWait)
  /// A link is wanted, and the headphone has not advertised yet.
  case scanning
  /// The adapter is connecting, for at most 10 s.
  case connecting
  /// The link is up; the driver discovers services.
  case discoveringServices
  /// The driver discovers characteristics; skipped where a cache is valid.
  case discoveringCharacteristics
  /// The driver subscribes to changes and reads the first values.
  case subscribing
  /// The values are live.
  case ready
  /// The link has ended, and no further attempt is set.
  case disconnected(DisconnectReason)
  /// The link has ended, and the next attempt waits for its delay.
  case reconnecting(Retry)
  /// The process lacks a capability.
  case permissionDenied(capability: String)
  /// The adapter is off; a link that was wanted comes when it is on.
  case bluetoothOff
  /// The device lacks what the driver needs; `missing` names it.
  case unsupported(missing: String)
  /// The user cancelled the attempt.
  case userCancelled
  /// Pairing is in progress, with or without an open question.
  case pairing
  /// A firmware image is being transferred; values stay live.
  case firmwareUpdate
  /// The headphone restarts into new firmware; the link ends and will be back.
  case firmwareRestarting
  /// The headphone deletes its settings and bonds; the link is about to end.
  case factoryReset
  /// A failure after which a retry would not help.
  case failed(FailureReason)
}

/// The condition that a queued connection waits for.
public enum AdapterWait: Hashable, Sendable {
  /// There is no adapter, or its state is unknown.
  case adapter
  /// A radio switch (rfkill) blocks the adapter.
  case unblocking
  /// Another headphone is being connected: one at a time.
  case turn
  /// The adapter is at its connection limit.
  case room
}

/// A use of a link beside ordinary control; each has a ``LinkState`` of its own.
public enum LinkActivity: Hashable, Sendable, CaseIterable {
  case pairing
  case firmwareUpdate
  /// From the restart command until the headphone is back.
  case firmwareRestart
  case factoryReset
}

/// The delay before the next connection attempt.
public struct Retry: Hashable, Sendable {
  /// 1 for the first retry.
  public var attempt: Int
  /// The nominal delay; ±20 % jitter is added.
  public var delay: Duration
  /// The reason for which the last link or attempt ended.
  public var after: DisconnectReason

  /// The longest delay between two attempts.
  public static let longestDelay: Duration = .seconds(60)

  public init(attempt: Int, delay: Duration, after: DisconnectReason) {
    self.attempt = attempt
    self.delay = delay
    self.after = after
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
  /// The link is up and the headphone's values are live.
  public var isReady: Bool { self == .ready || self == .firmwareUpdate }

  /// Whether something is in progress that the user can cancel.
  public var isBusy: Bool {
    switch self {
    case .waitingForBluetooth, .scanning, .connecting, .discoveringServices,
      .discoveringCharacteristics, .subscribing, .reconnecting, .pairing, .firmwareRestarting:
      true
    case .idle, .ready, .disconnected, .permissionDenied, .bluetoothOff, .unsupported,
      .userCancelled, .firmwareUpdate, .factoryReset, .failed:
      false
    }
  }

  /// The channel itself is open, so that commands can travel.
  public var isConnected: Bool {
    switch self {
    case .discoveringServices, .discoveringCharacteristics, .subscribing, .ready, .pairing,
      .firmwareUpdate, .factoryReset:
      true
    case .idle, .waitingForBluetooth, .scanning, .connecting, .disconnected, .reconnecting,
      .permissionDenied, .bluetoothOff, .unsupported, .userCancelled, .firmwareRestarting, .failed:
      false
    }
  }

  /// The link state of an activity.
  public init(_ activity: LinkActivity) {
    switch activity {
    case .pairing: self = .pairing
    case .firmwareUpdate: self = .firmwareUpdate
    case .firmwareRestart: self = .firmwareRestarting
    case .factoryReset: self = .factoryReset
    }
  }

  /// The link state of a phase of the driver's start.
  public init(_ phase: StartPhase) {
    switch phase {
    case .discoveringServices: self = .discoveringServices
    case .discoveringCharacteristics: self = .discoveringCharacteristics
    case .subscribing: self = .subscribing
    }
  }
}
