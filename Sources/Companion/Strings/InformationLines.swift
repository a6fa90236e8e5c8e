import AudioRoute
public import Headphones

/// A line of the information page.
public struct InfoLine: Hashable, Sendable {
  /// As it stands in front of the value, without a colon.
  public var label: String
  /// Unsanitised; nil: unknown.
  public var value: String?
  /// How it was before, the oldest first; dBm.
  public var strengths: [Int8] = []
}

extension State {
  /// All that is known of the selected headphone, for its information page.
  public var infoLines: [InfoLine] {
    guard let headphone = headphones.selected else { return [] }
    let information = headphone.information
    return [
      InfoLine(label: "Name", value: headphone.name),
      InfoLine(
        label: "Address", value: "\(headphone.address.text) (\(headphone.address.kind.rawValue))"),
      InfoLine(label: "Public address", value: headphone.publicAddress),
      InfoLine(
        label: "Signal", value: headphone.signalText, strengths: headphone.trend.strengths),
      InfoLine(label: "Control link", value: headphone.linkText),
      InfoLine(label: "Encrypted", value: headphone.isEncrypted.map { $0 ? "yes" : "no" }),
      InfoLine(label: "Paired", value: headphone.isBonded.map { $0 ? "yes" : "no" }),
      InfoLine(label: "MTU", value: headphone.mtu.map { "\($0) bytes" }),
      InfoLine(label: "Link timing", value: headphone.timing?.displayText),
      InfoLine(label: "PHY", value: headphone.phys?.displayText),
      InfoLine(label: "Driver", value: headphone.driver),
      InfoLine(label: "Manufacturer", value: information.manufacturer),
      InfoLine(label: "Model", value: information.model),
      InfoLine(label: "Serial number", value: information.serial),
      InfoLine(label: "Firmware", value: information.firmware),
      InfoLine(label: "Hardware", value: information.hardware),
      InfoLine(label: "Features", value: headphone.capabilities?.displayText),
      InfoLine(label: "Audio device", value: soundDeviceText(of: headphone)),
      InfoLine(label: "Audio link", value: audioLink(of: headphone)?.displayText),
      InfoLine(
        label: "Not understood",
        value: headphone.malformed == 0 ? nil : "\(headphone.malformed) events"),
    ] + headphone.ownLines
  }
}

extension HeadphoneState {
  /// What only some headphones have a line for.
  fileprivate var ownLines: [InfoLine] {
    setLines
      + (volume.confirmed.map { [InfoLine(label: "Own volume", value: $0.displayText)] } ?? [])
      + missing.map { InfoLine(label: "Missing", value: $0) }
  }
}

extension State {
  /// The device, how sure the match is, or why there is none; nil: nothing is known.
  private func soundDeviceText(of headphone: HeadphoneState) -> String? {
    if let match = audioMatch(for: headphone) { return match.displayText }
    guard case .running = audio else { return nil }
    return headphone.soundPin.map { "\($0.text) (you said so; it is not there)" } ?? "none"
  }
}

extension Capabilities {
  /// "noise control, equaliser (5 bands), …".
  public var displayText: String {
    let features: [(Bool, String)] = [
      (!ancModes.isEmpty, "noise control"), (hasANCLevel, "noise control level"),
      (!eqPresets.isEmpty, "equaliser"), (eqBands > 0, "\(eqBands) bands"),
      (declares(.wearDetection), "wear detection"), (hasFind, "find"), (hasVolume, "volume"),
      (hasTouchActions, "touch actions"),
      (hasCase, "case"), (hasFirmwareUpdate, "firmware update"), (hasRename, "rename"),
      (hasFactoryReset, "factory reset"),
    ]
    let own = settings.filter { $0.id != .wearDetection }.map { $0.title.lowercased() }
    return (features.filter(\.0).map(\.1) + own).joined(separator: ", ")
  }
}

extension AudioMatch {
  /// The device, and how sure the match is.
  public var displayText: String {
    let device = sink?.description ?? card?.description ?? ""
    let reason =
      switch rule {
      case .pinned: "you said so"
      case .publicAddress: "it names this public address"
      case .sameAddress: "the same address"
      case .uniqueName: "the only one of this name"
      }
    return "\(device) (\(isCertain ? "certain" : "likely"): \(reason))"
  }
}
