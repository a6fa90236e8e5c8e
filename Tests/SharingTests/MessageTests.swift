import CompanionRuntime
import JSON
import Sharing
import Testing

@Suite struct MessageTests {
  @Test func `a request is read as it was written`() throws {
    for request in [
      Request(arguments: ["anc", "next", "--device", "Ear \"1\"\n"]),
      Request(arguments: ["firmware", "install", "a.fw"], directory: "/a b", hasTerminal: true),
      Request(arguments: ["battery"], style: .color),
      Request(arguments: ["settings"], style: TextStyle(.monochrome, columns: 80)),
      Request(arguments: ["anc", "next"], purpose: .run(step: "adaptive")),
      Request(arguments: ["anc", "next"], purpose: .resolve),
      Request(arguments: ["bat"], purpose: .handOver),
      Request(arguments: [], purpose: .screen(["size": [80, 24]])),
    ] {
      let read = try Request(line: Array("\(request.json)".utf8))
      #expect(read == request)
    }
  }

  @Test(arguments: [
    "", "GET / HTTP/1.1", "[]", "{}", #"{"earshot":2,"arguments":[]}"#,
    #"{"earshot":1}"#, #"{"earshot":1,"arguments":[1]}"#, #"{"earshot":1,"arguments":"anc"}"#,
    #"{"earshot":1,"arguments":[\#(Array(repeating: "\"a\"", count: 65).joined(separator: ","))]}"#,
    "\u{0}\u{FF}",
  ])
  func `what is no request of this version is refused in words`(line: String) {
    let refusal = #expect(throws: Request.Refusal.self) { try Request(line: Array(line.utf8)) }
    #expect(refusal?.why.isEmpty == false)
  }

  @Test func `an answer is read as it was written`() {
    for answer in [
      OwnerMessage.begun, .busy, .alive, .resolved(nil), .resolved("adaptive"),
      .output("a\u{1B}\nb"), .message(""),
      .progress("\r1%"), .ask(3), .declined, .command(CommandTraits()),
      .command(
        CommandTraits(
          isEndless: true, isRepeatable: false, needsLink: false, hasStep: true, limit: nil)),
      .end(.linkLost), .end(.ok),
    ] {
      #expect(OwnerMessage(line: Array("\(answer.json)".utf8)) == answer)
    }
    #expect(OwnerMessage(line: Array(#"{"status":77}"#.utf8)) == .end(.failed))
    #expect(OwnerMessage(line: Array("{}".utf8)) == nil)
    #expect(OwnerMessage(line: Array(#"{"command":{}}"#.utf8)) == .command(CommandTraits()))
    for message in [ClientMessage.ping, .reply(1, text: "y"), .reply(2, text: nil)] {
      #expect(ClientMessage(line: Array("\(message.json)".utf8)) == message)
    }
    #expect(ClientMessage(line: Array(#"{"text":"y"}"#.utf8)) == nil)
  }
}

@Suite struct FailureConsoleTests {
  private let failure = FailureReport(what: "no", advice: "yes", code: 4)

  @Test func `a failure is an object on standard output only with --json`() {
    let console = RecordingConsole()
    console.report(failure, asJSON: false)
    #expect(console.text == ["err no\nyes"])
    console.report(failure, asJSON: true)
    #expect(console.text.last?.hasPrefix(#"out {"schema":1,"error""#) == true)
  }

  @Test func `a result on standard output is not followed by an error`() {
    let console = RecordingConsole()
    console.data("{}")
    console.report(failure, asJSON: true)
    #expect(console.text == ["out {}", "err no\nyes"])
  }
}
