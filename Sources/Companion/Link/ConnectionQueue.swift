import BluetoothCodec

/// The queue of connections: an adapter makes one at a time, and has a limit of links.
extension State {
  mutating func seekLink(_ id: HeadphoneID, isUrgent: Bool = false) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    guard case .ready = adapter else {
      headphones.update(id) { $0.seek(.waitingForBluetooth(adapter.wait)) }
      return []
    }
    // A private address cannot be connected before it is seen in an advertisement.
    guard headphone.isNearby || headphone.address.isIdentity else {
      if case .denied(let capability, _) = scan {
        headphones.update(id) { $0.seek(.waitingForBluetooth(.permission(capability: capability))) }
        return []
      }
      headphones.update(id) { $0.seek(.scanning) }
      return scan == .scanning ? [] : [.startScan]
    }
    headphones.update(id) { $0.seek(.waitingForBluetooth(.turn)) }
    connectQueue.removeAll { $0 == id }
    connectQueue.insert(id, at: isUrgent ? connectQueue.startIndex : connectQueue.endIndex)
    return startNextConnection()
  }

  /// Connects the next headphone of the queue, unless one is being connected or the program ends.
  mutating func startNextConnection() -> [Effect] {
    guard !isEnding else { return [] }
    evict()
    connectQueue.removeAll { headphones[$0]?.link.attempt != .waitingForBluetooth(.turn) }
    guard let next = connectQueue.first,
      !headphones.contains(where: { $0.link.attempt == .connecting })
    else {
      return []
    }
    connectQueue.removeFirst()
    headphones.update(next) { $0.seek(.connecting) }
    return [.connect(next)]
  }

  /// Waits for another link to end, since the adapter is at its limit.
  mutating func waitForCapacity(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    let links = headphones.count(where: \.link.isConnected)
    // The end of other programs' links is not reported.
    guard links > 0 else {
      return pause(id, after: .busy(LinkEvent.noRoom.displayText))
        + note(.warning, id, LinkEvent.noRoom.displayText, at: timestamp)
    }
    linkLimit = links
    headphones.update(id) { $0.seek(.waitingForBluetooth(.room)) }
    return complain(
      "the adapter carries \(links) \(links == 1 ? "link" : "links") and is at its connection limit",
      advice: "disconnect one of them, and \(name(of: id)) connects", id, at: timestamp)
  }

  private mutating func evict() {
    guard let limit = linkLimit, headphones.count(where: \.link.isConnected) < limit else { return }
    linkLimit = nil
    for headphone in headphones where headphone.link.attempt == .waitingForBluetooth(.room) {
      headphones.update(headphone.id) { $0.seek(.waitingForBluetooth(.turn)) }
      connectQueue.append(headphone.id)
    }
  }
}
