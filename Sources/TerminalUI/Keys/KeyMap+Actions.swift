internal import Bluetooth
public import Companion

extension KeyMap {
  /// The actions of a key in a state; empty: none.
  ///
  /// A key acts on the page that is shown or not at all. While text is typed, letters are text; a
  /// question also takes y and n.
  ///
  /// - Parameters:
  ///   - key: The key that was pressed.
  ///   - state: The state as its screen sees it: page and dialog decide.
  /// - Returns: The actions to reduce, in order; ``/Companion/Action/unknownKey(_:)`` where the
  ///   page has no use for the key.
  public func actions(for key: Key, in state: State) -> [Action] {
    switch state.dialog {
    case .entry: typing(key)
    case .question(let question): dialogActions(key, isYesChosen: question.isYesChosen)
    case .pairing(let open): dialogActions(key, open)
    case .soundChoice, .theme: dialog(key)
    case nil: page(key, PageKind(state.page))
    }
  }

  /// The letter that quits the main page closes any other; ^C quits everywhere.
  private func page(_ key: Key, _ page: PageKind) -> [Action] {
    guard let command = command(for: key, on: page) else { return [.unknownKey(key.name)] }
    return [.pressed(command == .quit && key.isCharacter && page != .main ? .back : command)]
  }

  /// The actions of a key in a dialog: only keys that move, answer, close, redraw, suspend or quit
  /// have one.
  private func dialog(_ key: Key) -> [Action] {
    guard let command = command(for: key), command.isForDialogs else { return [] }
    return [.pressed(command == .quit && key.isCharacter ? .back : command)]
  }

  /// The actions of pasted text in a state: it goes into an open entry, without its line ends.
  ///
  /// - Parameter text: Unsanitised; control characters in it are dropped by the entry.
  public func actions(forPaste text: String, in state: State) -> [Action] {
    switch state.dialog {
    case .entry, .pairing: break
    case .question, .soundChoice, .theme, nil: return []
    }
    return text.compactMap { $0.isNewline ? nil : .typed(.character($0)) }
  }

  /// Text with the usual editing keys of a line: arrows, Home, End, and Emacs' ^A ^E ^B ^F ^D ^U.
  private func typing(_ key: Key) -> [Action] {
    switch key {
    case .character(let scalar): [.typed(.character(Character(scalar)))]
    case .backspace: [.typed(.backspace)]
    case .delete, .control("d"): [.typed(.delete)]
    case .left, .control("b"): [.typed(.left)]
    case .right, .control("f"): [.typed(.right)]
    case .home, .control("a"): [.typed(.start)]
    case .end, .control("e"): [.typed(.end)]
    case .control("u"): [.typed(.clear)]
    default: dialog(key)
    }
  }

  /// A pairing question, by what it asks for.
  private func dialogActions(_ key: Key, _ open: PairingDialog) -> [Action] {
    switch open.question.request {
    case .consent, .compare: dialogActions(key, isYesChosen: open.isYesChosen)
    case .enter, .enterPIN: typing(key)
    case .show, .showPIN: dialog(key)
    }
  }

  /// `y` and `n` answer at once, whichever answer is chosen.
  private func dialogActions(_ key: Key, isYesChosen: Bool) -> [Action] {
    switch key {
    case .character("y"), .character("Y"):
      (isYesChosen ? [] : [.pressed(.right)]) + [.pressed(.accept)]
    case .character("n"), .character("N"): [.pressed(.back)]
    default: dialog(key)
    }
  }
}

extension Key {
  fileprivate var isCharacter: Bool { if case .character = self { true } else { false } }
}
