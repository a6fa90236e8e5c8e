import AudioRoute
import BluetoothCodec
import BluetoothRadio
package import HeadphoneProtocols

package struct InfoLine: Hashable, Sendable {
  /// The label without a colon.
  package var label: String
  /// The value, not sanitised; nil if unknown.
  package var value: String?
  package var trail: Trail?
  package var isHeading = false

  static func heading(_ text: String) -> InfoLine {
    InfoLine(label: text, value: "", isHeading: true)
  }

  /// The earlier values of a line, oldest first.
  package enum Trail: Hashable, Sendable {
    /// Signal strengths in dBm.
    case strengths([Int8])
    /// Charges in % at equal steps over a number of hours; nil where unknown.
    case charges([UInt8?], hours: Int)
  }
}

extension UserCommand {
  package static let info = UserCommand(
    "info", keys: ["i"], "information; again: GATT inspector", hint: 70,
    isHinted: { $0.headphones.selected != nil }, label: "Info"
  ) { state, _ in state.open(.info(line: 0)) }
}

extension PageKind {
  package static let info = PageKind(
    "Information",
    commands: [
      PageCommand(.accept, "choose the headphone's audio output", label: "Audio output") {
        $0.askForSoundDevice(at: $1)
      },
      PageCommand(.info, "GATT inspector", label: "GATT") { $0.openInspector(at: $1) },
      PageCommand(.otherPanel, "GATT inspector") { $0.openInspector(at: $1) },
      PageCommand(.previousPanel, "GATT inspector") { $0.openInspector(at: $1) },
    ] + PageCommand.lines,
    lines: { $0.infoLines.map { PageLine($0.text, copied: $0.value) } },
    runsWhileShown: true)
}

extension State {
  /// All information on the selected headphone, also unknown values, so that the page does not
  /// jump.
  package var infoLines: [InfoLine] {
    guard let headphone = headphones.selected else { return [] }
    let information = headphone.information
    let ofHeadphone = [
      InfoLine(label: "Manufacturer", value: information.manufacturer),
      InfoLine(label: "Model", value: information.model),
      InfoLine(label: "Serial number", value: information.serial),
      InfoLine(label: "Firmware", value: headphone.firmwareText),
      InfoLine(label: "Hardware", value: information.hardware),
      InfoLine(label: "Features", value: headphone.capabilities?.displayText),
    ]
    let ofConnection = [
      InfoLine(label: "Control link", value: headphone.linkTextWithHolder),
      InfoLine(
        label: "Signal", value: headphone.signalText, trail: .strengths(headphone.trend.strengths)),
      InfoLine(label: "Paired", value: pairedText(of: headphone)),
      InfoLine(label: "Encrypted", value: headphone.isEncrypted.map { $0 ? "yes" : "no" }),
      InfoLine(label: "Audio device", value: soundDeviceText(of: headphone)),
      InfoLine(label: "Audio link", value: audioLink(of: headphone)?.displayText),
    ]
    let buttons = buttonsText.map { [InfoLine(label: "Buttons", value: $0)] } ?? []
    let technical = [
      InfoLine(
        label: "Address",
        value: "\(headphone.address.address.description) (\(headphone.address.kind.name))"),
      InfoLine(label: "Public address", value: headphone.publicAddress),
      InfoLine(label: "Driver", value: headphone.driver),
    ]
    // LE only.
    let lowEnergy =
      headphone.address.kind == .classic
      ? []
      : [
        InfoLine(label: "MTU", value: headphone.mtu.map { "\($0) bytes" }),
        InfoLine(label: "Link timing", value: headphone.quality.timing?.displayText),
        InfoLine(label: "PHY", value: headphone.quality.phyText),
      ]
    let unknown = InfoLine(label: "Unknown data", value: headphone.unknownData)
    let age = batteryAge(of: headphone).map { [InfoLine(label: "Full charge", value: $0)] } ?? []
    return [InfoLine(label: "Name", value: headphone.name)] + headphone.batteryLines + age
      + ofHeadphone
      + headphone.ownLines + [.heading("Connection")] + ofConnection + buttons
      + [.heading("Technical")] + technical + lowEnergy + [unknown]
  }
}

extension State {
  /// Returns whether this computer has keys of a headphone, Earshot's or bluetoothd's.
  ///
  /// A headphone that is controlled over LE has separate keys for its sound. Nothing is encrypted,
  /// and no sound is played, without keys.
  private func pairedText(of headphone: HeadphoneState) -> String? {
    if headphone.isBonded == true || headphone.isEncrypted == true { return "yes" }
    let lacksKeys = headphone.isBonded == false || headphone.isEncrypted == false
    guard audioMatch(for: headphone)?.isCertain == true || audioLink(of: headphone) != nil else {
      return lacksKeys ? "no" : nil
    }
    return lacksKeys && headphone.address.kind != .classic ? "sound only" : "yes"
  }

  /// The lines whose information the main page lacks.
  package var furtherInfoLines: [InfoLine] {
    guard let headphone = headphones.selected else { return [] }
    let labels = Set(
      headphone.batteryLines.map(\.label) + ["Name", "Control link", "Features", "Own volume"])
    return infoLines.filter { !labels.contains($0.label) && $0.value != nil }
  }
}

extension HeadphoneState {
  fileprivate var batteryLines: [InfoLine] {
    Part.allCases.compactMap { part in
      guard let battery, let charge = battery.value[part] else { return nil }
      let words = [charge.displayText, batteryTrend(of: part)?.displayText].compactMap(\.self)
      let name = part.name.prefix(1).uppercased() + part.name.dropFirst()
      return InfoLine(
        label: hasOneBattery ? "Battery" : "\(name) battery",
        value: words.joined(separator: ", "), trail: trail(of: part, until: battery.seenAt))
    }
  }

  /// Returns the charge of a part in 24 steps over the hours of its history.
  private func trail(of part: Part, until end: Timestamp) -> InfoLine.Trail? {
    guard let charges else { return nil }
    let hours = charges.hours(until: end)
    let levels = charges.levels(of: part, count: 24, minutes: hours * 60, until: end)
    return .charges(levels.map { $0?.level }, hours: hours)
  }

  private var proofLines: [InfoLine] {
    var lines: [InfoLine] = []
    var settings = (capabilities?.declarations ?? []).compactMap { declaration in
      proof(of: declaration).map { (proof: $0.displayText, title: declaration.title.lowercased()) }
    }
    while let proof = settings.first?.proof {
      let titles = settings.filter { $0.proof == proof }.map(\.title)
      settings.removeAll { $0.proof == proof }
      lines.append(
        InfoLine(
          label: lines.isEmpty ? "Settings" : "",
          value: "\(proof): \(titles.joined(separator: ", "))"))
    }
    return lines
  }

  /// The values that can only be read, such as the codec in use.
  private var readings: [InfoLine] {
    (capabilities?.settings ?? []).filter { $0.kind == .reading }.map {
      InfoLine(label: $0.title, value: words(of: $0.id))
    }
  }

  fileprivate var ownLines: [InfoLine] {
    proofLines + setLines + readings
      + (volume.confirmed.map { [InfoLine(label: "Own volume", value: $0.displayText)] } ?? [])
      + missing.map { InfoLine(label: "Missing", value: $0) }
  }
}

extension State {
  private func soundDeviceText(of headphone: HeadphoneState) -> String? {
    if let match = audioMatch(for: headphone) { return match.displayText }
    guard case .running = audio else { return nil }
    return headphone.soundPin.map { "\($0.text) (your choice, not there now)" } ?? "none"
  }
}

extension Capabilities {
  /// The features as text: "noise control, equaliser, 5 bands, …".
  package var displayText: String {
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
  package var displayText: String {
    let device = sink?.description ?? card?.description ?? ""
    let reason =
      switch rule {
      case .pinned: "your choice"
      case .publicAddress: "matched by Bluetooth address"
      case .sameAddress: "same address"
      case .uniqueName: "matched by its name"
      }
    return "\(device) (\(isCertain ? "certain" : "likely"): \(reason))"
  }
}

extension InfoLine {
  package var text: String { "\(label) \(value ?? "")" }
}

extension HeadphoneState {
  /// The number of messages that were not understood: "2 malformed, 3 unknown kinds".
  fileprivate var unknownData: String {
    let counts = [
      malformed > 0 ? "\(malformed) malformed" : nil,
      unknownMessages > 0 ? "\(unknownMessages) unknown kinds" : nil,
    ].compactMap(\.self)
    return counts.isEmpty ? "none" : counts.joined(separator: ", ")
  }
}
