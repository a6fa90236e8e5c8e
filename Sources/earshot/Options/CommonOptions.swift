import ArgumentParser
import Companion
import CompanionRuntime
import Configuration
import EventLoop
import HeadphoneProtocols
import JSON
import Locking

/// The options of every command, before or after its name; the one nearer to it counts.
struct CommonOptions: ParsableArguments {
  static let title = "Common options"

  @Option(
    name: .shortAndLong,
    help: .init(
      "Headphone: its name, ID or address, or a unique part of one (default: the one used last).",
      valueName: "id"), completion: .headphones)
  var device: String?

  @Option(
    help: .init(
      """
      Bluetooth adapter: "hci0" and so on; "virtual" for virtual headphones, "virtual-quiet" for \
      ones that do nothing unprompted, "virtual-families" for those of other makers, \
      "virtual-le-audio" for hearing aids and Auracast, "virtual-flaws" for the security check, \
      "virtual-unknown" for one of a maker that no driver knows.
      """,
      valueName: "adapter"), completion: .adapters)
  var adapter: String?

  @Option(
    help: .init(
      "Force a driver, whatever the headphone's services are: a family, or a driver file.",
      valueName: "family or file"), completion: .drivers)
  var driver: DriverArgument?

  @Flag(name: [.long, .customShort("j")], help: "Output JSON.")
  var json = false

  @Option(
    name: .shortAndLong,
    help: .init("Seconds to look for the headphone (default: 20).", valueName: "seconds"))
  var timeout: Double?

  @Option(
    help: .init("Write the Bluetooth traffic to a btsnoop file, for Wireshark.", valueName: "file"),
    completion: .file())
  var capture: String?

  @Flag(
    help: """
      Replace names, addresses, serial numbers and keys in the capture or the log, so that it can \
      be shared.
      """)
  var redact = false

  @Flag(name: .shortAndLong, help: "Verbose output on stderr.")
  var verbose = false

  @Flag(help: "No colours; NO_COLOR in the environment does the same.")
  var noColor = false

  func validate() throws {
    if let timeout, !(timeout > 0 && timeout <= 86_400) {
      throw ValidationError(
        "--timeout takes no \(timeout)\nit takes more than 0 s and at most a day")
    }
    if device?.isEmpty == true {
      throw ValidationError("--device needs a headphone\n`earshot devices` lists them")
    }
    if let adapter, AdapterName(adapter) == nil {
      throw ValidationError(
        "there is no adapter \"\(displayable(adapter))\"\n"
          + "it takes hci0 and so on, \(AdapterName.virtual.joined(separator: ", "))")
    }
  }

  func over(_ others: CommonOptions) -> CommonOptions {
    var all = self
    all.device = device ?? others.device
    all.adapter = adapter ?? others.adapter
    all.driver = driver ?? others.driver
    all.json = json || others.json
    all.timeout = timeout ?? others.timeout
    all.capture = capture ?? others.capture
    all.redact = redact || others.redact
    all.verbose = verbose || others.verbose
    all.noColor = noColor || others.noColor
    return all
  }

  /// The options, with the adapter of the configuration file if none is given.
  var completed: CommonOptions {
    var all = self
    all.adapter = adapter ?? Self.configuredAdapter
    return all
  }

  /// The adapter of the configuration file, as it was when this process read it, or nil.
  static var configuredAdapter: String? { configured.withLock { $0.adapter } }
  private static let configured = Mutex<(isRead: Bool, adapter: String?)>((false, nil))

  /// Reads the configuration file, unless this process has read it already.
  @MainActor
  static func readConfiguredAdapter() async {
    guard !configured.withLock({ $0.isRead }) else { return }
    let adapter = await ConfigurationFile().adapter(within: .seconds(3), by: MainLoop.clock)
    configured.withLock { $0 = (true, adapter) }
  }

  var isVirtual: Bool { environment != nil }

  var isQuiet: Bool { adapter.flatMap(AdapterName.init)?.isQuiet == true }

  var environment: SimulatedEnvironment? { adapter.flatMap(AdapterName.init)?.environment }

  var timeoutDuration: Duration { .seconds(timeout ?? 20) }

  /// The only headphone found, or the nearest virtual one, if none was used yet.
  var newDevice: AutoConnect.UnknownDevice { isVirtual ? .nearest : .only }
}

extension HeadphoneFamily: NamedArgument {
  var name: String { rawValue }
}
