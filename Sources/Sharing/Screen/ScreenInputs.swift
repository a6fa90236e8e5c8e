package import TerminalUI

/// The input of a terminal, for the program that uses the terminal now: owner or client.
///
/// The terminal is opened once and read by one task, although the program behind it changes from
/// client to owner when an owner exits.
///
/// Keys that are typed before there is a program are dropped, and those between two programs are reported to
/// the second; a request to end, and the end of the terminal, wait for it.
@MainActor
package final class ScreenInputs {
  /// Receives each input.
  package var receiver: ((Input) -> Void)? { didSet { reportMissed() } }
  /// Called when the terminal is gone.
  package var hangUp: (() -> Void)? { didSet { if hasEnded { hangUp?() } } }
  private var reading: Task<Void, Never>?
  /// A termination request that arrived while there was no program.
  private var earlyEnd: Input?
  /// Whether there was a program already.
  private var hasHadReceiver = false
  private var hasLostKeys = false
  package private(set) var hasEnded = false

  /// Starts reading the inputs.
  package init(_ inputs: AsyncStream<Input>) {
    reading = Task { [weak self] in
      for await input in inputs { self?.receive(input) }
      self?.end()
    }
  }

  /// Stops reading.
  package func stop() { reading?.cancel() }

  /// Reports to the next program that a key was lost with the one before.
  package func noteLostKeys() { hasLostKeys = true }

  private func receive(_ input: Input) {
    if let receiver { return receiver(input) }
    switch input {
    case .endRequested: earlyEnd = input
    case .key, .paste, .mouse: hasLostKeys = hasHadReceiver
    case .resized, .suspendRequested, .keysLost, .focusChanged: break
    }
  }

  /// Reports to a new program what came before it.
  private func reportMissed() {
    guard let receiver else { return }
    hasHadReceiver = true
    if hasLostKeys { receiver(.keysLost) }
    hasLostKeys = false
    earlyEnd.map(receiver)
  }

  private func end() {
    hasEnded = true
    hangUp?()
  }
}

/// How a program with a screen ended.
package enum ScreenEnding: Hashable, Sendable {
  /// The user quit; the text is written after the terminal is restored.
  case quit(saying: String?)
  /// A termination signal arrived.
  case signal(Int32)
  case hangUp
  /// The owner ended the connection, with or without having answered before.
  case ownerLeft(hasResponded: Bool)
  /// The owner refused the screen for this reason.
  case refused(String)
}
