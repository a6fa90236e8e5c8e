import Companion
import CompanionRuntime
import JSON
import TestSupport
import Testing

@testable import Sharing
@testable import TerminalUI

@MainActor @Suite struct OwnerTests {
  private func send(
    _ request: Request = Request(arguments: ["anc"], hasTerminal: true), to client: LineConnection
  ) async {
    #expect(await client.send(request.json))
  }

  @Test func `what a command writes reaches its client in order, and then its status`() async throws
  {
    let owner = try TestOwner(
      ScriptedHandler { client in
        client.message("careful")
        client.data("adaptive")
        return .refused
      })
    let client = owner.connect()
    await send(to: client)
    for message in [
      OwnerMessage.begun, .message("careful"), .output("adaptive"), .end(.refused),
    ] { #expect(await client.message() == message) }
    #expect(await client.next() == nil)
  }

  @Test func `a client runs a command in the owner as if it were its own`() async throws {
    let owner = try TestOwner(
      ScriptedHandler { client in
        let isSure = await client.ask("really? ", orElse: "--yes")
        client.data(isSure ? "done" : "not done")
        return isSure ? .ok : .failed
      })
    let console = RecordingConsole(typing: ["Yes"])
    let command = RemoteCommand(
      Request(arguments: ["forget", "f0"], hasTerminal: true), on: owner.connect(), limit: nil,
      waits: true, console: console, clock: owner.clock)
    #expect(await command.run() == .ended(.ok, resolved: nil))
    #expect(console.text == ["progress earshot: really? ", "out done"])
  }

  @Test func `nobody is asked without a terminal`() async throws {
    let owner = try TestOwner(
      ScriptedHandler { await $0.ask("really?", orElse: "--yes") ? .ok : .failed })
    let client = owner.connect()
    await send(Request(arguments: []), to: client)
    #expect(await client.message() == .begun)
    guard case .message(let text)? = await client.message() else {
      Issue.record("no message")
      return
    }
    #expect(text.contains("--yes"))
    #expect(await client.message() == .end(.failed))
  }

  @Test func `a path of a client is relative to its working directory`() {
    let request = Request(arguments: [], directory: "/home/me")
    #expect(request.path("a.fw") == "/home/me/a.fw" && request.path("/b.fw") == "/b.fw")
    #expect(Request(arguments: [], directory: "relative").path("a.fw") == "a.fw")
  }

  @Test func `a command without an end of its own is left open for the next owner`() async throws {
    let owner = try TestOwner(
      ScriptedHandler { client in
        _ = await client.deliver("one line")
        return nil
      })
    let client = owner.connect()
    await send(to: client)
    #expect(await client.message() == .begun)
    #expect(await client.message() == .output("one line"))
    #expect(await client.next() == nil)
  }

  @Test func `arguments that the client has not parsed are described first, and then run`()
    async throws
  {
    let owner = try TestOwner(
      ScriptedHandler { client in
        client.data("84%")
        return .ok
      })
    let client = owner.connect()
    await send(Request(arguments: ["watch"], purpose: .handOver), to: client)
    for message in [
      OwnerMessage.command(CommandTraits(isEndless: true)), .begun, .output("84%"), .end(.ok),
    ] { #expect(await client.message() == message) }
  }

  @Test func `arguments that only the client can run are declined, without an effect`() async throws
  {
    let owner = try TestOwner(
      ScriptedHandler { _ in
        Issue.record("the command runs")
        return .ok
      })
    let client = owner.connect()
    await send(Request(arguments: ["help"], purpose: .handOver), to: client)
    #expect(await client.message() == .declined)
    #expect(await client.next() == nil)
  }

  @Test func `an owner answers pings while a command runs, and cancels it with its client`()
    async throws
  {
    let (cancelled, end) = AsyncStream.makeStream(of: Bool.self)
    let owner = try TestOwner(
      ScriptedHandler { client in
        // Unanswered: the question of a client that is gone ends.
        let line = await client.line()
        end.yield(line == nil && Task.isCancelled)
        return .ok
      })
    let client = owner.connect()
    await send(to: client)
    #expect(await client.message() == .begun)
    #expect(await client.message() == .ask(1))
    #expect(await client.send(ClientMessage.ping))
    #expect(await client.message() == .alive)
    await client.close()
    for await wasCancelled in cancelled {
      #expect(wasCancelled)
      break
    }
  }

  @Test func `of progress a slow client gets the last only`() async throws {
    let owner = try TestOwner(
      ScriptedHandler { client in
        for percent in 0...100 { client.progress("\r\(percent)%") }
        return .ok
      })
    let client = owner.connect()
    await send(to: client)
    #expect(await client.message() == .begun)
    #expect(await client.message() == .progress("\r100%"))
    #expect(await client.message() == .end(.ok))
  }

  @Test(arguments: [
    "GET / HTTP/1.1", #"{"earshot":1,"arguments":[],"screen":{"size":[100000,100000]}}"#,
    #"{"earshot":1,"arguments":["--odd"],"screen":{"size":[80,24],"symbols":"ascii"}}"#,
  ])
  func `a request that makes no sense is refused with a reason`(line: String) async throws {
    let owner = try TestOwner()
    let client = owner.connect()
    #expect(await client.send(line.utf8))
    guard case .message(let why)? = await client.message() else {
      Issue.record("no reason")
      return
    }
    #expect(!why.isEmpty)
    #expect(await client.message() == .end(.failed))
    #expect(await client.next() == nil)
  }

  // MARK: Screens

  private func output(of client: LineConnection) async -> ScreenOutput? {
    await client.next().flatMap(ScreenOutput.init(line:))
  }

  private func openScreen(_ size: Size, at owner: TestOwner) async -> LineConnection {
    let client = owner.connect()
    let screen = ScreenRequest(size: size, symbols: .ascii)
    await send(Request(arguments: [], purpose: .screen(screen.json)), to: client)
    return client
  }

  @Test func `a screen gets all rows first, and then those that changed`() async throws {
    let owner = try TestOwner()
    let size = Size(columns: 100, rows: 40)
    let client = await openScreen(size, at: owner)
    guard case .frame(size, let all, _, _)? = await output(of: client) else {
      Issue.record("no frame")
      return
    }
    #expect(Set(all.keys) == Set(0..<40))
    owner.store.send(.noted(.warning, nil, "the weather is fine"))
    guard case .frame(size, let changed, _, _)? = await output(of: client) else {
      Issue.record("no second frame")
      return
    }
    #expect(changed.count < 20)
    #expect(!changed.isEmpty && changed.allSatisfy { all[$0.key] != $0.value })
    await client.close()
  }

  @Test func `an input that changes nothing is acknowledged`() async throws {
    let owner = try TestOwner()
    let client = await openScreen(Size(columns: 60, rows: 20), at: owner)
    _ = await output(of: client)
    #expect(await client.send("not JSON".utf8))
    #expect(await output(of: client) == .alive)
    await client.close()
  }

  @Test func `each message tells how many inputs are done`() async throws {
    let owner = try TestOwner()
    let client = await openScreen(Size(columns: 60, rows: 20), at: owner)
    func done() async -> Int? { await client.next().flatMap(ScreenAnswer.init(line:))?.done }
    #expect(await done() == 0)
    // One is enough: the clock stands still, and a fifth frame would wait for it.
    #expect(await client.send(ScreenInput.keysLost.json))
    #expect(await done() == 1)
    await client.close()
  }

  @Test func `a key is unanswered until its owner has told that it is done`() {
    var inputs = UnansweredInputs()
    inputs.queue(isKey: false)
    #expect(!inputs.hasKey)
    inputs.queue(isKey: true)
    #expect(inputs.hasKey)
    // A frame that the owner drew for another reason, or with the key's command pending.
    inputs.answer(done: 1)
    #expect(inputs.hasKey)
    inputs.answer(done: 2)
    #expect(!inputs.hasKey)
    // Of more inputs than are kept, the last ones are sent.
    inputs.queue(isKey: false)
    inputs.queue(isKey: true, replacesAnother: true)
    inputs.answer(done: 2)
    #expect(inputs.hasKey)
    // An owner of an earlier version does not count.
    inputs.answer(done: nil)
    #expect(!inputs.hasKey)
  }

  @Test func `a screen that quits leaves the others and the owner alone`() async throws {
    let owner = try TestOwner()
    let first = await openScreen(Size(columns: 60, rows: 20), at: owner)
    let second = await openScreen(Size(columns: 30, rows: 10), at: owner)
    _ = await (output(of: first), output(of: second))
    #expect(await first.send(ScreenInput.key(.character("q")).json))
    guard case .quit? = await output(of: first) else {
      Issue.record("it does not quit")
      return
    }
    #expect(await first.next() == nil)
    #expect(!owner.store.state.isQuitting)
    #expect(await second.send(ScreenInput.resized(Size(columns: 40, rows: 12)).json))
    guard case .frame(Size(columns: 40, rows: 12), let rows, _, _)? = await output(of: second)
    else {
      Issue.record("the other screen is not drawn")
      return
    }
    #expect(rows.count == 12)
    await second.close()
  }

  @Test func `screens are informed that their owner is stopped and continued`() async throws {
    let owner = try TestOwner()
    let client = await openScreen(Size(columns: 60, rows: 20), at: owner)
    _ = await output(of: client)
    await owner.owner.reportStopping()
    #expect(await output(of: client) == .stopping)
    owner.owner.reportAlive()
    #expect(await output(of: client) == .alive)
    await client.close()
  }

  @Test func `messages of a screen are read as they were written`() {
    let inputs: [ScreenInput] = [
      .key(.character("a")), .paste("x\u{1B}"), .resized(Size(columns: 7, rows: 9)),
      .mouse(Mouse(.wheelUp, column: 3, row: 4)),
      .mouse(Mouse(.drag, column: 3, row: 4, from: CellPosition(column: 0, row: 9))),
      .fixEnded(status: 127), .keysLost, .focusChanged(true), .focusChanged(false),
    ]
    for input in inputs { #expect(ScreenInput(line: Array("\(input.json)".utf8)) == input) }
    let outputs: [ScreenOutput] = [
      .theme("nord"), .theme(nil),
      .redraw, .suspend, .stopping, .alive, .copy("a\nb"), .quit(saying: nil), .quit(saying: "!"),
      .runFix(.commands([FixCommand(["a", "b c"], needsRoot: true), FixCommand(["d"])])),
      .frame(
        Size(columns: 2, rows: 1), [0: [Run(.plain, "ab")]], cursor: CellPosition(column: 1, row: 0)
      ),
      .frame(
        Size(columns: 1, rows: 1), [:], cursor: nil, WindowInfo(title: "Buds 80%", progress: 7)),
      .notify("Buds: battery is low", ""),
    ]
    for output in outputs {
      #expect(ScreenOutput(line: Array("\(output.json)".utf8)) == output)
      for done in [nil, 7] {
        let answer = ScreenAnswer(output: output, done: done)
        #expect(ScreenAnswer(line: Array("\(answer.json)".utf8)) == answer)
      }
    }
  }
}
