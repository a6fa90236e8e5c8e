package import CompanionRuntime
internal import EventLoop
package import TerminalUI

/// The server side of sharing: runs the commands of clients and draws their screens.
///
/// Commands run concurrently on the main actor, each in a task that is cancelled when its client
/// disconnects. A request that is refused gets a message and status 1.
@MainActor
package final class Owner {
  private let listener: OwnerListener
  private let store: Store
  private let effects: LiveEffectHandler
  private let handler: any RequestHandler
  private let style: () -> Style
  private var screens: [ObjectIdentifier: ScreenServer] = [:]
  /// The clients' commands that end by themselves.
  private var commands: [ObjectIdentifier: Task<Void, Never>] = [:]
  private let bus: BusService?

  /// Creates an owner whose screens use `style` with the symbols of their terminals.
  package init(
    _ listener: OwnerListener, store: Store, effects: LiveEffectHandler,
    handler: any RequestHandler, style: @escaping () -> Style
  ) {
    self.listener = listener
    self.store = store
    self.effects = effects
    self.handler = handler
    self.style = style
    bus = effects.dependencies.sessionBus.map {
      BusService($0, store: store, effects: effects, handler: handler)
    }
    let onNotification = effects.onNotification
    effects.onNotification = { [weak self] summary, body in
      onNotification(summary, body)
      self?.screens.values.forEach { $0.notify(summary, body) }
    }
  }

  package func open() {
    Task { await listener.serve { [weak self] in await self?.receive($0) } }
    bus?.start()
  }

  /// Accepts no more clients, so that another process may become the owner.
  package func close() async {
    await bus?.stop()
    await listener.close()
  }

  func restyle() { for screen in screens.values { screen.wake() } }

  /// Informs clients' screens that this process is about to be stopped (^Z), for at most 300 ms.
  func reportStopping() async {
    let reporting = screens.values.map { screen in Task { await screen.report(.stopping) } }
    await waitAtMost(.milliseconds(300), by: effects.clock) {
      for task in reporting { await task.value }
    }
  }

  /// Waits for the clients' commands that the next owner could not continue.
  func finishCommands() async {
    while let (id, command) = commands.first {
      await command.value
      commands[id] = nil
    }
    await bus?.finishCommands()
  }

  /// Informs clients' screens that this process was continued.
  func reportAlive() {
    for screen in screens.values { Task { await screen.report(.alive) } }
  }

  func receive(_ connection: LineConnection) async {
    guard let line = await OwnerListener.firstLine(of: connection, by: effects.clock) else {
      return
    }
    do throws(Request.Refusal) {
      let request = try Request(line: line)
      guard case .screen(let json) = request.purpose else {
        return await run(request, for: connection)
      }
      guard let screen = ScreenRequest(json: json) else {
        throw Request.Refusal(why: "a screen of this size or with these symbols cannot be drawn")
      }
      await show(screen, with: try await handler.screenOptions(of: request), on: connection)
    } catch {
      _ = await connection.send(OwnerMessage.message(error.why))
      _ = await connection.send(OwnerMessage.end(.failed))
    }
  }

  private func show(
    _ request: ScreenRequest, with options: ScreenClientOptions, on connection: LineConnection
  ) async {
    let screen = ScreenServer(
      request, options: options, connection: connection, store: store, effects: effects,
      style: style)
    screens[ObjectIdentifier(screen)] = screen
    await screen.run()
    screens[ObjectIdentifier(screen)] = nil
  }

  private func run(_ request: Request, for connection: LineConnection) async {
    let command = await handler.prepare(request)
    if request.purpose == .handOver {
      guard command.canBeHandedOver else {
        _ = await connection.send(OwnerMessage.declined)
        return
      }
      guard await connection.send(OwnerMessage.command(command.traits)) else { return }
    }
    guard await connection.send(OwnerMessage.begun) else { return }
    let client = ClientRequest(request, store: store, effects: effects) {
      await connection.send($0)
    }
    let work = Task { await command.run(client) }
    let receiving = Task {
      while let line = await connection.next() {
        switch ClientMessage(line: line) {
        case .ping: client.send(.alive)
        case .reply(let number, let text): client.receive(text, for: number)
        case nil: break
        }
      }
      client.disconnect()
      work.cancel()
    }
    let serving = Task {
      if let status = await work.value { client.send(.end(status)) }
      await client.deliver()
    }
    if !command.traits.isEndless { commands[ObjectIdentifier(client)] = serving }
    await serving.value
    commands[ObjectIdentifier(client)] = nil
    receiving.cancel()
  }
}
