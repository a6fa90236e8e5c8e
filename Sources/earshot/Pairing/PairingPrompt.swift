import BluetoothAttributes
import BluetoothRadio
import Companion
import HeadphoneProtocols
import Sharing

/// The answers to the questions of a pairing, from a terminal or from options.
///
/// One question is open at a time; an answer after the agent has closed it is dropped by its
/// identifier.
///
/// | question | terminal | no terminal | `--yes` | `--passkey`, `--pin` |
/// | --- | --- | --- | --- | --- |
/// | consent | y or n | no | yes | as without it |
/// | compare | y or n | no | yes | as without it |
/// | enter a number | six digits | no | as without it | that number |
/// | enter a PIN | up to 16 characters | no | 0000 without a terminal | that PIN |
/// | show either | shows it | shows it | shows it | shows it |
struct PairingPrompt: Sendable {
  let agent: PairingAgent
  let console: any Console
  var saysYes: Bool
  var passkey: Passkey?
  var pin: PIN?
  /// Hides the line of progress while a question is open.
  let pause: ProgressPause

  /// Whether there is any way to answer; otherwise no question is asked.
  var canReply: Bool { console.isInteractive || saysYes || passkey != nil || pin != nil }

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
        await pause.set(true)
        if console.showsProgress { console.progress("\r\u{1B}[K") }
        asking = (question.id, Task { await reply(to: question) })
      case .closed(let id, let closing):
        guard asking?.id == id else { continue }
        asking?.task.cancel()
        asking = nil
        await pause.set(false)
        if closing == .timedOut { console.progress("\n") }
      }
    }
    asking?.task.cancel()
  }

  /// Asks one question and sends the answer; a number to be typed on the headphone is only shown.
  private func reply(to question: PairingAgent.Question) async {
    let seconds = question.limit.components.seconds
    if let hint = question.hint { console.message(hint) }
    let answer: PairingAnswer?
    switch question.request {
    case .consent:
      answer = await confirm("pair with the headphone? There is no number to compare", seconds)
    case .compare(let passkey):
      answer = await confirm("does the headphone show, or say, \(passkey)?", seconds)
    case .enter: answer = await number(seconds)
    case .enterPIN: answer = await pin(seconds)
    case .show(let passkey, _):
      console.message("type \(passkey) on the headphone, within \(seconds) s")
      return
    case .showPIN(let pin):
      console.message("type \(displayable("\(pin)")) on the headphone, within \(seconds) s")
      return
    }
    guard !Task.isCancelled else { return }
    agent.reply(to: question.id, with: answer ?? .no)
  }

  private func confirm(_ words: String, _ seconds: Int64) async -> PairingAnswer {
    guard !saysYes else {
      console.message("\(words) yes")
      return .yes
    }
    guard await console.ask("\(words) [y/N] (\(seconds) s) ", orElse: "--yes") else { return .no }
    return .yes
  }

  /// Asks until six digits are typed; an empty line declines.
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

  /// Asks until a valid PIN is typed; an empty line is the usual PIN, the end of input declines.
  private func pin(_ seconds: Int64) async -> PairingAnswer {
    if let pin { return .pin(pin) }
    guard console.isInteractive else {
      guard !saysYes else {
        console.message("the headphone's PIN? \(PIN.usual)")
        return .pin(.usual)
      }
      console.message("the headphone asks for its PIN\nrun this in a terminal, or use --pin")
      return .no
    }
    while !Task.isCancelled {
      console.progress("earshot: the headphone's PIN [\(PIN.usual)] (\(seconds) s): ")
      guard let line = await console.line() else { return .no }
      if line.isEmpty { return .pin(.usual) }
      if let pin = PIN(line) { return .pin(pin) }
      console.message("a PIN has 1 to 16 characters")
    }
    return .no
  }
}
