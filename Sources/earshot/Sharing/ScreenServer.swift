import Companion
import CompanionRuntime
import TerminalUI

/// The screen of another process: its keys come here, what it shows is drawn here.
///
/// It looks where it wants (page, headphone, dialog); everything else it shares with the owner.
@MainActor
final class ScreenServer {
  private let channel: LineConnection
  private let store: Store
  private let effects: LiveEffectHandler
  private let client: ScreenClientOptions
  private let ownerStyle: () -> Style
  private let symbols: Symbols
  private var size: Size
  private var view: ScreenState
  private var presented: Screen?
  /// Its process is there.
  private var isServed = true
  private var orders: [ScreenOutput] = []
  /// An input waits for a sign that it was taken.
  private var owesAnswer = false
  /// Those who wait until all orders are on their way.
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private let wakes: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation

  init(
    _ request: ScreenRequest, of client: ScreenClientOptions, channel: LineConnection, store: Store,
    effects: LiveEffectHandler, style: @escaping () -> Style
  ) {
    self.channel = channel
    self.store = store
    self.effects = effects
    self.client = client
    ownerStyle = style
    symbols = request.symbols
    size = request.size
    view = client.enter(store)
    (wakes, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Draws again soon.
  func wake() { bell.yield() }

  /// Says something; returns when it is on its way, or the screen is gone.
  func report(_ order: ScreenOutput) async {
    guard isServed else { return }
    orders.append(order)
    wake()
    await withCheckedContinuation { waiters.append($0) }
  }

  /// Serves the screen until its person quits, it goes away, or this process ends.
  func run() async {
    effects.addAttendant { [store] in store.send($0) }
    defer { effects.removeAttendant() }
    let reading = Task {
      while let line = await channel.next() { receive(line) }
      bell.finish()
    }
    let following = Task {
      for await _ in store.follow() { bell.yield() }
    }
    var pace = FramePace()
    for await _ in wakes {
      if let delay = pace.delay(at: .now) { try? await effects.clock.sleep(for: delay) }
      // Sending waits for the other side: of all that changes meanwhile it gets the last only.
      guard await present() else { break }
      if orders.isEmpty { endWaits() }
    }
    isServed = false
    endWaits()
    reading.cancel()
    following.cancel()
    view = store.send(.screenLeft, from: view)
  }

  private func endWaits() {
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  private var style: Style {
    var style = ownerStyle()
    style.symbols = symbols
    // Each step would be a message to the other process.
    style.frame = nil
    return style
  }

  private func present() async -> Bool {
    while !orders.isEmpty {
      guard await channel.send(orders.removeFirst().json) else { return false }
    }
    if view.isQuitting {
      _ = await channel.send(ScreenOutput.quit(saying: store.state.clientQuitText).json)
      return false
    }
    let screen = TerminalUI.view(store.state.seen(from: view), size: size, style: style)
    let changes = screen.changedRows(since: presented)
    presented = screen
    let isAnswerOwed = owesAnswer
    owesAnswer = false
    guard !changes.isEmpty else {
      return isAnswerOwed ? await channel.send(ScreenOutput.alive.json) : true
    }
    let rows = Dictionary(uniqueKeysWithValues: changes.map { ($0, screen.runs(row: $0)) })
    return await channel.send(ScreenOutput.frame(size, rows).json)
  }

  private func receive(_ line: [UInt8]) {
    owesAnswer = true
    defer { wake() }
    guard let input = ScreenInput(line: line) else { return }
    let state = store.state.seen(from: view)
    switch input {
    case .key(let key): send(style.keys.actions(for: key, in: state))
    case .paste(let text): send(style.keys.actions(forPaste: text, in: state))
    case .mouse(let mouse): send(presented?.actions(for: mouse) ?? [])
    case .resized(let size):
      self.size = size
      presented = nil
    }
  }

  private func send(_ actions: [Action]) {
    for action in actions {
      view = store.send(action, from: view) { [weak self] effect in
        switch effect {
        case .redraw: self?.orders.append(.redraw)
        case .nextTheme: self?.orders.append(.nextTheme)
        case .suspend: self?.orders.append(.suspend)
        case .copy(let text): self?.orders.append(.copy(text))
        case .examineFirmware(let id, let path):
          guard let self, let keys = client.keys else { return false }
          effects.examineFirmware(id, at: path, trusting: keys) { [store] in store.send($0) }
        case .installFirmware(let id, let offer, let target):
          guard let self, let keys = client.keys else { return false }
          effects.installFirmware(offer, on: id, target, trusting: keys) { [store] in
            store.send($0)
          }
        default: return false
        }
        return true
      }
    }
  }
}
