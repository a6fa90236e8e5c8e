internal import Companion

extension CommandTarget {
  /// Does `work` with the headphone's attributes, over the link that the program has.
  ///
  /// A device that no driver understands has no such link, and gets one of its own.
  ///
  /// - Parameter writes: `work` changes something.
  public func inspect<Result: Sendable>(
    _ selector: String?, writes: Bool = false,
    _ work: @Sendable (Inspector) async throws(CommandError) -> Result
  ) async throws(CommandError) -> Result {
    var result: Result?
    do throws(CommandError) {
      try await run(selector, isReading: !writes) { () throws(CommandError) in
        guard let id, let client = await effects.attributes(of: id) else { throw .link(.user) }
        result = try await work(Inspector(client))
      }
    } catch .notAHeadphone {
      guard let peer = id.flatMap({ effects.links.peers[$0] }) else { throw .link(.user) }
      return try await Inspector.run(in: effects.world, peer, within: timeout, work)
    }
    guard let result else { throw .link(.user) }
    return result
  }
}
