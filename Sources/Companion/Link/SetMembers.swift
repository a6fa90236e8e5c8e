import BluetoothCodec
import HeadphoneProtocols

/// Coordinated sets: two buds with a link each are one headphone.
extension State {
  /// Removes a headphone that turned out to be a member of another one's set.
  mutating func join(_ member: HeadphoneID, _ id: HeadphoneID, at timestamp: Timestamp) -> [Effect]
  {
    guard member != id, let joining = headphones[member], headphones[id] != nil else { return [] }
    let wasSelected = headphones.selected?.id == member
    headphones.remove(member)
    if wasSelected { headphones.select(id) }
    let ending: [Effect] =
      joining.link == .unwanted(.idle)
      ? [] : [.cancelTimer(.reconnect(member)), .cancelTimer(.steady(member)), .disconnect(member)]
    return ending + [.drop(member)]
      + note(
        .info, id, "second bud found: \(joining.address.address.description)", at: timestamp)
  }

  mutating func follow(
    _ member: SetMember, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    let isKnown = headphones[id]?.members.contains {
      $0.isSame(as: member) && $0.isLinked == member.isLinked
    }
    headphones.update(id) { $0.follow(member) }
    // It only declares other settings than before.
    guard isKnown != true else { return [] }
    let name = member.side.map { "\($0.name) bud" } ?? "second bud"
    return note(
      .info, id, "\(name) \(member.isLinked ? "connected" : "disconnected")", at: timestamp)
      + (member.isLinked ? remember(id) : [])
  }

  /// A member must advertise before it can be connected.
  func lookForMembers(of id: HeadphoneID) -> [Effect] {
    guard let headphone = headphones[id], headphone.setSize > 1, scan == .idle else { return [] }
    return [.startScan]
  }
}
