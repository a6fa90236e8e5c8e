import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols

extension State {
  /// Marks a link to this headphone as wanted, and connects it.
  ///
  /// - Parameters:
  ///   - isUrgent: whether the user is waiting, so that it is connected next.
  ///   - retries: whether it is connected again after a failure, until it is given up.
  mutating func wantLink(
    _ id: HeadphoneID, for holder: LinkHolder = .program, isUrgent: Bool = false,
    retries: Bool = true
  ) -> [Effect] {
    guard let headphone = headphones[id], !headphone.isAdvertisingOnly else { return [] }
    headphones.update(id) { $0.hold(for: holder, retries: retries) }
    guard !headphone.link.isUnderWay else { return [] }
    return seekLink(id, isUrgent: isUrgent)
  }

  /// Adds a holder of the link, and connects it if nobody wanted it so far.
  mutating func holdLink(_ id: HeadphoneID, for holder: LinkHolder, retries: Bool) -> [Effect] {
    guard headphones[id]?.link.isWanted == true else {
      return wantLink(id, for: holder, isUrgent: true, retries: retries)
    }
    headphones.update(id) { $0.hold(for: holder, retries: retries) }
    return []
  }

  mutating func giveUpLink(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    let wasBusy = headphone.link.isBusy
    return note(
      .info, id, wasBusy ? "connecting was cancelled" : DisconnectReason.user.displayText,
      at: timestamp)
      + drop(id, wasBusy ? .userCancelled : .disconnected(.user))
  }

  /// Ends the links that only this command wanted.
  ///
  /// A headphone that the user had disconnected before counts as disconnected by the user again.
  mutating func releaseLinks(of holder: LinkHolder, at timestamp: Timestamp) -> [Effect] {
    headphones.map(\.id).flatMap { id -> [Effect] in
      guard let end = headphones.update(id, { $0.release(holder) }) ?? nil else { return [] }
      return note(.info, id, "disconnected: the command has ended", at: timestamp) + drop(id, end)
    }
  }

  /// Ends the attempts to connect a headphone whose place another one takes.
  mutating func yieldLink(_ id: HeadphoneID) -> [Effect] { drop(id, .idle) }

  private mutating func drop(_ id: HeadphoneID, _ end: LinkEnd) -> [Effect] {
    headphones.update(id) {
      $0.hold = LinkHold()
      $0.pairing = .none
      $0.lose()
      $0.link = .unwanted(end)
    }
    return [.cancelTimer(.reconnect(id)), .cancelTimer(.steady(id)), .disconnect(id)]
  }

  mutating func reconnect(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones[id], headphone.link.retry != nil else {
      return ignore("an unexpected retry", id, at: timestamp)
    }
    return seekLink(id)
  }

  mutating func follow(_ event: LinkEvent, of id: HeadphoneID, at timestamp: Timestamp) -> [Effect]
  {
    if absentHeadphones.contains(id) {
      return event == .connected
        ? welcome(id, at: timestamp) : stopListening(for: id, at: timestamp)
    }
    guard let headphone = headphones[id], headphone.link.isUnderWay else {
      return ignore("\"\(event.displayText)\" of a link that is not under way", id, at: timestamp)
    }
    switch event {
    case .connected:
      guard headphone.link.attempt == .connecting else {
        return ignore("connected while \(headphone.link.displayText)", id, at: timestamp)
      }
      headphones.update(id) { $0.startDriver() }
      return note(.info, id, "connected", at: timestamp)
    case .ready(let description, let isEncrypted):
      guard headphone.link.canBecomeReady else {
        return ignore("ready while \(headphone.link.displayText)", id, at: timestamp)
      }
      return becomeReady(id, description, isEncrypted, at: timestamp)
    case .member(let member): return follow(member, of: id, at: timestamp)
    case .ended(let reason):
      headphones.update(id) { $0.charges?.interrupt(at: timestamp) }
      let kept = headphone.sightings == BudSightings() ? [] : keep(.sightings, of: id)
      return end(id, reason, at: timestamp) + kept
    case .noRoom:
      guard headphone.link.attempt == .connecting else {
        return ignore("no room while \(headphone.link.displayText)", id, at: timestamp)
      }
      return waitForCapacity(id, at: timestamp)
    case .failed(let reason):
      return stop(id, .failed(reason))
        + complain(about: reason, id, at: timestamp)
    case .denied(let capability):
      return stop(id, .permissionDenied(capability: capability))
        + complain(
          "connecting needs \(capability)",
          advice: "grant it: \(setcapCommand(capability))", id, at: timestamp)
    case .unsupported(let missing):
      return stop(id, .unsupported(missing: missing))
        + complain(
          "\(name(of: id)) is not a supported headphone: \(missing) is missing",
          advice: "choose another one", id, at: timestamp)
    }
  }

  private mutating func becomeReady(
    _ id: HeadphoneID, _ description: HeadphoneDescription, _ isEncrypted: Bool?,
    at timestamp: Timestamp
  ) -> [Effect] {
    headphones.update(id) {
      $0.link = .connected(.ready, $0.link.retryPolicy.afterRestart)
      $0.adopt(description)
      $0.adopt(description.set)
      $0.serial = SerialNumber(description.information) ?? $0.serial
      $0.isEncrypted = isEncrypted
      if $0.isBonded == false { $0.learn(isBonded: false) }
      $0.lastUsed = timestamp
    }
    let (id, recognition) = recognise(id, at: timestamp)
    let effects = recognition + lookForMembers(of: id)
    let text =
      "ready after \(description.requests) requests" + (description.mtu.map { ", MTU \($0)" } ?? "")
    let reason = description.reason.map {
      note(.debug, id, "\(description.driver): \($0)", at: timestamp)
    }
    return effects + (reason ?? [])
      + note(.info, id, text, event: "controls ready", at: timestamp) + remember(id)
      + [
        .startTimer(.steady(id), .exactly(.seconds(30)))
      ] + pairIfWanted(id, at: timestamp)
  }

  func remember(_ id: HeadphoneID) -> [Effect] {
    headphones[id].map { [.remember(KnownHeadphone($0))] } ?? []
  }

  private mutating func end(
    _ id: HeadphoneID, _ reason: DisconnectReason, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    if headphone.link.use == .factoryReset { return endReset(id, at: timestamp) }
    let wasConnected = headphone.link.isConnected
    let text = "\(wasConnected ? "link ended" : "no link"): \(reason.displayText)"
    var effects = note(.warning, id, text, sound: wasConnected ? .link : nil, at: timestamp)
    if headphone.linkedMembers > 1 {
      effects += note(
        .info, id,
        "the other \(headphone.sideNoun) is disconnected with it, and connected again with it",
        at: timestamp)
    }
    if reason == .connectTimeout, !headphone.address.isIdentity {
      effects += note(
        .info, id, "its private address has changed: scanning for it",
        at: timestamp)
    }
    guard reason.canPass else {
      let stopped = effects + stop(id, .disconnected(reason))
      guard reason != .user else { return stopped }
      return stopped
        + complain(
          "\(name(of: id)): \(reason.displayText)", advice: reason.advice, id,
          remedy: reason == .micFailure ? .pair : nil, at: timestamp)
    }
    return effects + [.cancelTimer(.steady(id))] + pause(id, after: reason)
  }

  /// Waits before the next attempt: 1 s, 2 s, 4 s… 60 s at most.
  mutating func pause(_ id: HeadphoneID, after reason: DisconnectReason) -> [Effect] {
    headphones.update(id) {
      $0.lose()
      // A private address that does not respond has probably changed.
      if reason == .connectTimeout, !$0.address.isIdentity { $0.isNearby = false }
    }
    guard let policy = headphones[id]?.link.retryPolicy, policy != .none else {
      return stop(id, .disconnected(reason))
    }
    guard case .ready = adapter else {
      headphones.update(id) { $0.seek(.waitingForBluetooth(adapter.wait)) }
      return []
    }
    let repeats = headphones.update(id) { $0.failures.add(reason, to: policy) } ?? 1
    let retry = Retry(attempt: policy.failures + 1, after: reason, repeats: repeats)
    headphones.update(id) {
      $0.link =
        policy.isRestart && retry.attempt <= Self.attemptsWhileRestarting
        ? .firmwareRestarting(retry) : .reconnecting(retry)
    }
    return [.startTimer(.reconnect(id), .about(retry.delay))]
  }

  /// The attempts after 1 + 2 + 4 + 8 + 16 s, when the 60 s for new firmware are over
  /// (docs/protocol.md section 7).
  private static let attemptsWhileRestarting = 5

  /// Stops all attempts to connect to the headphone, until the user decides.
  mutating func stop(_ id: HeadphoneID, _ end: LinkEnd) -> [Effect] {
    headphones.update(id) {
      $0.lose()
      $0.pairing.loseLink()
      $0.link = .unwanted(end)
    }
    return [.cancelTimer(.steady(id))]
  }
}

extension LinkState {
  /// Whether the driver's start may end now, as it may during pairing.
  fileprivate var canBecomeReady: Bool {
    switch use {
    case .starting, .pairing: true
    case .ready, .firmwareUpdate, .factoryReset, nil: false
    }
  }

  /// Clears the failures of a link that was ready for 30 s.
  mutating func becomeSteady() {
    if case .connected(let use, .backoff) = self { self = .connected(use) }
  }

  /// Makes the link one that is retried, even if only a command wanted it.
  mutating func addRetries() {
    switch self {
    case .unwanted: self = .pending(.waitingForBluetooth(.turn))
    case .pending(let attempt, .none): self = .pending(attempt)
    case .connected(let use, .none): self = .connected(use)
    case .pending, .connected, .reconnecting, .firmwareRestarting: break
    }
  }
}

extension RetryPolicy {
  fileprivate var failures: Int {
    switch self {
    case .none: 0
    case .backoff(let failures), .restart(let failures): failures
    }
  }

  fileprivate var isRestart: Bool { if case .restart = self { true } else { false } }
}

/// The failures to connect since the link was last ready for 30 s, by their reasons.
struct LinkFailures: Hashable, Sendable {
  private var counts: [DisconnectReason.Name: Int] = [:]

  /// Adds a failure; returns the number for its reason or, while the headphone restarts, the total.
  mutating func add(_ reason: DisconnectReason, to policy: RetryPolicy) -> Int {
    if policy.failures == 0 { counts = [:] }
    counts[reason.name, default: 0] += 1
    return policy.isRestart ? policy.failures + 1 : counts[reason.name, default: 1]
  }
}

extension DisconnectReason {
  fileprivate var canPass: Bool {
    switch self {
    case .user, .micFailure: false
    default: true
    }
  }
}

extension HeadphoneState {
  mutating func seek(_ attempt: LinkAttempt) { link = .pending(attempt, link.retryPolicy) }

  mutating func startDriver() {
    link = .connected(.starting(.discoveringServices), link.retryPolicy)
  }

  mutating func lose() {
    mtu = nil
    loseMembers()
    charges?.interrupt(at: lastPacket)
    quality = LinkQuality()
    trend = SignalTrend()
    isEncrypted = nil
    firmwareProgress = nil
    inspection?.lose()
    settings.giveUp()
    deviceCommand.giveUp()
    find = Setting()
  }
}
