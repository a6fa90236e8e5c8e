internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import EventLoop

/// A pairing method, which follows from the headphone's input and output capabilities (Core 5.4,
/// Vol 3, Part H, 2.3.5.1).
public enum VirtualPairing: Hashable, Sendable {
  /// Just Works: the headphone has neither a display nor keys.
  case justWorks
  /// Numeric Comparison: the headphone speaks a number, which the phone shows, too.
  case comparison
  /// Passkey Entry on the headphone: the phone shows a number to be typed on the headphone.
  case passkeyShown
  /// Passkey Entry on the phone: the headphone speaks a number to be typed on the phone.
  case passkeyEntered
}

/// The phone's side of a pairing: its agent asks the user, and its store keeps the key.
struct VirtualPhone: Sendable {
  static let address = BluetoothAddress(value: 0x0000_5E00_5300)

  var agent: PairingAgent
  var bonds: any BondStore
}

extension VirtualHeadphone {
  private static let timePerKey: Duration = .milliseconds(600)

  /// Pairs, or encrypts the link with the key of the bond.
  ///
  /// A phone with a key encrypts with it. If the headphone no longer has the key, the link ends
  /// with MIC Failure, as with a real controller.
  ///
  /// - Throws: `refused`, `declined`, `unanswered`, `unattended`, `keyMissing`, or `closed` if the
  ///   link ended first.
  func raiseSecurity(
    to level: SecurityLevel, of link: VirtualLink, by phone: VirtualPhone
  ) async throws(SecurityFailure) {
    try requireUp(link)
    guard !faults.refusesPairing, level <= model.bestSecurity else { throw .refused }
    if !phone.bonds.isBonded(model.address) {
      let failure = await pairWhileLinked(at: phone.agent)
      // If the end of the link interrupted a question to the user, that end is the error.
      try requireUp(link)
      if let failure { throw failure }
      server.isBonded = true
      phone.bonds.keep(.longTerm(newKey()), of: VirtualPhone.address)
    } else if !server.isBonded {
      dropLink(.micFailure)
      throw .keyMissing
    }
    server.security = max(server.security, level)
    link.security = server.security
    execute(server.linkWasEncrypted())
  }

  private func requireUp(_ link: VirtualLink) throws(SecurityFailure) {
    guard connection?.link === link else { throw .closed(BearerClosed(link.ending ?? .peer)) }
  }

  private func pairWhileLinked(at agent: PairingAgent) async -> SecurityFailure? {
    let pairing = Task { () async -> SecurityFailure? in
      do throws(SecurityFailure) {
        try await pair(at: agent)
        return nil
      } catch {
        return error
      }
    }
    connection?.tasks.append(
      Task {
        await withTaskCancellationHandler {
          _ = await pairing.value
        } onCancel: {
          pairing.cancel()
        }
      })
    return await pairing.value
  }

  /// Asks the user for consent or a passkey; a wrong passkey throws `refused`.
  private func pair(at agent: PairingAgent) async throws(SecurityFailure) {
    guard agent.mayBegin else { throw .unattended }
    let methods = model.pairings
    let method = methods.isEmpty ? .justWorks : methods[pairingCount % methods.count]
    pairingCount += 1
    let number = newNumber()
    let hint = "the virtual headphone says \(number)"
    let isAttended = agent.isAttended
    let answer: PairingAnswer?
    switch method {
    case .justWorks: answer = await agent.ask(.consent, for: model.address)
    case .comparison: answer = await agent.ask(.compare(number), for: model.address, hint: hint)
    case .passkeyEntered:
      answer = await agent.ask(.enter, for: model.address, hint: hint)
      if case .passkey(let typed) = answer, typed != number { throw .refused }
    case .passkeyShown: answer = isAttended ? await typed(number, at: agent) : .no
    }
    switch answer {
    case .yes, .passkey, .pin: return
    case .no: throw isAttended ? .declined : .unanswered
    case nil: throw .unanswered
    }
  }

  private func typed(_ number: Passkey, at agent: PairingAgent) async -> PairingAnswer? {
    let (address, clock) = (model.address, clock)
    return await withTaskGroup(of: PairingAnswer?.self) { group in
      group.addTask { await agent.ask(.show(number, entered: 0), for: address) }
      group.addTask {
        for entered in 1...6 {
          try? await clock.sleep(for: Self.timePerKey)
          if Task.isCancelled { return nil }
          agent.revise(.show(number, entered: entered), for: address)
        }
        return .yes
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  private func newNumber() -> Passkey {
    var random = SplitMix64(seed: model.address.address.value &+ UInt64(pairingCount))
    return Passkey(truncating: .random(in: .min ... .max, using: &random))
  }

  private func newKey() -> LongTermKey {
    var random = SplitMix64(seed: model.address.address.value &- UInt64(pairingCount))
    return LongTermKey(
      peer: ManagementPeer(model.address), kind: model.keyKind, central: 0,
      encryptionSize: model.keySize, encryptedDiversifier: 0, random: 0,
      key: SecretKey(random.next(), random.next()))
  }
}
