internal import Bluetooth
internal import BluetoothCodec
internal import Companion
internal import GATT
internal import HeadphoneProtocols

/// The other members of a headphone's coordinated set: each has a link of its own.
struct SetMembers {
  /// A further link, as long as it is tried or up.
  struct Member {
    var session: HeadphoneConnection
    var task: Task<Void, Never>
    var isStarting = true
  }

  let set: CoordinatedSet
  let report: @Sendable (HeadphoneConnection.Report) async -> Void
  var linked: [PeerAddress: Member] = [:]
  /// How often each could not be linked.
  var failures: [PeerAddress: Int] = [:]
  /// Those who wait until no link is starting.
  var waiting: [CheckedContinuation<Void, Never>] = []

  /// One that refuses while it advertises would be tried without end.
  private static let mostFailures = 3

  init(
    _ set: CoordinatedSet, report: @escaping @Sendable (HeadphoneConnection.Report) async -> Void
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
  /// Links with a further member that was heard, unless it has a link or the set is whole.
  func link(member peer: PeerAddress) {
    guard let members, members.wants(peer) else { return }
    let session = HeadphoneConnection(id, radio: radio, makeDriver: makeDriver)
    let task = Task { await follow(session, at: peer, of: members.set, members.report) }
    self.members?.linked[peer] = SetMembers.Member(session: session, task: task)
  }

  /// Waits until every member that was heard is linked, or is not to be had.
  func membersAreSettled() async {
    while members?.linked.values.contains(where: \.isStarting) == true {
      await withCheckedContinuation { members?.waiting.append($0) }
    }
  }

  /// What a member tells is the headphone's; its link is nobody's but the set's.
  private func follow(
    _ member: HeadphoneConnection, at peer: PeerAddress, of set: CoordinatedSet,
    _ report: @escaping @Sendable (Report) async -> Void
  ) async {
    let (reports, sink) = AsyncStream.makeStream(of: Report.self)
    let run = Task {
      _ = await member.run(to: peer) { sink.yield($0) }
      sink.finish()
    }
    let reported = await withTaskCancellationHandler {
      var reported: CoordinatedSet?
      for await event in reports {
        switch event {
        case .received(.starting), .link(.connected): break
        // An address that was the member's may be another device's by now.
        case .link(.ready(let description, _)) where description.set?.key == set.key:
          reported = description.set
          await report(.link(.member(SetMember(peer, reported?.side, isLinked: true))))
          settle(peer, hasFailed: false)
        case .link: run.cancel()
        case .received: await report(event)
        }
      }
      return reported
    } onCancel: {
      run.cancel()
    }
    // With the headphone's own link all ends; what was told stays as it was then.
    guard members != nil else { return }
    members?.linked[peer] = nil
    settle(peer, hasFailed: reported == nil)
    if let reported {
      await report(.link(.member(SetMember(peer, reported.side, isLinked: false))))
    }
  }

  private func settle(_ peer: PeerAddress, hasFailed: Bool) {
    members?.linked[peer]?.isStarting = false
    if hasFailed { members?.failures[peer, default: 0] += 1 }
    wake()
  }

  private func wake() {
    let waiting = members?.waiting ?? []
    members?.waiting = []
    for waiter in waiting { waiter.resume() }
  }

  /// Has every linked member do the same.
  func membersDo(
    _ act: @Sendable (HeadphoneConnection) async -> CommandOutcome
  ) async -> CommandOutcome {
    for member in members?.linked.values.filter({ !$0.isStarting }) ?? [] {
      let outcome = await act(member.session)
      // One that has gone meanwhile has nothing to obey.
      if case .failed(.linkLost) = outcome { continue }
      guard outcome == .done else { return outcome }
    }
    return .done
  }

  /// Ends the members' links with the headphone's.
  func leaveMembers() async {
    let tasks = members?.linked.values.map(\.task) ?? []
    wake()
    members = nil
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
