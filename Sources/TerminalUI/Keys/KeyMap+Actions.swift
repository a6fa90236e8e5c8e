internal import Bluetooth
public import Companion

extension KeyMap {
  /// What pressing a key means in a state; empty: nothing.
  ///
  /// A key acts on the page that is shown or not at all. While text is typed, letters are text; a
  /// question also takes y and n.
  public func actions(for key: Key, in state: State) -> [Action] {
    switch state.dialog {
    case .entry: typing(key)
    case .question(let question): answering(key, isYesChosen: question.isYesChosen)
    case .pairing(let open): answering(key, open)
    case .soundChoice: dialog(key)
    case nil: page(key, PageKind(state.page))
    }
  }

  /// The letter that quits the main page closes any other; ^C quits everywhere.
  private func page(_ key: Key, _ page: PageKind) -> [Action] {
    guard let command = command(for: key, on: page) else { return [.unknownKey(key.name)] }
    return [.pressed(command == .quit && key.isCharacter && page != .main ? .back : command)]
  }

  private func dialog(_ key: Key) -> [Action] {
    guard let command = command(for: key), command.isForDialogs else { return [] }
    return [.pressed(command == .quit && key.isCharacter ? .back : command)]
  }

  /// What pasted text means in a state: it goes into an open entry, without its line ends.
  public func actions(forPaste text: String, in state: State) -> [Action] {
    switch state.dialog {
    case .entry, .pairing: break
    case .question, .soundChoice, nil: return []
    }
    return text.compactMap { $0.isNewline ? nil : .typed(.character($0)) }
  }

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

  private func answering(_ key: Key, _ open: PairingDialog) -> [Action] {
    switch open.question.request {
    case .consent, .compare: answering(key, isYesChosen: open.isYesChosen)
    case .enter: typing(key)
    case .show: dialog(key)
    }
  }

  private func answering(_ key: Key, isYesChosen: Bool) -> [Action] {
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
