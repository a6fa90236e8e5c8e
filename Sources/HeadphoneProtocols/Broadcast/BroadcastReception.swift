/// What a headphone, or one bud of a set, does with broadcasts now, by its receive states.
public struct BroadcastReception: Hashable, Sendable {
  /// The bud; nil: the whole headphone, or not reported.
  public var side: Side?
  /// All sources that it knows, without the codes.
  public var sources: [ReceiveState]
  /// The advertising set that is tried, where the radio did not report it.
  public var triedSet: UInt8?

  /// A reception; the wrong codes of its sources are dropped.
  public init(_ side: Side?, _ sources: [ReceiveState], triedSet: UInt8? = nil) {
    self.side = side
    self.sources = sources
    self.triedSet = triedSet
    for index in self.sources.indices { self.sources[index].badCode = nil }
  }

  /// The source that is played; nil: none.
  public var playing: ReceiveState? { sources.first(where: \.isPlaying) }
}
