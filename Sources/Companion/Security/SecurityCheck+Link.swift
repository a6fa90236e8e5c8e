import BluetoothRadio
import HeadphoneProtocols

extension SecurityCheck {
  static let ofLink: [SecurityCheck] = [
    .of(.link, "key-size", "Key size") { facts in facts.perLink(facts.keySize) },
    .of(.link, "encryption", "Encryption") { facts in facts.perLink(facts.encryption) },
    .of(.link, "legacy-pairing", "Kind of pairing", examine: \.kindOfPairing),
    .of(.link, "link-key", "Link key", examine: \.linkKey),
  ]
}

extension LinkSecurityFacts {
  fileprivate var name: String {
    (isControl ? "the controls' link" : "the sound's link") + (isLowEnergy ? " (LE)" : " (BR/EDR)")
  }
}

extension HeadphoneSecurityFacts {
  /// The key size in bytes below which no key is allowed since KNOB (Bluetooth SIG, Erratum 11838).
  private static let floor: UInt8 = 7
  private static let fullSize: UInt8 = 16

  fileprivate func perLink(
    _ outcome: (LinkSecurityFacts) -> SecurityCheck.Outcome
  ) -> [SecurityCheck.Outcome] {
    links.isEmpty
      ? [.init(.unknown, "there is no link", "connect it, and check again")] : links.map(outcome)
  }

  fileprivate func keySize(_ link: LinkSecurityFacts) -> SecurityCheck.Outcome {
    if let holder = link.holder, link.protection?.keySize == nil {
      return .init(
        .unknown, "\(holder) holds \(link.name), and does not tell the size of its key",
        "sudo btmon shows it when the link is made: Encryption Key Size")
    }
    guard let size = link.protection?.keySize else {
      let isOpen = link.isEncrypted == false || link.protection?.level == .low
      return .init(
        .unknown,
        isOpen
          ? "\(link.name) has no key: it is not encrypted"
          : "the kernel does not tell it for \(link.name)",
        isOpen
          ? "pair it: earshot pair"
          : "sudo btmon shows it when the link is made: Encryption Key Size")
    }
    let what = "\(size) bytes on \(link.name)"
    switch size {
    case Self.fullSize...: return .init(.ok, what)
    case ...Self.floor:
      return .init(
        .act, "\(what): so short that it can be guessed, as somebody in between may have asked for",
        "disconnect and connect again where you are alone; if it stays, install the newest firmware"
      )
    default:
      return .init(
        .maybe, "\(what), of 16: an old headphone, or somebody in between",
        "disconnect and connect again where you are alone, and check again")
    }
  }

  fileprivate func encryption(_ link: LinkSecurityFacts) -> SecurityCheck.Outcome {
    switch link.protection?.level {
    case .fips, .high:
      return .init(.ok, "\(link.name) is encrypted, with a key that a person confirmed")
    case .medium: return .init(.ok, "\(link.name) is encrypted")
    case .low, nil:
      switch link.isEncrypted {
      case true: return .init(.ok, "\(link.name) is encrypted")
      case false:
        return .init(
          .maybe,
          "\(link.name) is not encrypted: anyone nearby can read it, and send as this computer",
          .command("earshot", "pair", displayable(name)))
      case nil:
        return .init(
          .unknown, "whether \(link.name) is encrypted is not known",
          "sudo btmon shows it when the link is made: Encryption Change")
      }
    }
  }

  private var isSecureConnections: Bool { links.contains { $0.protection?.level == .fips } }
  private var isAuthenticated: Bool {
    links.contains { $0.protection.map { $0.level >= .high } ?? false }
  }

  private static let findingKeys: Fix =
    "sudo grep -rA4 -e LinkKey -e LongTermKey /var/lib/bluetooth shows the kind of bluetoothd's keys"

  fileprivate var kindOfPairing: [SecurityCheck.Outcome] {
    guard let keys = exposure.survey.keys else {
      return [
        isSecureConnections
          ? .init(.ok, "Secure Connections, by the level of the link")
          : .init(.unknown, "this program has no keys of it", Self.findingKeys)
      ]
    }
    if keys.classic?.method == .legacy {
      return [
        .init(
          .act, "its sound was paired by a PIN, which can be found out by listening",
          "use another headphone for what nobody may hear: this one is older than Bluetooth 2.1")
      ]
    }
    if keys.lowEnergy?.method == .legacy {
      return [
        .init(
          .maybe, "its controls were paired as before Bluetooth 4.2: who listened has the key",
          "pair it again where you are alone: earshot forget, then earshot pair")
      ]
    }
    let isNew = keys.all.allSatisfy { $0.method == .secureConnections }
    return [.init(.ok, isNew ? "Secure Connections" : "Secure Simple Pairing")]
  }

  fileprivate var linkKey: [SecurityCheck.Outcome] {
    guard let keys = exposure.survey.keys else {
      return [
        isAuthenticated
          ? .init(.ok, "confirmed by a person, by the level of the link")
          : .init(.unknown, "this program has no keys of it", Self.findingKeys)
      ]
    }
    if keys.all.contains(where: { $0.method == .debug }) {
      return [
        .init(
          .act, "made with the published debug key, so that everyone can read the link",
          "pair it again: earshot forget, then earshot pair; install the newest firmware")
      ]
    }
    if let lowEnergy = keys.lowEnergy, let classic = keys.classic,
      [lowEnergy, classic].allSatisfy({ $0.method == .secureConnections && !$0.isAuthenticated })
    {
      return [
        .init(
          .maybe,
          "one side's key may be made from the other's, and nobody compared a number",
          "pair it again where you are alone: earshot forget, then earshot pair")
      ]
    }
    let isConfirmed = keys.all.contains(where: \.isAuthenticated)
    return [
      .init(
        .ok, isConfirmed ? "confirmed by a person" : "not made from the key of the other side")
    ]
  }
}
