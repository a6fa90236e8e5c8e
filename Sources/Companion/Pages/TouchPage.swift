import HeadphoneProtocols

extension UserCommand {
  package static let touchActions = UserCommand(
    "touch-actions", keys: ["B"], "touch actions: what each gesture does", hint: 84,
    label: "Touch",
    availability: { $0.known("touch actions") { $1.hasTouchActions } }
  ) { state, _ in state.openTouch() }
}

extension PageKind {
  public static let touch = PageKind(
    "Touch actions",
    commands: [
      PageCommand(.left, "previous action", label: "Change") { $0.turnTouch(by: -1, at: $1) },
      PageCommand(.right, "next action", label: "Change") { $0.turnTouch(by: 1, at: $1) },
      PageCommand(.accept, "next action") { $0.turnTouch(by: 1, at: $1) },
      PageCommand(.refresh, "read the actions again", label: "Refresh") { $0.readTouch(at: $1) },
      PageCommand(.touchActions, "close the page") { state, _ in state.open(state.page) },
    ] + PageCommand.lines,
    lines: { state in TouchPlace.allCases.map { PageLine(state.touchText($0)) } })
}

extension State {
  fileprivate mutating func openTouch() -> [Effect] {
    guard let headphone = headphones.selected else { return [] }
    page = .touch(line: 0)
    return headphone.link.isReady ? send(.readTouchActions, to: headphone.id) : []
  }

  fileprivate mutating func readTouch(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    return send(.readTouchActions, to: headphone.id)
  }

  /// Chooses another action for the gesture under the cursor.
  ///
  /// - Parameter step: the number of actions to step by, wrapping at the ends.
  fileprivate mutating func turnTouch(by step: Int, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    guard headphone.capabilities?.hasTouchActions == true else {
      return noteUnsupported("touch actions", of: headphone.id, at: timestamp)
    }
    let place = page.line.flatMap { TouchPlace.allCases.element(at: $0) }
    return place.map { turn($0.setting, by: step, at: timestamp) } ?? []
  }

  func touchText(_ place: TouchPlace) -> String {
    let action = headphones.selected?.settings[place.setting, as: TouchAction.self].shown
    return "\(place.title): \(action?.title ?? "--")"
  }
}
