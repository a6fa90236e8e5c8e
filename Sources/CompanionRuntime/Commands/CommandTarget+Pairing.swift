public import Bluetooth
public import Companion
internal import GATT
internal import HeadphoneProtocols

extension CommandTarget {
  /// Pairs with a headphone, known or in range, and then with its audio side.
  ///
  /// A headphone that is paired already is left alone. The link that was made for pairing ends with
  /// the command, unless it was wanted before.
  ///
  /// - Parameters:
  ///   - asked: receives the questions of the pairing; nil: there is no user to ask. The command
  ///     itself then counts as consent, and a pairing that needs a number fails.
  ///   - again: called before a headphone that lost its keys is paired a second time.
  /// - Returns: why its audio side, if it has one, was not paired.
  /// - Throws: ``CommandError/failed(_:)`` with the pairing's reason; ``CommandError/link(_:)`` if
  ///   the link ends.
  public func pair(
    _ selector: String, asked: ((AsyncStream<PairingAgent.Event>) -> Void)?,
    again: () -> Void = {}
  ) async throws(CommandError) -> FailureReason? {
    let found = try await choose(selector)
    let wasWanted = found.link.isWanted
    defer { if !wasWanted { release() } }
    guard !found.isPaired else { return nil }
    asked?(effects.pairingEvents(of: found.id))
    do throws(CommandError) {
      return try await pair(found)
    } catch  where error.isLostKeys {
      // The headphone lost its keys: ours are dropped before the second pairing.
      again()
      return try await pair(found)
    }
  }

  /// Presses `p`, and follows the state until both sides are done.
  private func pair(_ found: HeadphoneState) async throws(CommandError) -> FailureReason? {
    if headphone?.pairing.step != .control { ask(.pair) }
    for await state in store.follow() {
      guard let headphone = state.headphones[found.id] else { break }
      switch headphone.pairing {
      // The pairing's own reason takes precedence over that of the disconnection.
      case .underWay(.control, _): continue
      case .failed(let failure): throw .failed(failure)
      case .underWay(.audio, _) where headphone.isAudioOnly: continue
      case .audioFailed(let failure) where headphone.isAudioOnly: throw .failed(failure)
      case .none where headphone.isAudioOnly: return nil
      case .none, .underWay, .audioFailed: break
      }
      if headphone.pairing.step == .awaitingLink || headphone.link.isBusy {
        // One attempt is enough here, though the app would retry.
        guard case .reconnecting = headphone.link else { continue }
        throw Self.end(of: headphone.link)
      }
      guard headphone.link.isReady else { throw Self.end(of: headphone.link) }
      guard headphone.isEncrypted == true else { continue }
      switch headphone.pairing {
      case .underWay: continue
      case .audioFailed(let failure), .failed(let failure): return failure
      case .none: return nil
      }
    }
    throw .link(.localHost)
  }

  /// Resets the headphone to its factory state, which ends the link.
  ///
  /// - Parameter isCertain: asks the user for confirmation.
  /// - Throws: ``CommandError/unavailable(_:)`` without confirmation, or with the notice that the
  ///   screen would show; ``CommandError/command(_:)`` if the headphone refuses.
  public func reset(isCertain: () async -> Bool) async throws(CommandError) {
    if let refusal = ask(.factoryReset) { throw .unavailable(refusal) }
    guard await isCertain() else { throw .unavailable("nothing was reset") }
    guard let id else { return }
    var sent: (HeadphoneCommand, CommandToken)?
    let answered = Question(.factoryReset(id, isCertain: true), isYesChosen: true)
    ask(.accept, in: .question(answered)) { effect in
      guard case .perform(_, let command, let token) = effect else { return false }
      sent = (command, token)
      return true
    }
    if let (command, token) = sent { try await perform(command, token) }
  }

  /// The headphones of this and earlier runs.
  public func known() async throws(CommandError) -> [KnownHeadphone] {
    try await effects.dependencies.known.list()
  }

  /// Forgets a headphone and its keys, and disconnects it.
  ///
  /// - Parameter isCertain: asks the user to confirm that the headphone of this name is meant.
  /// - Returns: the headphone, and the keys that could not be deleted.
  /// - Throws: ``CommandError/notKnown(selector:)`` or ``CommandError/ambiguous(_:)``;
  ///   ``CommandError/unavailable(_:)`` without confirmation; ``CommandError/file(_:)`` if it is
  ///   known again in the next run.
  public func forget(
    _ selector: String, isCertain: (String) async -> Bool
  ) async throws(CommandError) -> (headphone: HeadphoneState, kept: [KeptKeys]) {
    let meant = state.headphones.named(selector)
    guard let headphone = meant.first else { throw .notKnown(selector: selector) }
    guard meant.count == 1 else { throw .ambiguous(meant) }
    guard await isCertain(headphone.name) else { throw .unavailable("nothing is forgotten") }
    id = headphone.id
    ask(.accept, in: .question(Question(.forget(headphone.id), isYesChosen: true)))
    await effects.saved()
    await effects.links.runs[headphone.id]?.value
    if let error = effects.unsaved { throw .file(error) }
    return (headphone, effects.links.keptKeys.removeValue(forKey: headphone.id) ?? [])
  }
}

extension LiveEffectHandler {
  /// The questions of pairings with one headphone, from now on.
  ///
  /// Questions of other headphones are left to others; the stream ends when its consumer does.
  func pairingEvents(of id: HeadphoneID) -> AsyncStream<PairingAgent.Event> {
    let (events, reported) = AsyncStream.makeStream(of: PairingAgent.Event.self)
    let listening = Task { [weak self, all = dependencies.agent.events()] in
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
  /// Whether the headphone no longer has the keys that this machine kept.
  fileprivate var isLostKeys: Bool {
    switch self {
    case .failed(.security(.keyMissing)), .link(.micFailure): true
    default: false
    }
  }
}

extension HeadphoneState {
  /// Whether all known sides are paired; a running or failed pairing is not.
  fileprivate var isPaired: Bool {
    link.isReady && isBonded == true && isEncrypted == true && pairing == .none
  }
}
