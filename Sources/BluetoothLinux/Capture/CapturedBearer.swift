internal import BluetoothCodec
internal import GATT
internal import Synchronization

/// A bearer whose PDUs are written to a capture as they pass.
final class CapturedBearer: Bearer {
  private let base: any Bearer
  private let capture: LinkCapture
  private let hasEnded = Mutex(false)

  init(_ base: any Bearer, _ capture: LinkCapture) {
    self.base = base
    self.capture = capture
  }

  var channel: LinkChannel { base.channel }

  var executor: any SerialExecutor { base.executor }

  nonisolated(nonsending) func send(_ pdu: Bytes) async throws(BearerClosed) {
    capture.sent(pdu)
    try await base.send(pdu)
  }

  func post(_ pdu: Bytes) throws(BearerClosed) {
    capture.sent(pdu)
    try base.post(pdu)
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

  func raiseSecurity(to level: SecurityLevel) async throws(SecurityFailure) {
    try await base.raiseSecurity(to: level)
  }

  var security: SecurityLevel { get async { await base.security } }

  func measure() async -> LinkQuality { await base.measure() }

  func retime(to wish: TimingWish) async throws(TimingFailure) -> LEConnectionTiming {
    try await base.retime(to: wish)
  }

  func close(_ reason: BearerClosed.Reason) {
    base.close(reason)
    end(reason)
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
