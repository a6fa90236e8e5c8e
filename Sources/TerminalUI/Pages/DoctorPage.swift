internal import BluetoothRadio
internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let doctor = PageView(.doctor) { $0.doctorPage($1, line: $2.line ?? 0) }
}

extension Drawing {
  /// Draws the problems with their remedies: Enter runs one after a question, `y` copies it.
  mutating func doctorPage(_ state: State, line: Int) {
    page(state) { drawing, area in
      var note = state.diagnosis.map(drawing.doctorNote) ?? ""
      // Virtual headphones need no adapter.
      if case .ready(let adapter) = state.adapter, adapter.isVirtual, area.columns >= 60 {
        note = note.isEmpty ? "real adapter" : "real adapter: \(note)"
      }
      let box = Box(
        title: "DOCTOR", isFocused: true,
        note: state.filter.isEmpty ? note : drawing.searchNote(state))
      let inner = drawing.frame(box, area)
      guard let results = state.diagnosis else { return drawing.checking(inner) }
      drawing.checkLines(
        results.map(CheckLine.init), titles: Check.allCases.map(\.title), state, cursor: line, inner
      )
    }
  }

  private func doctorNote(_ results: [DiagnosticResult]) -> String {
    let counts = [DiagnosticResult.State.problem, .warning].compactMap { state -> String? in
      let count = results.count { $0.state == state }
      return count == 0 ? nil : "\(count) \(state.rawValue)\(count == 1 ? "" : "s")"
    }
    return counts.isEmpty ? "nothing to fix" : counts.joined(separator: ", ")
  }
}

extension CheckLine {
  fileprivate init(_ result: DiagnosticResult) {
    let mark: Mark =
      switch result.state {
      case .ok: .passed
      case .warning: .doubtful
      case .problem: .failed
      case .unknown: .unknown
      }
    self.init(
      mark: mark, word: result.state.rawValue, title: result.check.title,
      slug: result.check.rawValue, what: result.what,
      remedy: result.remedy, text: result.text)
  }
}
