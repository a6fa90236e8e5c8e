import TerminalUI

/// The inputs of a terminal, for whichever program shows itself on it now.
@MainActor
final class ScreenInputs {
  /// Takes each input.
  var receiver: ((Input) -> Void)?
  /// The terminal went away.
  var hangUp: (() -> Void)?
  private var reading: Task<Void, Never>?

  init(_ terminal: CursesTerminal) {
    reading = Task { [weak self] in
      for await input in terminal.inputs { self?.receiver?(input) }
      self?.hangUp?()
    }
  }

  func stop() { reading?.cancel() }
}

/// How a program on the screen ended.
enum ScreenEnding {
  /// The words are for the terminal that is given back.
  case quit(saying: String?)
  case signal(Int32)
  /// The terminal went away.
  case hangUp
  /// The process that owned the link has left.
  case ownerLeft
  /// The process that owns the link does not let this one share it; why.
  case refused(String)
}
