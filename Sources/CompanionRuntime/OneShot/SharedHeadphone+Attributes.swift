internal import BluetoothCodec
internal import Companion

extension SharedHeadphone {
  /// Does `work` with the headphone's attributes, over the link that the program has.
  ///
  /// What speaks no language that the program knows has no such link, and gets one of its own.
  ///
  /// - Parameter writes: `work` changes something.
  public func inspect<Result: Sendable>(
    _ selector: String?, writes: Bool = false,
    _ work: @Sendable (Inspector) async throws(CommandError) -> Result
  ) async throws(CommandError) -> Result {
    var result: Result?
    do throws(CommandError) {
      try await run(selector) { () throws(CommandError) in
        guard let id, let client = await effects.attributes(of: id) else { throw .link(.user) }
        if writes { try await warn() }
        result = try await work(Inspector(client))
      }
    } catch .notAHeadphone {
      let finder = Finder(
        selector: headphone?.address.address.description, newDevice: .only, timeout: timeout)
      if writes { try await warn() }
      return try await Inspector.run(in: effects.world, finder, work)
    }
    guard let result else { throw .link(.user) }
    return result
  }
}
