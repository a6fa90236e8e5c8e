import HeadphoneProtocols

/// Requests for charges that a headphone reports only on request.
///
/// While a screen or `earshot watch` shows it, such a headphone is asked as soon as its charge is
/// five minutes old. Otherwise no timer runs.
extension State {
  /// The age in seconds from which a charge is requested again.
  static let chargeSeconds: Int64 = 300

  mutating func askChargesIfShown(at timestamp: Timestamp) -> [Effect] {
    func isAsked(_ headphone: HeadphoneState) -> Bool {
      viewers > 0 && headphone.isChargeAsked && headphone.link.isReady
    }
    let changed = headphones.filter { $0.isAskingCharge != isAsked($0) }
    return changed.flatMap { headphone -> [Effect] in
      let isAsking = isAsked(headphone)
      headphones.update(headphone.id) { $0.isAskingCharge = isAsking }
      return isAsking
        ? askCharge(of: headphone.id, at: timestamp) : [.cancelTimer(.charge(headphone.id))]
    }
  }

  /// Requests the charge if it is old, or waits until it is.
  func askCharge(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones[id], headphone.isAskingCharge else { return [] }
    let age = headphone.chargeSeconds(at: timestamp) ?? Self.chargeSeconds
    // The clock of the computer may have been set back.
    let rest = min(Self.chargeSeconds - age, Self.chargeSeconds)
    return rest > 0
      ? [.startTimer(.charge(id), .exactly(.seconds(rest)))] : [.readCharge(id)]
  }

  mutating func noteChargeRead(
    of id: HeadphoneID, isRead: Bool, at timestamp: Timestamp
  ) -> [Effect] {
    headphones.update(id) {
      if isRead { $0.battery?.seenAt = timestamp }
      $0.isChargeOld = !isRead
    }
    guard headphones[id]?.isAskingCharge == true else { return [] }
    return [.startTimer(.charge(id), .exactly(.seconds(Self.chargeSeconds)))]
  }
}

extension HeadphoneState {
  fileprivate func chargeSeconds(at timestamp: Timestamp) -> Int64? {
    battery.map { (timestamp.milliseconds - $0.seenAt.milliseconds) / 1000 }
  }

  package func isChargeDue(at timestamp: Timestamp) -> Bool {
    guard isChargeAsked, link.isReady, let age = chargeSeconds(at: timestamp) else { return false }
    return !(0..<State.chargeSeconds).contains(age)
  }

  /// Returns the age of the charge, such as "12 min ago", or nil if it is current.
  ///
  /// A charge of five minutes or more is old if the headphone is not connected, or may report it
  /// only on request.
  package func chargeAge(at timestamp: Timestamp) -> String? {
    guard isChargeAsked || !link.isReady && !isAdvertisingOnly,
      let seconds = chargeSeconds(at: timestamp), seconds >= State.chargeSeconds
    else { return nil }
    let minutes = seconds / 60
    if minutes < 60 { return "\(minutes) min ago" }
    return minutes < 24 * 60 ? "\(minutes / 60) h ago" : "\(minutes / 1440) d ago"
  }
}
