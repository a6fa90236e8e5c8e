extension UserCommand {
  package static let doctor = UserCommand(
    "doctor", keys: ["D"], "check the setup (doctor)", hint: 10,
    isHinted: { $0.headphones.selected == nil && $0.adapter == .absent }, isUrgent: { _ in true },
    label: "Doctor", shell: "find out why: earshot doctor"
  ) { state, _ in state.openDoctor() }
}

extension PageKind {
  package static let doctor = PageKind(
    "Doctor",
    commands: [
      PageCommand(
        .accept, "run the fix (asks)",
        currentLabel: { state in
          let result = state.page.line.flatMap { state.diagnosis?.element(at: $0) }
          return result?.fix?.isRunnable == true ? "Fix" : nil
        }
      ) { state, timestamp in
        let fix = state.page.line.flatMap { state.diagnosis?.element(at: $0) }?.fix
        return state.ask(toRun: fix, at: timestamp)
      },
      PageCommand(.refresh, "check again", label: "Refresh") { _, _ in [.examine] },
      PageCommand(.doctor, "close the page"),
    ] + PageCommand.lines,
    lines: { ($0.diagnosis ?? []).map { PageLine($0.text, copied: $0.remedy ?? $0.what) } })
}

extension Question.Subject {
  package static func runFix(_ fix: Fix) -> Self {
    Self(
      "Run this fix?", yes: "Run", of: fix,
      text: { _ in "Run `\(fix.text)` in this terminal? The screen comes back afterwards." }
    ) { _, _ in [.runFix(fix)] }
  }
}

extension State {
  fileprivate mutating func openDoctor() -> [Effect] {
    let effects = open(.doctor(line: 0))
    guard page.kind == .doctor else { return effects }
    diagnosis = nil
    return effects + [.examine]
  }

  /// Asks whether to run the fix of the line under the cursor, or says why there is nothing to run.
  mutating func ask(toRun fix: Fix?, at timestamp: Timestamp) -> [Effect] {
    guard let fix else { return explain("nothing to fix here", at: timestamp) }
    guard fix.isRunnable else { return explain("only you can do this: \(fix.text)", at: timestamp) }
    dialog = .question(Question(.runFix(fix)))
    return []
  }

  mutating func followFix(_ status: Int32, at timestamp: Timestamp) -> [Effect] {
    let words = status == 0 ? "the fix has run" : "the fix failed with status \(status)"
    return say(words, at: timestamp) + (page.kind == .security ? examineSecurity() : [.examine])
  }
}
