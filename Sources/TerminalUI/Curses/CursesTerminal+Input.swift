internal import CNcurses
internal import CTerminalGuard
internal import EventLoop
internal import Glibc

extension CursesTerminal {
  /// Starts the tasks for keys and signals; end of input finishes ``inputs``, and so the program.
  func startReading() {
    let keyboard = input
    let signalled = signals.readEnd
    readers = [
      Task { [weak self] in
        while let _ = try? await PollLoop.shared.readable(keyboard) {
          guard let self, self.drainKeys() else { break }
          self.limitPaste()
        }
        self?.feed.finish()
      },
      Task { [weak self] in
        while let _ = try? await PollLoop.shared.readable(signalled) {
          guard let self else { break }
          for signal in self.signals.drain() { self.handle(signal: signal) }
        }
      },
    ]
  }

  /// Limits the time of a paste: if its end mark is lost, later keys would count as pasted text.
  private func limitPaste() {
    pasteLimit?.cancel()
    guard paste != nil else { return }
    pasteLimit = Task { [weak self] in
      guard (try? await LoopClock(.shared).sleep(for: Self.pasteTimeout)) != nil else { return }
      self?.endPaste()
    }
  }

  private func endPaste() {
    if let text = paste?.text, !text.isEmpty { feed.yield(.paste(text)) }
    paste = nil
  }

  func drainKeys() -> Bool {
    var code: wint_t = 0
    var isEmpty = true
    while true {
      switch wget_wch(keys.window, &code) {
      case KEY_CODE_YES: handle(code: Int32(code))
      case OK: Unicode.Scalar(code).map { handle(scalar: $0) }
      default:
        for output in sequences.pause() { handle(output) }
        return !isEmpty || !hasHungUp
      }
      isEmpty = false
    }
  }

  func handle(signal: Int32) {
    switch signal {
    case SIGWINCH: adoptSize()
    case SIGCONT: comeBack()
    case SIGTSTP: feed.yield(.suspendRequested)
    default: feed.yield(.endRequested(signal: signal))
    }
  }

  private func handle(code: Int32) {
    switch code {
    case TerminalModes.pasteBegin: paste = PasteBuffer()
    case TerminalModes.pasteEnd: endPaste()
    default:
      if let key = Key(code: code) { feed.yield(.key(key)) }
    }
  }

  private func handle(scalar: Unicode.Scalar) {
    if paste != nil {
      paste?.add(scalar)
    } else {
      for output in sequences.parse(scalar) { handle(output) }
    }
  }

  /// Handles an output of the parser; mouse reports are dropped unless they were requested.
  private func handle(_ output: ControlSequenceParser.Output) {
    switch output {
    case .scalar(let scalar): Key(scalar: scalar).map { _ = feed.yield(.key($0)) }
    case .mouse(let mouse): if hasMouse { handle(mouse) }
    case .background(let background):
      reportsBackground = true
      adopt(background)
    case .colorScheme(let scheme): follow(scheme)
    case .focus(let isFocused): focus(isFocused)
    case .synchronizes(let isKnown): synchronizes = isKnown
    }
  }

  private func handle(_ mouse: Mouse) {
    var mouse = mouse
    if mouse.act == .press { pressed = CellPosition(column: mouse.column, row: mouse.row) }
    if mouse.act == .drag { mouse.origin = pressed }
    feed.yield(.mouse(mouse))
  }

  /// Whether the terminal has hung up: its input is readable, but there is nothing to read.
  private var hasHungUp: Bool {
    var poll = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&poll, 1, 0) == 1 else { return false }
    if Int32(poll.revents) & (POLLHUP | POLLERR | POLLNVAL) != 0 { return true }
    var count: Int32 = 0
    return ioctl(input, UInt(FIONREAD), &count) != 0 || count == 0
  }
}

struct PasteBuffer {
  /// The maximum in scalars; the rest is dropped, as no entry takes as much.
  private static let limit = 4096
  private(set) var text = ""

  mutating func add(_ scalar: Unicode.Scalar) {
    if text.unicodeScalars.count < Self.limit { text.unicodeScalars.append(scalar) }
  }
}

extension Key {
  init?(code: Int32) {
    switch code {
    case KEY_UP: self = .up
    case KEY_DOWN: self = .down
    case KEY_LEFT: self = .left
    case KEY_RIGHT: self = .right
    case KEY_HOME: self = .home
    case KEY_END: self = .end
    case KEY_PPAGE: self = .pageUp
    case KEY_NPAGE: self = .pageDown
    case KEY_IC: self = .insert
    case KEY_DC: self = .delete
    case KEY_BACKSPACE: self = .backspace
    case KEY_BTAB: self = .backTab
    case KEY_ENTER: self = .enter
    case cn_key_f(1)...cn_key_f(12): self = .function(Int(code - cn_key_f(0)))
    default: return nil
    }
  }

  init?(scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x09: self = .tab
    case 0x0A, 0x0D: self = .enter
    case 0x1B: self = .escape
    case 0x08, 0x7F: self = .backspace
    case 0x01...0x1A: self = .control(Unicode.Scalar(UInt8(scalar.value) + 0x60))
    case 0x00...0x1F, 0x80...0x9F: return nil
    default: self = .character(scalar)
    }
  }
}
