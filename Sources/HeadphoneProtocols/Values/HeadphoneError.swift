public import Bluetooth
public import GATT

/// The reason why a headphone did not carry out a command.
public enum HeadphoneError: Error, Hashable, Sendable {
  /// The headphone lacks this feature.
  case unsupported(String)
  /// The headphone responded with a status other than ok.
  case refused(HeadphoneStatus)
  /// No response after three attempts.
  case noResponse
  /// A value that the command does not accept.
  case badArgument(String)
  /// A required characteristic is missing, so that it is no headphone of this driver.
  case notAHeadphone(missing: String)
  /// The driver has not finished its start.
  case notStarted
  /// An error of the GATT client.
  case gatt(GATTError)
  /// The calling task was cancelled; the headphone may have carried out the command nevertheless.
  case cancelled
  /// The link ended.
  case closed(BearerClosed)
}
