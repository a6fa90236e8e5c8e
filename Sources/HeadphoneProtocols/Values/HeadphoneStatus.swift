/// Status of a response and code of event 0x7F (docs/protocol.md section 5).
public enum HeadphoneStatus: Hashable, Sendable {
  case ok
  case unknownCommand, badPayload, busy, notPermitted, batteryTooLow, badChecksum
  case versionNotSupported, wrongState, storageFailure, signatureInvalid, wrongHardware
  case downgradeRefused, timeout, notWorn, digestWrong, blockChecksumWrong
  case unspecified
  /// A code that the document does not list.
  case other(UInt8)
}
