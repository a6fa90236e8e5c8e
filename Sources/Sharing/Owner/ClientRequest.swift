package import CompanionRuntime
internal import Locking

/// A command of a client, run by this process as the owner of the link, and its console.
///
/// Messages are queued, so that a slow client delays only itself. A question suspends the command
/// until the reply, the client's end or cancellation.
package final class ClientRequest: Console {
  package let request: Request
  package let store: Store
  package let effects: LiveEffectHandler
  private let sendNow: @Sendable (OwnerMessage) async -> Bool
  private let outgoing = Mutex<[OwnerMessage]>([])
  private let hasWritten = Atomic(false)
  @MainActor private var delivery: Task<Bool, Never>?
  @MainActor private var question:
    (number: Int64, continuation: CheckedContinuation<String?, Never>)?
  @MainActor private var lastNumber: Int64 = 0

  /// Creates a request; `send` returns false if the client is gone.
  init(
    _ request: Request, store: Store, effects: LiveEffectHandler,
    send: @escaping @Sendable (OwnerMessage) async -> Bool
  ) {
    sendNow = send
    self.request = request
    self.store = store
    self.effects = effects
  }

  package var isInteractive: Bool { request.hasTerminal }
  package var style: TextStyle { request.style }

  /// Always true, since the client discards progress if its standard error is no terminal.
  package var showsProgress: Bool { true }

  package var hasResponded: Bool { hasWritten.load(ordering: .relaxed) }

  package func data(_ text: String) { send(.output(text)) }
  package func message(_ text: String) { send(.message(text)) }
  package func progress(_ text: String) { send(.progress(text)) }

  package func deliver(_ text: String) async -> Bool {
    send(.output(text))
    return await deliver()
  }

  package func resolve(to value: String?) { send(.resolved(value)) }

  /// Queues a message; progress replaces progress that is last in the queue.
  func send(_ message: OwnerMessage) {
    if case .output = message { hasWritten.store(true, ordering: .relaxed) }
    outgoing.withLock { outgoing in
      if case .progress = message, case .progress? = outgoing.last { outgoing.removeLast() }
      outgoing.append(message)
    }
    Task { await deliver() }
  }

  @MainActor @discardableResult
  func deliver() async -> Bool {
    let previous = delivery
    let task = Task {
      if await previous?.value == false { return false }
      while let message = outgoing.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        guard await sendNow(message) else { return false }
      }
      return true
    }
    delivery = task
    return await task.value
  }

  /// Asks the client, whose input need not be a terminal; ends an earlier question unanswered.
  @MainActor
  package func line() async -> String? {
    lastNumber += 1
    let number = lastNumber
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        question?.continuation.resume(returning: nil)
        question = (number, continuation)
        send(.ask(number))
      }
    } onCancel: {
      Task { await receive(nil, for: number) }
    }
  }

  /// Handles the answer to a question, unless that question is no longer open.
  @MainActor
  func receive(_ reply: String?, for number: Int64) {
    guard let question, question.number == number else { return }
    self.question = nil
    question.continuation.resume(returning: reply)
  }

  @MainActor
  func disconnect() { receive(nil, for: lastNumber) }
}
