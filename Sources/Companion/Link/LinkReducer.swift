import Bluetooth
import BluetoothCodec
import HeadphoneProtocols

extension State {
  /// Marks a link to this headphone as wanted, and connects it.
  ///
  /// - Parameters:
  ///   - isUrgent: whether the user is waiting, so that it is connected next.
  ///   - retries: whether it is connected again when it fails, until it is given up.
  mutating func wantLink(
    _ id: HeadphoneID, isUrgent: Bool = false, retries: Bool = true
  ) -> [Effect] {
    headphones.update(id) { $0.isTriedOnce = !retries }
    guard let headphone = headphones[id], !headphone.link.isUnderWay, !headphone.isAdvertisingOnly
    else {
      return []
    }
    headphones.update(id) { $0.isWanted = true }
    return seekLink(id, isUrgent: isUrgent)
  }

  /// The user disconnects or cancels, which ends everything in progress on this link.
  mutating func giveUpLink(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    let wasBusy = headphone.link.isBusy
    return note(
      .info, id, wasBusy ? "connecting was cancelled" : DisconnectReason.user.displayText,
      at: timestamp)
      + drop(id, as: wasBusy ? .userCancelled : .disconnected(.user))
  }

  /// The command that wanted this link has ended.
  mutating func releaseLink(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones[id], headphone.isWanted else { return [] }
    let link: LinkState =
      if case .reconnecting(let retry) = headphone.link { .disconnected(retry.after) } else {
        .idle
      }
    return note(.info, id, "disconnected: the command has ended", at: timestamp)
      + drop(id, as: link)
  }

  private mutating func drop(_ id: HeadphoneID, as link: LinkState) -> [Effect] {
    headphones.update(id) {
      $0.isWanted = false
      $0.wantsPairing = false
      $0.wantsSoundOncePaired = false
      $0.forgetPairing()
      $0.lose()
      $0.isRestarting = false
      $0.failedAttempts = 0
      $0.link = link
    }
    return [.cancelTimer(.reconnect(id)), .cancelTimer(.steady(id)), .disconnect(id)]
  }

  /// The delay before the next connection attempt is over.
  mutating func reconnect(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones[id], headphone.isWanted, headphone.link.isPausing else {
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
      guard headphone.link == .connecting else {
        return ignore("connected while \(headphone.link.displayText)", id, at: timestamp)
      }
      headphones.update(id) { $0.link = .discoveringServices }
      return note(.info, id, "connected", at: timestamp)
    case .ready(let description, let isEncrypted):
      guard headphone.link.isStarting else {
        return ignore("ready while \(headphone.link.displayText)", id, at: timestamp)
      }
      return becomeReady(id, description, isEncrypted, at: timestamp)
    case .member(let member): return follow(member, of: id, at: timestamp)
    case .began(let activity): return begin(activity, id, at: timestamp)
    case .finished(let activity): return finish(activity, id, at: timestamp)
    case .ended(let reason): return end(id, reason, at: timestamp)
    case .noRoom:
      guard headphone.link == .connecting else {
        return ignore("no room while \(headphone.link.displayText)", id, at: timestamp)
      }
      return waitForCapacity(id, at: timestamp)
    case .failed(let reason):
      return stop(id, as: .failed(reason))
        + complain(about: reason, id, at: timestamp)
    case .denied(let capability):
      return stop(id, as: .permissionDenied(capability: capability))
        + complain(
          "connecting needs \(capability)",
          advice: "give it to the program: \(permissionAdvice(capability))", id, at: timestamp)
    case .unsupported(let missing):
      return stop(id, as: .unsupported(missing: missing))
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
      $0.link = .ready
      $0.linkBeforePairing = nil
      $0.isRestarting = false
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
    return effects + note(.info, id, text, at: timestamp) + remember(id) + [
      .startTimer(.steady(id), .exactly(.seconds(30)))
    ] + pairIfWanted(id, at: timestamp)
  }

  /// Saves a headphone for later runs.
  func remember(_ id: HeadphoneID) -> [Effect] {
    headphones[id].map { [.remember(KnownHeadphone($0))] } ?? []
  }

  private mutating func end(
    _ id: HeadphoneID, _ reason: DisconnectReason, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    if headphone.link == .factoryReset { return endReset(id, at: timestamp) }
    let text = "\(headphone.link.isConnected ? "link ended" : "no link"): \(reason.displayText)"
    var effects = note(.warning, id, text, at: timestamp)
    if reason == .connectTimeout, !headphone.address.isIdentity {
      effects += note(
        .info, id, "its private address has changed: scanning for it",
        at: timestamp)
    }
    guard headphone.isWanted, reason.canPass else {
      let stopped = effects + stop(id, as: .disconnected(reason))
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
      // A private address that does not answer has probably changed.
      if reason == .connectTimeout, !$0.address.isIdentity { $0.isNearby = false }
    }
    if headphones[id]?.isTriedOnce == true { return stop(id, as: .disconnected(reason)) }
    guard case .ready = adapter else {
      headphones.update(id) { $0.link = adapter.waiting }
      return []
    }
    let attempt = (headphones[id]?.failedAttempts ?? 0) + 1
    let delay = attempt > 6 ? Retry.longestDelay : .seconds(1 << (attempt - 1))
    headphones.update(id) {
      $0.failedAttempts = attempt
      let isStillRestarting = $0.isRestarting && attempt <= Self.attemptsWhileRestarting
      $0.isRestarting = isStillRestarting
      $0.link =
        isStillRestarting
        ? .firmwareRestarting
        : .reconnecting(Retry(attempt: attempt, delay: delay, after: reason))
    }
    return [.startTimer(.reconnect(id), .about(delay))]
  }

  /// 1 + 2 + 4 + 8 + 16 s of pauses: the 60 s after which new firmware is given up are over by then
  /// (docs/protocol.md section 7).
  private static let attemptsWhileRestarting = 5

  /// Ends all attempts; the user decides what comes next.
  mutating func stop(_ id: HeadphoneID, as link: LinkState) -> [Effect] {
    headphones.update(id) {
      $0.lose()
      $0.isRestarting = false
      $0.isWanted = false
      $0.wantsPairing = false
      $0.wantsSoundOncePaired = false
      $0.link = link
    }
    return [.cancelTimer(.steady(id))]
  }
}

extension LinkState {
  /// An attempt or a link of it is under way in the runtime.
  var isUnderWay: Bool { self == .connecting || self == .firmwareRestarting || isConnected }

  /// The driver's start is under way.
  var isStarting: Bool {
    switch self {
    case .discoveringServices, .discoveringCharacteristics, .subscribing, .pairing: true
    default: false
    }
  }

  /// A timer runs until the next attempt.
  var isPausing: Bool {
    switch self {
    case .reconnecting, .firmwareRestarting: true
    default: false
    }
  }
}

extension DisconnectReason {
  /// Whether a retry may help.
  fileprivate var canPass: Bool {
    switch self {
    case .user, .micFailure: false
    default: true
    }
  }
}

extension HeadphoneState {
  /// Drops the values that are valid only while the link is up.
  mutating func lose() {
    mtu = nil
    loseMembers()
    quality = LinkQuality()
    trend = SignalTrend()
    isEncrypted = nil
    linkBeforePairing = nil
    firmwareProgress = nil
    anc.giveUp()
    ancLevel.giveUp()
    eq.giveUp()
    bands.giveUp()
    inspection?.lose()
    settings.giveUp()
    volume.giveUp()
    find = Setting()
  }
}
