public import Bluetooth
internal import Glibc

/// A snapshot of this machine's Bluetooth, as far as the kernel reveals it to every process.
///
/// ```swift
/// let survey = BluetoothSurvey(adapter: nil)
/// print(survey.chosen?.name ?? "no adapter", survey.hasDaemon == true ? "with bluetoothd" : "")
/// ```
public struct BluetoothSurvey: Hashable, Sendable {
  /// Whether the kernel has Bluetooth, at least for this process.
  public var kernel: Kernel
  /// All adapters in index order.
  public var adapters: [AdapterInfo]
  /// The adapter that ``LinuxRadio`` would use, on or off; `nil` if there is none of that name.
  public var chosen: AdapterInfo?
  /// The Bluetooth switches of the machine, blocking or not.
  public var switches: [RfkillSwitch]
  /// Whether bluetoothd runs; `nil` if other users' processes are hidden.
  public var hasDaemon: Bool?

  /// Whether mpris-proxy runs, which offers bluetoothd media players, too; `nil` if processes are hidden.
  public var hasPlayerProxy: Bool?

  /// What prevents pairing over LE while the chosen adapter is on; `nil` if nothing is known to.
  public var pairingObstacle: PairingObstacle?

  /// The reason why the kernel's Security Manager is not there for an adapter that is on.
  public enum PairingObstacle: Hashable, Sendable {
    /// The kernel has not loaded these algorithms.
    case algorithms([String])
    /// That many adapters were switched on past the management interface, as hciconfig does.
    case unmanaged(count: Int)
  }

  /// Whether the kernel has Bluetooth.
  public enum Kernel: Hashable, Sendable {
    /// It has.
    case present
    /// It has not.
    case absent
    /// It has, but not for this process: the network namespace of a container has no Bluetooth.
    case elsewhere
    /// The query failed.
    case unknown(RadioError)
  }

  public init(
    kernel: Kernel, adapters: [AdapterInfo], chosen: AdapterInfo?, switches: [RfkillSwitch],
    hasDaemon: Bool?
  ) {
    self.kernel = kernel
    self.adapters = adapters
    self.chosen = chosen
    self.switches = switches
    self.hasDaemon = hasDaemon
  }

  /// Takes a snapshot now, which reads `/proc` and `/sys` and may block.
  ///
  /// - Parameter adapter: for example "hci0"; `nil` for the first that is switched on.
  public init(adapter: String?) {
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
    if chosen?.isPowered == true {
      pairingObstacle = Self.pairingObstacle(
        adapters: adapters.count { $0.isPowered && $0.hasLowEnergy != false },
        algorithms: KernelFile("/proc/crypto").text(blocks: 256), hasModule: Self.hasModule)
    }
  }

  /// What prevents pairing over LE, from the users of its algorithms (Linux, net/bluetooth/smp.c).
  ///
  /// The kernel sets up its Security Manager when an adapter is switched on through the management
  /// interface, and holds an instance of each algorithm until the adapter is switched off. No file
  /// that any user may read shows the Security Manager itself.
  ///
  /// - Parameters:
  ///   - adapters: the number of adapters with LE that are on.
  ///   - list: the text of /proc/crypto; if it is `nil`, nothing is known.
  ///   - hasModule: whether the kernel could load a module.
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
      // The registration of an algorithm is a reference of its own.
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

  /// Whether the running kernel has a module for an algorithm, loaded, built in or in a file.
  private static func hasModule(_ name: String) -> Bool {
    guard let release = KernelFile("/proc/sys/kernel/osrelease").firstLine else { return false }
    let folder = "/lib/modules/\(release)"
    return KernelFile("\(folder)/kernel/crypto").entries.contains { $0.hasPrefix("\(name).ko") }
      || KernelFile("\(folder)/modules.builtin").text(blocks: 64)?.contains("/\(name).ko") == true
      || KernelFile("/sys/module").entries.contains(name)
  }

  /// The reason for an error, by whether the kernel's module is loaded.
  private static func kernel(without error: RadioError) -> Kernel {
    guard error == .noAdapter else { return .unknown(error) }
    return access("/sys/module/bluetooth", F_OK) == 0 ? .elsewhere : .absent
  }

  /// Whether a process of a name runs; `nil` if `/proc` hides processes.
  static func runs(_ name: String, in processes: String = "/proc") -> Bool? {
    func command(_ process: String) -> String? {
      KernelFile("\(processes)/\(process)/comm").firstLine
    }
    if KernelFile(processes).entries.contains(where: { Int($0) != nil && command($0) == name }) {
      return true
    }
    // Under "hidepid" not even the first process is to be seen.
    return command("1") == nil ? nil : false
  }
}
