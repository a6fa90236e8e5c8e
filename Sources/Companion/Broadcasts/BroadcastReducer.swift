package import HeadphoneProtocols

package enum BroadcastEvent: Hashable, Sendable {
  case heard(Broadcast)
  /// A shell command started or stopped listing broadcasts.
  case wanted(Bool)
  case failed(String, advice: String)
}

package struct BroadcastsNearby: Hashable, Sendable {
  private struct Heard: Hashable, Sendable {
    var broadcast: Broadcast
    var at: Timestamp
  }

  /// The maximum number of broadcasts, since anyone can advertise them.
  static let limit = 64
  /// The milliseconds for which a broadcast is kept after it was last heard.
  static let lifetime: Int64 = 30_000

  private var heard: [Heard] = []
  var commands = 0
  package internal(set) var isSearching = false
  package internal(set) var problem: String?

  package var list: [Broadcast] { heard.map(\.broadcast) }

  mutating func hear(_ broadcast: Broadcast, at timestamp: Timestamp) {
    heard.removeAll {
      timestamp.milliseconds - $0.at.milliseconds > Self.lifetime && $0.broadcast.id != broadcast.id
    }
    guard let index = heard.firstIndex(where: { $0.broadcast.id == broadcast.id }) else {
      if heard.count < Self.limit { heard.append(Heard(broadcast: broadcast, at: timestamp)) }
      return
    }
    var newer = broadcast
    let before = heard[index].broadcast
    newer.set = newer.set ?? before.set
    newer.interval = newer.interval ?? before.interval
    newer.name = newer.name ?? before.name
    newer.features = newer.features ?? before.features
    heard[index] = Heard(broadcast: newer, at: timestamp)
  }

  mutating func lock(_ id: BroadcastID) {
    guard let index = heard.firstIndex(where: { $0.broadcast.id == id }) else { return }
    heard[index].broadcast.features = (heard[index].broadcast.features ?? []).union(.encrypted)
  }
}

extension State {
  mutating func follow(_ event: BroadcastEvent, at timestamp: Timestamp) -> [Effect] {
    switch event {
    case .heard(let broadcast):
      guard broadcasts.isSearching else { return [] }
      broadcasts.hear(broadcast, at: timestamp)
      return []
    case .wanted(let isWanted):
      broadcasts.commands = max(0, broadcasts.commands + (isWanted ? 1 : -1))
      return []
    case .failed(let why, let advice):
      broadcasts.isSearching = false
      broadcasts.problem = advice.isEmpty ? why : "\(why): \(advice)"
      return announceSearch()
        + note(.warning, nil, "search for broadcasts: \(why)", at: timestamp)
    }
  }

  /// Searches while a screen or command lists broadcasts.
  mutating func searchBroadcasts(isOpened: Bool) -> [Effect] {
    let isShown = screens[.broadcasts] != nil
    let isWanted = (isShown || broadcasts.commands > 0) && !isEnding
    if !isWanted || isOpened { broadcasts.problem = nil }
    var isReady = false
    if case .ready = adapter { isReady = true }
    let shallSearch = isWanted && isReady && broadcasts.problem == nil
    guard shallSearch != broadcasts.isSearching else {
      // The link of a headphone may have come up since.
      return shallSearch ? announceSearch() : []
    }
    broadcasts.isSearching = shallSearch
    return [.searchBroadcasts(shallSearch)] + announceSearch()
  }

  /// Sends Remote Scan Started or Stopped (BAP 1.0.1, 6.5); meanwhile, a headphone need not scan.
  private mutating func announceSearch() -> [Effect] {
    let isOn = broadcasts.isSearching
    var effects: [Effect] = []
    for headphone in headphones
    where headphone.link.use == .ready && headphone.capabilities?.hasBroadcasts == true
      && headphone.isSearchAnnounced != isOn
    {
      headphones.update(headphone.id) { $0.isSearchAnnounced = isOn }
      effects += send(.announceSearch(isOn), to: headphone.id)
    }
    return effects
  }

  /// Handles the end of a command; a broadcast found to be locked needs its code next time.
  mutating func settle(
    _ command: BroadcastCommand, _ token: CommandToken, _ outcome: CommandOutcome,
    of id: HeadphoneID
  ) {
    headphones.update(id) { if $0.broadcastRequest?.token == token { $0.broadcastRequest = nil } }
    guard case .join(let broadcast, _) = command else { return }
    switch outcome {
    case .failed(.broadcast(.codeNeeded)), .failed(.broadcast(.wrongCode)):
      broadcasts.lock(broadcast.id)
    default: break
    }
  }

  mutating func endProblem(of id: HeadphoneID) {
    guard case .plays(let broadcast, id)? = problem?.end,
      headphones[id]?.receptions.allSatisfy({ $0.playing?.source.broadcast == broadcast }) == true
    else { return }
    problem = nil
  }

  mutating func request(_ command: BroadcastCommand, of id: HeadphoneID) -> [Effect] {
    let token = nextToken
    headphones.update(id) {
      $0.broadcastRequest = BroadcastPending(token: token, broadcast: command.broadcast)
    }
    return send(.broadcast(command), to: id)
  }
}

package struct BroadcastPending: Hashable, Sendable {
  var token: CommandToken
  /// The broadcast to join; nil for a request to stop listening.
  package var broadcast: BroadcastID?
}

extension BroadcastCommand {
  fileprivate var broadcast: BroadcastID? {
    if case .join(let broadcast, _) = self { broadcast.id } else { nil }
  }
}

extension HeadphoneState {
  mutating func adopt(_ reception: BroadcastReception) {
    if let index = receptions.firstIndex(where: { $0.side == reception.side }) {
      receptions[index] = reception
    } else {
      receptions.append(reception)
    }
  }

  package var broadcastSources: [ReceiveState] {
    var seen: Set<BroadcastID> = []
    let all = receptions.flatMap(\.sources)
    return (all.filter(\.isPlaying) + all).filter { seen.insert($0.source.broadcast).inserted }
  }
}
