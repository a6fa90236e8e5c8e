import HeadphoneProtocols

extension SecurityCheck {
  static let ofComputer: [SecurityCheck] = [
    .of("bluetoothd", "Bluetooth service") { $0.daemonFlaws },
    .of("bonded-input", "Input devices") { [$0.bondedInput] },
    .of("pairable", "Pairable") { [$0.pairable] },
    .of("discoverable", "Discoverable") { [$0.discoverable] },
    .of("just-works", "Pairing again") { [$0.pairingAgain] },
    .of("kernel", "Linux") { $0.kernelFlaws },
    .of("radio-switch", "Radio switch") { [$0.radioSwitch] },
    .of("adapter-access", "Adapter") { [$0.access] },
  ]

  private static func of(
    _ name: String, _ title: String,
    examine: @escaping @Sendable (ComputerSecurityFacts) -> [Outcome]
  ) -> SecurityCheck {
    SecurityCheck(name, title, .computer) { examine($0.computer) }
  }
}

extension ComputerSecurityFacts {
  private static let backports = "your distribution may have the fix"
  private static let restart = "then sudo systemctl restart bluetooth, which ends all links"

  fileprivate var daemonFlaws: [SecurityCheck.Outcome] {
    if hasDaemon == false { return [.init(.ok, "not running")] }
    guard let daemonVersion else {
      return [
        .init(.unknown, "bluetoothd does not say which version it is", "bluetoothctl --version")
      ]
    }
    let open = outcomes(of: SecurityTables.bluetoothd, "bluetoothd \(daemonVersion)", daemonVersion)
    return open.isEmpty ? [.init(.ok, "bluetoothd \(daemonVersion): no known flaw")] : open
  }

  fileprivate var kernelFlaws: [SecurityCheck.Outcome] {
    guard let kernel else {
      return [.init(.unknown, "the version of the kernel is not known", "uname -a")]
    }
    let name = kernelRelease.map { "\($0) (Linux \(kernel))" } ?? "Linux \(kernel)"
    let open = outcomes(of: SecurityTables.kernel, name, kernel)
    return open.isEmpty ? [.init(.ok, "\(name): no known flaw")] : open
  }

  private func outcomes(
    of table: [Advisory], _ name: String, _ version: VersionNumber
  ) -> [SecurityCheck.Outcome] {
    table.compactMap { advisory in
      guard advisory.versions.verdict(on: version) != .fixed else { return nil }
      let fix = advisory.versions.fix(for: version).map { ", fixed in \($0)" } ?? ""
      return .init(
        .maybe, "\(name): \(advisory.what)\(fix); \(Self.backports)",
        .advice(
          "look for \(advisory.reference.identifiers.joined(separator: ", ")) in your distribution's "
            + "security notices, and install its updates"), reference: advisory.reference)
    }
  }

  /// The first bluetoothd whose own value of ClassicBondedOnly is true (25a471a83e02).
  private static let firstBondedOnly = VersionNumber("5.71")

  fileprivate var bondedInput: SecurityCheck.Outcome {
    let fix: Fix =
      "ClassicBondedOnly=true under [General] in /etc/bluetooth/input.conf, \(Self.restart)"
    switch bondedOnly {
    case .set("true"): return .init(.ok, "only paired keyboards and mice may connect")
    case .set:
      return .init(
        .act, "input.conf lets keyboards connect that were never paired, and type here", fix)
    case .unreadable:
      return .init(
        .unknown, "/etc/bluetooth/input.conf cannot be read",
        "sudo grep ClassicBondedOnly /etc/bluetooth/input.conf")
    case .standard:
      if hasDaemon == false { return .init(.ok, "bluetoothd is not running") }
      guard let daemonVersion, let first = Self.firstBondedOnly else {
        return .init(
          .unknown, "what bluetoothd allows depends on its version, which it does not say", fix)
      }
      return daemonVersion.order(against: first) == .before
        ? .init(
          .maybe,
          "bluetoothd \(daemonVersion) lets keyboards connect that were never paired; \(Self.backports)",
          fix)
        : .init(.ok, "only paired keyboards and mice may connect, by bluetoothd \(daemonVersion)")
    }
  }

  private static let noAdapter = SecurityCheck.Outcome(
    .unknown, "bluetoothd does not answer, or has no adapter", "bluetoothctl show")

  fileprivate var pairable: SecurityCheck.Outcome {
    if alwaysPairable == .set("true") {
      return .init(
        .act, "main.conf lets others pair with nobody here to ask",
        "AlwaysPairable=false under [General] in /etc/bluetooth/main.conf, \(Self.restart)")
    }
    guard let adapter else { return Self.noAdapter }
    guard adapter.isPairable else { return .init(.ok, "others cannot pair with this computer") }
    return adapter.pairableTimeout == 0
      ? .init(
        .maybe, "others may ask to pair with this computer, without end; the desktop asks you",
        .command("bluetoothctl", "pairable", "off"))
      : .init(.ok, "others may ask to pair with this computer for \(adapter.pairableTimeout) s")
  }

  fileprivate var discoverable: SecurityCheck.Outcome {
    guard let adapter else { return Self.noAdapter }
    let hide = Fix.command("bluetoothctl", "discoverable", "off")
    switch (adapter.isDiscoverable, adapter.discoverableTimeout) {
    case (true, 0):
      return .init(.act, "everyone nearby sees this computer, without end", hide)
    case (true, let time):
      return .init(.maybe, "everyone nearby sees this computer, for at most \(time) s", hide)
    case (false, 0):
      return .init(
        .maybe, "hidden; once made visible, it stays visible without end",
        .command("bluetoothctl", "discoverable-timeout", "180"))
    case (false, _): return .init(.ok, "hidden from others")
    }
  }

  fileprivate var pairingAgain: SecurityCheck.Outcome {
    switch justWorks {
    case .set("always"):
      .init(
        .act, "main.conf lets a device that poses as a known one pair again without a question",
        "JustWorksRepairing=confirm under [General] in /etc/bluetooth/main.conf, \(Self.restart)")
    case .set("confirm"), .set("never"), .standard:
      .init(.ok, "a known device cannot pair again without a question")
    case .set(let value):
      .init(
        .unknown, "JustWorksRepairing = \(displayable(value)) is no value that bluetoothd knows",
        "never, confirm or always there, in /etc/bluetooth/main.conf")
    case .unreadable:
      .init(
        .unknown, "/etc/bluetooth/main.conf cannot be read",
        "sudo grep JustWorksRepairing /etc/bluetooth/main.conf")
    }
  }

  fileprivate var radioSwitch: SecurityCheck.Outcome {
    guard let isBlocked else {
      return .init(.unknown, "the kernel has no radio switches to read", "rfkill list")
    }
    if mayEveryoneSwitch == true {
      return .init(
        .maybe, "every user of this computer may switch its radios",
        .command("chmod", "664", "/dev/rfkill", asRoot: true))
    }
    return .init(
      .ok,
      isBlocked
        ? "Bluetooth is blocked: nobody can reach it"
        : "Bluetooth is not blocked; rfkill block bluetooth ends it at once")
  }

  fileprivate var access: SecurityCheck.Outcome {
    if let openers, !openers.isEmpty {
      let users = openers.map { "user \($0)" }.joined(separator: ", ")
      return .init(
        .act, "\(users) has the adapter open, past bluetoothd",
        "getent passwd \(openers[0]) says who that is; find out why, or end the program")
    }
    guard let mayEveryoneCommand else {
      return .init(
        .unknown, "the policy of D-Bus for bluetoothd cannot be read",
        "grep -r org.bluez /usr/share/dbus-1/system.d /etc/dbus-1/system.d")
    }
    return mayEveryoneCommand
      ? .init(
        .maybe, "every user and service of this computer may command bluetoothd",
        "nothing, if only you use it; else a policy for a group, in /etc/dbus-1/system.d/bluetooth.conf"
      )
      : .init(.ok, "only root and a group may command bluetoothd")
  }
}
