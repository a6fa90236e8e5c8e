internal import BluetoothCodec
internal import BluetoothRadio
internal import DBus
internal import EventLoop

extension BlueZClient {
  private static let agentPath = "/org/earshot/agent"
  private static let capability = "KeyboardDisplay"
  /// The time limit for a pairing.
  ///
  /// bluetoothd reports an unanswered question after 60 s. A peer has 30 s for each step of pairing
  /// (Core 5.4, Vol 3, Part H, 3.4).
  private static let pairingTimeout: Duration = .seconds(65)
  /// The time limit for keys, which arrive after the first encryption.
  private static let keyTimeout: Duration = .seconds(1)
  /// The kernel's time limit for an answer (30 s; Core 5.4, Vol 3, Part H, 3.4), and a margin.
  private static let unfinishedTime: Duration = .seconds(32)
  /// The time limit for the signal that a device was removed, which follows the reply.
  private static let removalTimeout: Duration = .seconds(1)
  /// The maximum number of requests to remove a device: one for each link, and one to confirm.
  private static let removalLimit = 3

  struct Pairing {
    fileprivate var conversation = AgentConversation()
    fileprivate var agentUsers = 0
    fileprivate var questions: [String: Task<Void, Never>] = [:]
    /// Closures that end a link's pairing that waits for bluetoothd, by the path of the device.
    fileprivate var securings: [String: @Sendable () -> Void] = [:]
    /// The peers whose pairing ended this way; the kernel continues it while the link is up.
    fileprivate var unfinished: Set<BluetoothAddress> = []

    fileprivate mutating func withdrawQuestions() {
      for question in questions.values { question.cancel() }
      questions = [:]
    }

    mutating func end() {
      agentUsers = 0
      withdrawQuestions()
      // The kernel asks its question once, so no other process will reply to it.
      for end in securings.values { end() }
    }
  }

  /// Pairs a device, or its BR/EDR side, by `Device1.Pair`, and cancels that with the task.
  func pair(_ peer: PeerAddress) async throws(SecurityFailure) {
    guard let device = try await pairable(peer.address) else {
      throw .closed(BearerClosed(.connectTimeout))
    }
    // Just Works asks the agent nothing. The other side of a paired device needs no second consent.
    if !device.isPaired {
      guard agent.mayBegin else { throw .unattended }
      switch await agent.ask(.consent, for: peer) {
      case .yes: break
      case nil: throw .unanswered
      case .some: throw .declined
      }
    }
    try await withAgent(for: device.path, as: peer, isDefault: false) {
      () throws(SecurityFailure) in
      guard let error = await self.pair(device) else { return }
      if error == .timedOut { await self.cancelPairing(device.path) }
      if error.name != "org.bluez.Error.AlreadyExists" { throw SecurityFailure(error) }
    }
    await trust(device.path)
  }

  private func pair(_ device: BlueZDevice) async -> DBusError? {
    let attempt = Task { await failure("Pair", at: device.path, within: Self.pairingTimeout) }
    return await withTaskCancellationHandler {
      await attempt.value
    } onCancel: {
      Task {
        await self.cancelPairing(device.path)
        attempt.cancel()
      }
    }
  }

  /// Cancels the pairing of a device that is not paired.
  ///
  /// bluetoothd 5.66 to 5.87 removes the LE keys when `CancelPairing` arrives while no pairing is
  /// under way, for example after a hang in which the pairing has finished. The pairing of a paired
  /// device's other side is therefore not cancelled: it ends without an agent.
  private func cancelPairing(_ path: String) async {
    guard objects.device(at: path)?.isPaired == false else { return }
    _ = await failure("CancelPairing", at: path)
  }

  /// Whether a link may be protected: with bluetoothd's keys, or a user to prompt.
  ///
  /// Without bluetoothd the kernel's radio decides that.
  func mayProtect(_ peer: PeerAddress) async throws(SecurityFailure) -> Bool {
    guard !agent.mayBegin, try await keepsKeys else { return true }
    return (try? adapter()).flatMap { objects.device(peer.address, of: $0) }?.isPaired == true
  }

  /// Runs work that may pair a device without ``pair(_:)``, while this program's agent is asked.
  ///
  /// - Parameter end: ends the work if bluetoothd exits meanwhile.
  func securing(
    _ peer: PeerAddress, onLoss end: @escaping @Sendable () -> Void,
    _ work: @Sendable () async throws(SecurityFailure) -> Void
  ) async throws(SecurityFailure) {
    guard await isPresent, let adapter = try? adapter() else { return try await work() }
    let path =
      objects.device(peer.address, of: adapter)?.path ?? Self.path(of: peer.address, on: adapter)
    if !peer.isIdentity { await removeAudioSides(like: path, on: adapter) }
    let before = losses
    pairing.securings[path] = end
    defer { pairing.securings[path] = nil }
    do throws(SecurityFailure) {
      try await withAgent(for: path, as: peer, isDefault: true, work)
    } catch {
      guard losses != before else { throw error }
      pairing.unfinished.insert(peer.address)
      throw isUnresponsive ? .bluetoothdUnresponsive : .bluetoothd("it ended while pairing")
    }
    _ = await until(within: Self.keyTimeout) { $0.device(at: path)?.isPaired == true }
    await trust(path)
  }

  /// Removes discovered audio sides that may belong to a device with a private address.
  ///
  /// When the pairing reveals that such an object has the same address, bluetoothd 5.66 merges its
  /// contents, keeps it for 30 s as an unknown device, and then deletes the file with the keys of
  /// both. An audio side that the user has blocked stays, because removal would lift the block.
  private func removeAudioSides(like path: String, on adapter: BlueZAdapter) async {
    guard let name = objects.device(at: path)?.name else { return }
    let sides = objects.devices(of: adapter).filter {
      $0.name == name && $0.path != path && !$0.isRandom && !$0.isPaired && !$0.isConnected
        && !$0.isBlocked
    }
    for side in sides { _ = try? await remove(side.address) }
  }

  /// Ends a link whose pairing bluetoothd has left unfinished, and waits for its end.
  ///
  /// `Disconnect` would also end the sound, so with sound the pairing has to time out.
  func awaitEnd(of peer: PeerAddress, among links: AsyncStream<[RadioLink]>) async {
    guard pairing.unfinished.contains(peer.address) else { return }
    let path = await isPresent ? (try? adapter()).map { Self.path(of: peer.address, on: $0) } : nil
    _ = await within(Self.unfinishedTime, by: clock) {
      for await links in links {
        let kinds = links.filter { $0.address == peer.address }.map(\.kind)
        guard kinds.contains(.le) else { return }
        if let path, !kinds.contains(.acl) { _ = await self.failure("Disconnect", at: path) }
      }
    }
    if !Task.isCancelled { pairing.unfinished.remove(peer.address) }
  }

  static func path(of address: BluetoothAddress, on adapter: BlueZAdapter) -> String {
    "\(adapter.path)/dev_\("\(address)".replacing(":", with: "_"))"
  }

  /// Returns the identity address of a bonded device that was found with this private address.
  ///
  /// bluetoothd keeps the path of its object, but changes the address.
  func identity(of peer: PeerAddress) async -> PeerAddress {
    guard !peer.isIdentity, await isPresent, let adapter = try? adapter(),
      let device = objects.device(at: Self.path(of: peer.address, on: adapter)), device.isPaired
    else { return peer }
    return PeerAddress(device.address, device.isRandom ? .random : .public)
  }

  /// Marks a device as trusted, because bluetoothd silently rejects connections from others.
  private func trust(_ path: String) async {
    guard objects.device(at: path)?.isTrusted == false else { return }
    // After a failure the pairing has succeeded nevertheless.
    try? await set("Trusted", of: BlueZDevice.interface, at: path, to: .boolean(true))
  }

  /// Runs work with the agent registered; a default agent also answers for the kernel's sockets.
  private func withAgent(
    for path: String, as peer: PeerAddress, isDefault: Bool,
    _ work: @Sendable () async throws(SecurityFailure) -> Void
  ) async throws(SecurityFailure) {
    pairing.conversation.begin(path, as: peer)
    do throws(SecurityFailure) {
      try await register(isDefault: isDefault)
    } catch {
      _ = pairing.conversation.end(path)
      throw error
    }
    var failure: SecurityFailure?
    do throws(SecurityFailure) { try await work() } catch { failure = error }
    await unregister()
    pairing.questions.removeValue(forKey: path)?.cancel()
    let excuse = pairing.conversation.end(path)
    guard let failure else { return }
    switch failure {
    case .refused, .noAgent, .unanswered, .timedOut, .declined, .closed, .bluetoothd:
      throw excuse ?? failure.withoutAgent
    case .notPermitted, .keyMissing, .unsupported, .unattended, .bluetoothdUnresponsive:
      throw failure
    }
  }

  private func register(isDefault: Bool) async throws(SecurityFailure) {
    pairing.agentUsers += 1
    do throws(DBusError) {
      if pairing.agentUsers == 1 {
        await connection?.export(at: Self.agentPath) { [weak self] request in
          await self?.reply(to: request) ?? .unknownMethod
        }
        try await callManager("RegisterAgent", [.string(Self.capability)])
      }
      if isDefault { try await callManager("RequestDefaultAgent") }
    } catch {
      if error.name == "org.bluez.Error.AlreadyExists" { return }
      await unregister()
      throw error == .unresponsive ? .bluetoothdUnresponsive : .noAgent
    }
  }

  private func unregister() async {
    guard pairing.agentUsers > 0 else { return }
    pairing.agentUsers -= 1
    guard pairing.agentUsers == 0 else { return }
    _ = try? await callManager("UnregisterAgent")
    if pairing.agentUsers == 0 { await connection?.export(at: Self.agentPath, nil) }
  }

  private func callManager(_ member: String, _ more: [DBusValue] = []) async throws(DBusError) {
    try await call(
      member, of: "org.bluez.AgentManager1", at: Self.root,
      [.objectPath(Self.agentPath)] + more)
  }

  private func reply(to request: DBusRequest) async -> DBusReply {
    guard case .present(request.sender) = phase else { return AgentConversation.rejected }
    guard let asked = AgentRequest(request) else { return .unknownMethod }
    switch pairing.conversation.step(for: asked) {
    case .reply(let reply): return reply
    case .withdraw:
      pairing.withdrawQuestions()
      return .values([])
    case .show(let number, let peer, let device):
      pairing.questions.removeValue(forKey: device)?.cancel()
      pairing.questions[device] = Task { [agent] in
        guard await agent.ask(number, for: peer) == .no, !Task.isCancelled else { return }
        pairing.conversation.decline(device)
        await cancelPairing(device)
      }
      return .values([])
    case .ask(let question, let peer, let device):
      pairing.questions.removeValue(forKey: device)?.cancel()
      let isAttended = agent.isAttended
      let asking = Task { [agent] in await agent.ask(question, for: peer) }
      pairing.questions[device] = Task {
        await withTaskCancellationHandler {
          _ = await asking.value
        } onCancel: {
          asking.cancel()
        }
      }
      let answer = await asking.value
      // A question that was withdrawn does not count as unanswered.
      guard !asking.isCancelled else { return AgentConversation.canceled }
      // A ping detects a bluetoothd that hangs with the reply unread; the kernel's pairing waits
      // for 30 s.
      Task { _ = await responds() }
      return pairing.conversation.reply(
        to: question, of: device, with: answer, isAttended: isAttended)
    }
  }

  /// Returns the device once `Device1.Pair` can find its BR/EDR side, or nil if that is not nearby.
  ///
  /// bluetoothd 5.66 never replies if LE is paired and there is no other side to pair.
  private func pairable(
    _ address: BluetoothAddress
  ) async throws(SecurityFailure) -> BlueZDevice? {
    guard await isPresent, let adapter = try? adapter() else { return nil }
    let find = { @Sendable (objects: BlueZObjects) -> BlueZDevice? in
      objects.device(address, of: adapter).flatMap { !$0.isPaired || $0.showsClassic ? $0 : nil }
    }
    if let device = find(objects) { return device }
    guard await discover(on: adapter, until: { find($0) != nil }) else { throw .unsupported }
    return find(objects)
  }

  /// Removes the device with its keys and links; returns whether bluetoothd had it.
  ///
  /// If both links are up and one of them ends, bluetoothd 5.66 reports success but keeps the
  /// device for the other. So the request is repeated until the device is gone.
  @discardableResult
  func remove(_ address: BluetoothAddress) async throws(SecurityFailure) -> Bool {
    guard let adapter = try? adapter(), let device = objects.device(address, of: adapter) else {
      return false
    }
    news.removals.insert(device.path)
    defer { news.removals.remove(device.path) }
    for _ in 1...Self.removalLimit {
      let error = await failure(
        "RemoveDevice", of: BlueZAdapter.interface, at: adapter.path, [.objectPath(device.path)],
        within: DBusConnection.replyTimeout)
      if error?.name == "org.bluez.Error.DoesNotExist" { return false }
      if let error { throw SecurityFailure(error) }
      if await until(within: Self.removalTimeout, { $0.device(at: device.path) == nil }) {
        return true
      }
    }
    throw .bluetoothd("it keeps the device")
  }
}

extension SecurityFailure {
  init(_ error: DBusError) {
    self =
      switch error.name {
      case "org.bluez.Error.AuthenticationFailed", "org.bluez.Error.AuthenticationRejected",
        "org.bluez.Error.AuthenticationCanceled":
        .refused
      case "org.bluez.Error.AuthenticationTimeout": .timedOut
      case "org.bluez.Error.ConnectionAttemptFailed": .closed(BearerClosed(.connectTimeout))
      case "org.bluez.Error.NotReady": .closed(BearerClosed(.adapterGone))
      default:
        switch error {
        case .timedOut: .timedOut
        case .unresponsive: .bluetoothdUnresponsive
        default: .bluetoothd("\(error)")
        }
      }
  }

  /// This failure, except that the absence of an agent is no reason after an agent was registered.
  fileprivate var withoutAgent: SecurityFailure { self == .noAgent ? .refused : self }
}
