public import BluetoothCodec

/// The measurements of a link; members are nil if unreported or if another program holds it.
public struct LinkQuality: Hashable, Sendable {
  /// The received signal strength in dBm.
  public var rssi: Int8?
  /// The connection parameters that the controller reported last, or nil on BR/EDR.
  public var timing: LEConnectionTiming?
  /// The PHY to the peripheral.
  public var transmit: PHY?
  /// The PHY from the peripheral.
  public var receive: PHY?
  /// A packet's payload to the peripheral, 27 to 251 bytes (Core 5.4, Vol 4, Part E, 7.7.65.7).
  public var packetLength: Int?
  /// The program that holds the link and carries out requests, or nil if this program does.
  public var holder: String?
  /// The encryption of the link, or nil if another program holds the link.
  public var protection: LinkProtection?

  public init(
    rssi: Int8? = nil, timing: LEConnectionTiming? = nil, transmit: PHY? = nil,
    receive: PHY? = nil, packetLength: Int? = nil, holder: String? = nil,
    protection: LinkProtection? = nil
  ) {
    self.rssi = rssi
    self.timing = timing
    self.transmit = transmit
    self.receive = receive
    self.packetLength = packetLength
    self.holder = holder
    self.protection = protection
  }
}

/// The acceptable connection parameters, of which the controller chooses.
public struct TimingRange: Hashable, Sendable {
  /// The connection interval in units of 1.25 ms.
  public var interval: ClosedRange<UInt16>
  /// The number of connection events that the peripheral may skip.
  public var latency: UInt16
  /// The supervision timeout in units of 10 ms.
  public var supervisionTimeout: UInt16

  public init(interval: ClosedRange<UInt16>, latency: UInt16, supervisionTimeout: UInt16) {
    self.interval = interval
    self.latency = latency
    self.supervisionTimeout = supervisionTimeout
  }
}

/// The reason why the connection parameters of a link were not changed.
public enum TimingFailure: Error, Hashable, Sendable {
  /// The kernel requires a capability that this process lacks.
  case notPermitted(capability: String)
  /// The controller or the headphone rejected the change with this HCI status.
  case refused(HCIStatus)
  case timedOut
  case unsupported
  case closed
}

extension TimingFailure: CustomStringConvertible {
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
