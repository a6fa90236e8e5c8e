import HeadphoneProtocols

/// The page of the touch actions: a line for each gesture of each bud.
extension State {
  /// Opens the page, and reads the actions over a ready link; on the page, closes it.
  mutating func openTouch(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected, headphone.capabilities != nil else {
      return noteNotConnected(at: timestamp)
    }
    guard headphone.capabilities?.hasTouchActions == true else {
      return noteUnsupported("touch actions", of: headphone.id, at: timestamp)
    }
    if page.isSamePage(as: .touch(line: 0)) {
      page = .main
      return []
    }
    page = .touch(line: 0)
    return headphone.link.isReady ? send(.readTouchActions, to: headphone.id) : []
  }

  /// Reads the actions once more.
  mutating func readTouch(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    return send(.readTouchActions, to: headphone.id)
  }

  /// Gives the gesture of a line another action.
  ///
  /// - Parameters:
  ///   - line: of the page, from 0.
  ///   - step: by how many actions, round the ends.
  mutating func turnTouch(_ line: Int, by step: Int, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    guard headphone.capabilities?.hasTouchActions == true else {
      return noteUnsupported("touch actions", of: headphone.id, at: timestamp)
    }
    let places = TouchSettings.Place.allCases
    guard places.indices.contains(line),
      let action = headphone.touch[places[line]].shown.step(by: step, in: TouchAction.allCases)
    else { return [] }
    let place = places[line]
    return want(action, of: \.touch[place]) { .setTouchAction(place.side, place.gesture, $0) }
  }

  /// The text of a line, for searching and copying.
  func touchText(_ place: TouchSettings.Place) -> String {
    let action = headphones.selected?.touch[place].shown
    return "\(place.title): \(action?.title ?? "--")"
  }
}
