package import Companion

extension CursesTerminal {
  /// Shows a notification of the terminal, or none while the terminal reads nothing.
  ///
  /// - Parameters:
  ///   - body: Further text, or empty.
  ///   - form: The form that the terminal supports, which no terminal reports.
  package func notify(_ summary: String, _ body: String, as form: TerminalNotification) {
    guard isOpen, isForeground, modes.isLikeXterm, !emitter.isBusy else { return }
    emitter.send(TerminalSequence.notification(summary, body, as: form))
  }

  /// Returns the sequences that change the window's title and progress; empty if nothing changed.
  func windowChange(to window: WindowInfo) -> String {
    defer { sentWindow = window }
    var text = ""
    if modes.hasTitle, window.title != sentWindow?.title ?? "" {
      text += TerminalSequence.title(window.title)
    }
    if modes.showsProgress, window.progress != sentWindow?.progress {
      text += progressSequence(window.progress)
    }
    return text
  }

  /// Asks once whether the terminal has mode 2026; nothing waits for the answer.
  var synchronizationQuery: String {
    modes.isLikeXterm ? TerminalSequence.synchronizationQuery : ""
  }

  /// Reports the focus; a terminal that announces no new colours is asked for them.
  func focus(_ isFocused: Bool) {
    self.isFocused = isFocused
    if isFocused { askBackground() }
    feed.yield(.focusChanged(isFocused))
  }

  /// Follows the desktop's colours: by the background itself where the terminal reports it.
  func follow(_ scheme: TerminalBackground) {
    if reportsBackground { askBackground() } else { adopt(scheme) }
  }

  private func askBackground() {
    guard isOpen, isForeground else { return }
    sendDrawn(backgroundQuery)
  }
}
