package import BluetoothCodec
package import BluetoothRadio

extension TimingRange {
  /// The timing of a link in use: a key press reaches the headphone within 15 ms.
  package static let quick = TimingRange(interval: 9...12, latency: 0, supervisionTimeout: 400)

  /// The timing of an unused link whose former timing is unknown: 100 to 125 ms.
  package static let relaxed = TimingRange(interval: 80...100, latency: 0, supervisionTimeout: 400)

  init(_ timing: LEConnectionTiming) {
    self.init(
      interval: timing.interval...timing.interval, latency: timing.latency,
      supervisionTimeout: timing.supervisionTimeout)
  }
}

extension LEConnectionTiming {
  /// The time between two connection events (Core 5.4, Vol 6, Part B, 4.5).
  package var intervalDuration: Duration { .microseconds(1250) * Int(interval) }

  package var supervisionTimeoutDuration: Duration { .milliseconds(10) * Int(supervisionTimeout) }
}
