internal import Bluetooth
internal import BluetoothCodec
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// The protection of a link by the kernel's BT_SECURITY.
enum LinkSecurity {
  /// The time-out of pairing: longer than the kernel's own for a peer that does not answer (Core
  /// 5.4, Vol 3, Part H, 3.4: 30 s).
  private static let timeout: Duration = .seconds(35)
  /// The time-out for keys, which arrive after the first encryption.
  static let keyTimeout: Duration = .seconds(1)
  /// The interval in which the level is read where the socket does not show the end of pairing.
  private static let readingInterval: Duration = .milliseconds(50)

  /// The security of the link below a socket; `.low` if it cannot be read.
  static func level(of descriptor: Int32) -> SecurityLevel {
    let option = SocketDescriptor.option(descriptor, SOL_BLUETOOTH, BT_SECURITY, bt_security())
    return option.flatMap { SecurityLevel(rawValue: $0.level) } ?? .low
  }

  /// Pairs or encrypts, and returns when that has ended; a link with the level is left as it is.
  ///
  /// - Parameters:
  ///   - bearer: the channel on the link.
  ///   - level: the lowest sufficient level.
  ///   - peer: the device.
  ///   - pairing: reports the progress, and stores the keys.
  ///   - clock: measures the time-outs.
  /// - Throws: the reason why the link is not protected at this level.
  static func raise(
    _ bearer: SocketBearer, to level: SecurityLevel, of peer: PeerAddress,
    through pairing: KernelPairing, clock: any Clock<Duration>
  ) async throws(SecurityFailure) {
    guard bearer.security < level else { return }
    let progress = await pairing.begin(peer, to: level)
    let outcome: Result<Void, SecurityFailure>
    do throws(SecurityFailure) {
      outcome = .success(
        try await raise(bearer, to: level, of: peer, progress, through: pairing, clock: clock))
    } catch {
      outcome = .failure(error)
    }
    await pairing.finish(peer)
    try outcome.get()
  }

  private static func raise(
    _ bearer: SocketBearer, to level: SecurityLevel, of peer: PeerAddress,
    _ progress: AsyncStream<KernelPairing.Progress>, through pairing: KernelPairing,
    clock: any Clock<Duration>
  ) async throws(SecurityFailure) {
    let expectsKeys = await pairing.expectsKeys(of: peer)
    switch bearer.withDescriptor({ set(level, on: $0) }) {
    // The wait below throws the reason of a closed bearer.
    case .done, .wouldBlock, nil: break
    // No pairing protocol on this adapter (it was powered past the management channel), or a
    // level that the link has.
    case .failed(EINVAL): throw .unsupported
    case .failed: throw .refused
    }
    let outcome = await within(timeout, by: clock) {
      await end(of: bearer, to: level, progress, by: clock)
    }
    switch outcome {
    case .writable(let isBonded):
      guard bearer.security >= level else { throw await pairing.verdict(on: peer) }
      if expectsKeys, !isBonded {
        _ = await within(keyTimeout, by: clock) {
          for await step in progress where step == .bonded { return }
        }
      }
    case .closed(let closed):
      throw await pairing.verdict(on: peer, after: SecurityFailure(closed))
    case .failed, nil:
      let verdict = await pairing.verdict(on: peer)
      // The socket sends nothing until pairing succeeds, so it is useless now.
      bearer.close(.localHost)
      throw verdict
    }
  }

  /// The end of an attempt, as the socket or the kernel reports it.
  private enum Outcome {
    /// The socket can send again, so the attempt is over; `isBonded` if keys were stored before
    /// that.
    case writable(isBonded: Bool)
    /// The link has ended.
    case closed(BearerClosed)
    /// The kernel reported that pairing failed, which the socket does not show.
    case failed
  }

  /// An event during an attempt.
  private enum Step {
    /// The end of the attempt.
    case outcome(Outcome)
    /// The kernel reported new keys.
    case bonded
    /// The kernel's reports have ended; the socket is still waited for.
    case nothingMore
  }

  /// Waits for the end of an attempt, by the socket or by the kernel's events.
  private static func end(
    of bearer: SocketBearer, to level: SecurityLevel,
    _ progress: AsyncStream<KernelPairing.Progress>, by clock: any Clock<Duration>
  ) async -> Outcome {
    await withTaskGroup(of: Step.self) { group in
      group.addTask {
        do throws(BearerClosed) {
          try await secured(bearer, to: level, by: clock)
          return .outcome(.writable(isBonded: false))
        } catch {
          return .outcome(.closed(error))
        }
      }
      group.addTask {
        for await step in progress {
          switch step {
          case .failed: return .outcome(.failed)
          case .bonded: return .bonded
          }
        }
        return .nothingMore
      }
      defer { group.cancelAll() }
      var isBonded = false
      while let step = await group.next() {
        switch step {
        case .outcome(.writable): return .writable(isBonded: isBonded)
        case .outcome(let outcome): return outcome
        case .bonded: isBonded = true
        case .nothingMore: continue
        }
      }
      return .failed
    }
  }

  /// Waits until the socket can send again and the link has the level, or the task is cancelled.
  ///
  /// The socket cannot send while the kernel pairs, but for one case: a PDU that arrives meanwhile
  /// makes the kernel count its channel as connected again (`l2cap_data_channel`). From then on
  /// the socket shows nothing of the pairing's end, so that the level itself is read.
  ///
  /// - Throws: the reason why the bearer is closed.
  static func secured(
    _ bearer: SocketBearer, to level: SecurityLevel, by clock: any Clock<Duration>
  ) async throws(BearerClosed) {
    try await bearer.writable()
    while bearer.security < level, !Task.isCancelled {
      if let closed = bearer.closed { throw closed }
      try? await clock.sleep(for: readingInterval)
    }
  }

  /// Sets BT_SECURITY, which starts pairing or encryption on a connected socket.
  @discardableResult
  static func set(_ level: SecurityLevel, on descriptor: Int32) -> SystemResult {
    var value = bt_security(level: level.rawValue, key_size: 0)
    let size = socklen_t(MemoryLayout<bt_security>.size)
    return systemCall {
      Int(setsockopt(descriptor, SOL_BLUETOOTH, BT_SECURITY, &value, size))
    }
  }
}

extension SecurityFailure {
  /// The meaning of a link's end while security was raised.
  ///
  /// After a failed pairing the kernel itself ends the link.
  init(_ closed: BearerClosed) {
    self =
      switch closed.reason {
      case .micFailure: .keyMissing
      case .refused, .localHost: .refused
      default: .closed(closed)
      }
  }
}
