public import BluetoothCodec

/// The reason why a headphone did not execute a command.
public enum HeadphoneError: Error, Hashable, Sendable {
  /// The headphone does not have this feature.
  case unsupported(String)
  /// The receive states show that a command about a broadcast failed.
  case broadcast(BroadcastFailure)
  case refused(HeadphoneStatus)
  /// The last attempt got no response.
  case noResponse
  /// The driver file with this name does not allow commands.
  case readOnly(file: String)
  /// The headphone does not accept a value in the command, in words.
  case badArgument(String)
  /// A required characteristic is missing, so this driver cannot be used.
  case notAHeadphone(missing: String)
  /// Another program holds the link without sharing the service of this feature.
  case withheld
  case notStarted
  /// A service of LE Audio reported an error, in words.
  case service(String)
  case gatt(GATTError)
  /// The calling task was cancelled; the headphone may have executed the command.
  case cancelled
  case closed(BearerClosed)
}

extension HeadphoneError {
  package static func noMode(_ mode: ANCMode) -> Self {
    .unsupported("noise control mode \"\(mode)\"")
  }

  package static func noCommand(of family: String) -> Self {
    .unsupported("\(family) command for this")
  }

  package static func level(_ level: UInt8, outside range: ClosedRange<UInt8>) -> Self {
    .badArgument("level \(level) is out of range: \(range.lowerBound) to \(range.upperBound)")
  }

  package static func gains(_ count: Int, insteadOf bands: Int) -> Self {
    .badArgument("this headphone takes \(bands) gains, not \(count)")
  }
}
