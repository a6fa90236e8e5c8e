import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols

extension SecurityCheck {
  static let ofHeadphone: [SecurityCheck] = [
    .of(.headphone, "debug-service", "Debug services", examine: \.debugServices),
    .of(.headphone, "fast-pair", "Fast Pair", examine: \.fastPair),
    .of(.headphone, "firmware", "Firmware", examine: \.knownFlaws),
    .of(.headphone, "tracking", "Tracking", examine: \.tracking),
    .of(.headphone, "pairing-mode", "Pairing mode", examine: \.pairingMode),
  ]
}

extension HeadphoneSecurityFacts {
  /// Looks for debug services, which may not answer strangers, so the verdict is never `act`.
  fileprivate var debugServices: [SecurityCheck.Outcome] {
    let survey = exposure.survey
    let advertised = exposure.heard?.debugServices ?? []
    let known =
      (survey.lowEnergyServices ?? []).union(survey.classicServices ?? []).union(advertised)
    let found = SecurityTables.debugServices.filter { known.contains($0.uuid) }
    guard found.isEmpty else {
      return found.map { service in
        SecurityCheck.Outcome(
          .maybe,
          "\(service.what) is there (\(service.isLowEnergy ? "GATT" : "serial") service "
            + "\(service.uuid)); whether strangers may use it is not tried",
          "install the newest firmware with the maker's app: chips were repaired from June 2025 on",
          reference: service.reference)
      }
    }
    switch (survey.lowEnergyServices, survey.classicServices) {
    case (let lowEnergy?, let classic?):
      return [
        .init(.ok, "none among \(lowEnergy.count) GATT and \(classic.count) serial services")
      ]
    case (nil, nil):
      return [
        .init(
          .unknown, "the services were not read: there is no link", "connect it, and check again")
      ]
    case (let lowEnergy?, nil):
      return [
        .init(
          .unknown, "none among \(lowEnergy.count) GATT services; the serial ones were not read",
          "connect its sound, and check again")
      ]
    case (nil, let classic?):
      return [
        .init(
          .unknown, "none among \(classic.count) serial services; the GATT ones were not read",
          "bluetoothctl info lists all services that bluetoothd has seen")
      ]
    }
  }

  /// Checks for Fast Pair's account key, which only a headphone's own advertisement shows.
  fileprivate var fastPair: [SecurityCheck.Outcome] {
    switch exposure.heard?.fastPair {
    case .withoutAccountKey:
      return [
        .init(
          .act, "on, and not claimed: a stranger can claim it and follow where it is",
          "pair it with an Android phone of yours by Fast Pair, and install the newest firmware")
      ]
    case .inviting:
      return [
        .init(
          .maybe, "it is in pairing mode: everyone nearby may pair with it",
          "end the pairing mode, and check again")
      ]
    case .withAccountKey: return [.init(.ok, "on, and an account has claimed it")]
    case nil:
      guard let heard = exposure.heard else { return [unheard] }
      return heard.isFirsthand
        ? [.init(.ok, "not advertised")]
        : [
          .init(
            .unknown, "bluetoothd passes on only a part of the advertisement",
            "sudo btmon shows all of it: Service Data of FE2C")
        ]
    }
  }

  private var unheard: SecurityCheck.Outcome {
    .init(
      .unknown, "no advertisement was heard",
      "disconnect its controls, and check again while it is on")
  }

  fileprivate var knownFlaws: [SecurityCheck.Outcome] {
    let names = [model, name].compactMap(\.self)
    let advisories = SecurityTables.advisories(for: names)
    let how: Fix = "earshot status shows what it reports; the maker's app shows it, too"
    guard let firmware else {
      guard !advisories.isEmpty else {
        return [.init(.unknown, "it does not report its firmware", how)]
      }
      return advisories.map { advisory in
        .init(
          .unknown, "\(advisory.what)\(advisory.fixText(nil)); it does not report its firmware",
          how,
          reference: advisory.reference)
      }
    }
    let open = advisories.compactMap { outcome(of: $0, firmware) }
    guard open.isEmpty else { return open }
    guard model != nil || !advisories.isEmpty else {
      return [
        .init(
          .unknown, "\(firmware), of a model that it does not report",
          "compare it with the maker's list of releases")
      ]
    }
    return [
      .init(
        .ok,
        advisories.isEmpty
          ? "\(firmware); no flaw of \(names[0]) is in the table"
          : "\(firmware) is repaired: \(advisories.flatMap(\.reference.identifiers).joined(separator: ", "))"
      )
    ]
  }

  private func outcome(of advisory: Advisory, _ firmware: String) -> SecurityCheck.Outcome? {
    let version = VersionNumber(firmware)
    let verdict = version.map(advisory.versions.verdict(on:)) ?? .unclear
    let fix = advisory.fixText(version)
    switch verdict {
    case .fixed: return nil
    case .affected:
      return .init(
        .act, "\(firmware) is too old: \(advisory.what)\(fix)", advisory.updating(version),
        reference: advisory.reference)
    case .unclear:
      return .init(
        .maybe,
        advisory.versions.fixed.isEmpty
          ? "\(firmware): \(advisory.what), unless it is newer than that; no version was published"
          : "\(firmware) does not compare: \(advisory.what)\(fix)", advisory.updating(version),
        reference: advisory.reference)
    }
  }

  /// Checks for what others can recognise the headphone by while it plays.
  fileprivate var tracking: [SecurityCheck.Outcome] {
    guard let heard = exposure.heardWhilePlaying else {
      return [
        .init(
          .unknown, "no advertisement was heard while it played",
          "play something on it, scan for headphones (s), and check again")
      ]
    }
    guard heard.isFirsthand else {
      return [
        .init(
          .unknown, "bluetoothd shows its identity, not what is on the air",
          "sudo btmon shows the address and the name that it advertises")
      ]
    }
    let shown = [
      heard.address.isIdentity ? "an address that stays, \(heard.address.address)" : nil,
      heard.hasName ? "its name" : nil,
    ].compactMap(\.self)
    guard !shown.isEmpty else {
      return [.init(.ok, "while it plays it advertises a changing address and no name")]
    }
    return [
      .init(
        .maybe, "while it plays it advertises \(shown.joined(separator: " and "))",
        "switch it off where nobody should recognise you; only its maker can change this")
    ]
  }

  fileprivate var pairingMode: [SecurityCheck.Outcome] {
    switch exposure.acceptedUninvitedPairing {
    case true:
      [
        .init(
          .act, "it accepted this computer's pairing although it was not in pairing mode",
          "install the newest firmware; until then, switch it off when you do not use it")
      ]
    case false: [.init(.ok, "it was in pairing mode when this computer paired it")]
    case nil:
      [
        .init(
          .unknown, "no pairing was seen since Earshot started",
          "earshot pair, without putting it into pairing mode: it should fail")
      ]
    }
  }
}

extension Advisory {
  fileprivate func fixText(_ version: VersionNumber?) -> String {
    versions.fix(for: version).map { " (fixed in \($0))" } ?? ""
  }

  fileprivate func updating(_ version: VersionNumber?) -> Fix {
    let target = versions.fix(for: version).map { "\($0) or newer" } ?? "the newest firmware"
    return .advice("install \(target) with the maker's app")
  }
}
