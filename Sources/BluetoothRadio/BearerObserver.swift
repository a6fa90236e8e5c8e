public import BluetoothCodec
internal import Locking

/// An observer of the PDUs on a bearer, such as a capture or a trace.
///
/// Calls come in the order of the link, on the thread that sends or receives, and must not block.
public protocol BearerObserver: Sendable {
  /// Observes a PDU that is passed to the link, which may still queue it.
  func sent(_ pdu: Bytes)

  /// Observes a PDU that has arrived and is about to be delivered.
  func received(_ pdu: Bytes)

  /// Observes the end of the bearer; called once, after everything else.
  func ended(_ reason: BearerClosed.Reason)
}

extension BearerObserver {
  /// Does nothing.
  public func ended(_ reason: BearerClosed.Reason) {}
}

/// A bearer that shows its PDUs to an observer and changes nothing.
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
    try await base.transport.send(pdu)
  }

  public func post(
    _ pdu: Bytes, whenSent: @escaping @Sendable () -> Void
  ) throws(BearerClosed) -> Bool {
    note(pdu)
    return try base.transport.post(pdu, whenSent: whenSent)
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

  /// Reports a PDU unless the bearer is closed and will therefore reject the PDU.
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
