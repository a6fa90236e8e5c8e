internal import Bluetooth
internal import BluetoothCodec
internal import EventLoop

/// The pairings that the kernel executes for this process, over the management channel.
///
/// It prepares adapters, loads the keys of earlier runs, brings the kernel's questions to the
/// pairing agent, and stores new keys. Where bluetoothd runs it does none of this: bluetoothd has
/// the keys.
actor KernelPairing {
  /// The progress of a pairing, for its initiator.
  enum Progress: Hashable, Sendable {
    case failed(SecurityFailure)
    /// Keys to encrypt later links with are made.
    case bonded
  }

  private struct Attempt {
    var progress: AsyncStream<Progress>.Continuation
    /// What the person's answer, or its lack, makes of a failure.
    var excuse: SecurityFailure?
    /// What the headphone turned out to be.
    var identity: ManagementPeer?
    /// The key of the BR/EDR side that it made.
    var linkKey: LinkKey?
  }

  private struct Pending {
    var opcode: ManagementOpcode
    var peer: ManagementPeer
    var ended: CheckedContinuation<ManagementStatus, Never>
  }

  private let agent: PairingAgent
  private let bonds: any BondStore
  let rule: @Sendable () async -> PairingAuthority
  private let open: @Sendable () -> (any ManagementChannel)?
  private let loop: PollLoop

  private var channel: (any ManagementChannel)?
  private var listening: Task<Void, Never>?
  /// Adapters that have their settings and keys, by index.
  private var prepared: [UInt16: AdapterInfo] = [:]
  /// Those that this program has links with, or makes them: their questions are its own.
  private var linked: Set<ManagementPeer> = []
  /// By the side that is paired: the two of a headphone may have one address.
  private var attempts: [ManagementPeer: Attempt] = [:]
  private var questions: [ManagementPeer: Task<Void, Never>] = [:]
  private var pending: [UInt64: Pending] = [:]
  private var lastPending: UInt64 = 0

  /// The authority over the link or the pairing that began last; nil before the first.
  ///
  /// Kept because finding out reads the names of all processes.
  private(set) var decided: PairingAuthority?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(
    agent: PairingAgent, bonds: any BondStore, loop: PollLoop,
    rule: @escaping @Sendable () async -> PairingAuthority = { await .now() },
    open: (@Sendable () -> (any ManagementChannel)?)? = nil
  ) {
    self.agent = agent
    self.bonds = bonds
    self.loop = loop
    self.rule = rule
    self.open =
      open ?? { (try? ManagementSocket()).map { PolledManagement(socket: $0, loop: loop) } }
  }

  deinit { listening?.cancel() }

  // MARK: Authority

  /// Finds out again which process answers the kernel's questions.
  @discardableResult
  func decide() async -> PairingAuthority {
    let rule = await rule()
    decided = rule
    return rule
  }

  private func decider() async -> PairingAuthority {
    if let decided { return decided }
    return await decide()
  }

  // MARK: Adapters

  /// Makes an adapter ready for links: pairing is allowed, and the keys of earlier runs are loaded.
  func prepare(_ adapter: AdapterInfo, for peer: PeerAddress) async {
    linked.insert(ManagementPeer(peer))
    guard await decide() == .own else { return }
    // Read first: a call that comes meanwhile must not find the adapter prepared without its keys.
    let bonds = await bonds.bonds()
    guard let channel = attend() else { return }
    // The kernel copies this to each new link; without anyone to ask only consent is possible.
    channel.send(.setIOCapability(capability), to: adapter)
    guard prepared[adapter.index] != adapter else { return }
    prepared[adapter.index] = adapter
    for command in Self.settings + keys(of: adapter, among: bonds) {
      channel.send(command, to: adapter)
    }
  }

  var capability: IOCapability { agent.isAttended ? .keyboardDisplay : .noInputNoOutput }

  private static let settings: [ManagementCommand] = [
    .setSecureSimplePairing(true), .setSecureConnections(.on), .setBondable(true),
  ]

  /// What gives the kernel the keys of earlier runs; it forgets all others that it has.
  private func keys(of adapter: AdapterInfo, among bonds: [Bond]) -> [ManagementCommand] {
    let bonds = bonds.filter { $0.adapter == adapter.address }
    let identities = bonds.compactMap { bond in
      bond.identityResolvingKey.map {
        IdentityResolvingKey(peer: ManagementPeer(bond.identity), key: $0)
      }
    }
    // The kernel reports new IRKs only to a client that has loaded a list, even an empty one.
    let resolving = ManagementCommand.loadIdentityResolvingKeys(identities)
    guard !bonds.isEmpty else { return [resolving] }
    return [
      resolving, .loadLongTermKeys(bonds.flatMap(\.longTermKeys)),
      .loadLinkKeys(bonds.compactMap(\.linkKey), acceptsDebugKeys: false),
    ]
  }

  /// Listens from now on.
  private func attend() -> (any ManagementChannel)? {
    if let channel { return channel }
    guard let channel = open() else { return nil }
    self.channel = channel
    listening = Task { [weak self] in
      while let packet = await channel.next() { await self?.receive(packet) }
      await self?.lose()
    }
    return channel
  }

  private func lose() {
    channel = nil
    prepared = [:]
    linked = []
    for (id, waiting) in pending {
      pending[id] = nil
      waiting.ended.resume(returning: .invalidIndex)
    }
  }

  // MARK: Attempts

  /// Follows a pairing with a peer until ``finish(_:)``.
  func begin(_ peer: PeerAddress) async -> AsyncStream<Progress> {
    let (progress, continuation) = AsyncStream<Progress>.makeStream()
    await decide()
    let peer = ManagementPeer(peer)
    attempts[peer]?.progress.finish()
    attempts[peer] = Attempt(progress: continuation)
    return progress
  }

  /// The pairing has ended, whatever became of it.
  func finish(_ peer: PeerAddress) {
    let peer = ManagementPeer(peer)
    let names = [peer] + [attempts[peer]?.identity].compactMap { $0 }
    for name in names {
      questions.removeValue(forKey: name)?.cancel()
      attempts.removeValue(forKey: name)?.progress.finish()
    }
  }

  /// The failure that a pairing without success ended with.
  ///
  /// A user's rejection takes precedence: the peer may disconnect before the kernel reports the
  /// failure.
  ///
  /// - Parameter failure: as the kernel reported it, or the link's end; nil: no reason is known.
  func verdict(
    on peer: PeerAddress, after failure: SecurityFailure? = nil
  ) async -> SecurityFailure {
    if let excuse = attempts[ManagementPeer(peer)]?.excuse { return excuse }
    if let failure, failure != .refused { return failure }
    return switch await decider() {
    case .own: .refused
    case .daemon: .noAgent
    case .others: .notPermitted(capability: ProcessRights.Capability.netAdmin.name)
    }
  }

  /// Whether a successful pairing ends with keys that are to be kept here.
  func expectsKeys(of peer: PeerAddress) async -> Bool {
    await decider() == .own && !bonds.isBonded(peer)
  }

  // MARK: Commands

  /// Sends a command about a peer and waits for its end.
  func execute(
    _ command: ManagementCommand, about peer: ManagementPeer, on adapter: AdapterInfo
  ) async -> ManagementStatus {
    guard let channel = attend() else { return .invalidIndex }
    lastPending += 1
    let id = lastPending
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        pending[id] = Pending(opcode: command.opcode, peer: peer, ended: continuation)
        if Task.isCancelled || !channel.send(command, to: adapter) { end(id, .cancelled) }
      }
    } onCancel: {
      Task { await self.end(id, .cancelled) }
    }
  }

  private func end(_ id: UInt64, _ status: ManagementStatus) {
    pending.removeValue(forKey: id)?.ended.resume(returning: status)
  }

  func drop(_ identity: PeerAddress) async { await bonds.drop(identity) }

  /// Returns when the new keys are stored, that of the LE side included that follows from the link
  /// key of the BR/EDR side (cross-transport key derivation; Core 5.4, Vol 3, Part C, 14.1).
  ///
  /// The kernel derives it after it has reported the pairing's end, and both devices put it in the
  /// place of the LE side's key. It is awaited for ``LinkSecurity/keyTimeout``, because the kernel
  /// does not report that a headphone has no such derivation.
  func storeKeys(
    of peer: PeerAddress, _ progress: AsyncStream<Progress>, by clock: any Clock<Duration>
  ) async {
    if attempts[ManagementPeer(peer)]?.linkKey?.isFromP256 == true {
      _ = await within(LinkSecurity.keyTimeout, by: clock) {
        for await step in progress where step == .bonded { return }
      }
    }
    await bonds.flush()
  }

  func bond(with identity: PeerAddress) async -> [Bond] {
    await bonds.bonds().filter { $0.identity == identity }
  }

  // MARK: Events

  private func receive(_ packet: ManagementEventPacket) {
    guard let index = packet.controller else { return }
    switch packet.event {
    // A new controller of this index knows nothing of the old one's keys.
    case .indexAdded, .indexRemoved: prepared[index] = nil
    case .commandComplete(let opcode, let status, .peer(let peer)): end(opcode, peer, status)
    case .commandComplete(let opcode, let status, _), .commandStatus(let opcode, let status):
      if !status.isSuccess { end(opcode, nil, status) }
    default:
      guard let adapter = prepared[index], let signal = PairingSignal(packet.event) else { return }
      follow(signal, on: adapter)
    }
  }

  private func end(_ opcode: ManagementOpcode, _ peer: ManagementPeer?, _ status: ManagementStatus)
  {
    for (id, waiting) in pending where waiting.opcode == opcode {
      if let peer, peer != waiting.peer { continue }
      end(id, status)
    }
  }

  private func follow(_ signal: PairingSignal, on adapter: AdapterInfo) {
    switch signal {
    case .asks(let peer, let request): ask(request, peer, adapter)
    case .asksForPIN(let peer):
      // A headphone with an LE side has Secure Simple Pairing; what asks so is none.
      if isOwn(peer) { channel?.send(.pinCodeNegativeReply(peer), to: adapter) }
    case .made(let key, let address): keep(key, from: address, adapter)
    case .failed(let peer, _):
      questions.removeValue(forKey: peer)?.cancel()
      attempts[peer]?.progress.yield(.failed(attempts[peer]?.excuse ?? .refused))
    case .ended(let peer):
      linked.remove(peer)
      questions.removeValue(forKey: peer)?.cancel()
    }
  }

  private func isOwn(_ peer: ManagementPeer) -> Bool {
    decided == .own && (linked.contains(peer) || attempts[peer] != nil)
  }

  private func ask(_ request: PairingRequest, _ peer: ManagementPeer, _ adapter: AdapterInfo) {
    guard isOwn(peer) else { return }
    if case .show = request, questions[peer] != nil {
      return agent.revise(request, for: peer.named)
    }
    questions[peer]?.cancel()
    let isBegun = attempts[peer] != nil
    questions[peer] = Task { [agent] in
      let isAttended = agent.isAttended
      let answer = await agent.ask(request, for: peer.named, isBegun: isBegun)
      // Taken back: the kernel waits for nothing any more.
      if Task.isCancelled { return }
      answered(request, answer, isAttended: isAttended, peer, adapter)
    }
  }

  private func answered(
    _ request: PairingRequest, _ answer: PairingAnswer?, isAttended: Bool,
    _ peer: ManagementPeer, _ adapter: AdapterInfo
  ) {
    switch answer {
    case nil: attempts[peer]?.excuse = .unanswered
    case .no: attempts[peer]?.excuse = isAttended ? .declined : .unanswered
    case .yes, .passkey: break
    }
    if let reply = request.reply(answer, to: peer) { channel?.send(reply, to: adapter) }
    // The question stays open on the headphone's side.
    if case .show = request, answer != .no { return }
    questions[peer] = nil
  }

  private func keep(
    _ key: BondKey, from address: BluetoothAddress?, _ adapter: AdapterInfo
  ) {
    guard decided == .own else { return }
    bonds.keep(key, of: adapter.address)
    let peer = key.peer
    if let address, address != peer.address {
      // From here on the kernel names the headphone by its identity.
      let named = ManagementPeer(address, .leRandom)
      if linked.remove(named) != nil { linked.insert(peer) }
      attempts[named]?.identity = peer
      if let attempt = attempts[named] { attempts[peer] = attempt }
    }
    switch key {
    case .longTerm:
      questions.removeValue(forKey: peer)?.cancel()
      let audio = ManagementPeer(peer.address, .brEdr)
      for side in [peer, audio] where side == peer || attempts[side]?.linkKey != nil {
        attempts[side]?.progress.yield(.bonded)
      }
    case .link(let key): attempts[peer]?.linkKey = key
    case .identityResolving: break
    }
  }
}
