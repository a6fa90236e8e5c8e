internal import BluetoothCodec
internal import BluetoothRadio
internal import CBluetooth
internal import EventLoop
internal import Glibc

enum LinkSecurity {
  /// The time-out of pairing, above the kernel's own of 30 s (Core 5.4, Vol 3, Part H, 3.4).
  private static let timeout: Duration = .seconds(35)
  /// The time-out for keys, which arrive after the first encryption.
  static let keyTimeout: Duration = .seconds(1)
  /// The interval of reading the level where the socket does not show the end of pairing.
  private static let readingInterval: Duration = .milliseconds(50)

  static func level(of descriptor: Int32) -> SecurityLevel {
    protection(of: descriptor)?.level ?? .low
  }

  /// Returns the protection of a connected socket's link, or nil if the kernel does not report it.
  ///
  /// Only a connected L2CAP socket has the size of the key (net/bluetooth/l2cap_sock.c), which is 0
  /// while the link is not encrypted. An RFCOMM socket always reports 0.
  static func protection(of descriptor: Int32) -> LinkProtection? {
    SocketDescriptor.option(descriptor, SOL_BLUETOOTH, BT_SECURITY, bt_security())
      .flatMap(LinkProtection.init)
  }

  /// Pairs or encrypts until the link has `level`; throws `unsupported` for an encrypted link.
  static func raise(
    _ bearer: SocketBearer, to level: SecurityLevel, of peer: PeerAddress,
    through pairing: KernelPairing, clock: any Clock<Duration>
  ) async throws(SecurityFailure) {
    let present = bearer.security
    guard present < level else { return }
    // Each pairing has offered a keyboard and a display, so the key of an encrypted link is the
    // best that the headphone supports. The kernel would end the link over another attempt.
    guard present < .medium else { throw .unsupported }
    guard await pairing.mayProtect(peer, to: level) else { throw .unattended }
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
    case .done, .wouldBlock, nil: break
    // The adapter has no pairing protocol (it was switched on past the management channel), or the
    // link has the level already.
    case .failed(EINVAL): throw .unsupported
    case .failed: throw .refused
    }
    let outcome = await within(timeout, by: clock) {
      await end(of: bearer, to: level, expectsKeys: expectsKeys, progress, by: clock)
    }
    switch outcome {
    case .secured:
      guard bearer.security >= level else { throw await pairing.verdict(on: peer) }
    case .closed(let closed):
      throw await pairing.verdict(on: peer, after: SecurityFailure(closed))
    case .failed, nil:
      let verdict = await pairing.verdict(on: peer)
      // The socket sends nothing until pairing succeeds, so it is useless now.
      bearer.close(.localHost)
      throw verdict
    }
  }

  enum Outcome: Hashable {
    /// The socket can send again, and the keys are stored or did not arrive in time.
    case secured
    case closed(BearerClosed)
    /// The kernel reported that pairing failed, which the socket does not show.
    case failed
  }

  private enum Step {
    case outcome(Outcome)
    case writable
    case bonded
    /// The kernel's reports have ended; the wait for the socket goes on.
    case nothingMore
  }

  /// Waits for the end of an attempt, by the socket or by the kernel's events.
  ///
  /// Encryption makes the socket writable, and the keys arrive a moment later. One task reads all
  /// of `progress`, because cancelling the reader of a stream finishes the stream.
  static func end(
    of bearer: SocketBearer, to level: SecurityLevel, expectsKeys: Bool,
    _ progress: AsyncStream<KernelPairing.Progress>, by clock: any Clock<Duration>
  ) async -> Outcome {
    await withTaskGroup(of: Step.self) { group in
      group.addTask {
        do throws(BearerClosed) {
          try await secured(bearer, to: level, by: clock)
          return .writable
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
      var isWritable = false
      var isBonded = !expectsKeys
      while let step = await group.next() {
        switch step {
        case .outcome(let outcome): return outcome
        case .writable:
          isWritable = true
          group.addTask {
            try? await clock.sleep(for: keyTimeout)
            return .outcome(.secured)
          }
        case .bonded: isBonded = true
        case .nothingMore: continue
        }
        if isWritable, isBonded || bearer.security < level { return .secured }
      }
      return .failed
    }
  }

  /// Waits until the socket can send again and the link has `level`, or the task is cancelled.
  ///
  /// A PDU that arrives while the kernel pairs makes it count the channel as connected again
  /// (`l2cap_data_channel`). From then on the socket does not show the end of pairing, so the level
  /// itself is polled.
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

extension LinkProtection {
  init?(_ option: bt_security) {
    guard let level = SecurityLevel(rawValue: option.level) else { return nil }
    self.init(level: level, keySize: option.key_size == 0 ? nil : option.key_size)
  }
}

extension SecurityFailure {
  /// Creates the failure for a link's end; the kernel ends the link itself after a failed pairing.
  init(_ closed: BearerClosed) {
    self =
      switch closed.reason {
      case .micFailure: .keyMissing
      case .refused, .localHost: .refused
      default: .closed(closed)
      }
  }
}
