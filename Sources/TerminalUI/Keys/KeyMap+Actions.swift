internal import BluetoothRadio
package import Companion

extension KeyMap {
  /// Returns the actions of a key, in the order to reduce them.
  ///
  /// While text is typed, letters are text. A question also takes y and n. If the page does not use
  /// the key, the action is ``/Companion/Action/unknownKey(_:)``.
  package func actions(for key: Key, in state: State) -> [Action] {
    switch state.dialog {
    case .entry, .commands: typing(key)
    case .question(let question): dialogActions(key, isYesChosen: question.isYesChosen)
    case .pairing(let open): dialogActions(key, open)
    case .soundChoice, .theme: dialog(key)
    case nil: page(key, PageKind(state.page))
    }
  }

  /// Returns the actions of a key; a letter that quits on the main page closes any other page.
  private func page(_ key: Key, _ page: PageKind) -> [Action] {
    guard let command = command(for: key, on: page) else { return [.unknownKey(key.name)] }
    return [.pressed(command == .quit && key.isCharacter && page != .main ? .back : command)]
  }

  private func dialog(_ key: Key) -> [Action] {
    let meant = command(for: key) ?? key.alternative.flatMap { command(for: $0) }
    guard let command = meant, command.isForDialogs else { return [] }
    return [.pressed(command == .quit && key.isCharacter ? .back : command)]
  }

  /// Returns the actions of pasted text in an open entry, without line ends; `text` is unsanitised.
  package func actions(forPaste text: String, in state: State) -> [Action] {
    switch state.dialog {
    case .entry, .commands, .pairing: break
    case .question, .soundChoice, .theme, nil: return []
    }
    return text.compactMap { $0.isNewline ? nil : .typed(.character($0)) }
  }

  /// Handles text and the usual line editing keys: arrows, Home, End, and Emacs' ^A ^E ^B ^F ^D ^U.
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

  private func dialogActions(_ key: Key, _ open: PairingDialog) -> [Action] {
    switch open.question.request {
    case .consent, .compare: dialogActions(key, isYesChosen: open.isYesChosen)
    case .enter, .enterPIN: typing(key)
    case .show, .showPIN: dialog(key)
    }
  }

  /// Returns the actions of a key in a question, which `y` and `n` answer immediately.
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
