/// The replies that are awaited: few, so a list is quicker than a table.
struct PendingRequests: Sendable {
  private var list: [(id: ATTRequestID, reply: Reply)] = []

  mutating func add(_ id: ATTRequestID, _ reply: Reply) { list.append((id, reply)) }

  mutating func take(_ id: ATTRequestID) -> Reply? {
    guard let index = list.firstIndex(where: { $0.id == id }) else { return nil }
    return list.remove(at: index).reply
  }
}
