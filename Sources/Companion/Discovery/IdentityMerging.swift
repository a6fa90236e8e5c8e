import BluetoothCodec

/// Recognition of a known headphone under a new address.
extension State {
  /// Merges a headphone that has just become ready with a known one of the same serial number.
  ///
  /// A headphone with a private address gets a new identity when its bond is lost or its address
  /// changes. The older identity is kept, because scripts and files use it. Attempts to connect the
  /// older entry end.
  ///
  /// - Returns: the remaining identity, and the effects.
  mutating func recognise(_ id: HeadphoneID, at timestamp: Timestamp) -> (HeadphoneID, [Effect]) {
    guard let headphone = headphones[id],
      let older = headphones.first(where: { headphone.isSame(as: $0) })
    else { return (id, []) }
    let words = older.name.isEmpty ? older.address.address.description : older.name
    let ending: [Effect] = [.cancelTimer(.reconnect(older.id)), .disconnect(older.id)]
    headphones.merge(id, with: older.id)
    if commandChoice == id { commandChoice = older.id }
    let isIdle = older.link == .unwanted(.idle) || older.link == .unwanted(.userCancelled)
    let effects = note(
      .info, older.id, "recognised by its serial number as \(words)",
      at: timestamp)
    return (older.id, (isIdle ? [] : ending) + [.merge(id, with: older.id)] + effects)
  }
}

extension HeadphoneState {
  fileprivate func isSame(as older: HeadphoneState) -> Bool {
    guard older.id != id, let serial, serial == older.serial, !older.link.isConnected else {
      return false
    }
    // Another public or audio address means another headphone.
    if let own = publicAddress, let others = older.publicAddress, own != others { return false }
    if address.kind == .public, older.address.kind == .public { return false }
    // Both advertised at the same time.
    guard let first = received?.lowerBound, let last = older.received?.upperBound else {
      return true
    }
    return last < first
  }
}
