internal import AudioRoute
internal import Bluetooth
internal import BluetoothCodec
public import Companion
internal import GATT
public import Headphones
internal import Persistence

/// One headphone for the length of one command: find, connect, do, disconnect.
///
/// What the headphone tells goes through ``/Companion/State`` as it does on the screen, so that
/// both say the same.
@MainActor
public final class StandaloneCommand: CommandTarget {
  /// Of this command alone: it knows the one headphone, and what it was told.
  public private(set) var state = State()
  /// The headphone, once it is found.
  public private(set) var id: HeadphoneID?

  private let world: Dependencies
  private let finder: Finder
  private let log: @MainActor (LogLine) -> Void
  private var session: HeadphoneConnection?
  private var end: LinkEvent?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// `log` gets each line of the log once.
  public init(
    world: Dependencies, finder: Finder, log: @escaping @MainActor (LogLine) -> Void = { _ in }
  ) {
    self.world = world
    self.finder = finder
    self.log = log
  }

  /// The headphone's state, once it is found.
  public var headphone: HeadphoneState? { id.flatMap { state.headphones[$0] } }

  /// Links with the headphone, does `work`, and ends the link.
  ///
  /// When this returns, everything that the headphone told is in ``state``.
  public func run(
    _ work: @MainActor (StandaloneCommand) async throws(CommandError) -> Void
  ) async throws(CommandError) {
    let found = try await find()
    let session = HeadphoneConnection(
      found.headphone.id, radio: world.radio, makeDriver: world.makeDriver)
    self.session = session
    let link = Task {
      let end = await session.run(
        to: found.peer, timeout: min(finder.timeout, HeadphoneConnection.timeout)
      ) {
        [weak self] in await self?.adopt($0)
      }
      self.finish(end)
    }
    let outcome: Result<Void, CommandError>
    do throws(CommandError) {
      try await until { $0.link.isReady }
      await linkMembers(session)
      if headphone?.rssi == nil { await measureLink() }
      let isBonded = world.bonds.isBonded(found.peer)
      reduce(.pairing(.bonded(found.headphone.id, isBonded)))
      remember()
      outcome = .success(try await work(self))
    } catch {
      reportEnd(of: found.headphone.id)
      outcome = .failure(error)
    }
    link.cancel()
    await link.value
    try outcome.get()
  }

  /// Waits until the headphone is as wanted.
  ///
  /// - Throws: how the link ended before that.
  public func until(_ isReached: (HeadphoneState) -> Bool) async throws(CommandError) {
    while headphone.map(isReached) != true {
      if let end { throw CommandError(end) }
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  /// Measures at once; what the link tells is in ``state`` then.
  public func measureLink() async {
    guard let id, let measurement = await session?.measure() else { return }
    reduce(.measured(id, measurement))
  }

  /// The way by which firmware travels to the headphone.
  public func firmwareLink() async throws(CommandError) -> any FirmwareLink {
    try require(\.hasFirmwareUpdate, "firmware update")
    guard let session, let link = await session.firmwareLink else {
      throw end.map(CommandError.init) ?? .firmwareRefused(.unsupported)
    }
    // A link that stays slow carries it too.
    _ = try? await session.retime(.quick)
    return link
  }

  /// Does what a key does on the screen.
  public func press(_ command: UserCommand) async throws(CommandError) {
    let effects = reduce(.pressed(command))
    var hasActed = false
    for case .perform(_, let command, let token) in effects {
      hasActed = true
      try await perform(command, token)
    }
    if !hasActed, let notice = state.notice { throw .unavailable(notice.text) }
  }

  /// Carries out a command that has no key.
  public func perform(_ command: HeadphoneCommand) async throws(CommandError) {
    try await perform(command, CommandToken(rawValue: 0))
  }

  /// Pairs with the headphone, unless its start did, and then with its audio side.
  ///
  /// - Returns: why the audio side, where it has one, is not paired.
  @discardableResult
  public func pair() async throws(CommandError) -> FailureReason? {
    if let failure = await session?.secure() { throw .failed(FailureReason(failure)) }
    guard let headphone else { return nil }
    reduce(.pairing(.ended(headphone.id, nil)))
    let failure = await world.pairAudio(headphone.publicAddress)
    reduce(.pairing(.audioEnded(headphone.id, failure)))
    return failure
  }

  /// Pairs a headphone that was found and has an audio side alone.
  public func pairSound() async throws(CommandError) {
    guard let headphone, headphone.isAudioOnly else { throw .notConnected }
    if let failure = await world.pairAudio(headphone.publicAddress) { throw .failed(failure) }
    remember()
  }

  /// Asks the sound server, for at most as long as a person would wait.
  public func observeAudio() async {
    let first = await CompanionRuntime.observeAudio(
      world.makeAudio, for: .seconds(2), by: world.clock)
    if let first { reduce(.audio(first)) }
    if let links = await world.links(for: .seconds(1)) { reduce(.audioLinks(AudioLinks(links))) }
  }

  // MARK: -

  private func find() async throws(CommandError) -> Finder.Found {
    do throws(RadioError) {
      reduce(.adapterChanged(try await world.lookAtAdapter()))
    } catch {
      throw .radio(error)
    }
    let found = try await finder.find(in: world)
    id = found.headphone.id
    recall(found.headphone.id)
    reduce(.discovered(found.headphone))
    reduce(.pressed(.connectOrDisconnect))
    if headphone?.isAdvertisingOnly == true, let notice = state.notice {
      throw .unavailable(notice.text)
    }
    return found
  }

  /// Links with the other members of its set, if they are nearby.
  private func linkMembers(_ session: HeadphoneConnection) async {
    guard let headphone, headphone.setSize > 1, let key = headphone.setKey else { return }
    let options = ScanOptions(
      services: world.services, patterns: world.patterns, duration: Self.memberTimeout)
    do {
      for try await peripheral in world.radio.scan(options) {
        guard let identifier = peripheral.data.setIdentifier, key.resolves(identifier) else {
          continue
        }
        await session.link(member: peripheral.peer)
        await session.membersAreSettled()
        if self.headphone?.linkedMembers == headphone.setSize { return }
      }
    } catch {
      // Who may not listen has the one bud that was called.
    }
  }

  /// How long a command looks for the other members; a bud advertises several times a second.
  private static let memberTimeout: Duration = .seconds(3)

  private func perform(
    _ command: HeadphoneCommand, _ token: CommandToken
  ) async throws(CommandError) {
    guard let id, let session else { return }
    let outcome = await session.perform(command)
    reduce(.commandEnded(id, command, token, outcome))
    if case .failed(let failure) = outcome { throw .command(failure) }
  }

  private func adopt(_ report: HeadphoneConnection.Report) {
    guard let id else { return }
    switch report {
    case .link(let event): reduce(.link(id, event))
    case .received(let event): reduce(.headphone(id, event))
    }
    wake()
  }

  private func finish(_ end: LinkEvent) {
    self.end = end
    wake()
  }

  /// The state says how the link ended; nobody tries again.
  private func reportEnd(of id: HeadphoneID) {
    guard let end else { return }
    state.headphones.update(id) { $0.isWanted = false }
    reduce(.link(id, end))
  }

  private func wake() {
    let woken = waiting
    waiting = []
    for continuation in woken { continuation.resume() }
  }

  /// What earlier runs know of it counts here too, if it can be read.
  private func recall(_ id: HeadphoneID) {
    let known = (try? world.known.all()) ?? []
    reduce(.launched(known.filter { $0.id == id }, autoConnect: .never))
  }

  private func remember() {
    guard let headphone else { return }
    // What cannot be kept is no reason to fail a command.
    try? world.known.remember(KnownHeadphone(headphone))
  }

  @discardableResult
  private func reduce(_ action: Action) -> [Effect] {
    let before = state.log.total
    let effects = state.reduce(action, at: world.now())
    for line in state.log.lines.suffix(state.log.total - before) { log(line) }
    return effects
  }
}

extension CommandError {
  /// How a link ended before the work was done.
  init(_ end: LinkEvent) {
    self =
      switch end {
      case .ended(let reason): .link(reason)
      case .failed(let reason): .failed(reason)
      case .denied(let capability):
        .radio(.notPermitted(operation: "connecting", capability: capability))
      case .unsupported(let missing): .notAHeadphone(missing: missing)
      case .noRoom: .radio(.noRoom)
      case .connected, .ready, .member, .began, .finished: .link(.localHost)
      }
  }
}
