internal import AudioRoute
internal import Bluetooth
internal import BluetoothCodec
public import Companion
internal import GATT
public import HeadphoneProtocols

/// The headphone of a command, in the app that owns the link.
///
/// The app may have a screen, serve other processes, or run for this command only; the command sees
/// the state that a screen would show. A link that only the command wanted ends with it.
///
/// ```swift
/// let target = CommandTarget(
///   store: store, effects: effects, fallback: .selected, family: nil, timeout: .seconds(20))
/// try await target.run("aurora") { () throws(CommandError) in
///   try await target.press(.nextANC)
/// }
/// ```
///
/// It runs on the main actor beside the store, and waits by following ``Store/follow(_:)``: every
/// wait ends at a state, at the link's end or at the time-out, never by polling.
@MainActor
public final class CommandTarget {
  /// The headphone of a command without a selector.
  public enum Fallback: Sendable {
    /// The selected one, after the app has chosen which to connect.
    case selected
    /// The last one used; if none was used yet, one in range.
    case lastUsed(else: AutoConnect.UnknownDevice)
  }

  let store: Store
  let effects: LiveEffectHandler
  let timeout: Duration
  let fallback: Fallback
  let family: HeadphoneFamily?
  var id: HeadphoneID?
  /// Whether the link is kept when the command ends.
  private var isKept = false

  /// - Parameters:
  ///   - fallback: the headphone of a command without a selector.
  ///   - family: the family that the user named; nil: its advertisements decide.
  ///   - timeout: for finding the headphone, and again for connecting it.
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

  /// The app's state, as a screen would show it.
  public var state: State { store.state }
  /// The chosen headphone; nil: none was chosen yet, or it was forgotten.
  public var headphone: HeadphoneState? { id.flatMap { store.state.headphones[$0] } }

  /// Finds the headphone, connects it if necessary, and runs `work`.
  ///
  /// The sequence is: find the headphone, request its link, wait until the link is ready, wait for
  /// the links of its set, then `work`. A link that was there before the command stays; one that
  /// was made for it ends, unless ``keepLink()`` was called.
  ///
  /// - Parameters:
  ///   - selector: its name, ID or address, or a unique beginning or word of these; nil: the
  ///     fallback's.
  ///   - isReading: whether `work` changes nothing. Such a command does not reconnect a headphone
  ///     that the user has disconnected.
  ///   - retries: whether a failed first attempt is followed by others.
  /// - Throws: ``CommandError/notFound(selector:)`` or ``CommandError/ambiguous(_:)``;
  ///   ``CommandError/link(_:)``; ``CommandError/disconnected(name:)``; what `work` throws.
  public func run(
    _ selector: String?, isReading: Bool = false, retries: Bool = false,
    _ work: @MainActor () async throws(CommandError) -> Void
  ) async throws(CommandError) {
    let found = try await choose(selector)
    if isReading, found.wasDropped { throw .disconnected(name: found.name) }
    let wasWanted = found.link.isWanted
    defer { if !wasWanted, !isKept { release(isDropped: found.wasDropped) } }
    if !found.link.isReady {
      if !wasWanted { try want(found, retries: retries) }
      try await connected()
      if !wasWanted { await completed() }
    }
    try await work()
  }

  /// Checks that a command of the screen would do something for the headphone now.
  ///
  /// Footer, help and notice show the same reason.
  ///
  /// - Throws: ``CommandError/unavailable(_:)`` with the reason and the command that helps.
  public func require(_ command: UserCommand) throws(CommandError) {
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

  /// Checks that the headphone has a feature for which the screen has no command.
  ///
  /// - Parameter feature: its name, for the error.
  /// - Throws: ``CommandError/lacks(feature:name:)``.
  public func require(
    _ feature: (Capabilities) -> Bool, _ name: String
  ) throws(CommandError) {
    guard let headphone else { throw .link(.user) }
    guard headphone.capabilities.map(feature) == true else {
      throw .lacks(feature: name, name: headphone.name)
    }
  }

  /// Requests the headphone's link, until ``release(isDropped:)``.
  ///
  /// - Parameter retries: whether a failed first attempt is followed by others.
  /// - Throws: ``CommandError/unavailable(_:)`` for a headphone without a control link.
  func want(_ headphone: HeadphoneState, retries: Bool) throws(CommandError) {
    // It only advertises; the key's notice says why it has no link.
    if headphone.isAdvertisingOnly, let why = ask(.connectOrDisconnect) {
      throw .unavailable("\(why)\n`earshot audio connect` connects its sound")
    }
    store.send(.linkWanted(headphone.id, retries: retries))
  }

  /// What a command needs of a headphone.
  enum Need {
    case controls
    /// The address of its audio side.
    case audio
  }

  /// Finds the headphone, among the known ones or by scanning, and makes it the target.
  ///
  /// - Throws: ``CommandError/notFound(selector:)`` or ``CommandError/ambiguous(_:)``.
  func choose(
    _ selector: String?, for need: Need = .controls
  ) async throws(CommandError) -> HeadphoneState {
    let found = try await find(selector, need)
    id = found.id
    return found
  }

  /// Makes a known headphone the target, without connecting it or looking for it.
  ///
  /// - Parameter selector: nil: the selected one, else the one used last.
  /// - Throws: ``CommandError/ambiguous(_:)``.
  public func chooseKnown(_ selector: String?) throws(CommandError) {
    let meant =
      selector.map { state.headphones.named($0) }
      ?? [state.headphones.selected ?? state.headphones.lastUsed].compactMap(\.self)
    guard meant.count <= 1 else { throw .ambiguous(meant) }
    id = meant.first?.id
  }

  /// Keeps the link when the command ends.
  public func keepLink() { isKept = true }

  /// Selects the headphone, for later commands without a selector.
  public func select() {
    if let id { store.send(.selected(id)) }
  }

  /// Keeps the link up until the task is cancelled, and reconnects whenever possible.
  ///
  /// - Throws: ``CommandError/notFound(selector:)`` or ``CommandError/ambiguous(_:)``.
  public func hold(_ selector: String) async throws(CommandError) {
    let found = try await choose(selector)
    guard !found.link.isWanted else { return }
    try want(found, retries: true)
    defer { release() }
    for await _ in store.follow() {}
  }

  /// Waits until the headphone is in a state.
  ///
  /// - Throws: ``CommandError/link(_:)`` if the link ends first.
  public func until(_ isReached: (HeadphoneState) -> Bool) async throws(CommandError) {
    for await state in store.follow() {
      guard let headphone = id.flatMap({ state.headphones[$0] }) else { break }
      if isReached(headphone) { return }
      guard headphone.link.isConnected else { throw Self.end(of: headphone.link) }
    }
    throw .link(.localHost)
  }

  /// Waits at most 1 s for a state of the headphone that may never come.
  public func settle(_ isReached: (HeadphoneState) -> Bool) async {
    await first(within: .seconds(1)) { state in
      id.flatMap { state.headphones[$0] }.map(isReached) != false
    }
  }

  /// Presses a key of the screen for the headphone, and waits for its answers.
  ///
  /// The store reduces the key in a screen state of its own, so that it neither moves a cursor nor
  /// answers a dialog of a screen that is open. Effects other than commands to the headphone are
  /// run as usual.
  ///
  /// - Throws: ``CommandError/unavailable(_:)`` with the notice that the screen would show,
  ///   ``CommandError/command(_:)`` if the headphone refuses.
  public func press(_ command: UserCommand) async throws(CommandError) {
    // A step is relative to the confirmed value: earlier changes must have ended.
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
  ///
  /// - Throws: ``CommandError/command(_:)`` if the headphone refuses or does not answer.
  public func perform(_ command: HeadphoneCommand) async throws(CommandError) {
    try await perform(command, CommandToken(rawValue: 0))
  }

  /// Sets a declared setting from the command line.
  ///
  /// - Parameters:
  ///   - name: of the setting, for example "auto-power-off".
  ///   - word: the value, as the setting's kind reads it: "on", "30", a choice's name.
  /// - Throws: ``CommandError/lacks(feature:name:)`` for an unknown setting,
  ///   ``CommandError/command(_:)`` for a value that it does not have.
  public func set(_ name: String, to word: String) async throws(CommandError) {
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

  /// The setting of this name, or of an unambiguous beginning.
  ///
  /// - Throws: ``CommandError/unavailable(_:)`` with the name that was probably meant.
  public func declaration(named word: String) throws(CommandError) -> SettingDeclaration {
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

  /// Whether the adapter is switched on.
  ///
  /// - Throws: ``CommandError/adapter(_:)`` for an adapter that is not there or blocked.
  public func hasPower() async throws(CommandError) -> Bool {
    await first(within: .seconds(2)) { $0.adapter != .unknown }
    switch state.adapter {
    case .ready, .denied: return true
    case .off: return false
    case .unknown, .absent, .blocked:
      throw effects.adapterFailure.map(CommandError.radio) ?? .adapter(state.adapter)
    }
  }

  /// Measures the quality of the link, if there is one.
  public func measureLink() async {
    guard let id, let measurement = await effects.measure(id) else { return }
    store.send(.measured(id, measurement))
  }

  /// Waits at most 2 s for the first state of the sound server.
  public func observeAudio() async {
    effects.observeAudio { [store] in store.send($0) }
    await first(within: .seconds(2)) { $0.audio != .unavailable(.notStarted) }
    guard state.audioLinks == nil else { return }
    if let links = await effects.dependencies.links(for: .seconds(1)) {
      store.send(.audioLinks(AudioLinks(links)))
    }
  }

  // MARK: Linking

  /// Waits until the link is ready.
  ///
  /// - Throws: ``CommandError/link(_:)`` or ``CommandError/failed(_:)`` if it cannot be.
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

  /// Time to find the other members of a coordinated set; a bud advertises several times a second.
  private static let memberTimeout = Duration.seconds(3)

  /// Waits for the links of the other members of a coordinated set.
  private func completed() async {
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
  ///
  /// - Throws: ``CommandError/command(_:)`` for any outcome but success.
  func perform(
    _ command: HeadphoneCommand, _ token: CommandToken
  ) async throws(CommandError) {
    guard let id else { return }
    let outcome = await effects.perform(command, on: id) { [store] in store.send($0) }
    store.send(.commandEnded(id, command, token, outcome))
    if case .failed(let failure) = outcome { throw .command(failure) }
  }

  /// The command that a key would send to the headphone now; nothing is sent.
  ///
  /// A step such as "next" becomes a fixed mode in this way before it is sent to an owner:
  /// repeated, it then has the same effect.
  ///
  /// - Returns: nil if the key sends no command.
  /// - Throws: ``CommandError/unavailable(_:)`` with the notice that the screen would show.
  public func resolve(_ command: UserCommand) async throws(CommandError) -> HeadphoneCommand? {
    while headphone?.isChanging == true { try await until { !$0.isChanging } }
    var copy = state
    copy.viewpoint = copy.firstViewpoint
    if let id { copy.headphones.select(id) }
    copy.waitingPairings = []
    let asked = copy.reduce(.pressed(command), at: effects.dependencies.now())
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
  ///   - keep: returns true for an effect that the caller carries out itself.
  /// - Returns: the notice that the key causes; nil: none.
  @discardableResult
  func ask(
    _ command: UserCommand, in dialog: Dialog? = nil, keep: (Effect) -> Bool = { _ in false }
  ) -> String? {
    var hasNotice = false
    store.press(command, for: id, in: dialog) { effect in
      // The text alone does not prove a new notice: an equal one may have been shown before.
      if effect.startsNotice { hasNotice = true }
      return keep(effect)
    }
    return hasNotice ? store.state.notice?.text : nil
  }

  /// Releases the link, which ends if only this command wanted it.
  ///
  /// - Parameter isDropped: whether the user had disconnected it before the command, which is
  ///   restored.
  func release(isDropped: Bool = false) {
    guard let id, headphone?.link.isWanted == true else { return }
    if isDropped {
      store.press(.dropControlLink, for: id)
    } else {
      store.send(.linkReleased(id))
    }
  }

  /// The first state that satisfies a condition; nil: none did in time.
  ///
  /// The clock is that of the environment, so that tests need not wait.
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

  /// The error for a link that is not coming up, by its state.
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

extension Effect {
  /// Whether the effect starts the timer of a new notice.
  fileprivate var startsNotice: Bool {
    if case .startTimer(.notice, _) = self { true } else { false }
  }
}

extension HeadphoneState {
  /// Whether the user has disconnected it or cancelled an attempt, and not connected it since.
  fileprivate var wasDropped: Bool {
    link == .unwanted(.disconnected(.user)) || link == .unwanted(.userCancelled)
  }

  /// Whether a requested change is not confirmed yet.
  var isChanging: Bool {
    settings.isChanging || find.pending != nil
  }
}
