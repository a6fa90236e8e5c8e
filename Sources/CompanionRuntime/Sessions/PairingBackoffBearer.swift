internal import Bluetooth
internal import GATT
internal import Synchronization

/// Whether pairing with a headphone failed, so that nothing but a person begins it again.
final class PairingRefusal: Sendable {
  private let noted = Mutex<SecurityFailure?>(nil)

  var failure: SecurityFailure? { noted.withLock { $0 } }

  /// Keeps what a second attempt would not change by itself.
  func note(_ failure: SecurityFailure) {
    switch failure {
    case .refused, .declined, .unanswered, .noAgent, .notPermitted:
      noted.withLock { $0 = failure }
    case .keyMissing, .unsupported, .closed, .bluetoothd: break
    }
  }

  func forget() { noted.withLock { $0 = nil } }
}

/// A bearer on which a pairing that failed is not begun again for what the headphone keeps to
/// itself.
///
/// The link goes on with what needs no encryption: a kernel that pairs in vain ends the channel,
/// and each question that comes back would end it anew.
struct PairingBackoffBearer: ForwardingBearer {
  let base: any Bearer
  let refusal: PairingRefusal

  func raiseSecurity(to level: SecurityLevel) async throws(SecurityFailure) {
    if let failure = refusal.failure { throw failure }
    do throws(SecurityFailure) {
      try await base.raiseSecurity(to: level)
    } catch {
      refusal.note(error)
      throw error
    }
  }
}
