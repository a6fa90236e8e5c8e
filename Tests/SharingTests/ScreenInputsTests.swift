import Sharing
import TerminalUI
import Testing

/// Reports of a terminal before a program reads them.
@MainActor
@Suite struct ScreenInputsTests {
  private let terminal = AsyncStream.makeStream(of: Input.self)
  private let received = AsyncStream.makeStream(of: Input.self)

  /// Returns the inputs that a program receives until the terminal is gone.
  private func collect(from screen: ScreenInputs) async -> [Input] {
    screen.receiver = { received.continuation.yield($0) }
    screen.hangUp = { received.continuation.finish() }
    var inputs: [Input] = []
    for await input in received.stream { inputs.append(input) }
    return inputs
  }

  @Test func `pass through in their order`() async {
    let screen = ScreenInputs(terminal.stream)
    terminal.continuation.yield(.paste("a"))
    terminal.continuation.yield(.paste("b"))
    terminal.continuation.finish()
    #expect(await collect(from: screen) == [.paste("a"), .paste("b")])
  }

  @Test func `keys between two programs are reported to the second`() async {
    let screen = ScreenInputs(terminal.stream)
    screen.receiver = { received.continuation.yield($0) }
    terminal.continuation.yield(.key(.character("t")))
    var inputs = received.stream.makeAsyncIterator()
    #expect(await inputs.next() == .key(.character("t")))
    screen.receiver = nil
    terminal.continuation.yield(.key(.character("3")))
    terminal.continuation.finish()
    while !screen.hasEnded { await Task.yield() }
    screen.receiver = { received.continuation.yield($0) }
    #expect(await inputs.next() == .keysLost)
    // A key that the program before did not answer, too.
    screen.receiver = nil
    screen.noteLostKeys()
    #expect(await collect(from: screen) == [.keysLost])
  }

  @Test func `wait for the program if they end it`() async {
    let screen = ScreenInputs(terminal.stream)
    terminal.continuation.yield(.paste("nobody reads this"))
    terminal.continuation.yield(.endRequested(signal: 15))
    terminal.continuation.finish()
    // The reading task is done: nothing is left in the stream.
    while !screen.hasEnded { await Task.yield() }
    #expect(await collect(from: screen) == [.endRequested(signal: 15)])
  }
}
