public import TerminalUI

/// The input of a terminal, for the program that uses the terminal now: owner or client.
///
/// The terminal is opened once and read by one task, although the program behind it changes from
/// client to owner when an owner exits.
///
/// Keys that are typed before there is a program are dropped; a request to end, and the end of the
/// terminal, wait for it.
@MainActor
public final class ScreenInputs {
  /// Receives each input.
  public var receiver: ((Input) -> Void)? { didSet { earlyEnd.map { receiver?($0) } } }
  /// Called when the terminal is gone.
  public var hangUp: (() -> Void)? { didSet { if hasEnded { hangUp?() } } }
  private var reading: Task<Void, Never>?
  /// A request to end that arrived before there was a program.
  private var earlyEnd: Input?
  package private(set) var hasEnded = false

  /// Starts to read.
  public init(_ inputs: AsyncStream<Input>) {
    reading = Task { [weak self] in
      for await input in inputs { self?.receive(input) }
      self?.end()
    }
  }

  /// Stops reading.
  public func stop() { reading?.cancel() }

  private func receive(_ input: Input) {
    if let receiver { return receiver(input) }
    if case .endRequested = input { earlyEnd = input }
  }

  private func end() {
    hasEnded = true
    hangUp?()
  }
}

/// How a program with a screen ended.
public enum ScreenEnding: Hashable, Sendable {
  /// The user quit; the text is written after the terminal is restored.
  case quit(saying: String?)
  /// A signal asked the process to end.
  case signal(Int32)
  /// The terminal went away.
  case hangUp
  /// The process that owned the link has ended the connection; it answered before, or did not.
  case ownerLeft(hasResponded: Bool)
  /// The owner of the link refused, for this reason.
  case refused(String)
}
