internal import BluetoothCodec
internal import Companion
internal import HeadphoneProtocols

extension CommandTarget {
  /// Runs `work` with the headphone's attributes, over the existing link, and returns its result.
  ///
  /// A device without a driver has no link in the app, and is connected for this call.
  ///
  /// - Parameter work: Called with an inspector that is valid until it returns.
  package func inspect<Result: Sendable>(
    _ selector: String?, writes: Bool = false,
    _ work: @Sendable (Inspector) async throws(CommandError) -> Result
  ) async throws(CommandError) -> Result {
    var result: Result?
    do throws(CommandError) {
      try await run(selector, isReading: !writes) { () throws(CommandError) in
        guard let id, let headphone, headphone.link.isReady else { throw .link(.user) }
        guard let client = effects.attributes(of: id) else {
          throw .unavailable("\(Inspector.lack)\n\(Self.advice(on: headphone))")
        }
        result = try await work(Inspector(client))
      }
    } catch .notAHeadphone {
      guard let peer = id.flatMap({ effects.links.peers[$0] }) else { throw .link(.user) }
      return try await Inspector.run(in: effects.dependencies, peer, within: timeout, work)
    }
    guard let result else { throw .link(.user) }
    return result
  }

  private static func advice(on headphone: HeadphoneState) -> String {
    "it is controlled over its audio side: `earshot -d \"\(displayable(headphone.name))\" setting` "
      + "lists what it has, `earshot capture FILE` records its bytes"
  }
}
