internal import BluetoothAttributes
internal import BluetoothCodec
package import BluetoothRadio
package import Companion
internal import HeadphoneProtocols

extension CommandTarget {
  /// Pairs with a headphone, known or in range, and then with its audio side.
  ///
  /// A paired headphone is left alone. The link for pairing ends with the command, unless it was
  /// requested before.
  ///
  /// - Parameters:
  ///   - asked: Receives the questions of the pairing, or nil if there is no user to ask.
  ///   - again: Called before a headphone that lost its keys is paired a second time.
  ///
  /// - Returns: Why its audio side, if it has one, was not paired.
  package func pair(
    _ selector: String, asked: ((AsyncStream<PairingAgent.Event>) -> Void)?,
    again: () -> Void = {}
  ) async throws(CommandError) -> FailureReason? {
    let found = try await choose(selector)
    defer { release() }
    guard !found.isPaired else { return nil }
    asked?(effects.pairingEvents { found.id })
    do throws(CommandError) {
      let failure: FailureReason?
      do throws(CommandError) {
        failure = try await pair(found)
      } catch  where error.isLostKeys {
        // The headphone lost its keys; this computer's are deleted before the second pairing.
        again()
        failure = try await pair(found)
      }
      // The other buds of its set are paired as they are linked.
      await completed()
      return failure
    } catch {
      throw await cause(of: error)
    }
  }

  /// Returns the questions of pairings with this command's headphone, from now on.
  package func pairingEvents() -> AsyncStream<PairingAgent.Event> {
    effects.pairingEvents { [weak self] in self?.id }
  }

  package var pairingAgent: PairingAgent { effects.dependencies.agent }

  private func pair(_ found: HeadphoneState) async throws(CommandError) -> FailureReason? {
    if headphone?.pairing.step != .control { ask(.pair) }
    for await state in store.follow() {
      guard let headphone = state.headphones[found.id] else { break }
      switch headphone.pairing {
      // The pairing's reason takes precedence over that of the disconnection.
      case .failed(let failure): throw .failed(failure)
      case .audioFailed(let failure) where headphone.isAudioOnly: throw .failed(failure)
      case .none where headphone.isAudioOnly: return nil
      case .none, .underWay, .audioFailed: try requireAdapter()
      }
      if case .underWay(let side, _) = headphone.pairing, side == .control || headphone.isAudioOnly
      {
        continue
      }
      if headphone.pairing.step == .awaitingLink || headphone.link.isBusy {
        // The command makes one attempt, though the app would retry.
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
  package func reset(isCertain: () async -> Bool) async throws(CommandError) {
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

  package func known() async throws(CommandError) -> [KnownHeadphone] {
    try await effects.dependencies.known.list()
  }

  /// Forgets a headphone and its keys, and disconnects it.
  ///
  /// - Parameter isCertain: Asks the user to confirm the headphone with this name.
  ///
  /// - Returns: The headphone, and the keys that could not be deleted.
  package func forget(
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
  func pairingEvents(
    of id: @escaping @MainActor () -> HeadphoneID?
  ) -> AsyncStream<PairingAgent.Event> {
    let (events, reported) = AsyncStream.makeStream(of: PairingAgent.Event.self)
    let listening = Task { [weak self, all = dependencies.agent.events()] in
      for await event in all {
        if case .asked(let question) = event, self?.links.headphone(at: question.peer) != id() {
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
  /// Whether the headphone is paired, not counting a pairing in progress or a failed one.
  fileprivate var isPaired: Bool {
    link.isReady && isBonded == true && isEncrypted == true && pairing == .none
  }
}
