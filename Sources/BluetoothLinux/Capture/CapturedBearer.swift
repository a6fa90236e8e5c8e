internal import Bluetooth
internal import BluetoothCodec
internal import GATT
internal import Synchronization

/// A bearer whose PDUs are written to a capture as they pass.
final class CapturedBearer: ForwardingBearer {
  let base: any Bearer
  private let capture: LinkCapture
  private let hasEnded = Mutex(false)

  init(_ base: any Bearer, _ capture: LinkCapture) {
    self.base = base
    self.capture = capture
  }

  nonisolated(nonsending) func send(_ pdu: Bytes) async throws(BearerClosed) {
    note(pdu)
    try await base.send(pdu)
  }

  func post(
    _ pdu: Bytes, whenSent: @escaping @Sendable () -> Void
  ) throws(BearerClosed) -> Bool {
    note(pdu)
    return try base.post(pdu, whenSent: whenSent)
  }

  nonisolated(nonsending) func receive() async throws(BearerClosed) -> Bytes {
    do {
      let pdu = try await base.receive()
      capture.received(pdu)
      return pdu
    } catch {
      end(error.reason)
      throw error
    }
  }

  func deliver(to sink: @escaping @Sendable (Result<Bytes, BearerClosed>) -> Void) {
    base.deliver { received in
      switch received {
      case .success(let pdu): self.capture.received(pdu)
      case .failure(let closed): self.end(closed.reason)
      }
      sink(received)
    }
  }

  func close(_ reason: BearerClosed.Reason) {
    base.close(reason)
    end(closed?.reason ?? reason)
  }

  /// What a closed bearer refuses was never sent.
  private func note(_ pdu: Bytes) {
    if closed == nil { capture.sent(pdu) }
  }

  /// Once.
  private func end(_ reason: BearerClosed.Reason) {
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
    if isFirst { capture.ended(reason) }
  }
}
