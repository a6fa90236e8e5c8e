internal import HeadphoneProtocols

/// The unknown messages on a link, each kind reported once, as some arrive many times a second.
struct UnknownMessages: Sendable {
  private var kinds: Set<String> = []
  private static let most = 64

  /// Returns whether to report an event; only a repeated kind of unknown message is not.
  mutating func admit(_ event: HeadphoneEvent) -> Bool {
    guard case .unknown(let kind) = event else { return true }
    return kinds.count < Self.most && kinds.insert(kind).inserted
  }
}
