internal import BluetoothCodec
public import BluetoothRadio

/// The options of a ``GATTClient``.
public struct GATTOptions: Sendable {
  /// The largest ATT_MTU in bytes to accept, 23 to 517.
  public var mtu: UInt16
  /// The level up to which to raise security when the server requires it; `.low` for never.
  public var highestSecurity: SecurityLevel
  /// The number of values that wait for a slow subscriber before the oldest is dropped.
  public var subscriptionCapacity: Int
  /// The requests at which earlier links to the server ended; shared by all links to it.
  public var history: RequestHistory
  /// The consumer of diagnostics, called on the bearer's executor, or nil to drop them.
  public var report: (@Sendable (ATTDiagnostic) -> Void)?

  /// Creates options; numbers out of range are clamped.
  public init(
    mtu: UInt16 = 517, highestSecurity: SecurityLevel = .fips, subscriptionCapacity: Int = 256,
    history: RequestHistory = RequestHistory(), report: (@Sendable (ATTDiagnostic) -> Void)? = nil
  ) {
    self.mtu = min(max(mtu, UInt16(ATTEngine.defaultMTU)), 517)
    self.highestSecurity = highestSecurity
    self.subscriptionCapacity = max(1, subscriptionCapacity)
    self.history = history
    self.report = report
  }
}
