import BluetoothCodec
internal import HeadphoneProtocols

extension HeadphoneState {
  /// Its coordinated set, and a line for each member that had a link; empty: it is whole.
  public var setLines: [InfoLine] {
    guard setSize > 1 else { return [] }
    return [InfoLine(label: "Set", value: "\(linkedMembers) of \(setSize) members linked")]
      + members.map { InfoLine(label: $0.title, value: displayText(of: $0)) }
  }

  /// "C0:DE:5E:00:53:88, linked, 83%".
  private func displayText(of member: SetMember) -> String {
    [
      member.address.address.description, member.isLinked ? "linked" : "away",
      battery(of: member)?.displayText,
    ]
    .compactMap(\.self).joined(separator: ", ")
  }
}

extension SetMember {
  fileprivate var title: String {
    switch side {
    case .left: "Left bud"
    case .right: "Right bud"
    case nil: "Member"
    }
  }
}
