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
struct CarefulBearer: BearerWrapper {
  let base: any Bearer
  let headphone: HeadphoneID
  let refusals: PairingRefusals

  func raiseSecurity(to level: SecurityLevel) async throws(SecurityFailure) {
    if let failure = refusals.failure(of: headphone) { throw failure }
    do throws(SecurityFailure) {
      try await base.raiseSecurity(to: level)
    } catch {
      refusals.note(error, of: headphone)
      throw error
    }
  }
}
