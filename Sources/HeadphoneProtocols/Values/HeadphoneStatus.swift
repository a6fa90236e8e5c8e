/// The status of a response, and the code of event 0x7F (docs/protocol.md section 5).
///
/// | Code | Status |
/// | --- | --- |
/// | 0 | ok |
/// | 1 to 6 | unknown command, bad payload, busy, not permitted, battery too low, bad checksum |
/// | 7 to 9 | version not supported, wrong state, storage failure |
/// | 10 to 12 | signature invalid, wrong hardware, downgrade refused |
/// | 13 to 16 | time-out, not worn, image digest wrong, block checksum wrong |
/// | 0xFF | unspecified |
///
/// `notPermitted` means that the command requires a bonded link. Drivers of makers' protocols also
/// use these cases, but not the codes.
public enum HeadphoneStatus: Hashable, Sendable {
  case ok
  case unknownCommand, badPayload, busy, notPermitted, batteryTooLow, badChecksum
  case versionNotSupported, wrongState, storageFailure, signatureInvalid, wrongHardware
  case downgradeRefused, timeout, notWorn, digestWrong, blockChecksumWrong
  case unspecified
  /// A code that the protocol does not define.
  case other(UInt8)
}
