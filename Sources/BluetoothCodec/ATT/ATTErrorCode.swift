/// The error code of an ATT_ERROR_RSP (Core 5.4, Vol 3, Part F, 3.4.1.1; CSS Part B).
///
/// ```swift
/// let code = ATTErrorCode(rawValue: 0x0F)
/// print(code)         // Insufficient Encryption (0x0F)
/// print(code.advice)  // Encrypt the link: pair, or reconnect if already paired.
/// ```
public struct ATTErrorCode: RawRepresentable, Hashable, Sendable {
  /// The code on the air.
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// 0x01: there is no attribute with this handle.
  public static let invalidHandle = ATTErrorCode(rawValue: 0x01)
  /// 0x02: the attribute cannot be read.
  public static let readNotPermitted = ATTErrorCode(rawValue: 0x02)
  /// 0x03: the attribute cannot be written.
  public static let writeNotPermitted = ATTErrorCode(rawValue: 0x03)
  /// 0x04: the server could not decode the request.
  public static let invalidPDU = ATTErrorCode(rawValue: 0x04)
  /// 0x05: the link must be authenticated first, by pairing.
  public static let insufficientAuthentication = ATTErrorCode(rawValue: 0x05)
  /// 0x06: the server does not support the request.
  public static let requestNotSupported = ATTErrorCode(rawValue: 0x06)
  /// 0x07: the offset is beyond the end of the value.
  public static let invalidOffset = ATTErrorCode(rawValue: 0x07)
  /// 0x08: the server's application or user must permit the access first.
  public static let insufficientAuthorization = ATTErrorCode(rawValue: 0x08)
  /// 0x09: too many parts of long writes are queued.
  public static let prepareQueueFull = ATTErrorCode(rawValue: 0x09)
  /// 0x0A: no attribute matches in the range, which is also the regular end of a discovery.
  public static let attributeNotFound = ATTErrorCode(rawValue: 0x0A)
  /// 0x0B: the value cannot be read in parts, as it fits into one PDU.
  public static let attributeNotLong = ATTErrorCode(rawValue: 0x0B)
  /// 0x0C: the encryption key of the link is too short.
  public static let encryptionKeySizeTooShort = ATTErrorCode(rawValue: 0x0C)
  /// 0x0D: the value has a length that the attribute does not accept.
  public static let invalidAttributeValueLength = ATTErrorCode(rawValue: 0x0D)
  /// 0x0E: no other code applies.
  public static let unlikelyError = ATTErrorCode(rawValue: 0x0E)
  /// 0x0F: the link must be encrypted first.
  public static let insufficientEncryption = ATTErrorCode(rawValue: 0x0F)
  /// 0x10: attributes of this type are not groups.
  public static let unsupportedGroupType = ATTErrorCode(rawValue: 0x10)
  /// 0x11: the server lacks resources for the request.
  public static let insufficientResources = ATTErrorCode(rawValue: 0x11)
  /// 0x12: the client must discover the database again, as it has changed.
  public static let databaseOutOfSync = ATTErrorCode(rawValue: 0x12)
  /// 0x13: the value is not allowed.
  public static let valueNotAllowed = ATTErrorCode(rawValue: 0x13)
  /// 0xFC: the write is refused for a reason of the profile.
  public static let writeRequestRejected = ATTErrorCode(rawValue: 0xFC)
  /// 0xFD: notifications or indications are not enabled, as the profile requires.
  public static let cccdImproperlyConfigured = ATTErrorCode(rawValue: 0xFD)
  /// 0xFE: an earlier procedure is still under way.
  public static let procedureAlreadyInProgress = ATTErrorCode(rawValue: 0xFE)
  /// 0xFF: the value is out of the profile's range.
  public static let outOfRange = ATTErrorCode(rawValue: 0xFF)
}
