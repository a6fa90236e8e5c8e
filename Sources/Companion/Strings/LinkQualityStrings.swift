extension Duration {
  /// "15 ms", "11.25 ms", "4000 ms".
  var millisecondText: String {
    let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    return microseconds % 1000 == 0
      ? "\(microseconds / 1000) ms" : "\(Double(microseconds) / 1000) ms"
  }
}

extension LinkTiming {
  /// "every 15 ms, latency 0, time-out 4000 ms".
  public var displayText: String {
    "every \(interval.millisecondText), latency \(latency), time-out \(timeout.millisecondText)"
  }
}

extension LinkPHYs {
  /// "LE 2M", "LE 2M out, LE 1M in".
  public var displayText: String {
    transmit == receive
      ? transmit.rawValue : "\(transmit.rawValue) out, \(receive.rawValue) in"
  }
}

extension SignalTrend.Direction {
  /// One word, lower case.
  public var displayText: String {
    switch self {
    case .rising: "rising"
    case .falling: "falling"
    case .steady: "steady"
    }
  }
}

extension HeadphoneState {
  /// "-58 dBm, falling"; nil: not available.
  var signalText: String? {
    rssi.map { rssi in
      ["\(rssi) dBm", trend.direction?.displayText].compactMap(\.self).joined(separator: ", ")
    }
  }
}
