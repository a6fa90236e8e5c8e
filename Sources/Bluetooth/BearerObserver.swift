public import BluetoothCodec
internal import Synchronization

/// Sees what passes on a bearer without changing it: a capture, a trace.
///
/// Called in the order of the link, on whichever thread sends or receives; must not block.
public protocol BearerObserver: Sendable {
  /// A PDU is handed to the link.
  func sent(_ pdu: Bytes)

  /// A PDU has arrived.
  func received(_ pdu: Bytes)

  /// The bearer is closed; called once, behind everything else.
  func ended(_ reason: BearerClosed.Reason)
}

extension BearerObserver {
  /// Does nothing.
  public func ended(_ reason: BearerClosed.Reason) {}
}

/// A bearer whose PDUs are shown to an observer as they pass.
public final class ObservedBearer: ForwardingBearer {
  public let base: any Bearer
  private let observer: any BearerObserver
  private let hasEnded = Mutex(false)

  public init(_ base: any Bearer, by observer: any BearerObserver) {
    self.base = base
    self.observer = observer
  }

  public nonisolated(nonsending) func send(_ pdu: Bytes) async throws(BearerClosed) {
    note(pdu)
    try await base.send(pdu)
  }

  public func post(
    _ pdu: Bytes, whenSent: @escaping @Sendable () -> Void
  ) throws(BearerClosed) -> Bool {
    note(pdu)
    return try base.post(pdu, whenSent: whenSent)
  }

  public nonisolated(nonsending) func receive() async throws(BearerClosed) -> Bytes {
    do {
      let pdu = try await base.receive()
      observer.received(pdu)
      return pdu
    } catch {
      end(error.reason)
      throw error
    }
  }

  public func deliver(to sink: @escaping @Sendable (Result<Bytes, BearerClosed>) -> Void) {
    base.deliver { received in
      switch received {
      case .success(let pdu): self.observer.received(pdu)
      case .failure(let closed): self.end(closed.reason)
      }
      sink(received)
    }
  }

  public func close(_ reason: BearerClosed.Reason) {
    base.close(reason)
    end(closed?.reason ?? reason)
  }

  /// What a closed bearer refuses was never sent.
  private func note(_ pdu: Bytes) {
    if closed == nil { observer.sent(pdu) }
  }

  private func end(_ reason: BearerClosed.Reason) {
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
    if isFirst { observer.ended(reason) }
  }
}
