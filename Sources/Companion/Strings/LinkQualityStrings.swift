public import Bluetooth
public import BluetoothCodec

extension Duration {
  /// "15 ms", "11.25 ms", "4000 ms".
  fileprivate var millisecondText: String {
    let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    return microseconds % 1000 == 0
      ? "\(microseconds / 1000) ms" : "\(Double(microseconds) / 1000) ms"
  }
}

extension LEConnectionTiming {
  /// "interval 15 ms, latency 0, timeout 4000 ms".
  public var displayText: String {
    "interval \(intervalDuration.millisecondText), latency \(latency), "
      + "timeout \(supervisionTimeoutDuration.millisecondText)"
  }
}

extension PHY {
  /// "LE 2M", which is also the name in JSON; nil for a PHY that is not known.
  public var name: String? {
    switch self {
    case .le1M: "LE 1M"
    case .le2M: "LE 2M"
    case .leCoded: "LE Coded"
    default: nil
    }
  }
}

extension LinkQuality {
  /// The names of the PHYs to and from the headphone; nil where either is not known.
  public var phyNames: (transmit: String, receive: String)? {
    guard let transmit = transmit?.name, let receive = receive?.name else { return nil }
    return (transmit, receive)
  }

  /// "LE 2M", "LE 2M out, LE 1M in"; nil where either is not known.
  public var phyText: String? {
    phyNames.map { $0 == $1 ? $0 : "\($0) out, \($1) in" }
  }
}

extension HeadphoneState {
  /// "-58 dBm, falling"; nil: not available.
  var signalText: String? {
    rssi.map { rssi in
      ["\(rssi) dBm", trend.direction?.rawValue].compactMap(\.self).joined(separator: ", ")
    }
  }
}
