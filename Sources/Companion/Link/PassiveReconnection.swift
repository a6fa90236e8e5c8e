import BluetoothCodec

/// Passive reconnection to headphones that did not respond to a connection attempt.
///
/// The kernel connects several at once when they advertise, regardless of the delays and without
/// blocking the queue. Once the delays are at their longest, there are no other attempts.
extension State {
  /// Connects passively to the wanted headphones that are absent.
  ///
  /// Not during a scan, which sees them: a controller with a filter accept list sees no others. Nor
  /// during a search for broadcasts, since bluetoothd pauses discovery while a connection is
  /// pending.
  mutating func reconnectPassively() -> [Effect] {
    let before = absentHeadphones
    absentHeadphones = isDiscovering ? [] : headphones.filter(\.isAbsent).map(\.id)
    // Those with an attempt or a link are no longer listened for.
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

  var isDiscovering: Bool { scan == .scanning || broadcasts.isSearching }

  /// Handles the end of a passive connection: the next attempt comes after its delay.
  mutating func stopListening(for id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    note(.debug, id, "stopped listening for it", at: timestamp) + resumeAttempts(on: id)
  }

  private func resumeAttempts(on id: HeadphoneID) -> [Effect] {
    guard let headphone = headphones[id], headphone.isLongAway,
      case .reconnecting(let retry) = headphone.link
    else { return [] }
    return [.startTimer(.reconnect(id), .about(retry.delay))]
  }

  mutating func welcome(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    headphones.update(id) { $0.startDriver() }
    return note(.info, id, "connected again", at: timestamp) + [.cancelTimer(.reconnect(id))]
  }
}

extension HeadphoneState {
  /// Whether the headphone did not respond to the last attempt.
  ///
  /// A lost link is tried once first: a headphone at the edge of the range would otherwise
  /// reconnect and disconnect without pauses.
  fileprivate var isAbsent: Bool {
    guard case .reconnecting(let retry) = link, retry.after == .connectTimeout else { return false }
    // A changing address needs a scan, and BR/EDR does not advertise.
    return address.kind != .classic && address.isIdentity
  }

  fileprivate var isLongAway: Bool {
    guard case .reconnecting(let retry) = link else { return false }
    return retry.delay == Retry.longestDelay
  }
}

extension LinkState {
  fileprivate var isWaiting: Bool {
    switch self {
    case .reconnecting, .pending(.waitingForBluetooth, _), .pending(.scanning, _),
      .unwanted(.permissionDenied):
      true
    case .unwanted, .pending, .connected, .firmwareRestarting: false
    }
  }
}
