import CompanionRuntime

/// What this process is among those that use the same adapter.
enum OwnershipState {
  /// Another one owns the link; it is at the other end.
  case client(LineConnection)
  /// This one does; nil: nobody can come in.
  case owner(OwnerListener?)

  /// Finds out; nil: this process is alone.
  static func find(at place: OwnerEndpoint?) async -> OwnershipState {
    guard let place, place.isUsable else { return .owner(nil) }
    // Between the end of one owner and the next one's begin neither of the two is possible.
    for _ in 0..<100 {
      if let channel = place.connect() { return .client(channel) }
      if let listener = place.open() { return .owner(listener) }
      try? await ContinuousClock().sleep(for: .milliseconds(20))
    }
    return .owner(nil)
  }
}
