import Companion
import CompanionRuntime
import Synchronization

/// A command that another process asked this one for, which owns the link.
final class Visit: Sendable {
  /// The visit that this task is about; nil: the command is this process's own.
  @TaskLocal static var current: Visit?

  let store: Store
  let effects: LiveEffects
  private let channel: LineChannel
  private let answers = Mutex<[Answer]>([])

  init(_ channel: LineChannel, store: Store, effects: LiveEffects) {
    self.channel = channel
    self.store = store
    self.effects = effects
  }

  /// Tells the other process when it next takes something.
  func tell(_ answer: Answer) { answers.withLock { $0.append(answer) } }

  /// Waits until the other process has taken all; false: it is gone.
  func deliver() async -> Bool {
    while let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      guard await channel.send(answer) else { return false }
    }
    return true
  }
}
