public import Bluetooth
internal import BluetoothCodec

/// How a ``GATTClient`` behaves.
public struct GATTOptions: Sendable {
  /// The largest ATT_MTU in bytes to agree to, 23 to 517.
  public var mtu: UInt16
  /// The level up to which security may be raised when the server demands it; `.low`: never.
  public var highestSecurity: SecurityLevel
  /// Values that wait for a slow subscriber before the oldest is dropped, and that is told.
  public var subscriptionCapacity: Int
  /// What to log; called on the bearer's executor.
  public var report: (@Sendable (ATTDiagnostic) -> Void)?

  /// Brings what is out of range into it: `mtu` to 23...517, `subscriptionCapacity` to 1 or more.
  public init(
    mtu: UInt16 = 517, highestSecurity: SecurityLevel = .high, subscriptionCapacity: Int = 256,
    report: (@Sendable (ATTDiagnostic) -> Void)? = nil
  ) {
    self.mtu = min(max(mtu, UInt16(ATTEngine.defaultMTU)), 517)
    self.highestSecurity = highestSecurity
    self.subscriptionCapacity = max(1, subscriptionCapacity)
    self.report = report
  }
}
