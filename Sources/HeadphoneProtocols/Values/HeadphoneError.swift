public import Bluetooth
public import GATT

/// Why a headphone did not do what it was asked to; each says what to do next.
public enum HeadphoneError: Error, Hashable, Sendable {
  /// The headphone lacks this feature.
  case unsupported(String)
  /// The headphone answered with a status other than ok.
  case refused(HeadphoneStatus)
  /// No response after three tries.
  case noResponse
  /// A value that the command does not take.
  case badArgument(String)
  /// A required characteristic is missing: this is no headphone of this driver.
  case notAHeadphone(missing: String)
  /// The driver has not found out yet what the headphone is.
  case notStarted
  /// The GATT client's error, with opcode, handle, code, name and advice.
  case gatt(GATTError)
  /// The calling task was cancelled; the headphone may have carried out the command all the same.
  case cancelled
  /// The link ended.
  case closed(BearerClosed)
}
