/// The signal quality, in visually distinct steps.
///
/// | from | quality | steps |
/// | --- | --- | --- |
/// | -60 dBm | excellent | 4 |
/// | -70 dBm | good | 3 |
/// | -80 dBm | fair | 2 |
/// | below | poor | 1 |
package enum SignalStrength: Int, Sendable {
  case poor = 1
  case fair, good, excellent

  package init(_ rssi: Int8) {
    switch rssi {
    case (-60)...: self = .excellent
    case (-70)...: self = .good
    case (-80)...: self = .fair
    default: self = .poor
    }
  }
}
