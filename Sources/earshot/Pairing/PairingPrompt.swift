import Bluetooth
import Companion
import GATT
import Sharing

/// The answers to the questions of a pairing, from a terminal or from the options.
///
/// One question is open at a time; an answer that comes after the agent has closed it is dropped by
/// its identifier.
///
/// | question | terminal | `--yes` | `--passkey` | neither |
/// | --- | --- | --- | --- | --- |
/// | consent, compare | y or n | yes | as without it | no |
/// | enter a number | six digits | as without it | that number | no |
/// | show a number | shows it | shows it | shows it | shows it |
struct PairingPrompt: Sendable {
  /// Asks, and takes the answers.
  let agent: PairingAgent
  /// Where questions are written and answers are read.
  let console: any Console
  /// Whether questions that can be answered with yes are answered so (`--yes`).
  var saysYes: Bool
  /// The headphone's passkey, given on the command line.
  var passkey: Passkey?

  /// Whether there is any way to answer; otherwise no question is asked.
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

  /// Asks one question and sends the answer; a number to be typed on the headphone is only shown.
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

  /// Yes by option or by an answer in the terminal; without either, no.
  private func confirm(_ words: String, _ seconds: Int64) async -> PairingAnswer {
    guard !saysYes else {
      console.message("\(words) yes")
      return .yes
    }
    guard await console.ask("\(words) [y/N] (\(seconds) s) ", orElse: "--yes") else { return .no }
    return .yes
  }

  /// Asks until six digits were typed; an empty line is No.
  private func number(_ seconds: Int64) async -> PairingAnswer {
    if let passkey { return .passkey(passkey) }
    guard console.isInteractive else {
      console.message("the headphone asks for its number\nrun this in a terminal, or use --passkey")
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
