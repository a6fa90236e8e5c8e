public import HeadphoneProtocols

/// The search for broadcasts.
public enum BroadcastEvent: Hashable, Sendable {
  /// An advertisement of a broadcast was received, for the first time or again.
  case heard(Broadcast)
  /// A command of the shell lists broadcasts, or does so no longer.
  case wanted(Bool)
  /// The search cannot go on: why, and what to do.
  case failed(String, advice: String)
}

/// The broadcasts nearby, as far as they are searched for.
public struct BroadcastsNearby: Hashable, Sendable {
  private struct Heard: Hashable, Sendable {
    var broadcast: Broadcast
    var at: Timestamp
  }

  /// The most that are kept: the air is hostile.
  static let limit = 64
  /// How long a broadcast that is not heard any more stays, in milliseconds.
  static let lifetime: Int64 = 30_000

  private var heard: [Heard] = []
  /// The number of commands of the shell that list broadcasts.
  var commands = 0
  /// Whether the radio searches.
  public internal(set) var isSearching = false
  /// Why the search cannot go on; nil: it does, or is not wanted.
  public internal(set) var problem: String?

  /// In the order in which they were first heard.
  public var list: [Broadcast] { heard.map(\.broadcast) }

  /// Keeps what was advertised; a set or a name that is left out this time stays.
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

  /// A headphone found that it needs a code.
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

  /// Searches for as long as a screen or a command lists broadcasts.
  ///
  /// - Parameter isOpened: whether this screen lists them since the action.
  mutating func searchBroadcasts(isOpened: Bool) -> [Effect] {
    let isShown = screens[.broadcasts] != nil
    let isWanted = (isShown || broadcasts.commands > 0) && !isQuitting
    if !isWanted || isOpened { broadcasts.problem = nil }
    var isReady = false
    if case .ready = adapter { isReady = true }
    let shallSearch = isWanted && isReady && broadcasts.problem == nil
    guard shallSearch != broadcasts.isSearching else {
      // A headphone whose link has come up since.
      return shallSearch ? announceSearch() : []
    }
    broadcasts.isSearching = shallSearch
    return [.searchBroadcasts(shallSearch)] + announceSearch()
  }

  /// Remote Scan Started and Stopped (Basic Audio Profile 1.0.1, 6.5): while its assistant searches,
  /// a headphone need not.
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

  /// A command about broadcasts has ended; a broadcast that turned out to be locked asks for its
  /// code the next time.
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

  /// The end of a problem with a broadcast that plays after all.
  mutating func endProblem(of id: HeadphoneID) {
    guard case .plays(let broadcast, id)? = problem?.end,
      headphones[id]?.receptions.allSatisfy({ $0.playing?.source.broadcast == broadcast }) == true
    else { return }
    problem = nil
  }

  /// Sends a command about broadcasts, which ends the one before it.
  mutating func request(_ command: BroadcastCommand, of id: HeadphoneID) -> [Effect] {
    let token = nextToken
    headphones.update(id) {
      $0.broadcastRequest = BroadcastPending(token: token, broadcast: command.broadcast)
    }
    return send(.broadcast(command), to: id)
  }
}

/// A request about broadcasts that is on the air.
public struct BroadcastPending: Hashable, Sendable {
  var token: CommandToken
  /// The broadcast that is joined; nil: the headphone is to stop listening.
  public var broadcast: BroadcastID?
}

extension BroadcastCommand {
  fileprivate var broadcast: BroadcastID? {
    if case .join(let broadcast, _) = self { broadcast.id } else { nil }
  }
}

extension HeadphoneState {
  /// One bud's reception, or that of the whole headphone.
  mutating func adopt(_ reception: BroadcastReception) {
    if let index = receptions.firstIndex(where: { $0.side == reception.side }) {
      receptions[index] = reception
    } else {
      receptions.append(reception)
    }
  }

  /// All sources that it knows, each once.
  public var broadcastSources: [ReceiveState] {
    var seen: Set<BroadcastID> = []
    let all = receptions.flatMap(\.sources)
    return (all.filter(\.isPlaying) + all).filter { seen.insert($0.source.broadcast).inserted }
  }
}
