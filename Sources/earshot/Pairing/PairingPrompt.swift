import Bluetooth
import Companion
import GATT
import Sharing

/// Answers the questions of a pairing, in a terminal or as the options say.
struct PairingPrompt: Sendable {
  let agent: PairingAgent
  let console: any Console
  /// Whether questions that can be answered with yes are.
  var saysYes: Bool
  /// The headphone's passkey, given on the command line.
  var passkey: Passkey?

  var canAnswer: Bool { console.isInteractive || saysYes || passkey != nil }

  /// Answers all questions until the task is cancelled.
  func run(_ events: AsyncStream<PairingAgent.Event>) async {
    var asking: (id: UInt64, task: Task<Void, Never>)?
    for await event in events {
      switch event {
      case .asked(let question) where asking?.id == question.id:
        if case .show(_, let entered) = question.request {
          console.progress("\r\(entered) of 6 digits typed on the headphone")
        }
      case .asked(let question):
        asking?.task.cancel()
        asking = (question.id, Task { await answer(question) })
      case .closed(let id, let closing):
        guard asking?.id == id else { continue }
        asking?.task.cancel()
        asking = nil
        if closing == .timedOut { console.progress("\n") }
      }
    }
    asking?.task.cancel()
  }

  private func answer(_ question: PairingAgent.Question) async {
    let seconds = question.limit.components.seconds
    if let hint = question.hint { console.message(hint) }
    let answer: PairingAnswer?
    switch question.request {
    case .consent:
      answer = await confirm("pair, with no number to compare?", seconds)
    case .compare(let passkey):
      answer = await confirm("does the headphone show, or say, \(passkey)?", seconds)
    case .enter: answer = await number(seconds)
    case .show(let passkey, _):
      console.message("type \(passkey) on the headphone, within \(seconds) s")
      return
    }
    guard !Task.isCancelled else { return }
    agent.answer(question.id, answer ?? .no)
  }

  private func confirm(_ words: String, _ seconds: Int64) async -> PairingAnswer {
    guard !saysYes else {
      console.message("\(words) yes")
      return .yes
    }
    guard await console.ask("\(words) [y/N] (\(seconds) s) ", orElse: "--yes") else { return .no }
    return .yes
  }

  private func number(_ seconds: Int64) async -> PairingAnswer {
    if let passkey { return .passkey(passkey) }
    guard console.isInteractive else {
      console.message("the headphone's number is wanted: start in a terminal, or use --passkey")
      return .no
    }
    while !Task.isCancelled {
      console.progress("earshot: the number that the headphone shows, or says (\(seconds) s): ")
      guard let line = await console.line(), !line.isEmpty else { return .no }
      if let passkey = Passkey(digits: line) { return .passkey(passkey) }
      console.message("the number has six digits")
    }
    return .no
  }
}
