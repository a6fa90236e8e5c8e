public import BluetoothCodec

/// A command to a headphone about broadcasts.
public enum BroadcastCommand: Hashable, Sendable {
  /// Listens to a broadcast, in place of the current one.
  case join(Broadcast, BroadcastCode?)
  /// Stops listening, and forgets all sources.
  case leave
}

/// The receive states in the order of their characteristics.
public struct ReceiveStates: Hashable, Sendable {
  /// The states; an empty one is nil.
  public private(set) var states: [ReceiveState?]
  private(set) var revisions: [Int]

  /// Creates empty states.
  public init(count: Int) {
    states = Array(repeating: nil, count: count)
    revisions = Array(repeating: 0, count: count)
  }

  /// Decodes a value of the characteristic with this index; a malformed value changes nothing.
  public mutating func receive(_ value: Bytes, at index: Int) throws(MalformedBytes) {
    let state = try ReceiveState.decode(value)
    guard states.indices.contains(index) else { return }
    states[index] = state
    revisions[index] += 1
  }

  /// The states with a source.
  public var sources: [ReceiveState] { states.compactMap(\.self) }

  fileprivate func revision(of state: ReceiveState) -> Int {
    states.firstIndex { $0?.number == state.number }.map { revisions[$0] } ?? 0
  }
}

/// A request to a headphone about broadcasts, without I/O or clock.
///
/// Only a receive state confirms a written operation. If the advertising set is unknown, sets are
/// tried from 0 on, and a source that was not found is removed before the next try.
///
/// | phase | waits for | at most |
/// | --- | --- | --- |
/// | choosing | nothing | |
/// | stopping | a playing source to stop | 5 s |
/// | removing | its receive state to be empty | 3 s |
/// | adding | a receive state with the new source | 3 s |
/// | following | sound, or a reason why there is none | 20 s, and 10 s after a code |
public struct BroadcastRequest: Hashable, Sendable {
  /// An action for the caller.
  public enum Step: Hashable, Sendable {
    /// Write this to the control point.
    case write(BroadcastScanOperation)
    case read
    /// Wait for another receive state until this time.
    case wait(until: Duration)
    /// The end, successful if the failure is nil.
    case end(BroadcastFailure?)
  }

  private enum Phase: Hashable {
    case choosing
    case stopping(UInt8, until: Duration)
    case removing(UInt8, until: Duration)
    case adding(until: Duration)
    case following(until: Duration, since: Int)
  }

  static let stopTime: Duration = .seconds(5)
  static let stateTime: Duration = .seconds(3)
  static let syncTime: Duration = .seconds(20)
  static let codeTime: Duration = .seconds(10)
  /// The maximum number of writes: three for each advertising set, and an end to repeated delays.
  private static let mostWrites = 64
  private static let mostCodes = 3

  private let command: BroadcastCommand
  private var phase = Phase.choosing
  private var hasRead = false
  /// Whether the headphone has rejected a source as unknown; the states are then read once.
  private var hasLostSource = false
  private var writes = 0
  private var codes = 0
  /// Whether a code was sent and the receive state has required one ever since.
  private var wasAsked = false
  private var set: UInt8?
  private var untried: ArraySlice<UInt8>
  private var failure: BroadcastFailure?

  /// Creates a request that has not begun.
  public init(_ command: BroadcastCommand) {
    self.command = command
    if case .join(let broadcast, _) = command, let known = broadcast.set {
      untried = [known]
    } else {
      untried = Array(0...0x0F)[...]
    }
  }

  /// The set being tried and the number of sets, or nil if the set is known.
  public var attempt: (set: UInt8, count: Int)? {
    guard case .join(let broadcast, _) = command, broadcast.set == nil, let set else { return nil }
    return (set, 0x10)
  }

  /// Returns the next step according to the current receive states.
  public mutating func next(_ states: ReceiveStates, at now: Duration) -> Step {
    let step = step(states, at: now)
    guard case .write = step else { return step }
    writes += 1
    return writes > Self.mostWrites ? .end(.ignored) : step
  }

  private mutating func step(_ states: ReceiveStates, at now: Duration) -> Step {
    switch phase {
    case .choosing: return choose(states, at: now)
    case .stopping(let number, let end):
      guard states.sources.contains(where: { $0.number == number }) else {
        phase = .choosing
        return choose(states, at: now)
      }
      let isActive = states.sources.contains { $0.number == number && $0.isActive }
      guard !isActive || now >= end else { return .wait(until: end) }
      return remove(number, at: now)
    case .removing(let number, let end):
      if states.sources.contains(where: { $0.number == number }) {
        guard now >= end else { return .wait(until: end) }
        guard hasRead else { return readOnce() }
        return .end(failure ?? (command == .leave ? .staysOn : .full))
      }
      phase = .choosing
      return choose(states, at: now)
    case .adding(let end):
      if mine(states) != nil { return choose(states, at: now) }
      guard now >= end else { return .wait(until: end) }
      return hasRead ? .end(.ignored) : readOnce()
    case .following(let end, let since): return follow(states, until: end, since, at: now)
    }
  }

  /// Handles an error response, and returns whether to read the states and continue.
  public mutating func survives(_ code: ATTErrorCode) -> Bool {
    guard code == BroadcastScanError.invalidSource, !hasLostSource else { return false }
    hasLostSource = true
    phase = .choosing
    if let set { untried.insert(set, at: untried.startIndex) }
    return true
  }

  private mutating func readOnce() -> Step {
    hasRead = true
    return .read
  }

  private mutating func remove(_ number: UInt8, at now: Duration) -> Step {
    hasRead = false
    phase = .removing(number, until: now + Self.stateTime)
    return .write(.removeSource(number))
  }

  private mutating func stop(_ state: ReceiveState, at now: Duration) -> Step {
    phase = .stopping(state.number, until: now + Self.stopTime)
    let subgroups = state.subgroups.map { BroadcastSubgroup(0, $0.metadata) }
    return .write(
      .modifySource(
        state.number, .off, interval: BroadcastScanOperation.unknownInterval,
        subgroups.isEmpty ? [BroadcastSubgroup(0)] : subgroups))
  }

  private func mine(_ states: ReceiveStates) -> ReceiveState? {
    guard case .join(let broadcast, _) = command else { return nil }
    return states.sources.first { state in
      guard let set = set ?? broadcast.set else { return state.source.broadcast == broadcast.id }
      return state.source.isSame(as: BroadcastSource(broadcast.address, set: set, broadcast.id))
    }
  }

  private mutating func choose(_ states: ReceiveStates, at now: Duration) -> Step {
    if let failure { return .end(failure) }
    if let state = mine(states) { return use(state, states, at: now) }
    if let playing = states.sources.first(where: \.isActive) { return stop(playing, at: now) }
    guard case .join(let broadcast, _) = command else {
      return states.sources.first.map { remove($0.number, at: now) } ?? .end(nil)
    }
    if states.sources.count == states.states.count, let oldest = states.sources.first {
      return remove(oldest.number, at: now)
    }
    guard !states.states.isEmpty else { return .end(.full) }
    guard let set = untried.popFirst() else { return .end(.notFound) }
    self.set = set
    hasRead = false
    phase = .adding(until: now + Self.stateTime)
    return .write(
      .addSource(
        BroadcastSource(broadcast.address, set: set, broadcast.id), .scan,
        interval: broadcast.interval ?? BroadcastScanOperation.unknownInterval,
        [BroadcastSubgroup(BroadcastSubgroup.any)]))
  }

  private mutating func use(
    _ state: ReceiveState, _ states: ReceiveStates, at now: Duration
  ) -> Step {
    let isAdded = if case .adding = phase { true } else { false }
    set = state.source.set
    // A set that the headphone knows need not be guessed.
    if !isAdded { untried = [] }
    phase = .following(until: now + Self.syncTime, since: states.revision(of: state))
    if state.isPlaying { return .end(nil) }
    if isAdded { return follow(states, until: now + Self.syncTime, -1, at: now) }
    if state.sync == .on, state.encryption == .codeRequired || state.encryption == .badCode {
      return sendCode(to: state, states, at: now)
    }
    let subgroups = state.subgroups.enumerated().map {
      BroadcastSubgroup($0.offset == 0 ? BroadcastSubgroup.any : 0, $0.element.metadata)
    }
    guard case .join(let broadcast, _) = command else { return .end(nil) }
    return .write(
      .modifySource(
        state.number, .scan,
        interval: broadcast.interval ?? BroadcastScanOperation.unknownInterval,
        subgroups.isEmpty ? [BroadcastSubgroup(BroadcastSubgroup.any)] : subgroups))
  }

  private mutating func sendCode(
    to state: ReceiveState, _ states: ReceiveStates, at now: Duration
  ) -> Step {
    guard case .join(_, let code?) = command else { return .end(.codeNeeded) }
    guard codes < Self.mostCodes else { return .end(.wrongCode) }
    codes += 1
    wasAsked = true
    phase = .following(until: now + Self.codeTime, since: states.revision(of: state))
    return .write(.setCode(state.number, code))
  }

  private mutating func follow(
    _ states: ReceiveStates, until end: Duration, _ since: Int, at now: Duration
  ) -> Step {
    guard let state = mine(states) else { return .end(.removed) }
    if state.isPlaying { return .end(nil) }
    // A state from before the last operation does not count, unless nothing else arrives.
    guard states.revision(of: state) > since || now >= end else { return .wait(until: end) }
    if state.encryption != .codeRequired { wasAsked = false }
    switch (state.sync, state.encryption) {
    case (_, .badCode): return .end(.wrongCode)
    // Some headphones require the code again while they check it.
    case (_, .codeRequired) where !wasAsked: return sendCode(to: state, states, at: now)
    case (.failed, _): return giveUp(state, .notFound, at: now)
    case (.noTransfer, _): return giveUp(state, .noTransfer, at: now)
    default: break
    }
    if state.hasNoStreams, state.sync == .on || now >= end {
      return giveUp(state, .noSound, at: now)
    }
    guard now >= end else { return .wait(until: end) }
    if wasAsked { return .end(.wrongCode) }
    return giveUp(state, state.sync == .on ? .noSound : .notFound, at: now)
  }

  /// Removes a source without sound; if its advertising set was a guess, tries the next one.
  private mutating func giveUp(
    _ state: ReceiveState, _ failure: BroadcastFailure, at now: Duration
  ) -> Step {
    if untried.isEmpty || failure == .noSound { self.failure = failure }
    return state.isActive ? stop(state, at: now) : remove(state.number, at: now)
  }
}
