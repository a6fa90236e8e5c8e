internal import BluetoothKernel
package import Companion
internal import EventLoop
internal import Glibc

/// The appearance of this computer to others according to bluetoothd, and bluetoothd's version.
package struct DaemonExposure: Hashable, Sendable {
  /// The parts of the version, major first; empty if unknown.
  package var version: [Int]
  package var adapter: ComputerSecurityFacts.Adapter

  package init(version: [Int], adapter: ComputerSecurityFacts.Adapter) {
    self.version = version
    self.adapter = adapter
  }
}

/// Reads what the security check needs of this computer, without changing anything.
///
/// - Parameters:
///   - adapter: The adapter's name, for example "hci0", or nil for the first that is switched on.
///   - daemon: Returns bluetoothd's view, or nil without a response.
package func examineComputer(
  adapter: String?, daemon: @Sendable () async -> DaemonExposure?
) async -> ComputerSecurityFacts {
  let exposure = await daemon()
  return await FileIO.shared.run {
    let survey = BluetoothSurvey(adapter: adapter)
    var facts = ComputerSecurityFacts()
    facts.hasDaemon = survey.hasDaemon
    facts.daemonVersion = exposure.flatMap {
      VersionNumber($0.version.map(String.init).joined(separator: "."))
    }
    facts.adapter = exposure?.adapter
    let main = DaemonSettings(DaemonConfiguration.path)
    facts.justWorks = main["JustWorksRepairing"]
    facts.alwaysPairable = main["AlwaysPairable"]
    facts.bondedOnly = DaemonSettings("/etc/bluetooth/input.conf")["ClassicBondedOnly"]
    let kernel = KernelName.ofThisMachine
    facts.kernelRelease = kernel.release
    facts.kernel = kernel.version
    if access("/sys/class/rfkill", R_OK) == 0 {
      facts.isBlocked = survey.switches.contains(where: \.isBlocking)
    }
    facts.mayEveryoneSwitch = isWritableByAll("/dev/rfkill")
    facts.mayEveryoneCommand = BusPolicy.ofBluetoothd.map(\.allowsEveryone)
    facts.openers = text(at: "/proc/net/hci").map {
      SocketOwners(list: $0).users.subtracting([0, geteuid()]).sorted()
    }
    return facts
  }
}

private func isWritableByAll(_ path: String) -> Bool? {
  var status = stat()
  guard stat(path, &status) == 0 else { return nil }
  return status.st_mode & S_IWOTH != 0
}

private struct DaemonSettings {
  private let configuration: DaemonConfiguration?
  private let exists: Bool

  init(_ path: String) {
    configuration = text(at: path).map(DaemonConfiguration.init)
    exists = access(path, F_OK) == 0
  }

  subscript(key: String) -> ComputerSecurityFacts.Setting {
    guard let configuration else { return exists ? .unreadable : .standard }
    return configuration.general(key).map(ComputerSecurityFacts.Setting.set) ?? .standard
  }
}
