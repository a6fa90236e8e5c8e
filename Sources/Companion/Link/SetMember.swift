public import BluetoothCodec
public import HeadphoneProtocols

/// A member of a coordinated set: a bud with a link of its own.
public struct SetMember: Hashable, Sendable {
  /// Its address, or its last one.
  public var address: PeerAddress
  /// Nil: it does not report which bud it is.
  public var side: Side?
  public var isLinked: Bool
  /// The settings that it declares, some of which may be for its side alone.
  public var settings: [SettingDeclaration]

  public init(
    _ address: PeerAddress, _ side: Side?, isLinked: Bool, settings: [SettingDeclaration] = []
  ) {
    self.address = address
    self.side = side
    self.isLinked = isLinked
    self.settings = settings
  }

  /// Whether these are the same bud, which may advertise under another address by now.
  func isSame(as other: SetMember) -> Bool {
    address == other.address || (side != nil && side == other.side)
  }
}

extension HeadphoneState {
  /// How many members of its set have a link.
  public var linkedMembers: Int { members.count(where: \.isLinked) }

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
        [SetMember(address, $0.side, isLinked: true, settings: capabilities?.settings ?? [])]
      } ?? []
  }

  /// The headphone's own description has changed; those of its set's other members stay.
  mutating func combine(_ settings: [SettingDeclaration]) {
    guard members.first?.isLinked == true else { return }
    members[0].settings = settings
    combineSettings()
  }

  /// The settings of all members that have a link: one for one side is there while that member is.
  private mutating func combineSettings() {
    var seen: Set<SettingID> = []
    capabilities?.settings = members.filter(\.isLinked).flatMap(\.settings)
      .filter { seen.insert($0.id).inserted }
  }

  /// A further member has a link, or has it no longer.
  mutating func follow(_ member: SetMember) {
    let index =
      members.indices.dropFirst().first { members[$0].isSame(as: member) }
      // Its place in a set that is whole is that of one that has gone.
      ?? (members.count < setSize ? nil : members.indices.last { !members[$0].isLinked })
    if let index { members[index] = member } else { members.append(member) }
    memberAddresses = members.dropFirst().map(\.address)
    combineSettings()
    // Its last reported values are no longer valid.
    if !member.isLinked, let side = member.side { battery?.value[side.part] = nil }
  }

  /// All of them go with the headphone's own link.
  mutating func loseMembers() {
    for index in members.indices { members[index].isLinked = false }
  }
}
