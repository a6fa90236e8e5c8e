internal import BluetoothKernel
internal import BluetoothRadio
internal import Companion

extension SystemFacts {
  var scanningResult: DiagnosticResult {
    if bluetooth.hasDaemon == true, rights?.effective.contains(.netRaw) == false {
      return DiagnosticResult(
        .netRaw, .ok,
        "not needed: bluetoothd finds headphones; only --capture and link timing would use it")
    }
    return result(
      .netRaw, of: .netRaw, lacking: .problem, with: "scanning and --capture are permitted",
      without: "no scanning; known headphones, and any by --device ADDRESS, still work")
  }

  var pairingResult: DiagnosticResult {
    if bluetooth.hasDaemon == true, rights?.effective.contains(.netAdmin) == false {
      return DiagnosticResult(
        .netAdmin, .ok, "not needed: bluetoothd pairs, and asks through this program")
    }
    return result(
      .netAdmin, of: .netAdmin, lacking: .warning, with: "confirming a pairing is permitted",
      without: "a pairing that needs confirmation is left to bluetoothd")
  }

  var daemonResult: DiagnosticResult {
    switch bluetooth.hasDaemon {
    case true where heldLinks == nil:
      DiagnosticResult(
        .bluetoothd, .problem,
        "running, but does not answer: headphones are neither found nor paired, and the sound cannot "
          + "be connected",
        fix: .command("systemctl", "restart", "bluetooth", asRoot: true))
    case true where heldLinks?.isEmpty == false:
      DiagnosticResult(
        .bluetoothd, .ok,
        "runs, and holds the control link to \((heldLinks ?? []).joined(separator: ", ")): Earshot works "
          + "through it, without signal strength and link timing")
    case true:
      DiagnosticResult(
        .bluetoothd, .ok,
        "running: it finds and pairs headphones and carries their sound")
    case false:
      DiagnosticResult(
        .bluetoothd, .warning, "not running: headphones can be controlled, but play no sound",
        fix: .command("systemctl", "start", "bluetooth", asRoot: true))
    case nil:
      DiagnosticResult(.bluetoothd, .unknown, "the processes of other users are hidden here")
    }
  }

  var releaseResult: DiagnosticResult {
    if let debian = DebianRelease(kernelRelease), debian.mayEndPrograms {
      return DiagnosticResult(
        .kernelRelease, .warning,
        "\(kernelRelease) can kill a program whose adapter goes down while a link is open",
        fix: "boot another kernel: sudo apt install linux-image-6.1.0-47-\(debian.flavour)")
    }
    guard keepsDiscovering else {
      return DiagnosticResult(.kernelRelease, .ok, "\(kernelRelease): no known problems")
    }
    let what = "\(kernelRelease) makes no links after another program's hcitool lescan"
    if rights?.effective.contains(.netRaw) == true {
      return DiagnosticResult(
        .kernelRelease, .ok, "\(kernelRelease): works around a kernel bug with hcitool lescan")
    }
    return DiagnosticResult(
      .kernelRelease, bluetooth.hasDaemon == true ? .ok : .warning,
      "\(what), until the adapter is switched off",
      fix: "after such a scan switch the adapter off and on; with CAP_NET_RAW Earshot needs neither"
    )
  }

  /// Whether a raw socket's active scan stays a discovery: since 6.11 and 6.10.4 (df3d6a3e01fd).
  private var keepsDiscovering: Bool {
    let numbers = kernelRelease.prefix { $0.isNumber || $0 == "." }.split(separator: ".")
    return [6, 10, 4].lexicographicallyPrecedes(numbers.compactMap { Int($0) } + [0])
  }

  private func result(
    _ check: Check, of capability: ProcessRights.Capability, lacking: DiagnosticResult.State,
    with: String, without: String
  ) -> DiagnosticResult {
    guard let rights else {
      return DiagnosticResult(
        check, .unknown, "the kernel does not report this process's capabilities")
    }
    return rights.effective.contains(capability)
      ? DiagnosticResult(check, .ok, with)
      : DiagnosticResult(
        check, lacking, "missing: \(without)", fix: rights.fix(lacking: capability))
  }
}

extension ProcessRights {
  /// Returns the way to gain a capability, depending on what prevents it.
  fileprivate func fix(lacking capability: Capability) -> Fix {
    if !bounding.contains(capability) {
      return "not available in this container: start it with --cap-add=NET_RAW --cap-add=NET_ADMIN"
    }
    if hasNoNewPrivileges {
      return "start Earshot outside this sandbox: it lets no program gain privileges (no_new_privs)"
    }
    guard let program else { return .advice(setcapCommand(Self.capabilities)) }
    guard program.isOnNoSuid else { return .commands([Self.grant(to: program.path)]) }
    let installed = "/usr/local/bin/earshot"
    return .commands([
      FixCommand(["install", program.path, installed], needsRoot: true), Self.grant(to: installed),
    ])
  }

  private static let capabilities = "cap_net_raw,cap_net_admin"

  private static func grant(to path: String) -> FixCommand {
    FixCommand(["setcap", "\(capabilities)+ep", path], needsRoot: true)
  }
}

private struct DebianRelease {
  var revision: Int
  var flavour: Substring

  init?(_ release: String) {
    let parts = release.split(separator: "-", maxSplits: 2)
    guard parts.count == 3, parts[0] == "6.1.0", let revision = Int(parts[1]) else { return nil }
    self.revision = revision
    flavour = parts[2]
  }

  /// Whether closing an ATT socket after switching its adapter off hits a BUG in `hci_chan_del`.
  ///
  /// The kernel then kills the process: seen in 6.1.0-56 (6.1.192), not in 6.1.0-47 (6.1.170); the
  /// releases in between were not tested.
  var mayEndPrograms: Bool { (48...56).contains(revision) }
}
