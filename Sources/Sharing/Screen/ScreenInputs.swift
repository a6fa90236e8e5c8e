public import TerminalUI

/// The input of a terminal, for the program that uses the terminal now: owner or client.
///
/// The terminal is opened once and read by one task, although the program behind it changes from
/// client to owner when an owner exits.
@MainActor
public final class ScreenInputs {
  /// Receives each input.
  public var receiver: ((Input) -> Void)?
  /// Called when the terminal is gone.
  public var hangUp: (() -> Void)?
  private var reading: Task<Void, Never>?

  /// Starts to read.
  public init(_ terminal: CursesTerminal) {
    reading = Task { [weak self] in
      for await input in terminal.inputs { self?.receiver?(input) }
      self?.hangUp?()
    }
  }

  /// Stops reading.
  public func stop() { reading?.cancel() }
}

/// How a program with a screen ended.
public enum ScreenEnding: Hashable, Sendable {
  /// The user quit; the text is written after the terminal is restored.
  case quit(saying: String?)
  /// A signal asked the process to end.
  case signal(Int32)
  /// The terminal went away.
  case hangUp
  /// The process that owned the link has exited.
  case ownerLeft
  /// The owner of the link refused, for this reason.
  case refused(String)
}
