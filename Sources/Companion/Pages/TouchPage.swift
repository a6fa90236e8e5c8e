import HeadphoneProtocols

extension UserCommand {
  package static let touchActions = UserCommand(
    "touch-actions", keys: ["B"], "touch actions: what each gesture does", hint: 84,
    label: "Touch",
    availability: { $0.known("touch actions") { !$1.gestures.isEmpty } }
  ) { state, _ in state.openTouch() }
}

extension PageKind {
  package static let touch = PageKind(
    "Touch actions",
    commands: [
      PageCommand(.left, "previous action", label: "Change") { $0.turnTouch(by: -1, at: $1) },
      PageCommand(.right, "next action", label: "Change") { $0.turnTouch(by: 1, at: $1) },
      PageCommand(.accept, "next action") { $0.turnTouch(by: 1, at: $1) },
      PageCommand(.refresh, "read the actions again", label: "Refresh") { $0.readTouch(at: $1) },
      PageCommand(.touchActions, "close the page") { state, _ in state.open(state.page) },
    ] + PageCommand.lines,
    lines: { state in state.gestures.map { PageLine(state.touchText($0)) } })
}

extension State {
  fileprivate var gestures: [SettingDeclaration] {
    headphones.selected?.capabilities?.gestures ?? []
  }

  /// Opens the page, and reads the actions if the headphone does not report them unasked.
  fileprivate mutating func openTouch() -> [Effect] {
    guard let headphone = headphones.selected else { return [] }
    page = .touch(line: 0)
    let isAsked = headphone.link.isReady && headphone.capabilities?.hasTouchActions == true
    return isAsked ? send(.readTouchActions, to: headphone.id) : []
  }

  fileprivate mutating func readTouch(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    return headphone.capabilities?.hasTouchActions == true
      ? send(.readTouchActions, to: headphone.id) : refresh(at: timestamp)
  }

  /// Chooses another action for the gesture under the cursor, wrapping around.
  fileprivate mutating func turnTouch(by step: Int, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    guard !gestures.isEmpty else {
      return noteUnsupported("touch actions", of: headphone.id, at: timestamp)
    }
    let gesture = page.line.flatMap { gestures.element(at: $0) }
    return gesture.map { turn($0.id, by: step, at: timestamp) } ?? []
  }

  fileprivate func touchText(_ gesture: SettingDeclaration) -> String {
    let headphone = headphones.selected
    let action = headphone?.settings[gesture.id].shown
    let words = action.flatMap { headphone?.words(for: $0, of: gesture.id) }
    return "\(displayable(gesture.title)): \(words ?? "--")"
  }
}
