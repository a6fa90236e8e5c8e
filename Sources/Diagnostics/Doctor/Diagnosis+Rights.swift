internal import BluetoothLinux
internal import Companion

extension SystemFacts {
  var scanningFinding: DiagnosticResult {
    if bluetooth.hasDaemon == true, rights?.effective.contains(.netRaw) == false {
      return DiagnosticResult(
        .netRaw, .ok,
        "not needed: bluetoothd finds headphones; only --capture and link timing would use it")
    }
    return finding(
      .netRaw, of: .netRaw, lacking: .problem, with: "scanning and --capture are permitted",
      without: "no scanning; known headphones, and any by --device ADDRESS, still work")
  }

  var pairingFinding: DiagnosticResult {
    if bluetooth.hasDaemon == true, rights?.effective.contains(.netAdmin) == false {
      return DiagnosticResult(
        .netAdmin, .ok, "not needed: bluetoothd pairs, and asks through this program")
    }
    return finding(
      .netAdmin, of: .netAdmin, lacking: .warning, with: "confirming a pairing is permitted",
      without: "a pairing that wants a yes is left to bluetoothd")
  }

  var daemonFinding: DiagnosticResult {
    switch bluetooth.hasDaemon {
    case true:
      DiagnosticResult(
        .bluetoothd, .ok,
        "runs: headphones are found, paired and given sound through it")
    case false:
      DiagnosticResult(
        .bluetoothd, .warning, "does not run: headphones can be controlled, but get no sound",
        fix: .command("systemctl", "start", "bluetooth", asRoot: true))
    case nil: DiagnosticResult(.bluetoothd, .unknown, "others' processes are hidden here")
    }
  }

  var releaseFinding: DiagnosticResult {
    guard let debian = DebianRelease(kernelRelease), debian.mayEndPrograms else {
      return DiagnosticResult(.kernelRelease, .ok, "\(kernelRelease): no trouble is known")
    }
    return DiagnosticResult(
      .kernelRelease, .warning,
      "\(kernelRelease) may end a program whose adapter goes down under an open link",
      fix: "boot another kernel: sudo apt install linux-image-6.1.0-47-\(debian.flavour)")
  }

  private func finding(
    _ check: Check, of capability: ProcessRights.Capability, lacking: Finding.State,
    with: String, without: String
  ) -> DiagnosticResult {
    guard let rights else {
      return DiagnosticResult(
        check, .unknown, "the kernel does not tell this process's capabilities")
    }
    return rights.effective.contains(capability)
      ? DiagnosticResult(check, .ok, with)
      : DiagnosticResult(
        check, lacking, "missing: \(without)", fix: rights.fix(lacking: capability))
  }
}

extension ProcessRights {
  /// How to get a capability, depending on what prevents it.
  fileprivate func fix(lacking capability: Capability) -> Fix {
    if !bounding.contains(capability) {
      return "out of reach in this container: start it with --cap-add=NET_RAW --cap-add=NET_ADMIN"
    }
    if hasNoNewPrivileges {
      return "start Earshot outside this sandbox: it lets no program gain rights (no_new_privs)"
    }
    guard let program else {
      return #"sudo setcap \#(Self.capabilities) "$(readlink -f "$(command -v earshot)")""#
    }
    guard program.isOnNoSuid else { return .commands([Self.grant(to: program.path)]) }
    let installed = "/usr/local/bin/earshot"
    return .commands([
      FixCommand(["install", program.path, installed], needsRoot: true), Self.grant(to: installed),
    ])
  }

  private static let capabilities = "cap_net_raw,cap_net_admin+ep"

  /// The command that gives a program the capabilities that Earshot uses.
  private static func grant(to path: String) -> FixCommand {
    FixCommand(["setcap", capabilities, path], needsRoot: true)
  }
}

/// The release of a Debian 12 kernel, such as "6.1.0-56-amd64".
private struct DebianRelease {
  var revision: Int
  /// Such as "amd64" or "cloud-amd64".
  var flavour: Substring

  init?(_ release: String) {
    let parts = release.split(separator: "-", maxSplits: 2)
    guard parts.count == 3, parts[0] == "6.1.0", let revision = Int(parts[1]) else { return nil }
    self.revision = revision
    flavour = parts[2]
  }

  /// Whether closing an ATT socket after its adapter went down runs into a kernel BUG in
  /// `hci_chan_del`, which kills the process.
  ///
  /// Seen in 6.1.0-56 (6.1.192), not in 6.1.0-47 (6.1.170); those between were not tried.
  var mayEndPrograms: Bool { (48...56).contains(revision) }
}
