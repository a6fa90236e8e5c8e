import Companion
import CompanionRuntime
import Headphones
import Synchronization

/// A command that another process has asked this one for, which owns the link.
final class ClientRequest: Sendable {
  /// The request that this task runs for; nil: the command is this process's own.
  @TaskLocal static var current: ClientRequest?

  let store: Store
  let effects: LiveEffectHandler
  private let request: Request
  private let channel: LineConnection
  private let answers = Mutex<[OwnerMessage]>([])
  @MainActor private var delivery: Task<Bool, Never>?
  @MainActor private var asked: (number: Int64, answer: CheckedContinuation<String?, Never>)?
  @MainActor private var lastNumber: Int64 = 0

  /// Whether a person can be asked there.
  var hasTerminal: Bool { request.hasTerminal }

  init(_ channel: LineConnection, _ request: Request, store: Store, effects: LiveEffectHandler) {
    self.channel = channel
    self.store = store
    self.effects = effects
    self.request = request
  }

  /// A file that the other process named, as this one finds it.
  func path(_ named: String) -> String { request.path(named) }

  /// Tells the other process as soon as it takes something; of progress the newest only.
  func report(_ message: OwnerMessage) {
    answers.withLock { answers in
      if case .progress = message, case .progress? = answers.last { answers.removeLast() }
      answers.append(message)
    }
    Task { await deliver() }
  }

  /// Waits until the other process has taken all; false: it is gone.
  @MainActor @discardableResult
  func deliver() async -> Bool {
    let previous = delivery
    // Lines of two deliveries must not mix.
    let task = Task {
      if await previous?.value == false { return false }
      while let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        guard await channel.send(answer) else { return false }
      }
      return true
    }
    delivery = task
    return await task.value
  }

  // MARK: The person there

  /// A line that the person types; nil: there will be none.
  @MainActor
  func line() async -> String? {
    guard hasTerminal else { return nil }
    lastNumber += 1
    let number = lastNumber
    return await withTaskCancellationHandler {
      await withCheckedContinuation { answer in
        asked?.answer.resume(returning: nil)
        asked = (number, answer)
        report(.ask(number))
      }
    } onCancel: {
      Task { await take(nil, for: number) }
    }
  }

  /// Takes what the other process says while its command runs.
  @MainActor
  func take(_ text: String?, for number: Int64) {
    guard let asked, asked.number == number else { return }
    self.asked = nil
    asked.answer.resume(returning: text)
  }

  /// The other process is gone: nobody answers any more.
  @MainActor
  func leave() {
    asked?.answer.resume(returning: nil)
    asked = nil
  }
}
