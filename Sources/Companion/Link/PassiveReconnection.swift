import BluetoothCodec

/// A headphone that did not answer when it was tried is listened for until the next attempt.
///
/// The radio does that by itself, for several at once, and connects the one that it hears: so it is
/// back at once, however long the pauses have become, and nobody's turn is taken. Once they are as
/// long as they get, a further attempt would do no more than that, and there is none: nothing wakes
/// up.
extension State {
  /// Lets the radio listen for those that are wanted and absent, and for no others.
  ///
  /// Not while somebody looks for headphones: that hears them all, and a radio that waits for some
  /// hears no others.
  mutating func reconnectPassively() -> [Effect] {
    let before = absentHeadphones
    absentHeadphones = scan == .scanning ? [] : headphones.filter(\.isAbsent).map(\.id)
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

  /// The radio listens no more: the next attempt comes after its pause.
  mutating func stopListening(for id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    note(.debug, id, "is listened for no more", at: timestamp) + resumeAttempts(on: id)
  }

  private func resumeAttempts(on id: HeadphoneID) -> [Effect] {
    guard let headphone = headphones[id], headphone.isLongAway,
      case .reconnecting(let retry) = headphone.link
    else { return [] }
    return [.startTimer(.reconnect(id), .about(retry.delay))]
  }

  /// A headphone that was listened for is back.
  mutating func welcome(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    headphones.update(id) { $0.link = .discoveringServices }
    return note(.info, id, "is back: link is up", at: timestamp) + [.cancelTimer(.reconnect(id))]
  }
}

extension HeadphoneState {
  /// It was tried, and was not there.
  ///
  /// What was there and went is tried once more first: a headphone at the edge of the range would
  /// else come and go without the pauses between attempts.
  fileprivate var isAbsent: Bool {
    guard case .reconnecting(let retry) = link, retry.after == .connectTimeout else { return false }
    // An address that changes can only be looked for, and BR/EDR does not advertise.
    return address.kind != .classic && address.isIdentity
  }

  /// It was tried so often that its pauses grow no more.
  fileprivate var isLongAway: Bool {
    guard case .reconnecting(let retry) = link else { return false }
    return retry.delay == Retry.longestDelay
  }
}

extension LinkState {
  /// Neither a link nor an attempt, and one may follow.
  fileprivate var isWaiting: Bool {
    switch self {
    case .reconnecting, .waitingForBluetooth, .scanning, .bluetoothOff, .permissionDenied: true
    default: false
    }
  }
}
