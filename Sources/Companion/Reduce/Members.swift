import Headphones

/// Two buds with a link each are one headphone, whose set they are.
extension State {
  /// What was heard as a headphone is a member of another one's set: it goes from the list.
  mutating func join(_ member: HeadphoneID, _ id: HeadphoneID, at moment: Moment) -> [Effect] {
    guard member != id, let joining = headphones[member], headphones[id] != nil else { return [] }
    let wasSelected = headphones.selected?.id == member
    headphones.remove(member)
    if wasSelected { headphones.select(id) }
    let ending: [Effect] =
      joining.link == .idle
      ? [] : [.cancelTimer(.reconnect(member)), .cancelTimer(.steady(member)), .disconnect(member)]
    return ending + [.drop(member)]
      + note(.info, id, "\(joining.address.text) is a member of its set", at: moment)
  }

  mutating func follow(
    member side: Side?, isLinked: Bool, of id: HeadphoneID, at moment: Moment
  ) -> [Effect] {
    headphones.update(id) {
      $0.linkedOthers += isLinked ? 1 : -1
      // What it told is not true any more.
      if !isLinked, let side { $0.battery?.value[side.part] = nil }
    }
    let name = side.map { "the \($0.part.name) bud" } ?? "a member of its set"
    return note(.info, id, "\(name) \(isLinked ? "is linked" : "has gone")", at: moment)
  }

  /// Those that are not heard cannot be linked.
  func lookForMembers(of id: HeadphoneID) -> [Effect] {
    guard let headphone = headphones[id], headphone.members > 1, scan == .idle else { return [] }
    return [.startScan]
  }
}

extension HeadphoneState {
  mutating func adopt(_ set: CoordinatedSet?) {
    setKey = set?.key
    members = set.map { $0.others + 1 } ?? 1
    linkedOthers = 0
  }
}
