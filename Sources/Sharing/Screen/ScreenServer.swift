internal import Companion
internal import CompanionRuntime
internal import TerminalUI

/// The owner's side of a screen in another process: receives input and sends changed rows.
///
/// One message is sent at a time; while the client is slow, states are skipped. Effects on the
/// terminal become messages before the next frame.
@MainActor
final class ScreenServer {
  private let connection: LineConnection
  private let store: Store
  private let effects: LiveEffectHandler
  private let options: ScreenClientOptions
  private let ownerStyle: () -> Style
  private let symbols: Symbols
  private var size: Size
  private var view: ScreenState
  private var presented: Screen?
  private var isServed = true
  private var outgoing: [ScreenOutput] = []
  /// Whether an input has not been acknowledged yet.
  private var owesResponse = false
  /// The numbers of inputs received, of those done, and of those that the client knows to be done.
  private var (received, done, doneSent) = (0, 0, 0)
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var noticeTime: Task<Void, Never>?
  private let wakeUps: AsyncStream<Void>
  private let wakeUp: AsyncStream<Void>.Continuation

  init(
    _ request: ScreenRequest, options: ScreenClientOptions, connection: LineConnection,
    store: Store, effects: LiveEffectHandler, style: @escaping () -> Style
  ) {
    self.connection = connection
    self.store = store
    self.effects = effects
    self.options = options
    ownerStyle = style
    symbols = request.symbols
    size = request.size
    let isNamed: Bool
    (view, isNamed) = options.enter(store)
    (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    if isNamed, store.state.seen(from: view).headphones.selected?.link.isWanted == false {
      send([.pressed(.connectOrDisconnect)])
    }
  }

  func wake() { wakeUp.yield() }

  /// Sends a notification, which the terminal shows where it is configured.
  func notify(_ summary: String, _ body: String) {
    outgoing.append(.notify(summary, body))
    wake()
  }

  func report(_ message: ScreenOutput) async {
    guard isServed else { return }
    outgoing.append(message)
    wake()
    await withCheckedContinuation { waiters.append($0) }
  }

  /// Serves the screen until the user quits, the client disconnects, or this process exits.
  func run() async {
    effects.addAttendant { [store] in store.send($0) }
    store.send(.viewerOpened)
    defer {
      effects.removeAttendant()
      store.send(.viewerClosed)
    }
    let reading = Task {
      while let line = await connection.next() { receive(line) }
      wakeUp.finish()
    }
    let following = Task {
      for await _ in store.follow() { wakeUp.yield() }
    }
    var pace = FramePace()
    for await _ in wakeUps {
      if let delay = pace.delay(at: .now) { try? await effects.clock.sleep(for: delay) }
      // Suspends while the client is slow; it then gets only the newest state.
      guard await present() else { break }
      if outgoing.isEmpty { resumeWaiters() }
    }
    isServed = false
    resumeWaiters()
    reading.cancel()
    following.cancel()
    noticeTime?.cancel()
    view = store.send(.screenLeft, from: view)
  }

  private func resumeWaiters() {
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  /// The owner's keys with the client's symbols, and without animation.
  private var style: Style {
    var style = ownerStyle()
    style.symbols = symbols
    // Each step would be a message to the other process.
    style.frame = nil
    return style
  }

  /// Sends outgoing messages and then the changed rows, or `alive` if an input changed none.
  ///
  /// - Returns: False if the client has quit or is gone.
  private func present() async -> Bool {
    while !outgoing.isEmpty {
      guard await send(outgoing.removeFirst()) else { return false }
    }
    if view.isQuitting {
      _ = await send(.quit(saying: store.state.clientQuitText))
      return false
    }
    let screen = TerminalUI.view(store.state.seen(from: view), size: size, style: style)
    let changes = screen.changedRows(since: presented)
    let hasMoved = screen.cursor != presented?.cursor || screen.window != presented?.window
    presented = screen
    noteDone()
    let isResponseOwed = owesResponse || done > doneSent
    owesResponse = false
    guard !changes.isEmpty || hasMoved else { return isResponseOwed ? await send(.alive) : true }
    let rows = Dictionary(uniqueKeysWithValues: changes.map { ($0, screen.runs(row: $0)) })
    return await send(.frame(size, rows, cursor: screen.cursor, screen.window))
  }

  private func send(_ output: ScreenOutput) async -> Bool {
    noteDone()
    doneSent = done
    return await connection.send(ScreenAnswer(output: output, done: done))
  }

  /// Counts all inputs as done unless a headphone has a command to answer.
  private func noteDone() {
    if !store.state.awaitsHeadphone { done = received }
  }

  /// Handles a line of the client; an invalid one is acknowledged and ignored.
  private func receive(_ line: [UInt8]) {
    owesResponse = true
    received += 1
    defer { wake() }
    guard let input = ScreenInput(line: line) else { return }
    let state = store.state.seen(from: view)
    switch input {
    case .key(let key): send(style.keys.actions(for: key, in: state))
    case .paste(let text): send(style.keys.actions(forPaste: text, in: state))
    case .mouse(let mouse): send(presented?.actions(for: mouse) ?? [])
    case .fixEnded(let status): send([.fixEnded(status: status)])
    case .keysLost: send([.keysLost])
    case .focusChanged(let isFocused): send([.screenFocused(isFocused)])
    case .resized(let size):
      self.size = size
      presented = nil
    }
  }

  /// Reduces actions in this screen's state, and keeps the effects that concern this screen alone.
  private func send(_ actions: [Action]) {
    for action in actions {
      view = store.send(action, from: view) { [weak self] effect in
        switch effect {
        case .startTimer(.notice, .exactly(let length)): self?.endNotice(after: length)
        case .cancelTimer(.notice): self?.noticeTime?.cancel()
        case .completePath: self?.effects.begin(effect) { [weak self] in self?.receive($0) }
        case .redraw: self?.outgoing.append(.redraw)
        case .showTheme(let name): self?.outgoing.append(.theme(name))
        case .suspend: self?.outgoing.append(.suspend)
        case .runFix(let fix): self?.outgoing.append(.runFix(fix))
        case .copy(let text): self?.outgoing.append(.copy(text))
        case .examineFirmware(let id, let path):
          guard let self, let keys = options.keys else { return false }
          effects.examineFirmware(id, at: path, trusting: keys) { [store] in store.send($0) }
        case .installFirmware(let id, let offer, let target):
          guard let self, let keys = options.keys else { return false }
          effects.installFirmware(offer, on: id, target, trusting: keys) { [store] in
            store.send($0)
          }
        default: return false
        }
        return true
      }
    }
  }

  private func receive(_ action: Action) {
    send([action])
    wake()
  }

  /// Ends the notice of this screen after a while, instead of an earlier one.
  private func endNotice(after length: Duration) {
    noticeTime?.cancel()
    noticeTime = Task { [weak self, clock = effects.clock] in
      guard (try? await clock.sleep(for: length)) != nil else { return }
      self?.receive(.timerFired(.notice))
    }
  }
}
