package import TerminalUI

/// The input of a terminal, for the program that uses the terminal now: owner or client.
///
/// The terminal is opened once and read by one task. Keys typed before there is a program are
/// dropped, and those between two programs are reported to the second; a request to end, and the
/// terminal's end, wait for it.
@MainActor
package final class ScreenInputs {
  package var receiver: ((Input) -> Void)? { didSet { reportMissed() } }
  package var hangUp: (() -> Void)? { didSet { if hasEnded { hangUp?() } } }
  private var reading: Task<Void, Never>?
  private var earlyEnd: Input?
  private var hasHadReceiver = false
  private var hasLostKeys = false
  package private(set) var hasEnded = false

  package init(_ inputs: AsyncStream<Input>) {
    reading = Task { [weak self] in
      for await input in inputs { self?.receive(input) }
      self?.end()
    }
  }

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

  /// Reports to a new program what was received before it.
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

/// The way in which a program with a screen ended.
package enum ScreenEnding: Hashable, Sendable {
  /// The user quit; the text is written after the terminal is restored.
  case quit(saying: String?)
  case signal(Int32)
  case hangUp
  /// The owner ended the connection, with or without having answered before.
  case ownerLeft(hasResponded: Bool)
  case refused(String)
}
