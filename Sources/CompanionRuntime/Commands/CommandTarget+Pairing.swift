public import Bluetooth
public import Companion
internal import GATT

extension CommandTarget {
  /// Pairs with a headphone, known or nearby.
  ///
  /// - Parameters:
  ///   - asked: gets what the pairing asks; nil: nobody can be asked. Then the command itself is
  ///     consent, and a pairing that needs a number fails.
  ///   - again: called before a headphone that has lost its keys is paired once more.
  /// - Returns: why its audio side, where it has one, is not paired.
  public func pair(
    _ selector: String, asked: ((AsyncStream<PairingAgent.Event>) -> Void)?,
    again: () -> Void = {}
  ) async throws(CommandError) -> FailureReason? {
    let found = try await choose(selector)
    let wasWanted = found.isWanted
    defer { if !wasWanted { release() } }
    guard !found.isPaired else { return nil }
    asked?(effects.pairingEvents(of: found.id))
    do throws(CommandError) {
      return try await pair(found)
    } catch  where error.isLostKeys {
      // Keys that the headphone has forgotten are dropped before it is paired again.
      again()
      return try await pair(found)
    }
  }

  private func pair(_ found: HeadphoneState) async throws(CommandError) -> FailureReason? {
    if headphone?.isPairing != true { ask(.pair) }
    for await state in store.follow() {
      guard let headphone = state.headphones[found.id] else { break }
      if headphone.isAudioOnly {
        switch headphone.audioPairing {
        case .underWay?: continue
        case .failed(let failure)?: throw .failed(failure)
        case nil: return nil
        }
      }
      // What the link's end says of it comes second to what the pairing says itself.
      if headphone.isPairing { continue }
      if let failure = headphone.pairingFailure { throw .failed(failure) }
      if headphone.wantsPairing || headphone.link.isBusy {
        // A link that fails again and again is tried again and again: once is enough here.
        guard case .reconnecting = headphone.link else { continue }
        throw Self.end(of: headphone.link)
      }
      guard headphone.link.isReady else { throw Self.end(of: headphone.link) }
      guard headphone.isEncrypted == true else { continue }
      switch headphone.audioPairing {
      case .underWay?: continue
      case .failed(let failure)?: return failure
      case nil: return nil
      }
    }
    throw .link(.localHost)
  }

  /// Forgets a headphone and its keys; its link goes.
  ///
  /// - Parameter isCertain: asks the person.
  /// - Returns: which one it was, and what is left to be done, in words.
  public func forget(
    _ selector: String, isCertain: () async -> Bool
  ) async throws(CommandError) -> (id: HeadphoneID, rest: [String]) {
    let meant = state.headphones.filter { $0.matches(selector) }
    guard let headphone = meant.first else { throw .notKnown(selector: selector) }
    guard meant.count == 1 else { throw .ambiguous(meant.map(\.name)) }
    guard await isCertain() else { throw .unavailable("nothing is forgotten") }
    id = headphone.id
    let logged = state.log.total
    ask(.accept, in: .question(Question(.forget(headphone.id), isYesChosen: true)))
    await effects.saved()
    await effects.links.runs[headphone.id]?.value
    let warnings = state.log.lines.suffix(state.log.total - logged).filter {
      $0.level == .warning && $0.headphone == headphone.id
    }
    return (headphone.id, warnings.map(\.text))
  }
}

extension LiveEffectHandler {
  /// What pairings with one headphone ask from now on.
  func pairingEvents(of id: HeadphoneID) -> AsyncStream<PairingAgent.Event> {
    let (events, reported) = AsyncStream.makeStream(of: PairingAgent.Event.self)
    let listening = Task { [weak self, all = world.agent.events()] in
      for await event in all {
        if case .asked(let question) = event, self?.links.headphone(at: question.peer) != id {
          continue
        }
        reported.yield(event)
      }
      reported.finish()
    }
    reported.onTermination = { _ in listening.cancel() }
    return events
  }
}

extension CommandError {
  fileprivate var isLostKeys: Bool {
    switch self {
    case .failed(.security(.keyMissing)), .link(.micFailure): true
    default: false
    }
  }
}

extension HeadphoneState {
  /// Both sides, as far as is known; what runs or failed is to be paired.
  fileprivate var isPaired: Bool {
    link.isReady && isBonded == true && isEncrypted == true && audioPairing == nil
  }
}
