internal import AudioRoute
internal import Bluetooth
public import Companion
internal import GATT
public import Headphones

/// A headphone of a program that runs, for the length of one command.
///
/// The command sees what the screen sees. A link that it brought up itself goes with it.
@MainActor
public final class SharedHeadphone: CommandTarget {
  let store: Store
  let effects: LiveEffectHandler
  let timeout: Duration
  var view: ScreenState
  private(set) var id: HeadphoneID?
  /// The link stays when the command is done.
  private var isKept = false
  private let willAct: Warning

  /// Is told before anything is done that cannot be taken back; nil: no command of the headphone's.
  public typealias Warning = @MainActor (HeadphoneCommand?) async throws(CommandError) -> Void

  /// - Parameters:
  ///   - patience: how long to look for the headphone and to connect it.
  ///   - willAct: an error of it keeps the command from being done.
  public init(
    store: Store, effects: LiveEffectHandler, timeout: Duration,
    willAct: @escaping Warning = { _ throws(CommandError) in }
  ) {
    self.store = store
    self.effects = effects
    self.timeout = timeout
    self.willAct = willAct
    view = store.state.firstViewpoint
  }

  /// The owner's, which its screen shows, too.
  public var state: State { store.state }
  /// Nil: not chosen yet, or forgotten meanwhile.
  public var headphone: HeadphoneState? { id.flatMap { store.state.headphones[$0] } }

  /// Finds the headphone, links with it unless that is done, and does `work`.
  ///
  /// - Parameter selector: the beginning of its identity, address or name; nil: the one on the
  ///   screen, once the program has chosen which to connect.
  public func run(
    _ selector: String?, _ work: @MainActor () async throws(CommandError) -> Void
  ) async throws(CommandError) {
    let found = try await choose(selector)
    let wasWanted = found.isWanted
    defer { if !wasWanted, !isKept { release() } }
    if !found.link.isReady {
      if !found.isWanted { ask(.connectOrDisconnect) }
      try await connected()
    }
    try await work()
  }

  /// Finds the headphone, known or nearby; it is the one that everything else is about.
  func choose(_ selector: String?) async throws(CommandError) -> HeadphoneState {
    let found = try await find(selector)
    id = found.id
    view.selected = found.id
    return found
  }

  /// Leaves the link up when the command is done.
  public func keepLink() { isKept = true }

  /// Looks at each change of the owner's state.
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

  /// Presses it on a screen of the command's own, and waits for the headphone's answers.
  ///
  /// - Throws: ``CommandError/unavailable(_:)`` with what the screen would say instead.
  public func press(_ command: UserCommand) async throws(CommandError) {
    // Which step it is shows only when what is on the air has come to its end.
    while headphone?.isChanging == true { try await until { !$0.isChanging } }
    var commands: [(HeadphoneCommand, CommandToken)] = []
    let notice = store.state.notice
    view = store.send(.pressed(command), from: view) { effect in
      guard case .perform(_, let command, let token) = effect else { return false }
      commands.append((command, token))
      return true
    }
    for (command, token) in commands { try await perform(command, token) }
    guard commands.isEmpty else { return }
    if let reported = store.state.notice, reported != notice { throw .unavailable(reported.text) }
  }

  /// Gives it to the owner's link, without what the screen would do beside it.
  public func perform(_ command: HeadphoneCommand) async throws(CommandError) {
    try await perform(command, CommandToken(rawValue: 0))
  }

  /// Measures at once; without a link nothing is told.
  public func measureLink() async {
    guard let id, let measurement = await effects.measure(id) else { return }
    store.send(.measured(id, measurement))
  }

  /// Waits at most 2 s for the sound server's first word.
  public func observeAudio() async {
    let clock = effects.world.clock
    await first(within: .seconds(2), by: clock) { $0.audio != .unavailable(.notStarted) }
  }

  // MARK: -

  private func find(_ selector: String?) async throws(CommandError) -> HeadphoneState {
    if let known = try only(Self.meant(by: selector, in: store.state)) { return known }
    // What an earlier scan failed of says nothing of this one.
    let isFirst = store.state.scan == .idle
    if store.state.scan != .scanning { ask(.scan) }
    let received = await first(within: timeout, by: effects.world.clock) { state in
      !Self.meant(by: selector, in: state).isEmpty || state.adapter.isUnusable
        || isFirst && state.scanFailure != nil
    }
    if let headphone = try only(received.map { Self.meant(by: selector, in: $0) } ?? []) {
      return headphone
    }
    throw store.state.scanFailure ?? .notFound(selector: selector)
  }

  private static func meant(by selector: String?, in state: State) -> [HeadphoneState] {
    if let selector { return state.headphones.filter { $0.matches(selector) } }
    // Until the program has chosen its headphone, the one heard first is nobody's choice.
    guard state.autoConnect == .never else { return [] }
    return state.headphones.selected.map { [$0] } ?? []
  }

  private func only(_ headphones: [HeadphoneState]) throws(CommandError) -> HeadphoneState? {
    guard headphones.count <= 1 else { throw .ambiguous(headphones.map(\.name)) }
    return headphones.first
  }

  /// Waits until the link is ready, or cannot be.
  private func connected() async throws(CommandError) {
    let settled = await first(within: timeout, by: effects.world.clock) { [id] state in
      guard let link = id.flatMap({ state.headphones[$0]?.link }) else { return true }
      return link.isReady || !(link.isBusy || link.isConnected)
    }
    guard let link = headphone?.link, !link.isReady else { return }
    throw settled == nil ? .link(.connectTimeout) : Self.end(of: link)
  }

  private func perform(
    _ command: HeadphoneCommand, _ token: CommandToken
  ) async throws(CommandError) {
    guard let id else { return }
    do throws(CommandError) { try await willAct(command) } catch {
      store.send(.commandEnded(id, command, token, .failed(.cancelled)))
      throw error
    }
    let outcome = await effects.perform(command, on: id) { [store] in store.send($0) }
    store.send(.commandEnded(id, command, token, outcome))
    if case .failed(let failure) = outcome { throw .command(failure) }
  }

  /// Warns of what no command of the headphone's does.
  func warn() async throws(CommandError) { try await willAct(nil) }

  func ask(_ command: UserCommand) {
    view = store.send(.pressed(command), from: view)
  }

  /// Ends the link that only this command wanted.
  func release() {
    if headphone?.isWanted == true { ask(.connectOrDisconnect) }
  }

  /// The first state that is as wanted; nil: none came in time.
  @discardableResult
  func first(
    within limit: Duration, by clock: any Clock<Duration>, _ isReached: (State) -> Bool
  ) async -> State? {
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

extension HeadphoneState {
  /// A change is asked for and not confirmed yet.
  fileprivate var isChanging: Bool {
    anc.pending != nil || ancLevel.pending != nil || eq.pending != nil || bands.pending != nil
      || find.pending != nil || settings.isChanging
  }
}
