internal import Companion
package import HeadphoneProtocols

extension CommandTarget {
  /// Searches for broadcasts, alongside other scans, and returns them in the order of discovery.
  ///
  /// - Parameter received: Called for each change; returns whether to stop.
  package func searchBroadcasts(
    for duration: Duration, received: @MainActor ([Broadcast]) -> Bool
  ) async throws(CommandError) -> [Broadcast] {
    store.send(.broadcast(.wanted(true)))
    defer { store.send(.broadcast(.wanted(false))) }
    await first(within: duration) { state in
      state.broadcasts.problem != nil || state.adapter.isUnusable
        || received(state.broadcasts.list)
    }
    if let problem = state.broadcasts.problem {
      throw .unavailable("broadcasts cannot be searched for\n\(problem)")
    }
    try requireAdapter()
    return state.broadcasts.list
  }

  /// Sends the headphone to a broadcast, and returns when its receive states show that it listens.
  ///
  /// - Parameter name: The name or identity of the broadcast, or the beginning of its name.
  ///
  /// - Throws: ``CommandError/unavailable(_:)`` if none or several match;
  ///   ``CommandError/command(_:)`` with what the receive states show.
  package func join(
    _ name: String, code: (Broadcast) async throws(CommandError) -> BroadcastCode?
  ) async throws(CommandError) {
    try require(\.hasBroadcasts, "Auracast")
    let all = try await searchBroadcasts(for: min(timeout, Self.searchTime)) { list in
      list.contains { $0.isExactly(name) }
    }
    let broadcast = try Self.broadcast(named: name, among: all)
    try await perform(.broadcast(.join(broadcast, try await code(broadcast))))
    // The other bud may report a little later.
    await settle { $0.receptions.allSatisfy { $0.playing != nil } }
  }

  package func leaveBroadcast() async throws(CommandError) {
    try require(\.hasBroadcasts, "Auracast")
    try await perform(.broadcast(.leave))
    await settle { $0.broadcastSources.isEmpty }
  }

  package func reception() throws(CommandError) -> ReceptionReport {
    guard let headphone else { throw .link(.user) }
    try require(\.hasBroadcasts, "Auracast")
    return ReceptionReport(headphone, in: state)
  }

  /// The time of a search: sources advertise several times a second, but may be behind a wall.
  private static let searchTime: Duration = .seconds(6)

  private static func broadcast(
    named name: String, among all: [Broadcast]
  ) throws(CommandError) -> Broadcast {
    let wanted = name.lowercased()
    let exact = all.filter { $0.isExactly(name) }
    let meant = exact.isEmpty ? all.filter { $0.title.lowercased().hasPrefix(wanted) } : exact
    guard let broadcast = meant.first else {
      let near = all.map(\.title).nearest(to: name).map { "; did you mean \"\($0)\"?" } ?? ""
      throw .unavailable(
        "no broadcast \"\(displayable(name))\" nearby\(near)\n`earshot broadcasts` lists them")
    }
    guard meant.count == 1 else {
      throw .unavailable(
        "several broadcasts match: \(meant.map(\.title).joined(separator: ", "))\n"
          + "choose one by its identity: "
          + meant.map(\.id.displayText).joined(separator: ", "))
    }
    return broadcast
  }
}

extension Broadcast {
  fileprivate func isExactly(_ name: String) -> Bool {
    title.lowercased() == name.lowercased() || id.displayText.lowercased() == name.lowercased()
  }
}
