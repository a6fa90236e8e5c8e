import BluetoothCodec

/// Passive reconnection to headphones that did not answer a connection attempt.
///
/// The kernel connects several at once as soon as they advertise, so that a headphone is
/// back at once, however long the delays have become, without blocking the queue. When the delays
/// are at their longest, there are no further attempts, and nothing wakes
/// up.
extension State {
  /// Connects passively to the wanted headphones that are absent, and to no others.
  ///
  /// Not during a scan, which sees them all: a controller with a filter accept list sees
  /// no others. Nor during a search for broadcasts: discovery by bluetoothd pauses while a connection is pending.
  mutating func reconnectPassively() -> [Effect] {
    let before = absentHeadphones
    absentHeadphones = isDiscovering ? [] : headphones.filter(\.isAbsent).map(\.id)
    // An attempt takes the place of listening, and a link is what came of it.
    let dropped = before.filter {
      !absentHeadphones.contains($0) && headphones[$0]?.link.isWaiting == true
    }
    let added = absentHeadphones.filter { !before.contains($0) }
    return dropped.flatMap { [.disconnect($0)] + resumeAttempts(on: $0) }
      + added.flatMap { id -> [Effect] in
        headphones[id]?.isLongAway == true
          ? [.cancelTimer(.reconnect(id)), .listen(for: id)] : [.listen(for: id)]
      }
  }

  /// Whether the radio scans for headphones or searches for broadcasts.
  var isDiscovering: Bool { scan == .scanning || broadcasts.isSearching }

  /// Passive connection has ended: the next attempt comes after its delay.
  mutating func stopListening(for id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    note(.debug, id, "stopped listening for it", at: timestamp) + resumeAttempts(on: id)
  }

  private func resumeAttempts(on id: HeadphoneID) -> [Effect] {
    guard let headphone = headphones[id], headphone.isLongAway,
      case .reconnecting(let retry) = headphone.link
    else { return [] }
    return [.startTimer(.reconnect(id), .about(retry.delay))]
  }

  /// A passively awaited headphone is connected.
  mutating func welcome(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    headphones.update(id) { $0.startDriver() }
    return note(.info, id, "connected again", at: timestamp) + [.cancelTimer(.reconnect(id))]
  }
}

extension HeadphoneState {
  /// Whether it did not answer the last attempt.
  ///
  /// What was there and went is tried once more first: a headphone at the edge of the range would
  /// else come and go without the pauses between attempts.
  fileprivate var isAbsent: Bool {
    guard case .reconnecting(let retry) = link, retry.after == .connectTimeout else { return false }
    // An address that changes can only be looked for, and BR/EDR does not advertise.
    return address.kind != .classic && address.isIdentity
  }

  /// Whether its delays are at their longest.
  fileprivate var isLongAway: Bool {
    guard case .reconnecting(let retry) = link else { return false }
    return retry.delay == Retry.longestDelay
  }
}

extension LinkState {
  /// Neither a link nor an attempt, and one may follow.
  fileprivate var isWaiting: Bool {
    switch self {
    case .reconnecting, .pending(.waitingForBluetooth, _), .pending(.scanning, _),
      .unwanted(.permissionDenied):
      true
    case .unwanted, .pending, .connected, .firmwareRestarting: false
    }
  }
}
