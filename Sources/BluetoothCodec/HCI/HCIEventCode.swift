/// The codes of the decoded events (Core 5.4, Vol 4, Part E, 7.7).
public enum HCIEventCode {
  public static let connectionComplete: UInt8 = 0x03
  public static let disconnectionComplete: UInt8 = 0x05
  public static let encryptionChange: UInt8 = 0x08
  public static let commandComplete: UInt8 = 0x0E
  public static let commandStatus: UInt8 = 0x0F
  public static let synchronousConnectionComplete: UInt8 = 0x2C
  public static let leMeta: UInt8 = 0x3E
}

/// The subevent codes of LE Meta events (Core 5.4, Vol 4, Part E, 7.7.65).
public enum LEEventCode {
  public static let connectionComplete: UInt8 = 0x01
  public static let advertisingReport: UInt8 = 0x02
  public static let connectionUpdateComplete: UInt8 = 0x03
  public static let dataLengthChange: UInt8 = 0x07
  public static let enhancedConnectionComplete: UInt8 = 0x0A
  public static let phyUpdateComplete: UInt8 = 0x0C
  public static let extendedAdvertisingReport: UInt8 = 0x0D
}
