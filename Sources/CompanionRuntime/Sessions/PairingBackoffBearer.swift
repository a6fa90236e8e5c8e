internal import Bluetooth
internal import GATT
internal import Locking

/// Whether pairing with a headphone failed, so that only the user may start another attempt.
///
/// Shared between the connections of one headphone; a request of the user clears it.
final class PairingRefusal: Sendable {
  private let noted = Mutex<SecurityFailure?>(nil)

  var failure: SecurityFailure? { noted.withLock { $0 } }

  /// Stores a failure that a second attempt would repeat.
  func note(_ failure: SecurityFailure) {
    switch failure {
    case .refused, .declined, .unanswered, .timedOut, .noAgent, .notPermitted:
      noted.withLock { $0 = failure }
    case .keyMissing, .unsupported, .closed, .bluetoothdUnresponsive, .bluetoothd: break
    }
  }

  /// Permits automatic pairing again.
  func forget() { noted.withLock { $0 = nil } }
}

/// A bearer that prevents automatic re-pairing after a failed attempt.
///
/// Attributes that require encryption fail at once, and the others stay usable. Otherwise each such
/// request would make the kernel try to pair, fail, and disconnect.
struct PairingBackoffBearer: ForwardingBearer {
  let base: any Bearer
  let refusal: PairingRefusal

  var transport: any Bearer { base.transport }

  /// - Throws: The noted failure without asking the kernel, or the new one, which is noted.
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
