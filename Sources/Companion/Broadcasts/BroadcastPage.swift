package import HeadphoneProtocols

extension UserCommand {
  package static let broadcasts = UserCommand(
    "broadcasts", keys: ["J"], "Auracast broadcasts nearby: listen to one, or stop", hint: 58,
    label: "Auracast",
    availability: { state in state.available("Auracast", where: \.hasBroadcasts) }
  ) { state, _ in state.open(.broadcasts(line: 0)) }
}

extension PageKind {
  package static let broadcasts = PageKind(
    "Broadcasts",
    commands: [
      PageCommand(
        .accept, "listen to the broadcast, or stop",
        currentLabel: { state in
          state.broadcastUnderCursor.map { state.isPlaying($0.id) ? "Stop" : "Listen" }
        }
      ) { $0.joinOrLeave(at: $1) },
      PageCommand(.broadcasts, "close the page"),
    ] + PageCommand.lines,
    lines: { state in
      state.broadcastLines.map { PageLine("\($0.title) \($0.programme ?? "")", copied: $0.title) }
    },
    runsWhileShown: true)
}

extension TextEntry.Purpose {
  package static func broadcastCode(_ id: HeadphoneID, _ broadcast: Broadcast) -> Self {
    Self(
      "CODE OF \(broadcast.title.uppercased())", "4 to 16 characters; it is kept nowhere.",
      of: id, broadcast
    ) { $0.join(broadcast, with: $1, on: id, at: $2) }
  }
}

extension State {
  /// The broadcasts that are heard, followed by others that the headphone knows.
  package var broadcastLines: [Broadcast] {
    let heard = broadcasts.list
    let known = (readyHeadphone?.broadcastSources ?? []).filter { state in
      !heard.contains { $0.id == state.source.broadcast }
    }
    return heard
      + known.map { state in
        var broadcast = Broadcast(state.source.broadcast, at: state.source.address)
        broadcast.set = state.source.set
        broadcast.name = state.metadata.broadcastName ?? state.metadata.programme
        return broadcast
      }
  }

  /// Returns the headphone's or each bud's use of a broadcast, or "" if none.
  package func receptionText(of id: BroadcastID) -> String {
    guard let headphone = readyHeadphone else { return "" }
    let texts = headphone.receptions.compactMap { reception in
      reception.sources.first { $0.source.broadcast == id }.map { (reception.side, $0.displayText) }
    }
    guard let first = texts.first else { return "" }
    if headphone.receptions.count == texts.count, texts.allSatisfy({ $0.1 == first.1 }) {
      return first.1
    }
    return texts.map { side, text in (side.map { "\($0.name) " } ?? "") + text }
      .joined(separator: ", ")
  }

  package func isPlaying(_ id: BroadcastID) -> Bool {
    readyHeadphone?.receptions.contains { $0.playing?.source.broadcast == id } == true
  }

  fileprivate var broadcastUnderCursor: Broadcast? {
    page.line.flatMap { broadcastLines.element(at: $0) }
  }

  fileprivate mutating func joinOrLeave(at timestamp: Timestamp) -> [Effect] {
    guard let broadcast = broadcastUnderCursor else { return [] }
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    if isPlaying(broadcast.id) { return request(.leave, of: headphone.id) }
    guard broadcast.isLocked == true else {
      return request(.join(broadcast, nil), of: headphone.id)
    }
    dialog = .entry(TextEntry(.broadcastCode(headphone.id, broadcast)))
    return []
  }

  fileprivate mutating func join(
    _ broadcast: Broadcast, with entry: TextEntry, on id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    guard let code = BroadcastCode(entry.text) else {
      return complain("a code has 4 to 16 characters", in: entry)
    }
    dialog = nil
    guard let headphone = readyHeadphone, headphone.id == id else {
      return noteNotConnected(at: timestamp)
    }
    return request(.join(broadcast, code), of: id)
  }
}
