/// The encryption of a link, as the kernel reports it (BT_SECURITY).
public struct LinkProtection: Hashable, Sendable {
  public var level: SecurityLevel
  /// The size of the encryption key, 7 to 16 bytes, or nil if the kernel does not report it.
  ///
  /// Both sides agree on it when they encrypt a BR/EDR link (Core 5.4, Vol 2, Part H, 4.2.6) and
  /// when they pair over LE (Core 5.4, Vol 3, Part H, 2.3.4).
  public var keySize: UInt8?

  public init(level: SecurityLevel, keySize: UInt8? = nil) {
    self.level = level
    self.keySize = keySize
  }
}
