internal import AudioRoute
internal import Bluetooth
internal import BluetoothCodec
public import Companion
internal import GATT
public import HeadphoneProtocols

/// The headphone that a command is for, in the program that has the link.
///
/// The program may be one with a screen, one that other processes share, or one that runs for this
/// command only. The command sees what a screen would show. A link that it asked for itself ends
/// with it.
@MainActor
public final class CommandTarget {
  /// The headphone of a command that names none.
  public enum Fallback: Sendable {
    /// The selected one, once the program has chosen which to connect.
    case selected
    /// The one used last; where none was used yet, one that is nearby.
    case lastUsed(else: AutoConnect.UnknownDevice)
  }

  let store: Store
  let effects: LiveEffectHandler
  let timeout: Duration
  private let fallback: Fallback
  private let family: HeadphoneFamily?
  var id: HeadphoneID?
  /// The link stays when the command is done.
  private var isKept = false

  /// - Parameters:
  ///   - fallback: the headphone of a command that names none.
  ///   - family: the family that a person says it is of; nil: what it advertises decides.
  ///   - timeout: how long to look for the headphone, and then to connect it.
  public init(
    store: Store, effects: LiveEffectHandler, fallback: Fallback = .selected,
    family: HeadphoneFamily? = nil, timeout: Duration
  ) {
    self.store = store
    self.effects = effects
    self.fallback = fallback
    self.family = family
    self.timeout = timeout
  }

  /// Everything that is known, as a screen would show it.
  public var state: State { store.state }
  /// Nil: not chosen yet, or forgotten meanwhile.
  public var headphone: HeadphoneState? { id.flatMap { store.state.headphones[$0] } }

  /// Finds the headphone, links with it unless that is done, and does `work`.
  ///
  /// - Parameters:
  ///   - selector: the beginning of its identity, address or name; nil: the fallback's.
  ///   - isReading: whether `work` changes nothing. Such a command does not bring back a link that
  ///     a person has dropped.
  ///   - retries: whether a first attempt that fails is followed by others.
  public func run(
    _ selector: String?, isReading: Bool = false, retries: Bool = false,
    _ work: @MainActor () async throws(CommandError) -> Void
  ) async throws(CommandError) {
    let found = try await choose(selector)
    if isReading, found.wasDropped { throw .disconnected(name: found.name) }
    let wasWanted = found.isWanted
    defer { if !wasWanted, !isKept { release(isDropped: found.wasDropped) } }
    if !found.link.isReady {
      if !wasWanted { try want(found, retries: retries) }
      try await connected()
      if !wasWanted { await completed() }
    }
    try await work()
  }

  /// - Throws: if the headphone lacks a feature.
  public func require(
    _ feature: (Capabilities) -> Bool, _ name: String
  ) throws(CommandError) {
    guard let headphone else { throw .link(.user) }
    guard headphone.capabilities.map(feature) == true else {
      throw .lacks(feature: name, name: headphone.name)
    }
  }

  /// Asks for the link of a headphone until ``release(isDropped:)``.
  func want(_ headphone: HeadphoneState, retries: Bool) throws(CommandError) {
    // It has no link; a screen says why.
    if headphone.isAdvertisingOnly, let why = ask(.connectOrDisconnect) { throw .unavailable(why) }
    store.send(.linkWanted(headphone.id, retries: retries))
  }

  /// Finds the headphone, known or nearby; it is the one that everything else is about.
  func choose(_ selector: String?) async throws(CommandError) -> HeadphoneState {
    let found = try await find(selector)
    id = found.id
    return found
  }

  /// Leaves the link up when the command is done.
  public func keepLink() { isKept = true }

  /// Makes it the headphone that a command without a selector means from now on.
  public func select() {
    if let id { store.send(.selected(id)) }
  }

  /// Keeps the link up until the task is cancelled; connects again whenever that is possible.
  public func hold(_ selector: String) async throws(CommandError) {
    let found = try await choose(selector)
    guard !found.isWanted else { return }
    try want(found, retries: true)
    defer { release() }
    for await _ in store.follow() {}
  }

  /// Waits until the headphone is as wanted.
  ///
  /// - Throws: how the link ended before that.
  public func until(_ isReached: (HeadphoneState) -> Bool) async throws(CommandError) {
    for await state in store.follow() {
      guard let headphone = id.flatMap({ state.headphones[$0] }) else { break }
      if isReached(headphone) { return }
      guard headphone.link.isConnected else { throw Self.end(of: headphone.link) }
    }
    throw .link(.localHost)
  }

  /// Does what a key does on the screen, and waits for the headphone's answers.
  ///
  /// - Throws: ``CommandError/unavailable(_:)`` with what the screen would say instead.
  public func press(_ command: UserCommand) async throws(CommandError) {
    // Which step it is shows only when what is on the air has come to its end.
    while headphone?.isChanging == true { try await until { !$0.isChanging } }
    var commands: [(HeadphoneCommand, CommandToken)] = []
    let refusal = ask(command) { effect in
      guard case .perform(_, let command, let token) = effect else { return false }
      commands.append((command, token))
      return true
    }
    for (command, token) in commands { try await perform(command, token) }
    if commands.isEmpty, let refusal { throw .unavailable(refusal) }
  }

  /// Carries out a command of the headphone, without what a screen would do beside it.
  public func perform(_ command: HeadphoneCommand) async throws(CommandError) {
    try await perform(command, CommandToken(rawValue: 0))
  }

  /// Gives a setting the value that a word of the command line means.
  ///
  /// - Throws: ``CommandError/lacks(feature:name:)`` for a setting that the headphone does not have.
  public func set(_ name: String, to word: String) async throws(CommandError) {
    let id = SettingID(rawValue: name)
    try require({ $0.declaration(of: id) != nil }, "setting \"\(displayable(name))\"")
    guard let headphone, let declaration = headphone.capabilities?.declaration(of: id) else {
      return
    }
    let value: SettingValue
    do throws(SettingRefusal) {
      value = try declaration.value(of: word)
    } catch {
      throw .command(.badArgument("\(error)"))
    }
    guard let command = headphone.command(setting: id, to: value) else { return }
    try await perform(command)
  }

  /// Measures how good the link is, if there is one.
  public func measureLink() async {
    guard let id, let measurement = await effects.measure(id) else { return }
    store.send(.measured(id, measurement))
  }

  /// Waits at most 2 s for the first state of the sound server.
  public func observeAudio() async {
    effects.observeAudio { [store] in store.send($0) }
    await first(within: .seconds(2)) { $0.audio != .unavailable(.notStarted) }
    guard state.audioLinks == nil else { return }
    if let links = await effects.world.links(for: .seconds(1)) {
      store.send(.audioLinks(AudioLinks(links)))
    }
  }

  // MARK: Finding

  /// Further headphones nearby are heard within this time after the first.
  private static let settlingTime = Duration.seconds(1)

  private func find(_ selector: String?) async throws(CommandError) -> HeadphoneState {
    let known = meant(by: selector, in: state)
    if isSettled(known, selector), let headphone = try pick(known, selector) { return headphone }
    let address = selector.flatMap(BluetoothAddress.init(_:))
    // Controls of this family are on the audio side's link, whose address is enough.
    if family?.isOnAudioSide == true, let address,
      let found = introduce(PeerAddress(address, .classic))
    {
      return found
    }
    // A program of the command's own has no other use for a scan, which slows connecting down.
    defer { if case .lastUsed = fallback, state.scan == .scanning { store.press(.scan) } }
    if known.isEmpty { await look { !self.meant(by: selector, in: $0).isEmpty } }
    if meant(by: selector, in: state).isEmpty {
      // Connecting needs no capability, if the address says of which kind it is.
      if case .denied = state.scan, let found = address.flatMap({ introduce($0.likelyPeer) }) {
        return found
      }
      throw effects.adapterFailure.map(CommandError.radio) ?? state.scanFailure
        ?? .notFound(selector: selector)
    }
    await first(within: Self.settlingTime) { state in
      self.isSettled(self.meant(by: selector, in: state), selector)
    }
    guard let found = try pick(meant(by: selector, in: state), selector) else {
      throw .notFound(selector: selector)
    }
    return found
  }

  private func meant(by selector: String?, in state: State) -> [HeadphoneState] {
    if let selector { return state.headphones.filter { $0.matches(selector) } }
    switch fallback {
    case .selected:
      // Until the program has chosen its headphone, the one heard first is nobody's choice.
      guard state.autoConnect == .never else { return [] }
      return state.headphones.selected.map { [$0] } ?? []
    case .lastUsed:
      return state.headphones.lastUsed.map { [$0] } ?? state.headphones.filter(\.isNearby)
    }
  }

  /// Whether nothing that may be heard soon changes which headphone is meant.
  private func isSettled(_ found: [HeadphoneState], _ selector: String?) -> Bool {
    if selector != nil {
      return found.contains { $0.isComplete || $0.lastUsed != nil && !$0.isAdvertisingOnly }
    }
    if case .selected = fallback { return !found.isEmpty }
    return found.contains { $0.lastUsed != nil }
  }

  private func pick(
    _ found: [HeadphoneState], _ selector: String?
  ) throws(CommandError) -> HeadphoneState? {
    if selector == nil, case .lastUsed(else: .nearest) = fallback {
      return found.max { ($0.rssi ?? .min) < ($1.rssi ?? .min) }
    }
    if selector != nil, case .lastUsed = fallback, !found.contains(where: { $0.lastUsed != nil }) {
      return found.first(where: \.isComplete) ?? found.first
    }
    guard found.count <= 1 else {
      throw .ambiguous(found.map { $0.name.isEmpty ? $0.address.address.description : $0.name })
    }
    return found.first
  }

  /// Scans until a headphone is found, nothing can be heard, or the time is over.
  private func look(until isFound: (State) -> Bool) async {
    // A scan ends by itself; a longer time-out takes several.
    var scans = Int((timeout / Self.scanDuration).rounded(.up))
    if state.scan != .scanning { store.press(.scan) }
    await first(within: timeout) { [store] state in
      if isFound(state) || state.adapter.isUnusable { return true }
      if state.scan == .idle, case .ready = state.adapter {
        scans -= 1
        guard scans > 0 else { return true }
        store.press(.scan)
      }
      return state.scanFailure != nil
    }
  }

  private static let scanDuration = ScanOptions(services: []).duration ?? .seconds(20)

  /// Takes a headphone that was never heard, by its address.
  private func introduce(_ peer: PeerAddress) -> HeadphoneState? {
    let id = HeadphoneID(peer.address)

    let audio = peer.kind == .classic ? peer.address.description : nil
    effects.links.know(
      KnownHeadphone(id: id, name: "", address: peer, publicAddress: audio))
    store.send(
      .discovered(DiscoveredHeadphone(id: id, name: nil, address: peer, publicAddress: audio)))
    return state.headphones[id]
  }

  // MARK: Linking

  /// Waits until the link is ready, or cannot be.
  private func connected() async throws(CommandError) {
    let settled = await first(within: timeout) { [id] state in
      guard let link = id.flatMap({ state.headphones[$0]?.link }) else { return true }
      return link.isReady || !(link.isBusy || link.isConnected) || state.adapter.isUnusable
    }
    guard let link = headphone?.link, !link.isReady else { return }
    if state.adapter.isUnusable {
      throw effects.adapterFailure.map(CommandError.radio) ?? .adapter(state.adapter)
    }
    throw settled == nil ? .link(.connectTimeout) : Self.end(of: link)
  }

  /// Time for the other members of a coordinated set; a bud advertises several times a second.
  private static let memberTimeout = Duration.seconds(3)

  /// Waits for what belongs to a link that has just been made: the other members of a coordinated
  /// set have links of their own.
  private func completed() async {
    guard let id, let peer = effects.links.peers[id] else { return }
    store.send(.pairing(.bonded(id, effects.world.bonds.isBonded(peer))))
    guard let headphone, headphone.setSize > 1 else { return }
    await first(within: Self.memberTimeout) { state in
      guard let headphone = state.headphones[id] else { return true }
      return headphone.linkedMembers >= headphone.setSize
        || state.scanFailure != nil && headphone.memberAddresses.isEmpty
    }
  }

  private func perform(
    _ command: HeadphoneCommand, _ token: CommandToken
  ) async throws(CommandError) {
    guard let id else { return }
    let outcome = await effects.perform(command, on: id) { [store] in store.send($0) }
    store.send(.commandEnded(id, command, token, outcome))
    if case .failed(let failure) = outcome { throw .command(failure) }
  }

  /// The command that a key would give the headphone now, which stays undone.
  ///
  /// - Throws: ``CommandError/unavailable(_:)`` with what a screen would say instead.
  public func resolve(_ command: UserCommand) async throws(CommandError) -> HeadphoneCommand? {
    while headphone?.isChanging == true { try await until { !$0.isChanging } }
    var copy = state
    copy.viewpoint = copy.firstViewpoint
    if let id { copy.headphones.select(id) }
    copy.waitingPairings = []
    let asked = copy.reduce(.pressed(command), at: effects.world.now())
    for case .perform(_, let command, _) in asked { return command }
    if asked.contains(where: \.startsNotice), let notice = copy.notice {
      throw .unavailable(notice.text)
    }
    return nil
  }

  /// Presses a key for the headphone.
  ///
  /// - Parameters:
  ///   - dialog: the dialog that the key answers; nil: none.
  ///   - keep: returns true for an effect that it carries out itself.
  /// - Returns: the notice that it gives a person; nil: none.
  @discardableResult
  func ask(
    _ command: UserCommand, in dialog: Dialog? = nil, keep: (Effect) -> Bool = { _ in false }
  ) -> String? {
    var hasNotice = false
    store.press(command, for: id, in: dialog) { effect in
      // The timer that ends a notice starts with it: an equal notice may have been shown before.
      if effect.startsNotice { hasNotice = true }
      return keep(effect)
    }
    return hasNotice ? store.state.notice?.text : nil
  }

  /// Ends the link that only this command wanted.
  ///
  /// - Parameter isDropped: a person had dropped it before the command, and it stays so.
  func release(isDropped: Bool = false) {
    guard let id, headphone?.isWanted == true else { return }
    if isDropped {
      store.press(.dropControlLink, for: id)
    } else {
      store.send(.linkReleased(id))
    }
  }

  /// The first state that is as wanted; nil: none came in time.
  @discardableResult
  func first(
    within limit: Duration, _ isReached: (State) -> Bool
  ) async -> State? {
    let clock = effects.world.clock
    let (ends, end) = AsyncStream.makeStream(of: State?.self)
    let following = Task { [store] in
      for await state in store.follow() { end.yield(state) }
      end.finish()
    }
    let waiting = Task {
      try? await clock.sleep(for: limit)
      end.finish()
    }
    defer {
      following.cancel()
      waiting.cancel()
    }
    for await case let state? in ends where isReached(state) { return state }
    return nil
  }

  static func end(of link: LinkState) -> CommandError {
    switch link {
    case .disconnected(let reason): .link(reason)
    case .reconnecting(let retry): .link(retry.after)
    case .failed(let reason): .failed(reason)
    case .unsupported(let missing): .notAHeadphone(missing: missing)
    case .permissionDenied(let capability):
      .radio(.notPermitted(operation: "connecting", capability: capability))
    case .bluetoothOff: .link(.adapterGone)
    default: .link(.user)
    }
  }
}

extension Effect {
  /// Whether a notice is shown: its timer starts with it.
  fileprivate var startsNotice: Bool {
    if case .startTimer(.notice, _) = self { true } else { false }
  }
}

extension BluetoothAddress {
  /// The LE peer that has this address: random if it looks static, else public.
  fileprivate var likelyPeer: PeerAddress {
    let random = PeerAddress(self, .random)
    return random.randomKind == .static ? random : PeerAddress(self, .public)
  }
}

extension HeadphoneList {
  /// The one that a person used last; nil: none was used yet.
  var lastUsed: HeadphoneState? {
    filter { $0.lastUsed != nil }.max { a, b in
      a.lastUsed.flatMap { a in b.lastUsed.map { a < $0 } } ?? false
    }
  }
}

extension HeadphoneState {
  /// It can be connected, and its name is known.
  fileprivate var isComplete: Bool { !isAdvertisingOnly && !name.isEmpty }

  /// A person has dropped the link, or cancelled an attempt, and has not asked for it since.
  fileprivate var wasDropped: Bool { link == .disconnected(.user) || link == .userCancelled }

  /// A change is asked for and not confirmed yet.
  var isChanging: Bool {
    anc.pending != nil || ancLevel.pending != nil || eq.pending != nil || bands.pending != nil
      || volume.pending != nil || find.pending != nil || settings.isChanging
  }
}
