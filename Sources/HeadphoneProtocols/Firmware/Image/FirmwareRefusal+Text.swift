extension FirmwareRefusal {
  /// The reason, as a sentence without its full stop; names from the air are made safe to display.
  public var explanation: String {
    switch self {
    case .notFirmware(nil): "this file is no firmware image"
    case .notFirmware(.some(let error)): "this file is no firmware image: \(error)"
    case .truncated(let expected, let actual):
      "the file is cut off: \(actual) of \(expected) bytes are there"
    case .tooLong(let expected, let actual):
      "the file goes on after its end, by \(actual - expected) of \(actual) bytes"
    case .digestWrong: "the image is damaged: its SHA-256 is not the one in its manifest"
    case .noTrustedKey: "no key is trusted for this headphone's firmware"
    case .untrustedSignature: "no trusted key has signed this image"
    case .otherProfile(let signed, let headphone):
      "its maker is trusted for \(Self.list(signed)), and this headphone is \(Self.list([headphone]))"
    case .wrongHardware(let image, let headphone):
      "the image is for hardware \(FirmwareTarget.name(ofHardware: image)), the headphone is "
        + FirmwareTarget.name(ofHardware: headphone)
    case .notNewer(let image, let running):
      "the headphone runs \(running), and the image is \(image)"
    case .counterNotHigher(let image, let running):
      "the image's security counter is \(image), and the headphone's is \(running)"
    case .batteryTooLow(let part, let level, let minimum):
      "the \(part) bud has \(level) %, and this update needs \(minimum) %"
    case .batteryUnknown(let part, let minimum):
      "the \(part) bud's charge is unknown, and this update needs \(minimum) %"
    case .updateRunning: "an update of this headphone is under way"
    case .unsupported: "this headphone takes no firmware over Bluetooth LE"
    }
  }

  /// What a person can do about it, as a full sentence.
  public var advice: String {
    switch self {
    case .notFirmware, .truncated, .tooLong, .digestWrong: "Download the file again."
    case .noTrustedKey:
      "Give the maker's public key by --key, or name it in the configuration (docs/configuration.md)."
    case .otherProfile:
      "Take the image for this headphone; who trusts that maker for it gives the key by --key."
    case .untrustedSignature:
      "Take the file from the headphone's maker, and give the maker's key by --key."
    case .wrongHardware: "Get the image for this model; another model's could ruin it."
    case .notNewer, .counterNotHigher:
      "There is nothing to update; who insists (--force, or Yes when asked) lets the headphone decide."
    case .batteryTooLow(let part, _, _): "Charge the \(part) bud, or put it into its case."
    case .batteryUnknown: "Take both buds out, wait until their charge shows, and try again."
    case .updateRunning: "Wait until it has ended."
    case .unsupported: "Use the maker's own tool."
    }
  }

  /// Profile names in quotes, joined by "and"; they come from the configuration and the air.
  private static func list(_ profiles: [String]) -> String {
    profiles.map { "\"\(displayable($0))\"" }.joined(separator: " and ")
  }
}
