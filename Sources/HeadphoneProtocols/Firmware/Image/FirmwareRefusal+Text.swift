extension FirmwareRefusal {
  /// The reason, displayable, as a sentence without a full stop.
  public var explanation: String {
    switch self {
    case .notFirmware(nil): "this file is not a firmware image"
    case .notFirmware(.some(let error)): "this file is not a firmware image: \(error)"
    case .truncated(let expected, let actual):
      "the file is truncated: it has \(actual) of \(expected) bytes"
    case .tooLong(let expected, let actual):
      "the file has \(actual - expected) bytes after its end"
    case .digestWrong: "the image is corrupt: its SHA-256 does not match its manifest"
    case .noTrustedKey: "no key is trusted for this headphone's firmware"
    case .untrustedSignature: "the image is not signed by a trusted key"
    case .otherProfile(let signed, let headphone):
      "its maker is trusted for \(Self.list(signed)), not for \(Self.list([headphone]))"
    case .wrongHardware(let image, let headphone):
      "the image is for hardware \(FirmwareTarget.name(ofHardware: image)), the headphone is "
        + FirmwareTarget.name(ofHardware: headphone)
    case .notNewer(let image, let running):
      "the headphone runs \(running); the image is \(image)"
    case .counterNotHigher(let image, let running):
      "the image's security counter is \(image); the headphone's is \(running)"
    case .batteryTooLow(let part, let level, let minimum):
      "the \(part) bud is at \(level) %; this update needs \(minimum) %"
    case .batteryUnknown(let part, let minimum):
      "the \(part) bud's charge is unknown; this update needs \(minimum) %"
    case .updateRunning: "an update of this headphone is under way"
    case .unsupported: "this headphone accepts no firmware over Bluetooth LE"
    }
  }

  /// The advice, without a capital and a full stop.
  public var advice: String {
    switch self {
    case .notFirmware: "choose a firmware image, such as NAME.fw of the headphone's maker"
    case .truncated, .tooLong, .digestWrong: "download the file again"
    case .noTrustedKey:
      "pass the maker's public key with --key, or name it in the configuration file"
    case .otherProfile:
      "get the image for this headphone, or also trust that maker for it: --key"
    case .untrustedSignature:
      "get the file from the headphone's maker, and pass the maker's key with --key"
    case .wrongHardware: "get the image for this model; another model's could ruin it"
    case .notNewer, .counterNotHigher:
      "there is nothing to update; with --force, or Yes when asked, the headphone decides"
    case .batteryTooLow(let part, _, _): "charge the \(part) bud, or put it into its case"
    case .batteryUnknown: "take both buds out, wait until their charge shows, and try again"
    case .updateRunning: "wait until it has finished"
    case .unsupported: "use the maker's own tool"
    }
  }

  private static func list(_ profiles: [String]) -> String {
    profiles.map { "\"\(displayable($0))\"" }.joined(separator: " and ")
  }
}
