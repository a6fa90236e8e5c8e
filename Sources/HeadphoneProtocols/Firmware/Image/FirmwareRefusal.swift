public import BluetoothCodec

/// Why a firmware image is not sent; not a byte of it has left this machine.
public enum FirmwareRefusal: Error, Hashable, Sendable {
  /// The file does not begin as firmware does, or its manifest makes no sense; where, if known.
  case notFirmware(MalformedBytes?)
  /// The file ends early; bytes.
  case truncated(expected: Int, actual: Int)
  /// The file goes on after the image; bytes.
  case tooLong(expected: Int, actual: Int)
  /// The image is not the one that the manifest was made for.
  case digestWrong
  /// No trusted key is known for this kind of headphone.
  case noTrustedKey
  /// No trusted key has signed the manifest.
  case untrustedSignature
  /// The maker who has signed the manifest is trusted for headphones of other profiles only.
  case otherProfile(signed: [String], headphone: String)
  /// The image is for other hardware.
  case wrongHardware(image: UInt32, headphone: UInt32)
  /// The headphone runs this version or a newer one.
  case notNewer(image: FirmwareVersion, running: FirmwareVersion)
  /// The headphone has run an image with this security counter or a higher one.
  case counterNotHigher(image: UInt32, running: UInt32)
  /// A bud has too little charge, and is not charging; %.
  case batteryTooLow(Part, level: UInt8, minimum: UInt8)
  /// A bud's charge is not known, and the image demands some; %.
  case batteryUnknown(Part, minimum: UInt8)
  /// An update is under way.
  case updateRunning
  /// The headphone takes no updates over this link.
  case unsupported

  /// Whether a person may insist, so that the headphone decides.
  public var canBeForced: Bool {
    switch self {
    case .notNewer, .counterNotHigher: true
    case .notFirmware, .truncated, .tooLong, .digestWrong, .noTrustedKey, .untrustedSignature,
      .otherProfile, .wrongHardware, .batteryTooLow, .batteryUnknown, .updateRunning, .unsupported:
      false
    }
  }
}
