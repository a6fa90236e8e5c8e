internal import BluetoothCodec
internal import BluetoothRadio
internal import EventLoop

/// A manager of the kernel's pairings for this process, over the management channel.
///
/// 1. `prepare(_:for:)` enables pairing on the adapter, and loads the keys of earlier runs.
/// 2. `begin(_:)` starts to report the progress of a pairing.
/// 3. BT_SECURITY on a socket (LE) or Pair Device (BR/EDR) starts the pairing in the kernel.
/// 4. The kernel's questions go to the pairing agent, and its answers to the kernel.
/// 5. New keys go to the bonds.
/// 6. `finish(_:)` ends the report.
///
/// Where bluetoothd runs, the manager does none of this, because bluetoothd has the keys. It
/// answers only for devices that this program is linked to or pairs.
actor KernelPairing {
  enum Progress: Hashable, Sendable {
    case failed(SecurityFailure)
    case bonded
  }

  private struct Attempt {
    var progress: AsyncStream<Progress>.Continuation
    var excuse: SecurityFailure?
    var identity: ManagementPeer?
    var linkKey: LinkKey?
  }

  private struct Pending {
    var opcode: ManagementOpcode
    var peer: ManagementPeer?
    var ended: CheckedContinuation<ManagementStatus, Never>
  }

  private let agent: PairingAgent
  private let bonds: any BondStore
  let rule: @Sendable () async -> PairingAuthority
  private let open: @Sendable () -> (any ManagementChannel)?
  private let loop: PollLoop
  private let notice: @Sendable (RadioWarning) -> Void

  private var channel: (any ManagementChannel)?
  private var listening: Task<Void, Never>?
  private var prepared: [UInt16: AdapterInfo] = [:]
  /// The peers of this program's links and connection attempts, whose questions it answers.
  private var linked: Set<ManagementPeer> = []
  /// The pairings by address and type, because both transports of a headphone may share an address.
  private var attempts: [ManagementPeer: Attempt] = [:]
  private var questions: [ManagementPeer: Task<Void, Never>] = [:]
  private var pending: [UInt64: Pending] = [:]
  private var lastPending: UInt64 = 0

  /// The latest authority, which is cached because determining it reads the names of all processes.
  private(set) var decided: PairingAuthority?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(
    agent: PairingAgent, bonds: any BondStore, loop: PollLoop,
    rule: @escaping @Sendable () async -> PairingAuthority = { await .now() },
    open: (@Sendable () -> (any ManagementChannel)?)? = nil,
    notice: @escaping @Sendable (RadioWarning) -> Void = { _ in }
  ) {
    self.agent = agent
    self.bonds = bonds
    self.loop = loop
    self.notice = notice
    self.rule = rule
    self.open =
      open ?? { (try? ManagementSocket()).map { PolledManagement(socket: $0, loop: loop) } }
  }

  deinit { listening?.cancel() }

  @discardableResult
  func decide() async -> PairingAuthority {
    let rule = await rule()
    decided = rule
    return rule
  }

  func prepare(_ adapter: AdapterInfo, for peer: PeerAddress) async {
    linked.insert(ManagementPeer(peer))
    guard await decide() == .own else { return }
    // Read first, so that a concurrent call does not find the adapter prepared without its keys.
    let bonds = await bonds.bonds()
    guard let channel = attend() else { return }
    // The kernel copies this to each new link.
    channel.send(.setIOCapability(Self.capability), to: adapter)
    guard prepared[adapter.index] != adapter else { return }
    prepared[adapter.index] = adapter
    notice(.prepared(adapter: adapter.name))
    for command in Self.settings + keys(of: adapter, among: bonds) {
      channel.send(command, to: adapter)
    }
  }

  /// The IO capability; with less, the kernel pairs without a question, also if the headphone
  /// began.
  static let capability = IOCapability.keyboardDisplay

  private static let settings: [ManagementCommand] = [
    .setLE(true), .setSecureSimplePairing(true), .setSecureConnections(.on), .setBondable(true),
  ]

  /// Returns the commands that load the keys of earlier runs, replacing all that the kernel has.
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

  var mayBegin: Bool { agent.mayBegin }

  /// Whether a link may be protected: with a user to prompt or, up to `.medium`, a stored key.
  ///
  /// Where bluetoothd has the keys, this is true, since BlueZ's client decides.
  func mayProtect(_ peer: PeerAddress, to level: SecurityLevel) async -> Bool {
    let hasKey =
      peer.kind == .classic ? bonds.hasLinkKey(of: peer.address) : bonds.isBonded(peer)
    if mayBegin || level <= .medium && hasKey { return true }
    return await decide() == .daemon
  }

  /// Starts to report a pairing with a peer, until ``finish(_:)``.
  ///
  /// - Parameter level: the lowest sufficient security; for `.medium` any stored key is enough.
  func begin(
    _ peer: PeerAddress, to level: SecurityLevel = .high
  ) async -> AsyncStream<Progress> {
    let (progress, continuation) = AsyncStream<Progress>.makeStream()
    // With a stored key the kernel asks nothing, so /proc need not be read first.
    let hasKey = level <= .medium && bonds.isBonded(peer)
    if decided == nil || !hasKey { await decide() }
    let peer = ManagementPeer(peer)
    attempts[peer]?.progress.finish()
    attempts[peer] = Attempt(progress: continuation)
    return progress
  }

  func finish(_ peer: PeerAddress) {
    let peer = ManagementPeer(peer)
    let names = [peer] + [attempts[peer]?.identity].compactMap { $0 }
    for name in names {
      questions.removeValue(forKey: name)?.cancel()
      attempts.removeValue(forKey: name)?.progress.finish()
    }
  }

  /// Returns the failure with which a pairing ended.
  ///
  /// A user's rejection takes precedence, because the peer may disconnect before the kernel reports
  /// the failure. The authority is determined again, since it may be as old as a passive
  /// connection attempt.
  func verdict(
    on peer: PeerAddress, after failure: SecurityFailure? = nil
  ) async -> SecurityFailure {
    if let excuse = attempts[ManagementPeer(peer)]?.excuse { return excuse }
    if let failure, failure != .refused { return failure }
    return switch await decide() {
    case .own: .refused
    case .daemon: .noAgent
    case .others: .notPermitted(capability: ProcessRights.Capability.netAdmin.name)
    }
  }

  func expectsKeys(of peer: PeerAddress) -> Bool { decided == .own && !bonds.isBonded(peer) }

  /// Sends a command; without a completion the status is `.invalidIndex` or `.cancelled`.
  func execute(
    _ command: ManagementCommand, about peer: ManagementPeer? = nil, on adapter: AdapterInfo
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

  /// Waits until the new keys are stored, including an LE key derived from the link key.
  ///
  /// The kernel derives the LE key (Core 5.4, Vol 3, Part C, 14.1) after it has reported the end of
  /// pairing. The wait is limited, because the kernel does not report that a headphone derives no
  /// key.
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

  private func receive(_ packet: ManagementEventPacket) {
    guard let index = packet.controller else { return }
    switch packet.event {
    // A new controller with this index does not have the old one's keys.
    case .indexAdded, .indexRemoved: prepared[index] = nil
    case .commandComplete(let opcode, let status, .peer(let peer)): end(opcode, peer, status)
    case .commandComplete(let opcode, .success, _):
      for (id, waiting) in pending where waiting.opcode == opcode && waiting.peer == nil {
        end(id, .success)
      }
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
    case .made(let key, let address): keep(key, from: address, adapter)
    case .failed(let peer, _):
      questions.removeValue(forKey: peer)?.cancel()
      attempts[peer]?.progress.yield(.failed(attempts[peer]?.excuse ?? .refused))
    case .ended(let peer):
      linked.remove(peer)
      questions.removeValue(forKey: peer)?.cancel()
    }
  }

  /// Whether this process, and not another program, has to answer questions about a peer.
  private func isOwn(_ peer: ManagementPeer) -> Bool {
    decided == .own && (linked.contains(peer) || attempts[peer] != nil)
  }

  /// Asks the user, or updates the number of typed digits in an open question.
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
      // The question was withdrawn, so the kernel expects no answer.
      if Task.isCancelled { return }
      reply(to: request, with: answer, isAttended: isAttended, peer, adapter)
    }
  }

  private func reply(
    to request: PairingRequest, with answer: PairingAnswer?, isAttended: Bool,
    _ peer: ManagementPeer, _ adapter: AdapterInfo
  ) {
    switch answer {
    case nil: attempts[peer]?.excuse = .unanswered
    case .no: attempts[peer]?.excuse = isAttended ? .declined : .unanswered
    case .yes, .passkey, .pin: break
    }
    if let reply = request.reply(answer, to: peer) { channel?.send(reply, to: adapter) }
    // The digits are still shown while the user types on the headphone.
    if case .show = request, answer != .no { return }
    questions[peer] = nil
  }

  /// Whether `key` is derived from the other transport's key, the only one being paired.
  private func isDerived(_ key: BondKey) -> Bool {
    let audio = attempts[ManagementPeer(key.peer.address, .brEdr)]
    let control = attempts[ManagementPeer(key.peer.address, .lePublic)]
    return switch key {
    case .longTerm: audio?.linkKey != nil && control == nil
    case .link: audio == nil && control != nil
    case .identityResolving: false
    }
  }

  private func keep(
    _ key: BondKey, from address: BluetoothAddress?, _ adapter: AdapterInfo
  ) {
    guard decided == .own else { return }
    let peer = key.peer
    let bonds = bonds.cachedBonds
    let bond = bonds.first { $0.adapter == adapter.address && $0.identity == key.identity }
    if isDerived(key), bond?.accepts(derived: key) == false {
      // The kernel has replaced the stronger key, so the stored keys are loaded again.
      for command in keys(of: adapter, among: bonds) { channel?.send(command, to: adapter) }
    } else {
      self.bonds.keep(key, of: adapter.address)
    }
    if let address, address != peer.address {
      // From now on the kernel uses the identity address for this headphone.
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
