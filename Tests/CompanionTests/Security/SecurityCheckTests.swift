import BluetoothCodec
import BluetoothRadio
import Testing

@testable import Companion

/// Returns facts with which every check succeeds.
private func soundFacts() throws -> SecurityFacts {
  var headphone = HeadphoneSecurityFacts(name: "Aurora")
  headphone.model = "Aurora Buds"
  headphone.firmware = "1.4.2"
  headphone.links = [
    LinkSecurityFacts(
      isLowEnergy: true, isControl: true, protection: LinkProtection(level: .medium, keySize: 16)),
    LinkSecurityFacts(
      isLowEnergy: false, isControl: false, protection: LinkProtection(level: .high, keySize: 16)),
  ]
  headphone.exposure.heard = AdvertisedTraits(
    address: PeerAddress(BluetoothAddress(value: 0x4012_3456_789A), .random), isDiscoverable: true,
    fastPair: .withAccountKey)
  headphone.exposure.heardWhilePlaying = headphone.exposure.heard
  headphone.exposure.acceptedUninvitedPairing = false
  headphone.exposure.survey.lowEnergyServices = [.bit16(0x180F)]
  headphone.exposure.survey.classicServices = [.bit16(0x1101)]
  headphone.exposure.survey.keys = StoredKeys(
    lowEnergy: .init(.secureConnections, isAuthenticated: true))
  var computer = ComputerSecurityFacts()
  computer.hasDaemon = true
  computer.daemonVersion = VersionNumber("5.82")
  computer.adapter = .init(
    isPairable: false, pairableTimeout: 0, isDiscoverable: false, discoverableTimeout: 180)
  computer.bondedOnly = .standard
  computer.justWorks = .standard
  computer.alwaysPairable = .standard
  computer.kernel = VersionNumber("7.2.1")
  computer.kernelRelease = "7.2.1-arch1"
  computer.isBlocked = false
  computer.mayEveryoneSwitch = false
  computer.mayEveryoneCommand = false
  computer.openers = []
  return SecurityFacts(headphone: headphone, computer: computer)
}

/// A change of those facts, and the resulting finding of one check.
struct SecurityCase: CustomTestStringConvertible, Sendable {
  var check: String
  var verdict: SecurityFinding.Verdict
  /// A part of the finding's text.
  var what: String
  /// One of the finding's identifiers.
  var identifier: String?
  var change: @Sendable (inout HeadphoneSecurityFacts, inout ComputerSecurityFacts) -> Void

  var testDescription: String { "\(check) \(verdict): \(what)" }

  init(
    _ check: String, _ verdict: SecurityFinding.Verdict, _ what: String,
    _ identifier: String? = nil,
    change: @escaping @Sendable (inout HeadphoneSecurityFacts, inout ComputerSecurityFacts) -> Void
  ) {
    self.check = check
    self.verdict = verdict
    self.what = what
    self.identifier = identifier
    self.change = change
  }
}

@Suite struct SecurityCheckTests {
  private func findings(_ case: SecurityCase) throws -> [SecurityFinding] {
    var facts = try soundFacts()
    var headphone = try #require(facts.headphone)
    `case`.change(&headphone, &facts.computer)
    facts.headphone = headphone
    return facts.findings.filter { $0.check == `case`.check }
  }

  private static let race = BluetoothUUID("8901DFA8-5C7E-4D8F-9F0C-C2B70683F5F0")

  private static let ofHeadphone: [SecurityCase] = [
    .init("debug-service", .ok, "none among 1 GATT and 1 serial") { _, _ in },
    .init("debug-service", .maybe, "whether strangers may use it is not tried", "CVE-2025-20702") {
      headphone, _ in
      headphone.exposure.survey.classicServices?.formUnion([race].compactMap(\.self))
    },
    .init("debug-service", .maybe, "Sony's number", "CVE-2025-20700") {
      headphone, _ in
      headphone.exposure.survey = HeadphoneSurvey()
      headphone.exposure.heard?.debugServices = Set([race].compactMap(\.self))
    },
    .init("debug-service", .unknown, "the serial ones were not read") { headphone, _ in
      headphone.exposure.survey.classicServices = nil
    },
    .init("debug-service", .unknown, "the GATT ones were not read") { headphone, _ in
      headphone.exposure.survey.lowEnergyServices = nil
    },
    .init("debug-service", .unknown, "there is no link") { headphone, _ in
      headphone.exposure.survey = HeadphoneSurvey()
    },
    .init("fast-pair", .ok, "an account has claimed it", "CVE-2025-36911") { _, _ in },
    .init("fast-pair", .ok, "not advertised") { headphone, _ in
      headphone.exposure.heard?.fastPair = nil
    },
    .init("fast-pair", .act, "a stranger can claim it", "CVE-2025-36911") { headphone, _ in
      headphone.exposure.heard?.fastPair = .withoutAccountKey
    },
    .init("fast-pair", .maybe, "in pairing mode") { headphone, _ in
      headphone.exposure.heard?.fastPair = .inviting
    },
    .init("fast-pair", .unknown, "only a part of the advertisement") { headphone, _ in
      headphone.exposure.heard?.fastPair = nil
      headphone.exposure.heard?.isDiscoverable = nil
    },
    .init("fast-pair", .unknown, "no advertisement was heard") { headphone, _ in
      headphone.exposure.heard = nil
    },
    .init("firmware", .ok, "no flaw of Aurora Buds is in the table", "firmware") { _, _ in },
    .init("firmware", .ok, "4.5.2 is repaired: CVE-2020-5589") { headphone, _ in
      (headphone.model, headphone.firmware) = ("WH-1000XM3", "4.5.2")
    },
    .init("firmware", .act, "4.2.0 is too old", "CVE-2020-5589") { headphone, _ in
      (headphone.model, headphone.firmware) = ("WH-1000XM3", "4.2.0")
    },
    .init("firmware", .act, "fixed in 6F8", "CVE-2024-27867") { headphone, _ in
      (headphone.model, headphone.firmware) = ("A3048", "6F7")
    },
    .init("firmware", .maybe, "does not compare", "CVE-2024-27867") { headphone, _ in
      (headphone.model, headphone.firmware) = ("A3048", "6B34")
    },
    .init("firmware", .maybe, "no version was published", "CVE-2025-36911") { headphone, _ in
      (headphone.model, headphone.firmware) = ("Ear (a)", "1.0.1.52")
    },
    .init("firmware", .unknown, "does not report its firmware") { headphone, _ in
      headphone.firmware = nil
    },
    .init("firmware", .unknown, "does not report its firmware", "CVE-2025-36911") { headphone, _ in
      (headphone.model, headphone.firmware) = ("Ear (a)", nil)
    },
    .init("firmware", .unknown, "of a model that it does not report") { headphone, _ in
      headphone.model = nil
    },
    .init("tracking", .ok, "a changing address and no name", "tracking") { _, _ in },
    .init("tracking", .maybe, "an address that stays, C0:12:34:56:78:9A") { headphone, _ in
      headphone.exposure.heardWhilePlaying?.address = PeerAddress(
        BluetoothAddress(value: 0xC012_3456_789A), .random)
    },
    .init("tracking", .maybe, "advertises its name") { headphone, _ in
      headphone.exposure.heardWhilePlaying?.hasName = true
    },
    .init("tracking", .unknown, "bluetoothd shows its identity") { headphone, _ in
      headphone.exposure.heardWhilePlaying?.isDiscoverable = nil
    },
    .init("tracking", .unknown, "no advertisement was heard while it played") { headphone, _ in
      headphone.exposure.heardWhilePlaying = nil
    },
    .init("pairing-mode", .ok, "it was in pairing mode", "CVE-2025-20701") { _, _ in },
    .init("pairing-mode", .act, "although it was not in pairing mode") { headphone, _ in
      headphone.exposure.acceptedUninvitedPairing = true
    },
    .init("pairing-mode", .unknown, "no pairing was seen") { headphone, _ in
      headphone.exposure.acceptedUninvitedPairing = nil
    },
  ]

  private static let ofLink: [SecurityCase] = [
    .init("key-size", .ok, "16 bytes on the controls' link (LE)", "CVE-2019-9506") { _, _ in },
    .init("key-size", .act, "7 bytes on the controls' link (LE)", "CVE-2023-24023") {
      headphone, _ in headphone.links[0].protection?.keySize = 7
    },
    .init("key-size", .maybe, "10 bytes on the sound's link (BR/EDR)") { headphone, _ in
      headphone.links[1].protection?.keySize = 10
    },
    .init("key-size", .unknown, "has no key: it is not encrypted") { headphone, _ in
      headphone.links[0].protection = LinkProtection(level: .low)
    },
    .init("key-size", .unknown, "the kernel does not tell it") { headphone, _ in
      headphone.links[0].protection?.keySize = nil
    },
    .init("key-size", .unknown, "bluetoothd holds the controls' link") { headphone, _ in
      headphone.links[0].protection = nil
      headphone.links[0].holder = "bluetoothd"
    },
    .init("key-size", .unknown, "there is no link") { headphone, _ in headphone.links = [] },
    .init("encryption", .ok, "the controls' link (LE) is encrypted", "encryption") { _, _ in },
    .init("encryption", .ok, "with a key that a person confirmed") { _, _ in },
    .init("encryption", .maybe, "anyone nearby can read it") { headphone, _ in
      headphone.links[0].protection = LinkProtection(level: .low)
      headphone.links[0].isEncrypted = false
    },
    .init("encryption", .unknown, "is not known") { headphone, _ in
      headphone.links[0].protection = nil
    },
    .init("legacy-pairing", .ok, "Secure Connections", "legacy-pairing") { _, _ in },
    .init("legacy-pairing", .ok, "Secure Simple Pairing") { headphone, _ in
      headphone.exposure.survey.keys = StoredKeys(classic: .init(.simple, isAuthenticated: false))
    },
    .init("legacy-pairing", .ok, "by the level of the link") { headphone, _ in
      headphone.exposure.survey.keys = nil
      headphone.links[0].protection?.level = .fips
    },
    .init("legacy-pairing", .maybe, "as before Bluetooth 4.2") { headphone, _ in
      headphone.exposure.survey.keys = StoredKeys(lowEnergy: .init(.legacy, isAuthenticated: false))
    },
    .init("legacy-pairing", .act, "by a PIN") { headphone, _ in
      headphone.exposure.survey.keys = StoredKeys(classic: .init(.legacy, isAuthenticated: false))
    },
    .init("legacy-pairing", .unknown, "no keys of it") { headphone, _ in
      headphone.exposure.survey.keys = nil
    },
    .init("link-key", .ok, "confirmed by a person", "CVE-2020-15802") { _, _ in },
    .init("link-key", .ok, "not made from the key of the other side") { headphone, _ in
      headphone.exposure.survey.keys = StoredKeys(
        lowEnergy: .init(.secureConnections, isAuthenticated: false))
    },
    .init("link-key", .maybe, "may be made from the other's") { headphone, _ in
      let key = StoredKeys.Key(.secureConnections, isAuthenticated: false)
      headphone.exposure.survey.keys = StoredKeys(lowEnergy: key, classic: key)
    },
    .init("link-key", .act, "published debug key") { headphone, _ in
      headphone.exposure.survey.keys = StoredKeys(lowEnergy: .init(.debug, isAuthenticated: false))
    },
    .init("link-key", .unknown, "no keys of it") { headphone, _ in
      headphone.exposure.survey.keys = nil
      headphone.links.removeLast()
    },
  ]

  private static let ofComputer: [SecurityCase] = [
    .init("bluetoothd", .ok, "bluetoothd 5.82: no known flaw", "bluetoothd") { _, _ in },
    .init("bluetoothd", .ok, "not running") { _, computer in computer.hasDaemon = false },
    .init("bluetoothd", .maybe, "your distribution may have the fix", "CVE-2023-51596") {
      _, computer in computer.daemonVersion = VersionNumber("5.66")
    },
    .init("bluetoothd", .unknown, "which version it is") { _, computer in
      computer.daemonVersion = nil
    },
    .init("bonded-input", .ok, "by bluetoothd 5.82", "CVE-2023-45866") { _, _ in },
    .init("bonded-input", .ok, "only paired keyboards") { _, computer in
      computer.bondedOnly = .set("true")
    },
    .init("bonded-input", .ok, "not running") { _, computer in computer.hasDaemon = false },
    .init("bonded-input", .act, "lets keyboards connect that were never paired") { _, computer in
      computer.bondedOnly = .set("false")
    },
    .init("bonded-input", .maybe, "your distribution may have the fix") { _, computer in
      computer.daemonVersion = VersionNumber("5.66")
    },
    .init("bonded-input", .unknown, "depends on its version") { _, computer in
      computer.daemonVersion = nil
    },
    .init("bonded-input", .unknown, "cannot be read") { _, computer in
      computer.bondedOnly = .unreadable
    },
    .init("pairable", .ok, "cannot pair") { _, _ in },
    .init("pairable", .ok, "for 60 s") { _, computer in
      computer.adapter?.isPairable = true
      computer.adapter?.pairableTimeout = 60
    },
    .init("pairable", .maybe, "without end") { _, computer in computer.adapter?.isPairable = true },
    .init("pairable", .act, "nobody here to ask") { _, computer in
      computer.alwaysPairable = .set("true")
    },
    .init("pairable", .unknown, "does not answer") { _, computer in computer.adapter = nil },
    .init("discoverable", .ok, "hidden") { _, _ in },
    .init("discoverable", .maybe, "for at most 180 s") { _, computer in
      computer.adapter?.isDiscoverable = true
    },
    .init("discoverable", .maybe, "stays visible") { _, computer in
      computer.adapter?.discoverableTimeout = 0
    },
    .init("discoverable", .act, "without end") { _, computer in
      computer.adapter?.isDiscoverable = true
      computer.adapter?.discoverableTimeout = 0
    },
    .init("discoverable", .unknown, "does not answer") { _, computer in computer.adapter = nil },
    .init("just-works", .ok, "without a question") { _, _ in },
    .init("just-works", .ok, "without a question") { _, computer in
      computer.justWorks = .set("confirm")
    },
    .init("just-works", .act, "poses as a known one") { _, computer in
      computer.justWorks = .set("always")
    },
    .init("just-works", .unknown, "no value that bluetoothd knows") { _, computer in
      computer.justWorks = .set("perhaps")
    },
    .init("just-works", .unknown, "cannot be read") { _, computer in
      computer.justWorks = .unreadable
    },
    .init("kernel", .ok, "7.2.1-arch1 (Linux 7.2.1): no known flaw", "kernel") { _, _ in },
    .init(
      "kernel", .maybe, "fixed in 6.12.80; your distribution may have the fix", "CVE-2026-31408"
    ) {
      _, computer in computer.kernel = VersionNumber("6.12.30")
    },
    .init("kernel", .unknown, "not known") { _, computer in computer.kernel = nil },
    .init("radio-switch", .ok, "not blocked") { _, _ in },
    .init("radio-switch", .ok, "nobody can reach it") { _, computer in computer.isBlocked = true },
    .init("radio-switch", .maybe, "every user") { _, computer in
      computer.mayEveryoneSwitch = true
    },
    .init("radio-switch", .unknown, "no radio switches") { _, computer in computer.isBlocked = nil
    },
    .init("adapter-access", .ok, "only root and a group") { _, _ in },
    .init("adapter-access", .maybe, "every user and service") { _, computer in
      computer.mayEveryoneCommand = true
    },
    .init("adapter-access", .act, "user 1001 has the adapter open") { _, computer in
      computer.openers = [1001]
    },
    .init("adapter-access", .unknown, "cannot be read") { _, computer in
      computer.mayEveryoneCommand = nil
    },
  ]

  private static let cases = ofHeadphone + ofLink + ofComputer

  @Test(arguments: cases)
  func `a check says what the facts say`(case: SecurityCase) throws {
    let all = try findings(`case`)
    let found = all.filter { $0.what.contains(`case`.what) }
    let finding = try #require(found.first, "\(all)")
    #expect(finding.verdict == `case`.verdict)
    if let identifier = `case`.identifier {
      #expect(found.contains { $0.reference.identifiers.contains(identifier) })
    }
  }

  @Test func `everything is ok where nothing is wrong, in the order of the checks`() throws {
    let findings = try soundFacts().findings
    #expect(findings.allSatisfy { $0.verdict == .ok && $0.advice == nil }, "\(findings)")
    #expect(findings.map(\.check).removingRepeats == SecurityCheck.all.map(\.name))
    #expect(SecurityFinding.summary(findings) == "all ok")
  }

  @Test func `whatever is not ok has an advice, and whatever is not known says how to find out`()
    throws
  {
    for `case` in Self.cases {
      for finding in try findings(`case`) {
        #expect((finding.advice == nil) == (finding.verdict == .ok), "\(finding)")
        #expect(!finding.what.isEmpty && !finding.what.hasSuffix("."), "\(finding)")
        #expect(!finding.reference.identifiers.isEmpty)
      }
    }
  }

  @Test func `a fact that could not be read is never ok`() {
    var facts = SecurityFacts(
      headphone: HeadphoneSecurityFacts(name: "Aurora"), computer: ComputerSecurityFacts())
    #expect(facts.findings.allSatisfy { $0.verdict == .unknown }, "\(facts.findings)")
    facts.headphone = nil
    #expect(facts.findings.allSatisfy { $0.verdict == .unknown })
    #expect(facts.findings.count == SecurityCheck.all.count)
  }

  @Test func `each check is tried with every verdict that it can give`() throws {
    let tried = Dictionary(grouping: Self.cases, by: \.check).mapValues { Set($0.map(\.verdict)) }
    #expect(Set(tried.keys) == Set(SecurityCheck.all.map(\.name)))
    for (check, verdicts) in tried {
      #expect(verdicts.isSuperset(of: [.ok, .unknown]), "\(check)")
    }
    // A debug service that is there is never said to be open.
    #expect(tried["debug-service"] == [.ok, .maybe, .unknown])
  }

  @Test func `commands of an advice are programs that are there, and name the headphone safely`()
    throws
  {
    let programs: Set<String> = ["earshot", "bluetoothctl", "chmod"]
    for `case` in Self.cases {
      for case .commands(let commands)? in try findings(`case`).map(\.advice) {
        for command in commands { #expect(programs.contains(command.arguments[0])) }
      }
    }
    var facts = try soundFacts()
    facts.headphone?.name = "a; reboot \u{1B}[31m"
    facts.headphone?.links[0].protection = LinkProtection(level: .low)
    facts.headphone?.links[0].isEncrypted = false
    let advice = facts.findings.compactMap(\.advice).first { $0.isRunnable }
    #expect(advice?.text == "earshot pair 'a; reboot \u{FFFD}[31m'")
  }

  @Test func `keys are described by their types`() throws {
    let peer = ManagementPeer(PeerAddress(BluetoothAddress(value: 0xC012_3456_789A), .random))
    func bond(_ kind: UInt8?, _ linkKey: UInt8?) -> Bond {
      var bond = Bond(
        adapter: BluetoothAddress(value: 1),
        identity: PeerAddress(BluetoothAddress(value: 0xC012_3456_789A), .random))
      if let kind {
        bond.longTermKeys = [
          LongTermKey(
            peer: peer, kind: .init(rawValue: kind), central: 0, encryptionSize: 16,
            encryptedDiversifier: 0, random: 0, key: SecretKey(0, 0))
        ]
      }
      bond.linkKey = linkKey.map {
        LinkKey(peer: peer, kind: $0, key: SecretKey(0, 0), pinLength: 0)
      }
      return bond
    }
    #expect(StoredKeys(bond(nil, nil)) == nil && StoredKeys(bond(9, 9)) == nil)
    #expect(StoredKeys(bond(0, 0))?.lowEnergy == .init(.legacy, isAuthenticated: false))
    #expect(StoredKeys(bond(1, 0))?.lowEnergy == .init(.legacy, isAuthenticated: true))
    #expect(StoredKeys(bond(3, 5))?.classic == .init(.simple, isAuthenticated: true))
    #expect(StoredKeys(bond(4, 3))?.all.map(\.method) == [.debug, .debug])
    #expect(StoredKeys(bond(2, 8))?.classic == .init(.secureConnections, isAuthenticated: true))
    #expect(StoredKeys(bond(2, 4))?.classic == .init(.simple, isAuthenticated: false))
    #expect(StoredKeys(bond(2, 7))?.lowEnergy == .init(.secureConnections, isAuthenticated: false))
  }
}

extension [String] {
  fileprivate var removingRepeats: [String] {
    reduce(into: []) { names, name in if names.last != name { names.append(name) } }
  }
}
