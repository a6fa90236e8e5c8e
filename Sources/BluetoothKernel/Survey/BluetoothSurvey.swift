package import BluetoothRadio
internal import Glibc

/// A snapshot of this machine's Bluetooth, as far as the kernel reveals it to every process.
package struct BluetoothSurvey: Hashable, Sendable {
  package var kernel: Kernel
  /// All adapters in index order.
  package var adapters: [AdapterInfo]
  /// The adapter that ``LinuxRadio`` would use, on or off, or nil if there is none of that name.
  package var chosen: AdapterInfo?
  /// The chosen adapter's controller, or nil if it is off or does not respond.
  package var controller: ControllerVersion?
  /// The machine's Bluetooth switches, blocking or not.
  package var switches: [RfkillSwitch]
  /// Whether bluetoothd runs, or nil if other users' processes are hidden.
  package var hasDaemon: Bool?

  /// Whether mpris-proxy runs, which also offers players to bluetoothd, or nil if hidden.
  package var hasPlayerProxy: Bool?

  /// The obstacle to pairing over LE on the chosen adapter, or nil if none is known.
  package var pairingObstacle: PairingObstacle?

  /// The reason why the kernel has no Security Manager for an adapter that is on.
  package enum PairingObstacle: Hashable, Sendable {
    /// The kernel cannot load these algorithms.
    case algorithms([String])
    /// This number of adapters were switched on past the management interface, as hciconfig does.
    case unmanaged(count: Int)
  }

  /// Whether the kernel has Bluetooth.
  package enum Kernel: Hashable, Sendable {
    case present
    case absent
    /// The kernel has it, but not in this process's network namespace, as in a container.
    case elsewhere
    case unknown(RadioError)
  }

  package init(
    kernel: Kernel, adapters: [AdapterInfo], chosen: AdapterInfo?, switches: [RfkillSwitch],
    hasDaemon: Bool?
  ) {
    self.kernel = kernel
    self.adapters = adapters
    self.chosen = chosen
    self.switches = switches
    self.hasDaemon = hasDaemon
  }

  /// Takes a snapshot with the named adapter, or the first that is on; may block on `/proc`.
  package init(adapter: String?) {
    let choice = AdapterChoice(name: adapter)
    switches = choice.switches.all()
    hasDaemon = Self.runs("bluetoothd")
    hasPlayerProxy = Self.runs("mpris-proxy")
    do {
      adapters = try AdapterInfo.all()
      kernel = .present
    } catch {
      adapters = []
      kernel = Self.kernel(without: error)
    }
    chosen = (try? choice.candidate(among: adapters)) ?? nil
    if let chosen, chosen.isPowered {
      controller = ControllerVersion(of: chosen)
      pairingObstacle = Self.pairingObstacle(
        adapters: adapters.count { $0.isPowered && $0.hasLowEnergy != false },
        algorithms: KernelFile("/proc/crypto").text(blocks: 256), hasModule: Self.hasModule)
    }
  }

  /// Returns the obstacle to pairing over LE, given the number of LE adapters that are on.
  ///
  /// The kernel (net/bluetooth/smp.c) sets up its Security Manager when an adapter is switched on
  /// through the management interface, and holds an instance of each algorithm in /proc/crypto
  /// (`list`) until it is switched off. No other file that any user may read shows this.
  static func pairingObstacle(
    adapters: Int, algorithms list: String?, hasModule: (String) -> Bool
  ) -> PairingObstacle? {
    guard let list else { return nil }
    var users: [String: Int] = [:]
    var name = ""
    for line in list.split(separator: "\n") {
      let parts = line.split { $0 == ":" || $0 == " " }.map(String.init)
      guard parts.count == 2 else { continue }
      switch parts[0] {
      case "name": name = parts[1]
      // The registration of an algorithm counts as one reference.
      case "refcnt": users[name, default: 0] += max(0, (Int(parts[1]) ?? 0) - 1)
      default: break
      }
    }
    // Linux before 5.13 has one name for all curves.
    let curves = users.filter { ["ecdh", "ecdh-nist-p256"].contains($0.key) }
    let count = adapters - curves.values.reduce(0, +)
    guard count > 0 else { return nil }
    let missing = [
      (name: "ecdh", isListed: !curves.isEmpty, module: "ecdh_generic"),
      (name: "cmac", isListed: users["cmac(aes)"] != nil, module: "cmac"),
    ].filter { !$0.isListed && !hasModule($0.module) }
    return missing.isEmpty ? .unmanaged(count: count) : .algorithms(missing.map(\.name))
  }

  private static func hasModule(_ name: String) -> Bool {
    guard let release = KernelFile("/proc/sys/kernel/osrelease").firstLine else { return false }
    let folder = "/lib/modules/\(release)"
    return KernelFile("\(folder)/kernel/crypto").entries.contains { $0.hasPrefix("\(name).ko") }
      || KernelFile("\(folder)/modules.builtin").text(blocks: 64)?.contains("/\(name).ko") == true
      || KernelFile("/sys/module").entries.contains(name)
  }

  private static func kernel(without error: RadioError) -> Kernel {
    guard error == .noAdapter else { return .unknown(error) }
    return access("/sys/module/bluetooth", F_OK) == 0 ? .elsewhere : .absent
  }

  /// Whether a process of this name runs, or nil if `/proc` hides processes.
  static func runs(_ name: String, in processes: String = "/proc") -> Bool? {
    func command(_ process: String) -> String? {
      KernelFile("\(processes)/\(process)/comm").firstLine
    }
    if KernelFile(processes).entries.contains(where: { Int($0) != nil && command($0) == name }) {
      return true
    }
    // Under "hidepid" not even the first process is visible.
    return command("1") == nil ? nil : false
  }
}
