import AudioRoute
import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols

extension UserCommand {
  package static let security = UserCommand(
    "security", keys: ["Z"], "security of headphone, link and computer", label: "Security",
    shell: "earshot security"
  ) { state, _ in state.openSecurity() }
}

extension PageKind {
  package static let security = PageKind(
    "Security",
    commands: [
      PageCommand(
        .accept, "run the advice (asks)",
        currentLabel: { $0.securityFinding?.advice?.isRunnable == true ? "Run" : nil }
      ) { $0.ask(toRun: $0.securityFinding?.advice, at: $1) },
      PageCommand(.refresh, "check again", label: "Refresh") { state, _ in
        state.examineSecurity()
      },
      PageCommand(.security, "close the page"),
    ] + PageCommand.lines,
    lines: {
      ($0.securityFindings ?? []).map {
        PageLine($0.text, copied: $0.advice?.text ?? $0.reference.source ?? $0.what)
      }
    })
}

extension State {
  /// The findings for the selected headphone as it is now; nil until this computer was examined.
  package var securityFindings: [SecurityFinding]? {
    computerSecurity.map { securityFacts(of: headphones.selected, computer: $0).findings }
  }

  fileprivate var securityFinding: SecurityFinding? {
    page.line.flatMap { securityFindings?.element(at: $0) }
  }

  package func securityFacts(
    of headphone: HeadphoneState?, computer: ComputerSecurityFacts
  ) -> SecurityFacts {
    SecurityFacts(headphone: headphone.map(\.securityFacts), computer: computer)
  }

  fileprivate mutating func openSecurity() -> [Effect] {
    let effects = open(.security(line: 0))
    guard page.kind == .security else { return effects }
    computerSecurity = nil
    return effects + examineSecurity()
  }

  func examineSecurity() -> [Effect] { [.examineSecurity(headphones.selected?.id)] }

  mutating func adopt(
    _ computer: ComputerSecurityFacts, _ survey: HeadphoneSurvey?, of id: HeadphoneID?
  ) -> [Effect] {
    computerSecurity = computer
    if let id, let survey { headphones.update(id) { $0.exposure.survey = survey } }
    return []
  }

  /// Notes what an advertisement shows others, and whether sound of this computer played meanwhile.
  mutating func note(_ traits: AdvertisedTraits, of id: HeadphoneID) {
    guard let headphone = headphones[id] else { return }
    let isPlaying =
      if case .connected(let sink, _) = route(of: headphone) { sink.activity == .running } else {
        false
      }
    headphones.update(id) {
      $0.exposure.heard = traits
      if isPlaying { $0.exposure.heardWhilePlaying = traits }
    }
  }
}

extension HeadphoneState {
  fileprivate var securityFacts: HeadphoneSecurityFacts {
    var facts = HeadphoneSecurityFacts(name: name, exposure: exposure)
    facts.model = information.model
    facts.firmware = information.firmware
    let classic = exposure.survey.classicProtection
    if link.isConnected {
      let isLowEnergy = address.kind != .classic
      facts.links.append(
        LinkSecurityFacts(
          isLowEnergy: isLowEnergy, isControl: true,
          protection: isLowEnergy ? quality.protection : classic ?? quality.protection,
          isEncrypted: isEncrypted, holder: quality.holder))
    }
    if let classic, facts.links.allSatisfy(\.isLowEnergy) {
      facts.links.append(
        LinkSecurityFacts(isLowEnergy: false, isControl: false, protection: classic))
    }
    return facts
  }

  /// Notes whether the headphone accepted a pairing without having advertised that it accepts any.
  mutating func notePairing() {
    guard let heard = exposure.heard, let isDiscoverable = heard.isDiscoverable else { return }
    exposure.acceptedUninvitedPairing = !isDiscoverable && heard.fastPair != .inviting
  }

  /// The firmware, and a newer one that is known to repair a flaw of it.
  var firmwareText: String? {
    guard let firmware = information.firmware else { return nil }
    return newerFirmwareText.map { "\(firmware) (\($0))" } ?? firmware
  }

  package var newerFirmwareText: String? {
    newerFirmware.map {
      "\($0.version) is known, and repairs \($0.identifiers.joined(separator: ", "))"
    }
  }

  /// The newest firmware that repairs a flaw of this one.
  private var newerFirmware: (version: VersionNumber, identifiers: [String])? {
    guard let version = information.firmware.flatMap(VersionNumber.init) else { return nil }
    let names = [information.model, name].compactMap(\.self)
    let open = SecurityTables.advisories(for: names).filter {
      $0.versions.verdict(on: version) == .affected
    }
    let fixes = open.compactMap { $0.versions.fix(for: version) }
    let newest = AffectedVersions(fixed: fixes).fix(for: nil)
    return newest.map { (version: $0, identifiers: open.flatMap(\.reference.identifiers)) }
  }
}
