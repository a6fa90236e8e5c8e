import CompanionRuntime
import TestSupport
import Testing

@testable import Sharing

@MainActor @Suite struct RemoteCommandTests {
  private let client: LineConnection
  private let owner: LineConnection
  private let clock = ManualClock()

  init() { (client, owner) = connectedPair() }

  private func command(
    _ purpose: Request.Purpose = .run(step: nil), limit: Duration? = .seconds(20),
    waits: Bool = true, console: any Console = RecordingConsole()
  ) -> RemoteCommand {
    RemoteCommand(
      Request(arguments: ["anc", "off"], purpose: purpose), on: client, limit: limit, waits: waits,
      console: console, clock: clock)
  }

  /// Runs a command against an owner that sends these messages and then closes the connection.
  private func outcome(
    of command: RemoteCommand, _ messages: [OwnerMessage]
  ) async throws -> RemoteCommand.Outcome {
    let owner = owner
    let serving = Task {
      let request = try Request(line: try #require(await owner.next()))
      for message in messages { _ = await owner.send(message) }
      await owner.close()
      return request
    }
    let outcome = await command.run()
    #expect(try await serving.value.arguments == ["anc", "off"])
    return outcome
  }

  @Test(arguments: [true, false])
  func `output goes to the console, progress to a terminal only`(isTerminal: Bool) async throws {
    let console = RecordingConsole(isTerminal: isTerminal)
    let outcome = try await outcome(
      of: command(console: console),
      [.begun, .progress("\r1%"), .message("careful"), .output("done"), .end(.refused)])
    #expect(outcome == .ended(.refused, resolved: nil))
    #expect(console.text == (isTerminal ? ["progress \r1%"] : []) + ["err careful", "out done"])
  }

  @Test func `the value of a step is returned`() async throws {
    let outcome = try await outcome(
      of: command(.resolve), [.begun, .resolved("transparency"), .end(.ok)])
    #expect(outcome == .ended(.ok, resolved: "transparency"))
  }

  @Test func `a command that was handed over reports its step also if its owner exits`()
    async throws
  {
    let traits = CommandTraits(hasStep: true, limit: .seconds(3))
    for value in [nil, "transparency"] {
      let test = RemoteCommandTests()
      var accepted: [CommandTraits] = []
      let command = RemoteCommand(
        Request(arguments: ["anc", "off"], purpose: .handOver), on: test.client,
        limit: .seconds(20), waits: false, console: RecordingConsole(), clock: clock
      ) { accepted.append($0) }
      let resolved = value.map { [OwnerMessage.resolved($0)] } ?? []
      let outcome = try await test.outcome(of: command, [.command(traits), .begun] + resolved)
      #expect(outcome == .left(hasBegun: value != nil, hasResponded: false, resolved: value))
      #expect(accepted == [traits])
    }
  }

  @Test func `a command that an owner cannot run is left to this process`() async throws {
    #expect(try await outcome(of: command(.handOver), [.declined]) == .declined)
  }

  @Test func `an owner that exits is reported with what it may have done`() async throws {
    let cases: [([OwnerMessage], Request.Purpose, RemoteCommand.Outcome)] = [
      ([], .run(step: nil), .left(hasBegun: false, hasResponded: false)),
      ([.begun], .run(step: nil), .left(hasBegun: true, hasResponded: false)),
      ([.begun, .output("a")], .run(step: nil), .left(hasBegun: true, hasResponded: true)),
      ([.begun], .resolve, .left(hasBegun: false, hasResponded: false)),
    ]
    for (messages, purpose, expected) in cases {
      let test = RemoteCommandTests()
      #expect(try await test.outcome(of: test.command(purpose), messages) == expected)
    }
  }

  @Test func `a command that needs no link does not wait for a busy owner`() async throws {
    #expect(try await outcome(of: command(waits: false), [.busy]) == .busy)
  }

  @Test func `a question is answered with the line that the user types`() async throws {
    let console = RecordingConsole(typing: ["031415"])
    async let outcome = command(console: console).run()
    _ = await owner.next()
    _ = await owner.send(OwnerMessage.begun)
    _ = await owner.send(OwnerMessage.ask(3))
    let reply = await owner.next().flatMap(ClientMessage.init(line:))
    #expect(reply == .reply(3, text: "031415"))
    _ = await owner.send(OwnerMessage.end(.ok))
    #expect(await outcome == .ended(.ok, resolved: nil))
  }

  @Test func `an owner that answers nothing is given up after five seconds`() async {
    async let outcome = command().run()
    for _ in 0..<5 {
      await clock.pass(.seconds(1))
    }
    #expect(await outcome == .lost(OwnerUnavailable(.silent(nil), mayBeDone: false)))
  }

  @Test func `a busy owner is waited for with a line on the terminal`() async {
    let console = RecordingConsole()
    async let outcome = command(limit: nil, console: console).run()
    _ = await owner.next()
    _ = await owner.send(OwnerMessage.busy)
    _ = await owner.send(OwnerMessage.message("one moment"))
    await console.next()
    await clock.pass(.seconds(1))
    await console.next()
    #expect(
      console.text.dropFirst() == ["progress \rwaiting: another command has the link…\u{1B}[K"])
    await owner.close()
    #expect(await outcome == .left(hasBegun: false, hasResponded: false))
    #expect(console.text.last == "progress \r\u{1B}[K")
  }

  @Test func `an owner that hangs is pinged, reported and given up`() async {
    let console = RecordingConsole()
    async let outcome = command(limit: .seconds(2), console: console).run()
    _ = await owner.next()
    _ = await owner.send(OwnerMessage.begun)
    _ = await owner.send(OwnerMessage.message("working"))
    await console.next()
    await clock.pass(.seconds(1))
    #expect(await owner.next().flatMap(ClientMessage.init(line:)) == .ping)
    for pause in [5, 1, 1] {
      await clock.pass(.seconds(pause))
    }
    #expect(await outcome == .lost(OwnerUnavailable(.silent(nil), mayBeDone: true)))
    #expect(console.text.count == 2 && console.text[1].contains("does not answer"))
  }
}
