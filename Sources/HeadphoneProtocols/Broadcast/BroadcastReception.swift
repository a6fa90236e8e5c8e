/// The reception of broadcasts by a headphone or one bud of a set, according to its receive states.
public struct BroadcastReception: Hashable, Sendable {
  /// The bud, or nil for the whole headphone or if not reported.
  public var side: Side?
  /// The known sources, without wrong codes.
  public var sources: [ReceiveState]
  /// The advertising set being tried, or nil if the radio reported the set.
  public var triedSet: UInt8?

  /// Creates a reception, and removes wrong codes from its sources.
  public init(_ side: Side?, _ sources: [ReceiveState], triedSet: UInt8? = nil) {
    self.side = side
    self.sources = sources
    self.triedSet = triedSet
    for index in self.sources.indices { self.sources[index].badCode = nil }
  }

  /// The source being played, or nil if there is none.
  public var playing: ReceiveState? { sources.first(where: \.isPlaying) }
}
