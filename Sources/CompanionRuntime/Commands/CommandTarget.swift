internal import AudioRoute
internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
package import Companion
package import HeadphoneProtocols

/// The headphone of a command, in the app that owns the link.
///
/// The app may have a screen, serve other processes, or run for this command only. A link that only
/// the command requested ends with the command.
///
/// Every wait follows ``Store/follow(_:)`` and ends at a state, at the link's end or at the
/// time-out, without polling.
@MainActor
package final class CommandTarget {
  package enum Fallback: Sendable {
    /// The selected one, after the app has chosen which to connect.
    case selected
    /// The last one used, or one in range if none was used yet.
    case lastUsed(else: AutoConnect.UnknownDevice)
  }

  let store: Store
  let effects: LiveEffectHandler
  let timeout: Duration
  let fallback: Fallback
  let family: HeadphoneFamily?
  var id: HeadphoneID?
  /// The time to wait for namesakes: twice the longest usual advertising interval (1.28 s).
  var namesakeTime: Duration = .seconds(3)
  let holder: LinkHolder

  /// Creates a target.
  ///
  /// - Parameters:
  ///   - family: The family that the user named, or nil to determine it from advertisements.
  ///   - timeout: The time limit for finding the headphone, and again for connecting it.
  package init(
    store: Store, effects: LiveEffectHandler, fallback: Fallback = .selected,
    family: HeadphoneFamily? = nil, timeout: Duration
  ) {
    self.store = store
    holder = store.holder()
    self.effects = effects
    self.fallback = fallback
    self.family = family ?? effects.dependencies.family
    self.timeout = timeout
  }

  package var state: State { store.state }
  /// The chosen headphone, or nil if none was chosen yet or it was forgotten.
  package var headphone: HeadphoneState? { id.flatMap { store.state.headphones[$0] } }

  /// Finds the headphone, connects it if necessary, and runs `work`.
  ///
  /// The sequence is: find the headphone, request its link, wait until the link is ready, wait for
  /// the links of its set, then `work`. A link that somebody else wants stays; one that only this
  /// command wants ends with it, unless ``keepLink()`` was called.
  ///
  /// - Parameters:
  ///   - selector: The name, ID or address, or a unique beginning or word of these, or nil for the
  ///     fallback's.
  ///   - isReading: Whether `work` changes nothing; it then does not reconnect a headphone that the
  ///     user has disconnected.
  package func run(
    _ selector: String?, isReading: Bool = false, retries: Bool = false,
    _ work: @MainActor () async throws(CommandError) -> Void
  ) async throws(CommandError) {
    let found = try await choose(selector)
    if isReading, found.wasDropped { throw .disconnected(name: found.name) }
    defer { release() }
    do throws(CommandError) {
      try want(found, retries: retries)
      if !found.link.isReady {
        try await connected()
        await completed()
      }
      try await work()
    } catch {
      throw await cause(of: error)
    }
  }

  /// Throws ``CommandError/unavailable(_:)`` unless the screen's command would have an effect now.
  package func require(_ command: UserCommand) throws(CommandError) {
    guard let id, let headphone else { throw .link(.user) }
    var seen = state
    seen.headphones.select(id)
    guard case .refused(let why, let remedy) = command.availability(in: seen) else { return }
    let name = displayable(headphone.name)
    let advice = remedy?.shell.map { "\n" + $0.replacing("NAME", with: "\"\(name)\"") }
    throw .unavailable(
      why.replacing("this headphone", with: name)
        + (advice ?? "\n`earshot setting` lists what it has"))
  }

  package func require(
    _ feature: (Capabilities) -> Bool, _ name: String
  ) throws(CommandError) {
    guard let headphone else { throw .link(.user) }
    guard headphone.capabilities.map(feature) == true else {
      throw .lacks(feature: name, name: headphone.name)
    }
  }

  /// Requests the headphone's link, until ``release()``.
  func want(_ headphone: HeadphoneState, retries: Bool) throws(CommandError) {
    // It only advertises; the key's notice says why it has no link.
    if headphone.isAdvertisingOnly, !headphone.link.isWanted, let why = ask(.connectOrDisconnect) {
      throw .unavailable("\(why)\n`earshot audio connect` connects its sound")
    }
    store.send(.linkWanted(headphone.id, by: holder, retries: retries))
  }

  enum Need {
    case controls
    case audio
  }

  func choose(
    _ selector: String?, for need: Need = .controls
  ) async throws(CommandError) -> HeadphoneState {
    let found = try await find(selector, need)
    id = found.id
    return found
  }

  /// Makes a known headphone the target, without connecting or scanning.
  ///
  /// - Parameter selector: The selector, or nil for the selected headphone, else the last one used.
  package func chooseKnown(_ selector: String?) throws(CommandError) {
    let meant =
      selector.map { state.headphones.named($0) }
      ?? [state.headphoneOfCommands ?? state.headphones.lastUsed].compactMap(\.self)
    guard meant.count <= 1 else { throw .ambiguous(meant) }
    id = meant.first?.id
  }

  package func keepLink() {
    if let id { store.send(.linkWanted(id, by: .program, retries: true)) }
  }

  /// Selects the headphone for later commands without a selector.
  package func select() {
    if let id { store.send(.selected(id)) }
  }

  /// Keeps the link up until the task is cancelled, and reconnects whenever possible.
  package func hold(_ selector: String) async throws(CommandError) {
    let found = try await choose(selector)
    defer { release() }
    try want(found, retries: true)
    for await _ in store.follow() {}
  }

  /// Waits until the headphone is in a state.
  ///
  /// - Throws: ``CommandError/link(_:)`` if the link ends first; ``CommandError/command(_:)`` if
  ///   the headphone reports nothing in time.
  package func until(_ isReached: (HeadphoneState) -> Bool) async throws(CommandError) {
    let settled = await first(within: timeout) { state in
      guard let headphone = id.flatMap({ state.headphones[$0] }) else { return true }
      return isReached(headphone) || !headphone.link.isConnected
    }
    guard let settled else { throw .command(.noResponse) }
    guard let headphone = id.flatMap({ settled.headphones[$0] }) else { throw .link(.localHost) }
    guard isReached(headphone) else { throw Self.end(of: headphone.link) }
  }

  /// Waits at most 1 s for a state of the headphone that may never come.
  package func settle(_ isReached: (HeadphoneState) -> Bool) async {
    await first(within: .seconds(1)) { state in
      id.flatMap { state.headphones[$0] }.map(isReached) != false
    }
  }

  /// Presses a key for the headphone in a separate screen state, and waits for its answers.
  package func press(_ command: UserCommand) async throws(CommandError) {
    // A step is relative to the confirmed value, so earlier changes must have ended.
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

  /// Sends a command to the headphone, without the other effects of a key.
  package func perform(_ command: HeadphoneCommand) async throws(CommandError) {
    try await perform(command, CommandToken(rawValue: 0))
  }

  /// Sets a declared setting from the command line.
  ///
  /// - Throws: ``CommandError/unavailable(_:)`` for an unknown setting, ``CommandError/usage(_:)``
  ///   for an invalid value.
  package func set(_ name: String, to word: String) async throws(CommandError) {
    let declaration = try declaration(named: name)
    guard let headphone else { throw .link(.user) }
    let value: SettingValue
    do throws(SettingRefusal) {
      value = try declaration.value(of: word)
    } catch {
      throw .usage("\(error.what)\n\(error.advice)")
    }
    guard let command = headphone.command(setting: declaration.id, to: value) else { return }
    try await perform(command)
  }

  /// Returns the setting with this name or unambiguous beginning.
  package func declaration(named word: String) throws(CommandError) -> SettingDeclaration {
    guard let headphone else { throw .link(.user) }
    let all = headphone.capabilities?.declarations ?? []
    let names = all.map(\.id.rawValue)
    if let name = names.meant(by: word), let found = all.first(where: { $0.id.rawValue == name }) {
      return found
    }
    let near = names.nearest(to: word) ?? names.begun(by: word).first
    let guess = near.map { "; did you mean \"\($0)\"?" } ?? ""
    throw .unavailable(
      "\(displayable(headphone.name)) has no setting \"\(displayable(word))\"\(guess)\n"
        + "`earshot setting` lists them")
  }

  package func hasPower() async throws(CommandError) -> Bool {
    await first(within: .seconds(2)) { $0.adapter != .unknown }
    switch state.adapter {
    case .ready, .denied: return true
    case .off: return false
    case .unknown, .absent, .blocked:
      throw effects.adapterFailure.map(CommandError.radio) ?? .adapter(state.adapter)
    }
  }

  package func measureLink() async {
    guard let id, let measurement = await effects.measure(id) else { return }
    store.send(.measured(id, measurement))
  }

  /// Asks the headphone for its charge if it reports it only on request and was not asked lately.
  package func readOldCharge() async {
    guard let id, headphone?.isChargeDue(at: effects.dependencies.now()) == true else { return }
    await effects.links.readCharge(id) { [store] in store.send($0) }
  }

  /// Waits at most 2 s for the first state of the sound server.
  package func observeAudio() async {
    effects.observeAudio { [store] in store.send($0) }
    await first(within: .seconds(2)) { $0.audio != .unavailable(.notStarted) }
    guard state.audioLinks == nil else { return }
    if let links = await effects.dependencies.links(for: .seconds(1)) {
      store.send(.audioLinks(AudioLinks(links)))
    }
  }

  private func connected() async throws(CommandError) {
    let settled = await first(within: timeout) { [id] state in
      guard let link = id.flatMap({ state.headphones[$0]?.link }) else { return true }
      return link.isReady || !(link.isBusy || link.isConnected) || state.adapter.isUnusable
    }
    guard let link = headphone?.link, !link.isReady else { return }
    try requireAdapter()
    throw settled == nil ? .link(.connectTimeout) : Self.end(of: link)
  }

  func requireAdapter() throws(CommandError) {
    guard state.adapter.isUnusable else { return }
    throw effects.adapterFailure.map(CommandError.radio) ?? .adapter(state.adapter)
  }

  /// Throws the adapter's error if the adapter is unusable within 2 s.
  ///
  /// When bluetoothd ends, links, pairings and sound devices go before it switches the adapter off.
  func requireAdapterSoon() async throws(CommandError) {
    await first(within: .seconds(2)) { $0.adapter.isUnusable }
    try requireAdapter()
  }

  /// Returns the adapter's error if the adapter has ended the link, else `error`.
  ///
  /// A command then fails in the same way whether the adapter disappears before it or during it.
  func cause(of error: CommandError) async -> CommandError {
    do throws(CommandError) {
      switch error {
      case .link(let reason), .command(.linkLost(let reason)), .untried(.linkLost(let reason)):
        if [.adapterGone, .localHost].contains(reason) { try await requireAdapterSoon() }
        try requireAdapter()
      case .failed(.security(.refused)): try await requireAdapterSoon()
      case .unavailable where headphone?.link.isConnected == false: try await requireAdapterSoon()
      case .command(.noResponse), .untried(.noResponse), .failed: try requireAdapter()
      default: break
      }
      return error
    } catch {
      return error
    }
  }

  /// The time to find a set's other members, each of which advertises several times a second.
  private static let memberTimeout = Duration.seconds(3)

  /// Waits for the links of the other members of a coordinated set.
  func completed() async {
    guard let id, let peer = effects.links.peers[id] else { return }
    store.send(.pairing(.bonded(id, effects.dependencies.bonds.isBonded(peer))))
    guard let headphone, headphone.setSize > 1 else { return }
    await first(within: Self.memberTimeout) { state in
      guard let headphone = state.headphones[id] else { return true }
      return headphone.linkedMembers >= headphone.setSize
        || state.scanFailure != nil && headphone.memberAddresses.isEmpty
    }
  }

  /// Sends a command, waits for its outcome and reduces it, as for a key.
  func perform(
    _ command: HeadphoneCommand, _ token: CommandToken
  ) async throws(CommandError) {
    guard let id else { return }
    let outcome = await effects.perform(command, on: id) { [store] in store.send($0) }
    store.send(.commandEnded(id, command, token, outcome))
    if case .failed(let failure) = outcome {
      let isUntried = headphone?.isUntried(command, after: failure) == true
      throw isUntried ? .untried(failure) : .command(failure)
    }
  }

  /// Returns the command that a key would send to the headphone now, without sending it.
  ///
  /// A step such as "next" becomes a fixed mode before it is sent to an owner, so that a retry has
  /// the same effect. The result is nil if the key sends no command.
  package func resolve(_ command: UserCommand) async throws(CommandError) -> HeadphoneCommand? {
    while headphone?.isChanging == true { try await until { !$0.isChanging } }
    var copy = state
    copy.viewpoint = copy.firstViewpoint
    if let id { copy.headphones.select(id) }
    copy.pairings = []
    let asked = copy.reduce(.pressed(command), at: effects.dependencies.now())
    for case .perform(_, let command, _) in asked { return command }
    if let notice = copy.notice { throw .unavailable(notice.text) }
    return nil
  }

  /// Presses a key for the headphone, and returns the notice that the key causes, if any.
  @discardableResult
  func ask(
    _ command: UserCommand, in dialog: Dialog? = nil, keep: (Effect) -> Bool = { _ in false }
  ) -> String? {
    store.press(command, for: id, in: dialog, as: holder, keep: keep)?.text
  }

  func release() { store.send(.linksReleased(by: holder)) }

  /// Returns the first state that satisfies a condition, or nil if none did in time.
  @discardableResult
  func first(
    within limit: Duration, _ isReached: (State) -> Bool
  ) async -> State? {
    let clock = effects.dependencies.clock
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
    case .unwanted(.disconnected(let reason)): .link(reason)
    case .reconnecting(let retry): .link(retry.after)
    case .unwanted(.failed(let reason)): .failed(reason)
    case .unwanted(.unsupported(let missing)): .notAHeadphone(missing: missing)
    case .unwanted(.permissionDenied(let capability)),
      .pending(.waitingForBluetooth(.permission(let capability)), _):
      .radio(.notPermitted(operation: "connecting", capability: capability))
    case .pending(.waitingForBluetooth(.power), _): .link(.adapterGone)
    default: .link(.user)
    }
  }
}

extension HeadphoneState {
  fileprivate var wasDropped: Bool {
    link == .unwanted(.disconnected(.user)) || link == .unwanted(.userCancelled)
  }

  var isChanging: Bool {
    settings.isChanging || find.pending != nil
  }
}
