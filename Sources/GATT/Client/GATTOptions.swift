public import Bluetooth
internal import BluetoothCodec

/// Settings of a ``GATTClient``.
public struct GATTOptions: Sendable {
  /// The largest ATT_MTU in bytes to agree to, 23 to 517.
  public var mtu: UInt16
  /// The level up to which security may be raised when the server demands it; `.low` for never.
  public var highestSecurity: SecurityLevel
  /// Values that wait for a slow subscriber before the oldest is dropped and reported.
  public var subscriptionCapacity: Int
  /// Receives what is worth a line in a log; called on the bearer's executor.
  public var report: (@Sendable (ATTDiagnostic) -> Void)?

  /// Clamps `mtu` to 23...517 bytes, and `subscriptionCapacity` to 1 or more values.
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
