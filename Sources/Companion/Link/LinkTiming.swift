/// When the two ends of a link meet (Core 5.4, Vol 6, Part B, 4.5).
public struct LinkTiming: Hashable, Sendable {
  /// Between two connection events.
  public var interval: Duration
  /// Connection events that the headphone may skip.
  public var latency: Int
  /// After so long without a word the link is lost.
  public var timeout: Duration

  public init(interval: Duration, latency: Int, timeout: Duration) {
    self.interval = interval
    self.latency = latency
    self.timeout = timeout
  }
}

/// A timing that a link is wanted to have; the adapter chooses within it.
public struct TimingRequest: Hashable, Sendable {
  /// The range within which the adapter chooses.
  public var interval: ClosedRange<Duration>
  /// Connection events that the headphone may skip.
  public var latency: Int
  /// The link's supervision time-out.
  public var timeout: Duration

  public init(interval: ClosedRange<Duration>, latency: Int, timeout: Duration) {
    self.interval = interval
    self.latency = latency
    self.timeout = timeout
  }

  /// What it was before.
  init(_ timing: LinkTiming) {
    self.init(
      interval: timing.interval...timing.interval, latency: timing.latency, timeout: timing.timeout)
  }

  /// A key is on the headphone within 15 ms.
  public static let quick = TimingRequest(
    interval: .microseconds(11_250)...(.milliseconds(15)), latency: 0, timeout: .seconds(4))

  /// For a link whose timing before is not known.
  public static let relaxed = TimingRequest(
    interval: .milliseconds(100)...(.milliseconds(125)), latency: 0, timeout: .seconds(4))
}

/// The modulation of a link's packets in one direction.
public enum LinkPHY: String, Hashable, Sendable {
  case le1M = "LE 1M"
  case le2M = "LE 2M"
  case leCoded = "LE Coded"
}

/// The modulation of both directions.
public struct LinkPHYs: Hashable, Sendable {
  /// To the headphone.
  public var transmit: LinkPHY
  /// From the headphone.
  public var receive: LinkPHY

  public init(transmit: LinkPHY, receive: LinkPHY) {
    self.transmit = transmit
    self.receive = receive
  }
}

/// What of a link was measured at one moment; nil: not told.
public struct LinkMeasurement: Hashable, Sendable {
  /// dBm.
  public var rssi: Int8?
  /// Nil: not told, as on BR/EDR.
  public var timing: LinkTiming?
  /// Nil: not told, as on BR/EDR.
  public var phys: LinkPHYs?

  public init(rssi: Int8? = nil, timing: LinkTiming? = nil, phys: LinkPHYs? = nil) {
    self.rssi = rssi
    self.timing = timing
    self.phys = phys
  }
}
