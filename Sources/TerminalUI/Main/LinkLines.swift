internal import Companion
internal import HeadphoneProtocols

extension LinkState {
  /// Whether the link was lost, so that signal and charge are from before.
  var isAway: Bool {
    switch self {
    case .reconnecting: true
    case .pending(_, .backoff(let failures)): failures > 0
    default: false
    }
  }
}

extension Drawing {
  /// The state of the control link in lines of so many columns.
  ///
  /// Two columns are kept for the mark.
  func stateText(_ headphone: HeadphoneState, columns: Int) -> [String] {
    let words = displayable(headphone.linkText)
    return wrapped(words, columns: max(1, columns - 2))
  }

  /// What to do about the state of the link, in lines of so many columns.
  ///
  /// Where a failure brings no advice of its own and nothing is under way, the key that connects is
  /// named.
  func adviceLines(
    _ headphone: HeadphoneState, _ adapter: AdapterState, columns: Int
  ) -> [String] {
    let advice = displayable(headphone.link.advice(adapter))
    let link = headphone.link
    guard advice.isEmpty, !link.isBusy, !link.isConnected, !headphone.isAdvertisingOnly,
      let key = style.hint(for: .connectOrDisconnect)
    else {
      return wrapped(advice, columns: max(1, columns - 2))
    }
    return wrapped("Press \(key) to connect.", columns: max(1, columns - 2))
  }

  /// A line of the state, or what to do about it.
  ///
  /// - Parameters:
  ///   - line: `state`, `stateRest` or `advice`; others draw nothing.
  ///   - headphone: The selected one.
  ///   - adapter: Its state explains some states of the link.
  ///   - place: The whole row.
  mutating func linkLine(
    _ line: ControlLine, _ headphone: HeadphoneState, _ adapter: AdapterState, _ place: Cursor
  ) {
    var pen = place
    let words = stateText(headphone, columns: pen.room)
    switch line {
    case .state:
      write(headphone.link.mark(symbols) + " ", headphone.link.role, &pen)
      write(words.first ?? "", headphone.link.role, &pen)
      signalAtEnd(headphone, pen)
    case .stateRest(let number):
      skip(2, &pen)
      if words.indices.contains(number) {
        write(words[number], headphone.link.role, &pen)
      }
    case .advice(let number):
      let lines = adviceLines(headphone, adapter, columns: pen.room)
      skip(2, &pen)
      if lines.indices.contains(number) { write(lines[number], .muted, &pen) }
    default: break
    }
  }

  /// The words of the state come first: the signal is shown where they leave room for it.
  private mutating func signalAtEnd(_ headphone: HeadphoneState, _ place: Cursor) {
    guard let rssi = headphone.rssi else { return }
    let columns = signalColumns(rssi)
    guard columns + 2 <= place.room else { return }
    var pen = Cursor(row: place.row, from: place.end - columns, to: place.end)
    signal(rssi, isLive: !headphone.link.isAway, &pen)
  }
}
