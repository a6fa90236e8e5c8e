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

  /// The algorithms that LE pairing needs and the kernel has not loaded.
  ///
  /// The kernel loads them when an adapter is switched on through the management interface.
  public var missingAlgorithms: [String] = []

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
    do {
      adapters = try AdapterInfo.all()
      kernel = .present
    } catch {
      adapters = []
      kernel = Self.kernel(without: error)
    }
    chosen = (try? choice.candidate(among: adapters)) ?? nil
    missingAlgorithms = Self.algorithms(missingIn: KernelFile("/proc/crypto").text(blocks: 256))
  }

  /// The algorithms of the Security Manager (Linux, net/bluetooth/smp.c) that a list lacks.
  ///
  /// - Parameter list: the text of /proc/crypto; if it is `nil`, nothing is reported as missing.
  static func algorithms(missingIn list: String?) -> [String] {
    guard let list else { return [] }
    let names = list.split(separator: "\n").filter { $0.hasPrefix("name") }
      .compactMap { $0.split(separator: ":").last?.trimmingPrefix(" ") }
    // Linux before 5.13 has one name for all curves.
    return [("ecdh", "ecdh"), ("cmac", "cmac(aes)")].filter { algorithm in
      !names.contains { $0.hasPrefix(algorithm.1) }
    }.map(\.0)
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
