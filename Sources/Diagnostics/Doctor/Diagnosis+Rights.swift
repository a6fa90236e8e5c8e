internal import BluetoothLinux
internal import Companion

extension SystemFacts {
  var scanningFinding: Finding {
    if bluetooth.hasDaemon == true, rights?.effective.contains(.netRaw) == false {
      return Finding(
        .netRaw, .ok,
        "not needed: bluetoothd finds headphones; only --capture and link timing would use it")
    }
    return finding(
      .netRaw, of: .netRaw, lacking: .problem, with: "scanning and --capture are permitted",
      without: "no scanning; known headphones, and any by --device ADDRESS, still work")
  }

  var pairingFinding: Finding {
    if bluetooth.hasDaemon == true, rights?.effective.contains(.netAdmin) == false {
      return Finding(.netAdmin, .ok, "not needed: bluetoothd pairs, and asks through this program")
    }
    return finding(
      .netAdmin, of: .netAdmin, lacking: .warning, with: "confirming a pairing is permitted",
      without: "a pairing that wants a yes is left to bluetoothd")
  }

  var daemonFinding: Finding {
    switch bluetooth.hasDaemon {
    case true:
      Finding(
        .bluetoothd, .ok,
        "runs: headphones are found, paired and given sound through it")
    case false:
      Finding(
        .bluetoothd, .warning, "does not run: headphones can be controlled, but get no sound",
        remedy: "sudo systemctl start bluetooth")
    case nil: Finding(.bluetoothd, .unknown, "others' processes are hidden here")
    }
  }

  var releaseFinding: Finding {
    guard let debian = DebianRelease(kernelRelease), debian.mayEndPrograms else {
      return Finding(.kernelRelease, .ok, "\(kernelRelease): no trouble is known")
    }
    return Finding(
      .kernelRelease, .warning,
      "\(kernelRelease) may end a program whose adapter goes down under an open link",
      remedy: "boot another kernel: sudo apt install linux-image-6.1.0-47-\(debian.flavour)")
  }

  private func finding(
    _ check: Check, of capability: ProcessRights.Capability, lacking: Finding.State,
    with: String, without: String
  ) -> Finding {
    guard let rights else {
      return Finding(check, .unknown, "the kernel does not tell this process's capabilities")
    }
    return rights.effective.contains(capability)
      ? Finding(check, .ok, with)
      : Finding(check, lacking, "missing: \(without)", remedy: rights.remedy(lacking: capability))
  }
}

extension ProcessRights {
  /// How to get a capability, by what is in the way.
  fileprivate func remedy(lacking capability: Capability) -> String {
    if !bounding.contains(capability) {
      return "out of reach in this container: start it with --cap-add=NET_RAW --cap-add=NET_ADMIN"
    }
    if hasNoNewPrivileges {
      return "start Earshot outside this sandbox: it lets no program gain rights (no_new_privs)"
    }
    let path = (program?.path).map(quotedForShell) ?? #""$(readlink -f "$(command -v earshot)")""#
    guard program?.isOnNoSuid == true else { return Self.grant(path) }
    let installed = "/usr/local/bin/earshot"
    return "sudo install \(path) \(installed) && \(Self.grant(installed))"
  }

  /// The command that gives a program what Earshot asks for.
  private static func grant(_ path: String) -> String {
    "sudo setcap cap_net_raw,cap_net_admin+ep \(path)"
  }
}

/// A word of a shell's command, whatever it contains.
func quotedForShell(_ word: String) -> String {
  let isPlain = word.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "+"):
      true
    default: false
    }
  }
  return isPlain
    ? word
    : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
}

/// A kernel of Debian 12: "6.1.0-56-amd64".
private struct DebianRelease {
  var revision: Int
  /// "amd64", "cloud-amd64".
  var flavour: Substring

  init?(_ release: String) {
    let parts = release.split(separator: "-", maxSplits: 2)
    guard parts.count == 3, parts[0] == "6.1.0", let revision = Int(parts[1]) else { return nil }
    self.revision = revision
    flavour = parts[2]
  }

  /// Closing an ATT socket whose adapter went down meets a kernel BUG in `hci_chan_del`.
  ///
  /// Seen in 6.1.0-56 (6.1.192), not in 6.1.0-47 (6.1.170); those between are not known to be free.
  var mayEndPrograms: Bool { (48...56).contains(revision) }
}
