internal import HeadphoneProtocols

/// The kinds of unknown messages of a link, which are reported once each: some come many times a
/// second.
struct UnknownMessages: Sendable {
  private var kinds: Set<String> = []
  private static let most = 64

  /// Returns whether an event is reported: all are but a kind of message that was unknown before.
  mutating func admit(_ event: HeadphoneEvent) -> Bool {
    guard case .unknown(let kind) = event else { return true }
    return kinds.count < Self.most && kinds.insert(kind).inserted
  }
}
