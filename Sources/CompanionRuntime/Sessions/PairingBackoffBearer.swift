internal import Bluetooth
internal import GATT
internal import Synchronization

/// Whether pairing with a headphone failed, so that only the user may start another attempt.
final class PairingRefusal: Sendable {
  private let noted = Mutex<SecurityFailure?>(nil)

  var failure: SecurityFailure? { noted.withLock { $0 } }

  /// Stores a failure that a second attempt would repeat.
  func note(_ failure: SecurityFailure) {
    switch failure {
    case .refused, .declined, .unanswered, .noAgent, .notPermitted:
      noted.withLock { $0 = failure }
    case .keyMissing, .unsupported, .closed, .bluetoothd: break
    }
  }

  func forget() { noted.withLock { $0 = nil } }
}

/// A bearer that prevents automatic re-pairing after a failed attempt.
///
/// Attributes that require encryption fail at once, and the others stay usable. Otherwise each such
/// request would make the kernel pair in vain, and then disconnect.
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
