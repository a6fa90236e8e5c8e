/// The error code of an ATT_ERROR_RSP (Core 5.4, Vol 3, Part F, 3.4.1.1; CSS Part B).
///
/// ```swift
/// let code = ATTErrorCode(rawValue: 0x0F)
/// print(code)         // Insufficient Encryption (0x0F)
/// print(code.advice)  // encrypt the link: pair, or reconnect if already paired
/// ```
public struct ATTErrorCode: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let invalidHandle = ATTErrorCode(rawValue: 0x01)
  public static let readNotPermitted = ATTErrorCode(rawValue: 0x02)
  public static let writeNotPermitted = ATTErrorCode(rawValue: 0x03)
  public static let invalidPDU = ATTErrorCode(rawValue: 0x04)
  public static let insufficientAuthentication = ATTErrorCode(rawValue: 0x05)
  public static let requestNotSupported = ATTErrorCode(rawValue: 0x06)
  public static let invalidOffset = ATTErrorCode(rawValue: 0x07)
  public static let insufficientAuthorization = ATTErrorCode(rawValue: 0x08)
  public static let prepareQueueFull = ATTErrorCode(rawValue: 0x09)
  /// No attribute in the range matches, which is also how a discovery regularly ends.
  public static let attributeNotFound = ATTErrorCode(rawValue: 0x0A)
  /// The value fits into one PDU and cannot be read in parts.
  public static let attributeNotLong = ATTErrorCode(rawValue: 0x0B)
  public static let encryptionKeySizeTooShort = ATTErrorCode(rawValue: 0x0C)
  public static let invalidAttributeValueLength = ATTErrorCode(rawValue: 0x0D)
  public static let unlikelyError = ATTErrorCode(rawValue: 0x0E)
  public static let insufficientEncryption = ATTErrorCode(rawValue: 0x0F)
  public static let unsupportedGroupType = ATTErrorCode(rawValue: 0x10)
  public static let insufficientResources = ATTErrorCode(rawValue: 0x11)
  /// The database has changed, and the client must discover it again.
  public static let databaseOutOfSync = ATTErrorCode(rawValue: 0x12)
  public static let valueNotAllowed = ATTErrorCode(rawValue: 0x13)
  public static let writeRequestRejected = ATTErrorCode(rawValue: 0xFC)
  /// Notifications or indications are not enabled although the profile requires it.
  public static let cccdImproperlyConfigured = ATTErrorCode(rawValue: 0xFD)
  public static let procedureAlreadyInProgress = ATTErrorCode(rawValue: 0xFE)
  public static let outOfRange = ATTErrorCode(rawValue: 0xFF)
}
