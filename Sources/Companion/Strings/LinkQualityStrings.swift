package import BluetoothCodec
package import BluetoothRadio

extension Duration {
  fileprivate var millisecondText: String {
    let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    return microseconds % 1000 == 0
      ? "\(microseconds / 1000) ms" : "\(Double(microseconds) / 1000) ms"
  }
}

extension LEConnectionTiming {
  /// The timing as text: "interval 15 ms, latency 0, timeout 4000 ms".
  package var displayText: String {
    "interval \(intervalDuration.millisecondText), latency \(latency), "
      + "timeout \(supervisionTimeoutDuration.millisecondText)"
  }
}

extension PHY {
  /// The name on screens and in JSON, such as "LE 2M"; nil for an unknown PHY.
  package var name: String? {
    switch self {
    case .le1M: "LE 1M"
    case .le2M: "LE 2M"
    case .leCoded: "LE Coded"
    default: nil
    }
  }
}

extension LinkQuality {
  /// The names of the PHYs to and from the headphone; nil if either is unknown.
  package var phyNames: (transmit: String, receive: String)? {
    guard let transmit = transmit?.name, let receive = receive?.name else { return nil }
    return (transmit, receive)
  }

  /// The PHYs as text: "LE 2M" or "LE 2M out, LE 1M in"; nil if either is unknown.
  package var phyText: String? {
    phyNames.map { $0 == $1 ? $0 : "\($0) out, \($1) in" }
  }
}

extension HeadphoneState {
  /// The signal as text, such as "-58 dBm, falling"; nil if unavailable.
  var signalText: String? {
    rssi.map { rssi in
      ["\(rssi) dBm", trend.direction?.rawValue].compactMap(\.self).joined(separator: ", ")
    }
  }
}
