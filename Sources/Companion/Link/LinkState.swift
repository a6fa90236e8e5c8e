public import Bluetooth
public import Headphones

/// Where the control link of one headphone is (docs/protocol.md section 8).
public enum LinkState: Hashable, Sendable {
  /// Known, and nobody has asked for a link.
  case idle
  /// A link is wanted, and the adapter is not free for it yet.
  case waitingForBluetooth(AdapterWait)
  /// A link is wanted, and the headphone has not been heard yet.
  case scanning
  /// The adapter makes the link, for at most 10 s.
  case connecting
  /// The link is up; the driver looks what the headphone has.
  case discoveringServices
  /// The driver looks what the services have; skipped where a cache is proved.
  case discoveringCharacteristics
  /// The driver asks to be told of changes, and reads the first values.
  case subscribing
  /// The values are live.
  case ready
  /// The link has ended, and no further attempt is set.
  case disconnected(DisconnectReason)
  /// It has ended, and the next attempt waits for its time.
  case reconnecting(Retry)
  /// The kernel wants a capability for what must be done.
  case permissionDenied(capability: String)
  /// The adapter is off; a link that was wanted comes when it is on.
  case bluetoothOff
  /// The device lacks what the driver needs; `missing` names it.
  case unsupported(missing: String)
  /// A person ended the attempt before there was a link.
  case userCancelled
  /// What pairing asks is asked, or the two ends exchange keys.
  case pairing
  /// An image is on its way; values stay live.
  case firmwareUpdate
  /// The headphone starts its new firmware; the link is about to go, or gone, and will be back.
  case firmwareRestarting
  /// The headphone forgets its settings and its bonds; the link is about to go.
  case factoryReset
  /// Trying again would not help.
  case failed(FailureReason)
}

/// What a link waits for before the adapter begins with it.
public enum AdapterWait: Hashable, Sendable {
  /// There is none, or nobody has looked yet.
  case adapter
  /// A switch of the machine, or rfkill, keeps it off.
  case unblocking
  /// Another headphone is being connected: one at a time.
  case turn
  /// It carries as many links as it can.
  case room
}

/// What a link is used for beside its ordinary service; each has a ``LinkState`` of its own.
public enum LinkActivity: Hashable, Sendable, CaseIterable {
  case pairing
  case firmwareUpdate
  /// From the order to start the new firmware until the headphone is back.
  case firmwareRestart
  case factoryReset
}

/// A pause before the next attempt.
public struct Retry: Hashable, Sendable {
  /// 1 for the first retry.
  public var attempt: Int
  /// About how long the pause is; ±20 % jitter comes on top.
  public var delay: Duration
  /// What the last link or attempt ended with.
  public var after: DisconnectReason

  /// The longest pause between two attempts.
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
  /// Nothing was heard from the headphone any more (HCI 0x08).
  case timeout
  /// This machine ended it (HCI 0x16).
  case localHost
  /// The adapter was switched off or is gone.
  case adapterGone
  /// The headphone went to start new firmware, and will be back.
  case firmwareRestart
  /// Encryption keys differ (HCI 0x3D).
  case micFailure
  /// No connection within the time-out.
  case connectTimeout
  /// The headphone, or this machine's kernel, refused the connection.
  case refused
  /// The link was up, and an ATT request had no answer in 30 s.
  case requestTimeout
  /// What it needs is taken, by what, in words.
  case busy(String)
  /// The headphone broke the protocol.
  case protocolViolation(String)
  /// The system's own words.
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

  /// Something is under way that a person can cancel.
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

  /// The state of a link that is used for this.
  public init(_ activity: LinkActivity) {
    switch activity {
    case .pairing: self = .pairing
    case .firmwareUpdate: self = .firmwareUpdate
    case .firmwareRestart: self = .firmwareRestarting
    case .factoryReset: self = .factoryReset
    }
  }

  /// The step that the driver's start is at.
  public init(_ phase: StartPhase) {
    switch phase {
    case .discoveringServices: self = .discoveringServices
    case .discoveringCharacteristics: self = .discoveringCharacteristics
    case .subscribing: self = .subscribing
    }
  }
}
