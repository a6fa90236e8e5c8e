package import HeadphoneProtocols

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
      PageCommand(
        .otherPanel, "same gesture on the other bud",
        currentLabel: { $0.touchLines.shared.isEmpty ? nil : "Other bud" }
      ) { $0.goToOtherBud(at: $1) },
      PageCommand(.previousPanel, "same gesture on the other bud") { $0.goToOtherBud(at: $1) },
      PageCommand(.refresh, "read the actions again", label: "Refresh") { $0.readTouch(at: $1) },
      PageCommand(.touchActions, "close the page") { state, _ in state.open(state.page) },
    ] + PageCommand.lines,
    lines: { state in state.touchLines.gestures.map { PageLine(state.touchText($0)) } })
}

/// The gestures of a headphone in the order of the page's lines.
package struct TouchLines: Hashable, Sendable {
  /// The gestures; if both buds have the same ones, the left bud's before the right bud's.
  package let gestures: [SettingDeclaration]
  /// The titles without a side if both buds have the same gestures, else empty.
  package let shared: [String]

  package init(_ gestures: [SettingDeclaration]) {
    let pairs = gestures.compactMap { left in
      left.title(on: .left).flatMap { title in
        gestures.first { $0.title(on: .right) == title }.map { (title, left: left, right: $0) }
      }
    }
    let areAlike = pairs.count * 2 == gestures.count
    self.gestures = areAlike ? pairs.map(\.left) + pairs.map(\.right) : gestures
    shared = areAlike ? pairs.map(\.0) : []
  }
}

extension SettingDeclaration {
  /// Returns the title without the side, or nil if the gesture is not one of this bud.
  fileprivate func title(on side: Side) -> String? {
    let (start, end) = ("\(side.name), ", " \(side.name)")
    if title.lowercased().hasPrefix(start) { return String(title.dropFirst(start.count)) }
    return title.hasSuffix(end) ? String(title.dropLast(end.count)) : nil
  }
}

extension State {
  package var touchLines: TouchLines {
    TouchLines(headphones.selected?.capabilities?.gestures ?? [])
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
    let gestures = touchLines.gestures
    guard !gestures.isEmpty else {
      return noteUnsupported("touch actions", of: headphone.id, at: timestamp)
    }
    let gesture = page.line.flatMap { gestures.element(at: $0) }
    return gesture.map { turn($0.id, by: step, at: timestamp) } ?? []
  }

  fileprivate mutating func goToOtherBud(at timestamp: Timestamp) -> [Effect] {
    let touch = touchLines
    guard let line = page.line, !touch.shared.isEmpty else {
      return explain("the buds do not have the same gestures", at: timestamp)
    }
    page = page.with(line: (line + touch.shared.count) % touch.gestures.count)
    return []
  }

  fileprivate func touchText(_ gesture: SettingDeclaration) -> String {
    let headphone = headphones.selected
    let action = headphone?.settings[gesture.id].shown
    let words = action.flatMap { headphone?.words(for: $0, of: gesture.id) }
    return "\(displayable(gesture.title)): \(words ?? "--")"
  }
}
