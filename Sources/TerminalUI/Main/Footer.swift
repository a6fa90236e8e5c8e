internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// The keys that do something here, as many as fit; help and quit stay longest.
  ///
  /// Empty under a dialog, which shows its own keys.
  mutating func footer(_ state: State, _ area: Area) {
    guard !area.isEmpty else { return }
    var pen = Cursor(row: area.row, from: area.column + 1, to: area.endColumn - 1)
    // A dialog shows its own keys, and no others are active.
    guard state.dialog == nil else { return }
    let kept = state.page == .main ? 2 : 1
    write(fitting(hints(state), columns: pen.room, gap: 2, kept: kept), gap: 2, &pen)
  }

  /// The keys of the page: its own commands first, then search, movement, and the way back.
  private func hints(_ state: State) -> [KeyHint] {
    let ends = [hint(.back, in: state)]
    let searching = [
      hint(.filter, in: state),
      state.filter.isEmpty ? nil : pair(.nextMatch, .previousMatch, "Match"),
    ]
    let moving = [
      pair(.up, .down, "Move"), pair(.pageUp, .pageDown, "Page"), pair(.top, .bottom, "Top/Bottom"),
    ]
    let hints: [KeyHint?] =
      switch state.page {
      case .plain(.firmware): firmwareHints(state) + ends
      case .plain: UserCommand.hints(in: state).map { hint($0, in: state) }
      case .list(.log, _): logHints(state) + moving.prefix(1) + ends
      case .list(.info, _):
        [choosingSound, inspecting] + searching + [hint(.copy, in: state)] + moving + ends
      case .list(.doctor, let line):
        [fixing(state, line), hint(.refresh, in: state), hint(.copy, in: state)] + searching
          + moving + ends
      case .list(.touch, _):
        [pair(.left, .right, "Change"), hint(.refresh, in: state)] + searching + moving.prefix(1)
          + ends
      case .list(.pairedDevices, let line):
        deviceHints(state, line) + searching + moving.prefix(1) + ends
      case .list(.inspector, let line): inspectorHints(state, line: line)
      case .list(_, let line): [running(state, line)] + searching + moving + ends
      case .equaliser(let editor): equaliserHints(state, editor)
      }
    return hints.compactMap { $0 }
  }

  /// The keys of the log: filter, level, source, copy, and following the newest line.
  private func logHints(_ state: State) -> [KeyHint?] {
    let part = style.hint(for: .otherPanel).map {
      KeyHint(key: $0, label: "Source", command: .otherPanel)
    }
    let follow = style.hint(for: .bottom).map {
      KeyHint(key: $0, label: "Follow", command: .bottom)
    }
    return [
      hint(.filter, in: state), pair(.left, .right, "Level"), part, hint(.copy, in: state), follow,
    ]
  }

  /// Enter on a line of the help whose command would do something now.
  private func running(_ state: State, _ line: Int) -> KeyHint? {
    guard UserCommand.allCases.indices.contains(line),
      UserCommand.allCases[line].availability(in: state) == .available
    else { return nil }
    return style.hint(for: .accept).map { KeyHint(key: $0, label: "Run", command: .accept) }
  }

  /// Enter on a result of the doctor that has a command to run.
  private func fixing(_ state: State, _ line: Int) -> KeyHint? {
    guard let results = state.diagnosis, results.indices.contains(line),
      results[line].fix?.isRunnable == true
    else { return nil }
    return style.hint(for: .accept).map { KeyHint(key: $0, label: "Fix", command: .accept) }
  }

  /// The keys of the paired devices, as far as they would do something for the line of the cursor.
  private func deviceHints(_ state: State, _ line: Int) -> [KeyHint?] {
    guard let headphone = state.headphones.selected, headphone.link.isReady,
      state.pairedDeviceLines.indices.contains(line)
    else { return [hint(.refresh, in: state)] }
    let device = state.pairedDeviceLines[line]
    let keys: [(UserCommand, PairedDeviceAction)] = [
      (.accept, .connect), (.accept, .disconnect), (.routeSound, .play), (.routeSound, .prefer),
      (.forget, .forget),
    ]
    let hints = keys.map { command, action -> KeyHint? in
      guard headphone.pairedDeviceActions.contains(action), device.accepts(action) else {
        return nil
      }
      let label = action.title.prefix(1).uppercased() + action.title.dropFirst()
      return style.hint(for: command).map { KeyHint(key: $0, label: label, command: command) }
    }
    return hints + [hint(.refresh, in: state)]
  }

  /// The key for the inspector on the information page.
  private var inspecting: KeyHint? {
    style.hint(for: .info).map { KeyHint(key: $0, label: "GATT", command: .info) }
  }

  /// Enter on the information page: chooses the audio output.
  private var choosingSound: KeyHint? {
    style.hint(for: .accept).map {
      KeyHint(key: $0, label: "Audio output", command: .accept)
    }
  }
}
