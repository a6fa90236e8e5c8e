import ArgumentParser
import Companion
import CompanionRuntime
import TerminalUI

/// What the process that owns the link does for the others.
@MainActor
final class Owner {
  private let listener: OwnerListener
  private let store: Store
  private let effects: LiveEffectHandler
  private let style: () -> Style
  private var screens: [ObjectIdentifier: ScreenServer] = [:]

  /// - Parameter style: the style of now, but for the symbols, which each screen has its own.
  init(
    _ listener: OwnerListener, store: Store, effects: LiveEffectHandler,
    style: @escaping () -> Style
  ) {
    self.listener = listener
    self.store = store
    self.effects = effects
    self.style = style
  }

  /// Lets other processes in from now on.
  func open() {
    Task { await listener.serve { [weak self] in await self?.receive($0) } }
  }

  /// Turns everybody away; others may own the link then.
  func close() async { await listener.close() }

  /// Tells that the style has changed.
  func restyle() { for screen in screens.values { screen.wake() } }

  /// Tells the other screens that this process is about to be stopped; does not wait long for slow
  /// ones.
  func reportStopping() async {
    let (delivered, end) = AsyncStream.makeStream(of: Void.self)
    let reporting = screens.values.map { screen in Task { await screen.report(.stopping) } }
    Task {
      for task in reporting { await task.value }
      end.finish()
    }
    let limit = Task { [clock = effects.clock] in
      try? await clock.sleep(for: .milliseconds(300))
      end.finish()
    }
    for await _ in delivered {}
    limit.cancel()
  }

  /// Tells the other screens that this process goes on.
  func reportAlive() {
    for screen in screens.values { Task { await screen.report(.alive) } }
  }

  private func receive(_ channel: LineConnection) async {
    guard let line = await channel.next() else { return }
    do throws(Request.Refusal) {
      let request = try Request(line: line)
      if case .screen(let wanted) = request.purpose {
        guard let screen = ScreenRequest(json: wanted) else {
          throw Request.Refusal(why: "such a screen cannot be drawn")
        }
        await show(screen, of: try ScreenClientOptions(request), on: channel)
      } else {
        await run(request, for: channel)
      }
    } catch {
      _ = await channel.send(OwnerMessage.message(error.why))
      _ = await channel.send(OwnerMessage.end(.failed))
    }
  }

  private func show(
    _ request: ScreenRequest, of client: ScreenClientOptions, on channel: LineConnection
  ) async {
    let screen = ScreenServer(
      request, of: client, channel: channel, store: store, effects: effects, style: style)
    screens[ObjectIdentifier(screen)] = screen
    await screen.run()
    screens[ObjectIdentifier(screen)] = nil
  }

  /// Runs a command as if it had been typed here; it ends when the other process does.
  private func run(_ request: Request, for channel: LineConnection) async {
    guard await channel.send(OwnerMessage.begun) else { return }
    let client = ClientRequest(channel, request, store: store, effects: effects)
    var context = CommandContext(store: store, effects: effects)
    if case .run(let step) = request.purpose { context.step = step }
    let work = Task { [context] in
      await ClientRequest.$current.withValue(client) {
        await Self.status(of: request, in: context)
      }
    }
    let leaving = Task {
      while let line = await channel.next() {
        switch ClientMessage(line: line) {
        case .ping: client.report(.alive)
        case .reply(let number, let text): client.take(text, for: number)
        case nil: break
        }
      }
      client.leave()
      work.cancel()
    }
    if let status = await work.value { client.report(.end(status)) }
    await client.deliver()
    leaving.cancel()
  }

  /// Nil: it has no end of its own, and goes on elsewhere when this process leaves.
  private static func status(
    of request: Request, in context: CommandContext
  ) async -> ExitStatus? {
    do {
      guard let command = try Earshot.parseAsRoot(request.arguments) as? any SharedCommand else {
        Output.message("this command is not for a running earshot")
        return .usage
      }
      if command.options.isVirtual, request.purpose != .resolve {
        Output.message("these headphones are virtual")
      }
      if request.purpose == .resolve {
        ClientRequest.current?.report(.resolved(try await command.resolveStep(in: context)))
        return .ok
      }
      try await command.run(in: context)
      return command.lifetime == .endless ? nil : .ok
    } catch let error as CommandError {
      Output.message(error.message)
      return error.status
    } catch {
      Output.message(Earshot.message(for: error))
      return .usage
    }
  }
}
