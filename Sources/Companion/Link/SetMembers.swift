package import BluetoothCodec
package import HeadphoneProtocols

/// Coordinated sets: two buds with a link each form one headphone.
extension State {
  mutating func join(_ member: HeadphoneID, _ id: HeadphoneID, at timestamp: Timestamp) -> [Effect]
  {
    guard member != id, let joining = headphones[member], let headphone = headphones[id] else {
      return []
    }
    let wasSelected = headphones.selected?.id == member
    headphones.remove(member)
    if wasSelected { headphones.select(id) }
    if joining.link.isWanted { headphones.update(id) { $0.hold.join(joining.hold) } }
    let ending: [Effect] =
      joining.link == .unwanted(.idle)
      ? [] : [.cancelTimer(.reconnect(member)), .cancelTimer(.steady(member)), .disconnect(member)]
    return ending + [.drop(member)]
      + note(
        .info, id, "second \(headphone.sideNoun) found: \(joining.address.address.description)",
        at: timestamp)
  }

  mutating func follow(
    _ member: SetMember, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    let before = headphones[id]?.members.first { $0.isSame(as: member) }
    headphones.update(id) { $0.follow(member) }
    var reported: [Effect] = []
    if let preset = member.preset, preset != before?.preset {
      reported = receive(
        .settingChanged(.preset, preset), from: id, isOwn: false, at: timestamp)
    }
    // Only its settings or its preset changed.
    guard before?.isLinked != member.isLinked else { return reported }
    let name = "\(member.side?.name ?? "second") \(headphones[id]?.sideNoun ?? "bud")"
    return reported
      + note(
        .info, id, "\(name) \(member.isLinked ? "connected" : "disconnected")", at: timestamp)
      + (member.isLinked ? remember(id) : lookForMembers(of: id))
  }

  /// Scans for members, which must advertise before they can be connected.
  func lookForMembers(of id: HeadphoneID) -> [Effect] {
    guard let headphone = headphones[id], headphone.setSize > 1, scan == .idle else { return [] }
    return [.startScan]
  }
}

extension State {
  struct AbsentMember: Hashable {
    var headphone: HeadphoneID
    var address: PeerAddress
  }

  /// Connects passively to absent members, except while scanning or searching for broadcasts.
  ///
  /// A scan sees them all, and bluetoothd pauses discovery while a connection is pending.
  mutating func listenForMembers(isScanBeginning: Bool) -> [Effect] {
    let before = absentMembers
    absentMembers =
      isEnding || isScanBeginning || isDiscovering
      ? []
      : headphones.flatMap { headphone in
        headphone.absentMembers.map { AbsentMember(headphone: headphone.id, address: $0) }
      }
    return before.filter { !absentMembers.contains($0) }
      .map { .stopListeningForMember($0.headphone, $0.address) }
      + absentMembers.filter { !before.contains($0) }
      .map { .listenForMember($0.headphone, $0.address) }
  }
}

package struct SetMember: Hashable, Sendable {
  package var address: PeerAddress
  package var side: Side?
  package var isLinked: Bool
  /// The declared settings, some of which may be for its side only.
  package var settings: [SettingDeclaration]
  /// The last reported preset; members may have different ones.
  package var preset: SettingValue?

  package init(
    _ address: PeerAddress, _ side: Side?, isLinked: Bool, settings: [SettingDeclaration] = [],
    preset: SettingValue? = nil
  ) {
    self.address = address
    self.side = side
    self.isLinked = isLinked
    self.settings = settings
    self.preset = preset
  }

  /// Whether these are the same bud, whose address may have changed.
  func isSame(as other: SetMember) -> Bool {
    address == other.address || (side != nil && side == other.side)
  }
}

extension HeadphoneState {
  package var linkedMembers: Int { members.count(where: \.isLinked) }

  /// The last addresses of absent members, except changing ones, which need a scan.
  fileprivate var absentMembers: [PeerAddress] {
    guard link.use == .ready, linkedMembers < setSize else { return [] }
    return memberAddresses.filter { address in
      address.isIdentity && !members.contains { $0.isLinked && $0.address == address }
    }
  }

  /// Returns the charge that a member reported, or nil if none or if its side is unknown.
  package func battery(of member: SetMember) -> Battery? {
    member.side.flatMap { battery?.value[$0.part] }
  }

  /// Adopts the set of a headphone that is ready, with its own link as the first member.
  mutating func adopt(_ set: CoordinatedSet?) {
    setKey = set?.key
    setSize = set.map { $0.others + 1 } ?? 1
    members =
      set.map {
        [
          SetMember(
            address, $0.side, isLinked: true, settings: capabilities?.settings ?? [],
            preset: setting(.preset).confirmed)
        ]
      } ?? []
  }

  /// Adopts changed settings of the headphone's own link, and keeps those of other members.
  mutating func combine(_ settings: [SettingDeclaration]) {
    guard members.first?.isLinked == true else { return }
    members[0].settings = settings
    combineSettings()
  }

  /// Combines the settings of all linked members, with those of the left side before the right.
  private mutating func combineSettings() {
    var settings: [SettingDeclaration] = []
    for setting in members.filter(\.isLinked).flatMap(\.settings)
    where !settings.contains(where: { $0.id == setting.id }) {
      let sibling = setting.id.otherSide.flatMap { (id, isLeft) in
        settings.firstIndex { $0.id == id }.map { isLeft ? $0 + 1 : $0 }
      }
      settings.insert(setting, at: sibling ?? settings.endIndex)
    }
    capabilities?.settings = settings
  }

  mutating func noteOwnPreset(_ event: HeadphoneEvent) {
    guard case .settingChanged(.preset, let preset) = event, !members.isEmpty else { return }
    members[0].preset = preset
  }

  mutating func follow(_ member: SetMember) {
    let index =
      members.indices.dropFirst().first { members[$0].isSame(as: member) }
      // In a complete set, it takes the place of a member that has gone.
      ?? (members.count < setSize ? nil : members.indices.last { !members[$0].isLinked })
    // It has missed what was announced to the others.
    if member.isLinked, index.map({ members[$0].isLinked }) != true { isSearchAnnounced = false }
    if let index { members[index] = member } else { members.append(member) }
    memberAddresses = members.dropFirst().map(\.address)
    combineSettings()
    // Its last values are no longer valid.
    if !member.isLinked, let side = member.side {
      battery?.value[side.part] = nil
      receptions.removeAll { $0.side == side }
    }
  }

  mutating func loseMembers() {
    for index in members.indices { members[index].isLinked = false }
    receptions = []
    broadcastRequest = nil
    isSearchAnnounced = false
  }
}

extension HeadphoneState {
  /// The lines of the coordinated set and each member; empty without a set.
  package var setLines: [InfoLine] {
    guard setSize > 1 else { return [] }
    return [InfoLine(label: "Set", value: "\(linkedMembers) of \(setSize) members linked")]
      + members.map { InfoLine(label: title(of: $0), value: displayText(of: $0)) }
  }

  /// Returns "C0:DE:5E:00:53:88, linked, 83%", and the preset if the members differ.
  private func displayText(of member: SetMember) -> String {
    [
      member.address.address.description, member.isLinked ? "linked" : "away",
      battery(of: member)?.displayText, presetsDiffer ? presetTitle(of: member) : nil,
    ]
    .compactMap(\.self).joined(separator: ", ")
  }

  private var presetsDiffer: Bool {
    Set(members.filter(\.isLinked).compactMap(\.preset)).count > 1
  }

  private func presetTitle(of member: SetMember) -> String? {
    guard member.isLinked, case .choice(let id)? = member.preset,
      case .choice(let choices)? = capabilities?.declaration(of: .preset)?.kind
    else { return nil }
    return choices.first { $0.id == id }?.title
  }

  /// The differing presets of the members, such as "left Everyday, right Outdoors".
  package var differingPresets: String? {
    guard presetsDiffer else { return nil }
    let words = members.compactMap { member in
      presetTitle(of: member).map { "\(member.side?.name ?? "one") \($0)" }
    }
    return words.joined(separator: ", ")
  }

  private func title(of member: SetMember) -> String {
    switch member.side {
    case .left: "Left \(sideNoun)"
    case .right: "Right \(sideNoun)"
    case nil: "Member"
    }
  }
}
