public import BluetoothCodec

/// Measurements of a link; nil is what the controller does not report.
public struct LinkQuality: Hashable, Sendable {
  /// dBm.
  public var rssi: Int8?
  /// As the controller reported it last; nil on BR/EDR, too.
  public var timing: LEConnectionTiming?
  /// To the peripheral.
  public var transmit: PHY?
  /// From the peripheral.
  public var receive: PHY?
  /// Bytes of a link-layer packet to the peripheral, 27 to 251 (Core 5.4, Vol 4, Part E, 7.7.65.7).
  public var packetLength: Int?

  public init(
    rssi: Int8? = nil, timing: LEConnectionTiming? = nil, transmit: PHY? = nil,
    receive: PHY? = nil, packetLength: Int? = nil
  ) {
    self.rssi = rssi
    self.timing = timing
    self.transmit = transmit
    self.receive = receive
    self.packetLength = packetLength
  }
}

/// The connection parameters to ask for; the controller chooses within them.
public struct TimingRange: Hashable, Sendable {
  /// The connection interval in units of 1.25 ms.
  public var interval: ClosedRange<UInt16>
  /// Connection events that the peripheral may skip.
  public var latency: UInt16
  /// The supervision time-out in units of 10 ms.
  public var supervisionTimeout: UInt16

  public init(interval: ClosedRange<UInt16>, latency: UInt16, supervisionTimeout: UInt16) {
    self.interval = interval
    self.latency = latency
    self.supervisionTimeout = supervisionTimeout
  }
}

/// Why the connection parameters of a link were not changed.
public enum TimingFailure: Error, Hashable, Sendable {
  /// The kernel demands a capability.
  case notPermitted(capability: String)
  /// The controller or the headphone refused, with this HCI status.
  case refused(HCIStatus)
  /// No answer within the time-out.
  case timedOut
  /// This bearer cannot do it.
  case unsupported
  /// The link has ended.
  case closed
}

extension TimingFailure: CustomStringConvertible {
  /// What happened, lower case and without a full stop.
  public var description: String {
    switch self {
    case .notPermitted(let capability): "it needs \(capability)"
    case .refused(let status): "refused: \(status)"
    case .timedOut: "no answer in time"
    case .unsupported: "the link cannot do it"
    case .closed: "the link has ended"
    }
  }
}
