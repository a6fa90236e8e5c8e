public import Bluetooth
internal import Glibc

/// A snapshot of this machine's Bluetooth, by what the kernel shows to every process.
public struct BluetoothSurvey: Hashable, Sendable {
  /// Whether the kernel has Bluetooth, at least for this process.
  public var kernel: Kernel
  /// In index order.
  public var adapters: [AdapterInfo]
  /// The one that ``LinuxRadio`` uses, on or off; nil: none, or the one asked for is not there.
  public var chosen: AdapterInfo?
  /// The Bluetooth switches of the machine, blocking or not.
  public var switches: [RfkillSwitch]
  /// Whether bluetoothd runs; nil: processes of others are hidden from this one.
  public var hasDaemon: Bool?

  /// Whether the kernel has Bluetooth.
  public enum Kernel: Hashable, Sendable {
    case present
    case absent
    /// It has, but not for this process: a container's network is not the machine's.
    case elsewhere
    /// Asking failed.
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

  /// Looks now.
  ///
  /// - Parameter adapter: "hci0"; nil: the first that is on.
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
  }

  private static func kernel(without error: RadioError) -> Kernel {
    guard error == .noAdapter else { return .unknown(error) }
    return access("/sys/module/bluetooth", F_OK) == 0 ? .elsewhere : .absent
  }

  /// Whether a process of that name runs, by `/proc`; nil where it cannot be read.
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
