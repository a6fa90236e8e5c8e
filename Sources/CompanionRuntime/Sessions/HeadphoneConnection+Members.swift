internal import BluetoothCodec
internal import BluetoothRadio
internal import Companion
internal import HeadphoneProtocols

/// The connections to the other members of a coordinated set (CSIS 1.0).
///
/// Each member has a separate connection with a separate driver; its events are reported as the
/// headphone's.
///
/// | event | consequence |
/// | --- | --- |
/// | a member advertises | it is connected, unless the set is complete or it failed three times |
/// | a member is away, and nothing scans | it is connected when it advertises (passively) |
/// | that fails, as at the edge of the range | it is awaited again after a pause, which grows |
/// | it starts with the same set key | its values count as the headphone's |
/// | it has another key, or none | the link ends: the address belongs to another device by now |
/// | the headphone's own link ends | all members are disconnected |
struct SetMembers {
  struct Member {
    var session: HeadphoneConnection
    var task: Task<Void, Never>
    /// Whether there is no link yet, but a passive connection.
    var isAwaited: Bool
    var isStarting = true
  }

  let set: CoordinatedSet
  let report: @MainActor @Sendable (HeadphoneConnection.Report) -> Void
  var linked: [PeerAddress: Member] = [:]
  /// Passive connections that were ended, by address; a channel may not be closed yet.
  var ending: [PeerAddress: Task<Void, Never>] = [:]
  var failures: [PeerAddress: Int] = [:]

  /// The number of failed attempts after which a member that advertises is left alone.
  private static let mostFailures = 3

  init(
    _ set: CoordinatedSet,
    report: @escaping @MainActor @Sendable (HeadphoneConnection.Report) -> Void
  ) {
    self.set = set
    self.report = report
  }

  func wants(_ peer: PeerAddress) -> Bool {
    linked[peer] == nil && linked.count < set.others
      && failures[peer, default: 0] < Self.mostFailures
  }
}

extension HeadphoneConnection {
  /// Links a member, unless it is connected or the set is complete.
  func link(member peer: PeerAddress) {
    connect(member: peer, within: Self.timeout, isAwaited: false)
  }

  func listen(forMember peer: PeerAddress) {
    connect(member: peer, within: Self.passiveTimeout, isAwaited: true)
  }

  /// Ends the passive connection to a member; an existing link is kept.
  func stopListening(forMember peer: PeerAddress) {
    guard members?.linked[peer]?.isAwaited == true,
      let member = members?.linked.removeValue(forKey: peer)
    else { return }
    member.task.cancel()
    members?.ending[peer] = member.task
  }

  /// Connects a member; `failures` is the number of consecutive failures of an awaited one.
  private func connect(
    member peer: PeerAddress, within limit: Duration, isAwaited: Bool, after failures: Int = 0
  ) {
    guard let members, members.wants(peer) else { return }
    let session = HeadphoneConnection(id, radio: radio, clock: clock, prepareDriver: prepareDriver)
    let previous = members.ending[peer]
    let task = Task {
      await previous?.value
      if failures > 0 {
        let pause = Retry(attempt: failures, after: .connectTimeout).delay
        guard (try? await clock.sleep(for: pause)) != nil else { return }
      }
      let hasFailed = await follow(
        session, at: peer, within: limit, of: members.set, members.report)
      guard hasFailed, isAwaited else { return }
      connect(member: peer, within: limit, isAwaited: true, after: failures + 1)
    }
    self.members?.ending[peer] = nil
    self.members?.linked[peer] = SetMembers.Member(
      session: session, task: task, isAwaited: isAwaited)
  }

  /// Forwards a member's events as the headphone's, other than its link events.
  ///
  /// The member is reported by its identity address once a pairing has revealed that.
  ///
  /// - Returns: Whether the member never became ready, and is still wanted.
  private func follow(
    _ member: HeadphoneConnection, at peer: PeerAddress, within limit: Duration,
    of set: CoordinatedSet, _ report: @escaping @MainActor @Sendable (Report) -> Void
  ) async -> Bool {
    var address = peer
    let (reports, sink) = AsyncStream.makeStream(of: Report.self)
    let run = Task {
      _ = await member.run(to: peer, timeout: limit) { sink.yield($0) }
      sink.finish()
    }
    let reported = await withTaskCancellationHandler {
      var reported: CoordinatedSet?
      var described: HeadphoneDescription?
      var preset: SettingValue?
      for await event in reports {
        switch event {
        case .received(.starting): break
        case .link(.connected): update(peer, member) { $0.isAwaited = false }
        // The address may belong to another device now, so the set key decides.
        case .link(.ready(let description, _)) where description.set?.key == set.key:
          (reported, described) = (description.set, description)
          update(peer, member) { $0.isStarting = false }
          address = await radio.identity(of: peer)
          report(.link(.member(SetMember(address, description, preset))))
        // The headphone's own description is the main one; this one describes the member's side.
        case .received(.described(let description)):
          guard reported != nil else { break }
          described = description
          report(.link(.member(SetMember(address, description, preset))))
        case .received(.settingChanged(.preset, let value)):
          preset = value
          if let described { report(.link(.member(SetMember(address, described, preset)))) }
        case .link: run.cancel()
        case .received: report(event)
        }
      }
      return reported
    } onCancel: {
      run.cancel()
    }
    // The member may have been paired since the start. Without a side, only its address identifies
    // it.
    if reported?.side != nil { address = await radio.identity(of: peer) }
    // Either the headphone's link has ended, and with it the set, or nobody waits for the member
    // any more.
    guard let ended = members?.linked[peer], ended.session === member else { return false }
    members?.linked[peer] = nil
    guard let reported else {
      // An awaited member has not even advertised.
      if !ended.isAwaited { members?.failures[peer, default: 0] += 1 }
      return true
    }
    report(.link(.member(SetMember(address, reported.side, isLinked: false))))
    return false
  }

  private func update(
    _ peer: PeerAddress, _ member: HeadphoneConnection, _ change: (inout SetMembers.Member) -> Void
  ) {
    guard var current = members?.linked[peer], current.session === member else { return }
    change(&current)
    members?.linked[peer] = current
  }

  /// Performs an action on each connected member in turn, until the first failure.
  func membersDo(
    _ act: @Sendable (HeadphoneConnection) async -> CommandOutcome
  ) async -> CommandOutcome {
    for member in members?.linked.values.filter({ !$0.isStarting }) ?? [] {
      let outcome = await act(member.session)
      if case .failed(.linkLost) = outcome { continue }
      guard outcome == .done else { return outcome }
    }
    return .done
  }

  /// Performs an action on all connected members concurrently.
  func allMembersDo(
    _ act: @escaping @Sendable (HeadphoneConnection) async -> CommandOutcome
  ) async -> [CommandOutcome] {
    let sessions = members?.linked.values.filter { !$0.isStarting }.map(\.session) ?? []
    return await withTaskGroup(of: CommandOutcome.self) { group in
      for session in sessions { group.addTask { await act(session) } }
      var outcomes: [CommandOutcome] = []
      for await outcome in group {
        if case .failed(.linkLost) = outcome { continue }
        outcomes.append(outcome)
      }
      return outcomes
    }
  }

  /// Disconnects the members, and returns when their links are down.
  func leaveMembers() async {
    let tasks = members.map { $0.linked.values.map(\.task) + Array($0.ending.values) } ?? []
    members = nil
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}

extension SetMember {
  fileprivate init(
    _ address: PeerAddress, _ description: HeadphoneDescription, _ preset: SettingValue?
  ) {
    self.init(
      address, description.set?.side, isLinked: true, settings: description.capabilities.settings,
      preset: preset)
  }
}
