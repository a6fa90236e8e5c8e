public import Bluetooth
public import GATT

/// The reason why a headphone did not carry out a command.
public enum HeadphoneError: Error, Hashable, Sendable {
  /// The headphone lacks this feature.
  case unsupported(String)
  /// What its receive states show of a broadcast.
  case broadcast(BroadcastFailure)
  /// The headphone responded with a status other than ok.
  case refused(HeadphoneStatus)
  /// No response after the last attempt.
  case noResponse
  /// A value that the command does not accept.
  case badArgument(String)
  /// A required characteristic is missing, so that it is no headphone of this driver.
  case notAHeadphone(missing: String)
  /// The program that holds the link keeps the service of this feature for itself.
  case withheld
  /// The driver has not finished its start.
  case notStarted
  /// An error of the GATT client.
  case gatt(GATTError)
  /// The calling task was cancelled; the headphone may have carried out the command nevertheless.
  case cancelled
  /// The link ended.
  case closed(BearerClosed)
}

extension HeadphoneError {
  /// A noise control mode that the headphone lacks.
  package static func noMode(_ mode: ANCMode) -> Self {
    .unsupported("noise control mode \"\(mode)\"")
  }

  /// A command that the headphones of a family do not have.
  package static func noCommand(of family: String) -> Self {
    .unsupported("\(family) command for this")
  }

  /// A level that is out of range.
  package static func level(_ level: UInt8, outside range: ClosedRange<UInt8>) -> Self {
    .badArgument("level \(level) is out of range: \(range.lowerBound) to \(range.upperBound)")
  }

  /// Gains for another number of bands than the headphone has.
  package static func gains(_ count: Int, insteadOf bands: Int) -> Self {
    .badArgument("this headphone takes \(bands) gains, not \(count)")
  }
}
