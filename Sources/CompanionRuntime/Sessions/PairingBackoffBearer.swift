internal import BluetoothCodec
internal import BluetoothRadio
internal import Locking

/// Whether pairing with a headphone failed, so that only the user may start another attempt.
///
/// The connections of one headphone share this state; a request of the user clears it.
final class PairingRefusal: Sendable {
  private let noted = Mutex<SecurityFailure?>(nil)

  var failure: SecurityFailure? { noted.withLock { $0 } }

  func note(_ failure: SecurityFailure) {
    switch failure {
    case .refused, .declined, .unanswered, .timedOut, .noAgent, .notPermitted:
      noted.withLock { $0 = failure }
    // Somebody may be there at the next attempt.
    case .unattended: break
    case .keyMissing, .unsupported, .closed, .bluetoothdUnresponsive, .bluetoothd: break
    }
  }

  func forget() { noted.withLock { $0 = nil } }
}

/// A bearer that prevents automatic re-pairing after a failed attempt.
///
/// Attributes that require encryption then fail immediately, and the others stay usable. Otherwise
/// each such request would make the kernel try to pair, fail, and disconnect.
struct PairingBackoffBearer: ForwardingBearer {
  let base: any Bearer
  let refusal: PairingRefusal

  var transport: any Bearer { base.transport }

  /// Throws the stored failure without a new attempt, or the new one, which is stored.
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
