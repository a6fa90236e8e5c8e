import BluetoothCodec

/// Recognition of a known headphone under a new address.
extension State {
  /// Merges this headphone with a known one that has the same serial number.
  ///
  /// A headphone with a private address gets a new identity when its bond is lost or the address
  /// changes. Its serial number, read once it is ready, shows that it was known before; the older
  /// identity wins, because scripts and files use it. Attempts on the older entry are ended.
  ///
  /// - Parameters:
  ///   - id: A headphone that has just become ready.
  ///   - timestamp: The time of the log line.
  ///
  /// - Returns: its identity from now on, and the effects.
  mutating func recognise(_ id: HeadphoneID, at timestamp: Timestamp) -> (HeadphoneID, [Effect]) {
    guard let headphone = headphones[id],
      let older = headphones.first(where: { headphone.isSame(as: $0) })
    else { return (id, []) }
    let words = older.name.isEmpty ? older.address.address.description : older.name
    let ending: [Effect] = [.cancelTimer(.reconnect(older.id)), .disconnect(older.id)]
    headphones.merge(id, with: older.id)
    let isIdle = older.link == .unwanted(.idle) || older.link == .unwanted(.userCancelled)
    let effects = note(
      .info, older.id, "recognised by its serial number as \(words)",
      at: timestamp)
    return (older.id, (isIdle ? [] : ending) + [.merge(id, with: older.id)] + effects)
  }
}

extension HeadphoneState {
  /// Whether an older entry is this headphone under an earlier address.
  fileprivate func isSame(as older: HeadphoneState) -> Bool {
    guard older.id != id, let serial, serial == older.serial, !older.link.isConnected else {
      return false
    }
    // Another audio device, or another address that never changes, is another headphone.
    if let own = publicAddress, let others = older.publicAddress, own != others { return false }
    if address.kind == .public, older.address.kind == .public { return false }
    // Both advertised at the same time.
    guard let first = received?.lowerBound, let last = older.received?.upperBound else {
      return true
    }
    return last < first
  }
}
