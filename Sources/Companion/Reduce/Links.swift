import Headphones

extension State {
  /// A link to this headphone is wanted from now on.
  mutating func wantLink(_ id: HeadphoneID) -> [Effect] {
    guard let headphone = headphones[id], !headphone.link.isUnderWay else { return [] }
    headphones.update(id) { $0.isWanted = true }
    guard case .ready = adapter else {
      headphones.update(id) { $0.link = adapter.waiting }
      return []
    }
    // An address that changes is worthless until it is heard.
    guard headphone.isHeard || headphone.address.isLasting else {
      headphones.update(id) { $0.link = .scanning }
      return scan == .scanning ? [] : [.startScan]
    }
    headphones.update(id) { $0.link = .connecting }
    return [.connect(id)]
  }

  /// The person has had enough of this link; wins at once over all that is under way.
  mutating func giveUpLink(_ id: HeadphoneID, at moment: Moment) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    let wasBusy = headphone.link.isBusy
    headphones.update(id) {
      $0.isWanted = false
      $0.lose()
      $0.failedAttempts = 0
      $0.link = wasBusy ? .userCancelled : .disconnected(.user)
    }
    let text = wasBusy ? "connecting was cancelled" : "disconnected on request"
    return note(.info, id, text, at: moment) + [
      .cancelTimer(.reconnect(id)), .cancelTimer(.steady(id)), .disconnect(id),
    ]
  }

  mutating func reconnect(_ id: HeadphoneID, at moment: Moment) -> [Effect] {
    guard let headphone = headphones[id], case .reconnecting = headphone.link else {
      return ignore("a retry that nobody waits for", id, at: moment)
    }
    return wantLink(id)
  }

  mutating func follow(_ event: LinkEvent, of id: HeadphoneID, at moment: Moment) -> [Effect] {
    guard let headphone = headphones[id], headphone.link.isUnderWay else {
      return ignore("\"\(event.words)\" of a link that is not under way", id, at: moment)
    }
    switch event {
    case .connected:
      guard headphone.link == .connecting else {
        return ignore("connected while \(headphone.link.words)", id, at: moment)
      }
      headphones.update(id) { $0.link = .discoveringServices }
      return note(.info, id, "link is up", at: moment)
    case .ready(let description, let isEncrypted):
      guard headphone.link.isStarting else {
        return ignore("ready while \(headphone.link.words)", id, at: moment)
      }
      return becomeReady(id, description, isEncrypted, at: moment)
    case .ended(let reason):
      return end(id, reason, at: moment)
    case .failed(let reason):
      stop(id, as: .failed(reason))
      return complain(
        "\(name(of: id)): \(reason.words)", advice: reason.advice, id, at: moment)
        + [.cancelTimer(.steady(id))]
    case .denied(let capability):
      stop(id, as: .permissionDenied(capability: capability))
      return complain(
        "connecting needs \(capability)",
        advice:
          "give it to the program: sudo setcap \(capability.lowercased())+ep $(which earshot)",
        id, at: moment)
    case .unsupported(let missing):
      stop(id, as: .unsupported(missing: missing))
      return complain(
        "\(name(of: id)) is not a headphone that is understood: \(missing) is missing",
        advice: "choose another one", id, at: moment) + [.cancelTimer(.steady(id))]
    }
  }

  private mutating func becomeReady(
    _ id: HeadphoneID, _ description: HeadphoneDescription, _ isEncrypted: Bool?, at moment: Moment
  ) -> [Effect] {
    headphones.update(id) {
      $0.link = .ready
      $0.driver = description.driver
      $0.capabilities = description.capabilities
      $0.information = description.information
      $0.mtu = description.mtu
      $0.isEncrypted = isEncrypted
      $0.lastUsed = moment
    }
    let text = "ready after \(description.requests) requests, MTU \(description.mtu)"
    return note(.info, id, text, at: moment) + remember(id) + [
      .startTimer(.steady(id), .exactly(.seconds(30)))
    ]
  }

  /// Keeps what is known of a headphone for later runs.
  func remember(_ id: HeadphoneID) -> [Effect] {
    headphones[id].map { [.remember(KnownHeadphone($0))] } ?? []
  }

  private mutating func end(
    _ id: HeadphoneID, _ reason: DisconnectReason, at moment: Moment
  ) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    let text = "\(headphone.link.isConnected ? "link ended" : "no link"): \(reason.words)"
    var effects = note(.warning, id, text, at: moment) + [.cancelTimer(.steady(id))]
    headphones.update(id) { $0.lose() }
    guard headphone.isWanted, reason.canPass else {
      stop(id, as: .disconnected(reason))
      return reason == .user
        ? effects
        : effects
          + complain("\(name(of: id)): \(reason.words)", advice: reason.advice, id, at: moment)
    }
    guard case .ready = adapter else {
      headphones.update(id) { $0.link = adapter.waiting }
      return effects
    }
    let attempt = headphone.failedAttempts + 1
    let delay = Duration.seconds(attempt > 6 ? 60 : 1 << (attempt - 1))
    headphones.update(id) {
      $0.failedAttempts = attempt
      $0.link = .reconnecting(Retry(attempt: attempt, delay: delay, after: reason))
    }
    effects.append(.startTimer(.reconnect(id), .about(delay)))
    return effects
  }

  /// Ends all trying; the person decides what comes next.
  private mutating func stop(_ id: HeadphoneID, as link: LinkState) {
    headphones.update(id) {
      $0.lose()
      $0.isWanted = false
      $0.link = link
    }
  }
}

extension LinkState {
  /// An attempt or a link of it is under way in the runtime.
  var isUnderWay: Bool { self == .connecting || isConnected }

  /// The driver's start is under way.
  var isStarting: Bool {
    switch self {
    case .discoveringServices, .discoveringCharacteristics, .subscribing, .pairing: true
    default: false
    }
  }
}

extension DisconnectReason {
  /// Trying again may help.
  fileprivate var canPass: Bool {
    switch self {
    case .user, .micFailure: false
    default: true
    }
  }
}

extension HeadphoneState {
  /// What is true only while the link is up goes with it.
  mutating func lose() {
    mtu = nil
    isEncrypted = nil
    firmwareProgress = nil
    anc.giveUp()
    ancLevel.giveUp()
    eq.giveUp()
    bands.giveUp()
    wearDetection.giveUp()
    find = Setting()
  }
}

extension KnownHeadphone {
  /// What later runs need of a headphone.
  public init(_ headphone: HeadphoneState) {
    self.init(
      id: headphone.id, name: headphone.name, address: headphone.address,
      publicAddress: headphone.publicAddress, lastUsed: headphone.lastUsed)
  }
}
