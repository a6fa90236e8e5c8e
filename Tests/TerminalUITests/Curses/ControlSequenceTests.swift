import Testing

@testable import TerminalUI

@Suite struct `Control sequences` {
  private func outputs(_ text: String) -> [ControlSequenceParser.Output] {
    var parser = ControlSequenceParser()
    return text.unicodeScalars.flatMap { parser.parse($0) } + parser.pause()
  }

  @Test(arguments: [
    ("q", "q"), ("\u{1B}", "\u{1B}"), ("\u{1B}\u{1B}", "\u{1B}\u{1B}"), ("\u{1B}q", "\u{1B}q"),
    ("\u{1B}O", "\u{1B}O"), ("\u{1B}]", "\u{1B}]"), ("\u{1B}[", "\u{1B}["), ("\u{1B}X", "\u{1B}X"),
    ("\u{1B}[31mq", "q"), ("\u{1B}[q", ""), ("\u{1B}OQq", "q"),
    // ^C gets through whatever is open.
    ("\u{1B}[1;\u{3}", "\u{3}"), ("\u{1B}]0;x\u{3}", "\u{3}"), ("\u{1B}[M\u{3}", "\u{3}"),
    ("\u{1B}]0;title\u{1B}\\q", "q"), ("\u{1B}_x\u{7}q", "q"),
  ])
  func `are dropped whole, and keys are not`(text: String, keys: String) {
    #expect(outputs(text) == keys.unicodeScalars.map { .scalar($0) })
  }

  @Test(arguments: [
    ("\u{1B}[<0;5;3M", Mouse(.press, column: 4, row: 2)),
    ("\u{1B}[<16;5;3M", Mouse(.press, column: 4, row: 2)),
    ("\u{1B}[<64;1;1M", Mouse(.wheelUp, column: 0, row: 0)),
    ("\u{1B}[<65;9999;1M", Mouse(.wheelDown, column: 9998, row: 0)),
    ("\u{1B}[M !\u{22}", Mouse(.press, column: 0, row: 1)),
  ])
  func `may be the mouse`(text: String, mouse: Mouse) {
    #expect(outputs(text) == [.mouse(mouse)])
  }

  @Test(arguments: [
    "\u{1B}[<0;5;3m", "\u{1B}[<1;5;3M", "\u{1B}[<35;5;3M", "\u{1B}[<0;0;3M", "\u{1B}[<0;5M",
    "\u{1B}[<;;M", "\u{1B}[<99999999999999999999;1;1M", "\u{1B}[<-1;1;1M", "\u{1B}[0;5;3M",
  ])
  func `of other buttons, or broken, are none`(text: String) {
    #expect(outputs(text) == [])
  }

  @Test(arguments: [
    ("\u{1B}]11;rgb:0000/0000/0000\u{7}", TerminalBackground.dark),
    ("\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\", .dark), ("\u{1B}]11;rgb:ff/ff/ff\u{7}", .light),
    ("\u{1B}]11;rgb:fdfd/f6f6/e3e3\u{7}", .light), ("\u{1B}]11;rgba:f/f/f/f\u{7}", .light),
    ("\u{1B}]11;rgb:0000/2b2b/3636\u{7}", .dark),
  ])
  func `may be the terminal's background`(text: String, background: TerminalBackground) {
    #expect(outputs(text).first == .background(background))
  }

  @Test(arguments: [
    "\u{1B}]11;rgb:zz/00/00\u{7}", "\u{1B}]11;rgb:0/0\u{7}", "\u{1B}]10;rgb:0/0/0\u{7}",
    "\u{1B}]11;#ffffff\u{7}", "\u{1B}]11;rgb:12345/0/0\u{7}", "\u{1B}]11;rgb:0/0/00000\u{7}",
  ])
  func `that report no background are dropped`(text: String) {
    #expect(outputs(text) == [])
  }

  @Test(arguments: [
    ("\u{1B}[I", ControlSequenceParser.Output.focus(true)), ("\u{1B}[O", .focus(false)),
    ("\u{1B}[?997;1n", .colorScheme(.dark)), ("\u{1B}[?997;2n", .colorScheme(.light)),
    ("\u{1B}[?2026;1$y", .synchronizes(true)), ("\u{1B}[?2026;2$y", .synchronizes(true)),
    ("\u{1B}[?2026;0$y", .synchronizes(false)), ("\u{1B}[?2026;4$y", .synchronizes(false)),
  ])
  func `may be what a terminal reports of itself`(
    text: String, output: ControlSequenceParser.Output
  ) {
    #expect(outputs(text + "q") == [output, .scalar("q")])
  }

  @Test(arguments: [
    "\u{1B}[1I", "\u{1B}[1;2O", "\u{1B}[?997;3n", "\u{1B}[?997n", "\u{1B}[997;1n",
    "\u{1B}[?2026;5$y", "\u{1B}[?2027;1$y", "\u{1B}[2026;1$y", "\u{1B}[?2026;1y", "\u{1B}[?1;2c",
  ])
  func `that report nothing known are dropped`(text: String) {
    #expect(outputs(text + "q") == [.scalar("q")])
  }

  @Test func `come in pieces, and never take more room`() {
    var parser = ControlSequenceParser()
    for scalar in "\u{1B}[<0;5".unicodeScalars { #expect(parser.parse(scalar) == []) }
    #expect(parser.pause() == [])
    #expect(";3".unicodeScalars.flatMap { parser.parse($0) } == [])
    #expect(parser.parse("M") == [.mouse(Mouse(.press, column: 4, row: 2))])
    for scalar in "\u{1B}]".unicodeScalars { #expect(parser.parse(scalar) == []) }
    for _ in 1...100_000 { #expect(parser.parse("x") == []) }
    #expect(MemoryLayout.size(ofValue: parser) < 64)
    #expect(parser.parse("\u{7}") == [])
    #expect(parser.parse("q") == [.scalar("q")])
  }
}
