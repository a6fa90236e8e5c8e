public import BluetoothCodec

/// The reason why a firmware image is not sent, before its first byte.
public enum FirmwareRefusal: Error, Hashable, Sendable {
  /// The file has no valid manifest; the error is nil if not even the marker is there.
  case notFirmware(MalformedBytes?)
  /// The file ends early; lengths in bytes.
  case truncated(expected: Int, actual: Int)
  /// The file continues after the image; lengths in bytes.
  case tooLong(expected: Int, actual: Int)
  case digestWrong
  case noTrustedKey
  case untrustedSignature
  /// The signing key is trusted, but only for headphones of other profiles.
  case otherProfile(signed: [String], headphone: String)
  /// The image is for other hardware.
  case wrongHardware(image: UInt32, headphone: UInt32)
  case notNewer(image: FirmwareVersion, running: FirmwareVersion)
  /// The running firmware has the same security counter or a higher one.
  case counterNotHigher(image: UInt32, running: UInt32)
  /// A bud's charge in percent is below the minimum, and it is not charging.
  case batteryTooLow(Part, level: UInt8, minimum: UInt8)
  /// A bud's charge is unknown, but the image requires a minimum in percent.
  case batteryUnknown(Part, minimum: UInt8)
  case updateRunning
  case unsupported

  /// Whether the user may override the refusal and let the headphone decide.
  public var canBeForced: Bool {
    switch self {
    case .notNewer, .counterNotHigher: true
    case .notFirmware, .truncated, .tooLong, .digestWrong, .noTrustedKey, .untrustedSignature,
      .otherProfile, .wrongHardware, .batteryTooLow, .batteryUnknown, .updateRunning, .unsupported:
      false
    }
  }
}
