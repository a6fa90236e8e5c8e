internal import BluetoothCodec
internal import Companion
internal import GATT
internal import Synchronization

/// Pairings that failed, so that nothing but a person begins another.
final class PairingRefusals: Sendable {
  private let failures = Mutex<[HeadphoneID: SecurityFailure]>([:])

  func failure(of id: HeadphoneID) -> SecurityFailure? { failures.withLock { $0[id] } }

  /// Keeps what a second attempt would not change by itself.
  func note(_ failure: SecurityFailure, of id: HeadphoneID) {
    switch failure {
    case .refused, .declined, .unanswered, .noAgent, .notPermitted:
      failures.withLock { $0[id] = failure }
    case .keyMissing, .unsupported, .closed: break
    }
  }

  func forget(_ id: HeadphoneID) { failures.withLock { $0[id] = nil } }
}

/// A bearer on which a pairing that failed is not begun again for what the headphone keeps to itself.
///
/// The link goes on with what needs no encryption: a kernel that pairs in vain ends the channel, and
/// each question that comes back would end it anew.
struct CarefulBearer: Bearer {
  let base: any Bearer
  let headphone: HeadphoneID
  let refusals: PairingRefusals

  var channel: LinkChannel { base.channel }

  var executor: any SerialExecutor { base.executor }

  nonisolated(nonsending) func send(_ pdu: Bytes) async throws(BearerClosed) {
    try await base.send(pdu)
  }

  func post(_ pdu: Bytes) throws(BearerClosed) { try base.post(pdu) }

  nonisolated(nonsending) func receive() async throws(BearerClosed) -> Bytes {
    try await base.receive()
  }

  func deliver(to sink: @escaping @Sendable (Result<Bytes, BearerClosed>) -> Void) {
    base.deliver(to: sink)
  }

  func raiseSecurity(to level: SecurityLevel) async throws(SecurityFailure) {
    if let failure = refusals.failure(of: headphone) { throw failure }
    do throws(SecurityFailure) {
      try await base.raiseSecurity(to: level)
    } catch {
      refusals.note(error, of: headphone)
      throw error
    }
  }

  var security: SecurityLevel { get async { await base.security } }

  func measure() async -> LinkQuality { await base.measure() }

  func retime(to wish: TimingWish) async throws(TimingFailure) -> LEConnectionTiming {
    try await base.retime(to: wish)
  }

  func close(_ reason: BearerClosed.Reason) { base.close(reason) }
}
