internal import Bluetooth
internal import BluetoothCodec
internal import EventLoop
internal import GATT
internal import Locking

/// The state that the two ends of a virtual link share beside the descriptors.
///
/// Its protection, and why it ended: a kernel and a controller know this of a real one.
///
/// Locked rather than isolated, because both ends and the bearer's callbacks use it from different
/// executors.
final class VirtualLink: Sendable {
  private struct State {
    var security = SecurityLevel.low
    var ending: BearerClosed.Reason?
    /// The connection parameters that Linux begins a link with.
    var timing = LEConnectionTiming(interval: 40, latency: 0, supervisionTimeout: 42)
  }

  private let state = Mutex(State())

  /// The encryption of the link; raised by pairing, `low` on a new link.
  var security: SecurityLevel {
    get { state.withLock { $0.security } }
    set { state.withLock { $0.security = newValue } }
  }

  var timing: LEConnectionTiming { state.withLock { $0.timing } }

  /// Takes the slowest timing that is wanted, as most controllers do.
  func retime(to request: TimingRange) -> LEConnectionTiming {
    state.withLock { state in
      state.timing = LEConnectionTiming(
        interval: request.interval.upperBound, latency: request.latency,
        supervisionTimeout: request.supervisionTimeout)
      return state.timing
    }
  }

  /// Why it has ended; nil: it has not, or the phone has ended it.
  var ending: BearerClosed.Reason? { state.withLock { $0.ending } }

  /// The disconnect reason that the phone receives; the first one counts.
  func end(_ reason: BearerClosed.Reason) {
    state.withLock { $0.ending = $0.ending ?? reason }
  }

  /// What the phone's end asks of the link and of the headphone behind it.
  func hooks(of headphone: VirtualHeadphone, phone: VirtualPhone) -> LinkCallbacks {
    LinkCallbacks(
      raiseSecurity: { _, level throws(SecurityFailure) in
        try await headphone.raiseSecurity(to: level, of: self, by: phone)
      },
      security: { _ in self.security },
      measure: { _ in
        LinkQuality(
          rssi: await headphone.rssi, timing: self.timing, transmit: .le2M, receive: .le2M,
          packetLength: 251)
      },
      retime: { _, request in self.retime(to: request) },
      closeReason: { error in
        self.ending ?? BearerClosed.Reason(socketError: error)
      })
  }
}
