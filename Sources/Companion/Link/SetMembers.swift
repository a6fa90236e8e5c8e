public import BluetoothCodec
public import HeadphoneProtocols

/// Coordinated sets: two buds with a link each are one headphone.
extension State {
  /// Removes a headphone that turned out to be a member of another one's set.
  mutating func join(_ member: HeadphoneID, _ id: HeadphoneID, at timestamp: Timestamp) -> [Effect]
  {
    guard member != id, let joining = headphones[member], let headphone = headphones[id] else {
      return []
    }
    let wasSelected = headphones.selected?.id == member
    headphones.remove(member)
    if wasSelected { headphones.select(id) }
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
    // It only declares other settings than before, or has another preset.
    guard before?.isLinked != member.isLinked else { return reported }
    let name = "\(member.side?.name ?? "second") \(headphones[id]?.sideNoun ?? "bud")"
    return reported
      + note(
        .info, id, "\(name) \(member.isLinked ? "connected" : "disconnected")", at: timestamp)
      + (member.isLinked ? remember(id) : lookForMembers(of: id))
  }

  /// A member must advertise before it can be connected: at the start, and after it was lost.
  func lookForMembers(of id: HeadphoneID) -> [Effect] {
    guard let headphone = headphones[id], headphone.setSize > 1, scan == .idle else { return [] }
    return [.startScan]
  }
}

/// Passive connection to the members of sets that are away: as ``State/reconnectPassively()`` for headphones.
extension State {
  /// A member of a headphone's set that is connected as soon as it advertises.
  struct AbsentMember: Hashable {
    var headphone: HeadphoneID
    var address: PeerAddress
  }

  /// Connects passively to the members that are away, and to no others.
  ///
  /// Not while the radio scans, which sees them all, nor while it searches for broadcasts: discovery by bluetoothd pauses while a
  /// connection is pending.
  mutating func listenForMembers(isScanBeginning: Bool) -> [Effect] {
    let before = absentMembers
    absentMembers =
      isQuitting || isScanBeginning || isDiscovering
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

/// A member of a coordinated set: a bud with a link of its own.
public struct SetMember: Hashable, Sendable {
  /// Its address, or its last one.
  public var address: PeerAddress
  /// Nil: it does not report which bud it is.
  public var side: Side?
  public var isLinked: Bool
  /// The settings that it declares, some of which may be for its side alone.
  public var settings: [SettingDeclaration]
  /// The preset that it reported last; nil: none.
  ///
  /// The members may differ for a while, or where only one has changed.
  public var preset: SettingValue?

  public init(
    _ address: PeerAddress, _ side: Side?, isLinked: Bool, settings: [SettingDeclaration] = [],
    preset: SettingValue? = nil
  ) {
    self.address = address
    self.side = side
    self.isLinked = isLinked
    self.settings = settings
    self.preset = preset
  }

  /// Whether these are the same bud, which may advertise under another address by now.
  func isSame(as other: SetMember) -> Bool {
    address == other.address || (side != nil && side == other.side)
  }
}

extension HeadphoneState {
  /// How many members of its set have a link.
  public var linkedMembers: Int { members.count(where: \.isLinked) }

  /// The last addresses of the members that are away, as far as they can be connected to.
  ///
  /// An address that changes can only be looked for.
  fileprivate var absentMembers: [PeerAddress] {
    guard link.use == .ready, linkedMembers < setSize else { return [] }
    return memberAddresses.filter { address in
      address.isIdentity && !members.contains { $0.isLinked && $0.address == address }
    }
  }

  /// The charge that a member reported; nil: none, or its side is unknown.
  public func battery(of member: SetMember) -> Battery? {
    member.side.flatMap { battery?.value[$0.part] }
  }

  /// The headphone is ready, as the first member of its set that has a link.
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

  /// The headphone's own description has changed; those of its set's other members stay.
  mutating func combine(_ settings: [SettingDeclaration]) {
    guard members.first?.isLinked == true else { return }
    members[0].settings = settings
    combineSettings()
  }

  /// The settings of all members that have a link: one for one side is there while that member is.
  ///
  /// Those of the two sides stand together, the left one first, whichever came first.
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

  /// What the headphone's own link reports is the first member's.
  mutating func noteOwnPreset(_ event: HeadphoneEvent) {
    guard case .settingChanged(.preset, let preset) = event, !members.isEmpty else { return }
    members[0].preset = preset
  }

  /// A further member has a link, or has it no longer.
  mutating func follow(_ member: SetMember) {
    let index =
      members.indices.dropFirst().first { members[$0].isSame(as: member) }
      // Its place in a set that is whole is that of one that has gone.
      ?? (members.count < setSize ? nil : members.indices.last { !members[$0].isLinked })
    // It has missed what was announced to the others.
    if member.isLinked, index.map({ members[$0].isLinked }) != true { isSearchAnnounced = false }
    if let index { members[index] = member } else { members.append(member) }
    memberAddresses = members.dropFirst().map(\.address)
    combineSettings()
    // Its last reported values are no longer valid.
    if !member.isLinked, let side = member.side {
      battery?.value[side.part] = nil
      receptions.removeAll { $0.side == side }
    }
  }

  /// All of them go with the headphone's own link.
  mutating func loseMembers() {
    for index in members.indices { members[index].isLinked = false }
    receptions = []
    broadcastRequest = nil
    isSearchAnnounced = false
  }
}

extension HeadphoneState {
  /// Its coordinated set, and a line for each member that had a link; empty: it is whole.
  public var setLines: [InfoLine] {
    guard setSize > 1 else { return [] }
    return [InfoLine(label: "Set", value: "\(linkedMembers) of \(setSize) members linked")]
      + members.map { InfoLine(label: title(of: $0), value: displayText(of: $0)) }
  }

  /// "C0:DE:5E:00:53:88, linked, 83%", and the preset where the members differ.
  private func displayText(of member: SetMember) -> String {
    [
      member.address.address.description, member.isLinked ? "linked" : "away",
      battery(of: member)?.displayText, presetsDiffer ? presetTitle(of: member) : nil,
    ]
    .compactMap(\.self).joined(separator: ", ")
  }

  /// Whether members that have a link report different presets.
  private var presetsDiffer: Bool {
    Set(members.filter(\.isLinked).compactMap(\.preset)).count > 1
  }

  private func presetTitle(of member: SetMember) -> String? {
    guard member.isLinked, case .choice(let id)? = member.preset,
      case .choice(let choices)? = capabilities?.declaration(of: .preset)?.kind
    else { return nil }
    return choices.first { $0.id == id }?.title
  }

  /// "left Everyday, right Outdoors", while the members report different presets; nil: they do not.
  public var differingPresets: String? {
    guard presetsDiffer else { return nil }
    let words = members.compactMap { member in
      presetTitle(of: member).map { "\(member.side?.name ?? "one") \($0)" }
    }
    return words.joined(separator: ", ")
  }

  /// "Left bud", "Right aid".
  private func title(of member: SetMember) -> String {
    switch member.side {
    case .left: "Left \(sideNoun)"
    case .right: "Right \(sideNoun)"
    case nil: "Member"
    }
  }
}
