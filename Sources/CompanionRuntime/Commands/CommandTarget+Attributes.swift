internal import BluetoothCodec
internal import Companion

extension CommandTarget {
  /// Runs `work` with the headphone's attributes, over the existing link.
  ///
  /// A device without a matching driver has no link in the app, and gets one for this call.
  ///
  /// - Parameter writes: whether `work` changes anything.
  /// - Throws: ``CommandError/link(_:)`` if there is no link, or it ends; what `work` throws.
  /// - Parameters:
  ///   - selector: As of ``run(_:isReading:retries:_:)``.
  ///   - work: Called with an inspector that is valid until it returns.
  /// - Returns: What `work` returned.
  public func inspect<Result: Sendable>(
    _ selector: String?, writes: Bool = false,
    _ work: @Sendable (Inspector) async throws(CommandError) -> Result
  ) async throws(CommandError) -> Result {
    var result: Result?
    do throws(CommandError) {
      try await run(selector, isReading: !writes) { () throws(CommandError) in
        guard let id, let client = effects.attributes(of: id) else { throw .link(.user) }
        result = try await work(Inspector(client))
      }
    } catch .notAHeadphone {
      guard let peer = id.flatMap({ effects.links.peers[$0] }) else { throw .link(.user) }
      return try await Inspector.run(in: effects.dependencies, peer, within: timeout, work)
    }
    guard let result else { throw .link(.user) }
    return result
  }
}
