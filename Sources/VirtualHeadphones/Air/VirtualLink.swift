internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import EventLoop
internal import Locking

/// The security, timing and disconnect reason of a virtual link, locked as both ends use them.
final class VirtualLink: Sendable {
  private struct State {
    var security = SecurityLevel.low
    var ending: BearerClosed.Reason?
    /// The connection parameters with which Linux starts a link.
    var timing = LEConnectionTiming(interval: 40, latency: 0, supervisionTimeout: 42)
  }

  private let isLowEnergy: Bool
  private let keySize: UInt8
  private let state: Mutex<State>

  /// Creates a link; on BR/EDR it is encrypted from the start, as with a headphone in use.
  init(on channel: LinkChannel, keySize: UInt8 = 16) {
    isLowEnergy = channel == .attributes
    self.keySize = keySize
    state = Mutex(State(security: isLowEnergy ? .low : .medium))
  }

  var protection: LinkProtection {
    let level = security
    return LinkProtection(level: level, keySize: level >= .medium ? keySize : nil)
  }

  var security: SecurityLevel {
    get { state.withLock { $0.security } }
    set { state.withLock { $0.security = newValue } }
  }

  var timing: LEConnectionTiming { state.withLock { $0.timing } }

  /// Applies the slowest acceptable timing, as most controllers do; throws on BR/EDR.
  func retime(to request: TimingRange) throws(TimingFailure) -> LEConnectionTiming {
    guard isLowEnergy else { throw .unsupported }
    return state.withLock { state in
      state.timing = LEConnectionTiming(
        interval: request.interval.upperBound, latency: request.latency,
        supervisionTimeout: request.supervisionTimeout)
      return state.timing
    }
  }

  var ending: BearerClosed.Reason? { state.withLock { $0.ending } }

  func end(_ reason: BearerClosed.Reason) {
    state.withLock { $0.ending = $0.ending ?? reason }
  }

  func hooks(of headphone: VirtualHeadphone, phone: VirtualPhone) -> LinkCallbacks {
    LinkCallbacks(
      raiseSecurity: { _, level throws(SecurityFailure) in
        try await headphone.raiseSecurity(to: level, of: self, by: phone)
      },
      security: { _ in self.security },
      measure: { _ in
        guard self.isLowEnergy else {
          return LinkQuality(rssi: await headphone.rssi, protection: self.protection)
        }
        return LinkQuality(
          rssi: await headphone.rssi, timing: self.timing, transmit: .le2M, receive: .le2M,
          packetLength: 251, protection: self.protection)
      },
      retime: { (_, request) throws(TimingFailure) in try self.retime(to: request) },
      closeReason: { error in
        self.ending ?? BearerClosed.Reason(socketError: error)
      })
  }
}
