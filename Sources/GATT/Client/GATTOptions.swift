public import Bluetooth
internal import BluetoothCodec

/// The options of a ``GATTClient``.
public struct GATTOptions: Sendable {
  /// The largest ATT_MTU in bytes to agree to, 23 to 517.
  public var mtu: UInt16
  /// The level up to which security may be raised when the server requires it; `.low` for never.
  public var highestSecurity: SecurityLevel
  /// The number of values that wait for a slow subscriber before the oldest is dropped and
  /// reported.
  public var subscriptionCapacity: Int
  /// The consumer of diagnostics, for a log; called on the bearer's executor.
  public var report: (@Sendable (ATTDiagnostic) -> Void)?

  /// Options; numbers outside of their ranges are clamped.
  ///
  /// - Parameters:
  ///   - mtu: 23 to 517 bytes.
  ///   - highestSecurity: `.low` for never raising it.
  ///   - subscriptionCapacity: at least 1.
  ///   - report: `nil` to drop diagnostics.
  public init(
    mtu: UInt16 = 517, highestSecurity: SecurityLevel = .fips, subscriptionCapacity: Int = 256,
    report: (@Sendable (ATTDiagnostic) -> Void)? = nil
  ) {
    self.mtu = min(max(mtu, UInt16(ATTEngine.defaultMTU)), 517)
    self.highestSecurity = highestSecurity
    self.subscriptionCapacity = max(1, subscriptionCapacity)
    self.report = report
  }
}
