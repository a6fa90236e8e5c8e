internal import Bluetooth
internal import BluetoothCodec
internal import Companion
internal import GATT

extension LinkMeasurement {
  init(_ quality: LinkQuality) {
    var phys: LinkPHYs?
    if let transmit = quality.transmit.flatMap(LinkPHY.init),
      let receive = quality.receive.flatMap(LinkPHY.init)
    {
      phys = LinkPHYs(transmit: transmit, receive: receive)
    }
    self.init(rssi: quality.rssi, timing: quality.timing.map(LinkTiming.init), phys: phys)
  }
}

extension LinkPHY {
  /// Nil for one that is not known.
  fileprivate init?(_ phy: PHY) {
    switch phy {
    case .le1M: self = .le1M
    case .le2M: self = .le2M
    case .leCoded: self = .leCoded
    default: return nil
    }
  }
}

/// In these the air counts (Core 5.4, Vol 4, Part E, 7.8.18).
private let intervalUnit: Duration = .microseconds(1250)
private let timeoutUnit: Duration = .milliseconds(10)

extension LinkTiming {
  init(_ timing: LEConnectionTiming) {
    self.init(
      interval: intervalUnit * Int(timing.interval), latency: Int(timing.latency),
      timeout: timeoutUnit * Int(timing.supervisionTimeout))
  }
}

extension TimingRange {
  init(_ request: TimingRequest) {
    self.init(
      interval: intervalUnit.count(
        in: request.interval.lowerBound)...intervalUnit.count(in: request.interval.upperBound),
      latency: UInt16(clamping: request.latency),
      supervisionTimeout: timeoutUnit.count(in: request.timeout))
  }
}

extension Duration {
  /// How often it fits whole.
  fileprivate func count(in whole: Duration) -> UInt16 {
    UInt16(clamping: Int((whole / self).rounded(.down)))
  }
}
