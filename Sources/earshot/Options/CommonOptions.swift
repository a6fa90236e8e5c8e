import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols
import JSON

/// Options of every command, before or after its name.
///
/// Given twice, the option nearer to the command counts.
///
/// ```
/// earshot --adapter virtual status --json
/// earshot status --json --adapter virtual
/// ```
struct CommonOptions: ParsableArguments {
  /// Their heading in the help.
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
      "virtual-le-audio" for hearing aids and Auracast.
      """,
      valueName: "adapter"), completion: .adapters)
  var adapter: String?

  @Option(
    help: .init(
      "Force a driver, whatever the headphone's services are.", valueName: "family"))
  var driver: HeadphoneFamily?

  @Flag(name: [.long, .customShort("j")], help: "Output JSON.")
  var json = false

  @Option(help: .init("Seconds to look for the headphone (default: 20).", valueName: "seconds"))
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

  /// - Throws: `ValidationError` for a time-out that is not between 0 and a day, an empty
  ///   `--device`, which would match everything, and an adapter that cannot exist.
  func validate() throws {
    if let timeout, !(timeout > 0 && timeout <= 86_400) {
      throw ValidationError(
        "--timeout takes no \(timeout)\nit takes more than 0 s and at most a day")
    }
    if device?.isEmpty == true {
      throw ValidationError("--device needs a headphone\n`earshot devices` lists them")
    }
    guard let adapter, environment == nil else { return }
    let number = adapter.hasPrefix("hci") ? UInt16(adapter.dropFirst(3)) : nil
    if number == nil {
      throw ValidationError(
        "there is no adapter \"\(displayable(adapter))\"\n"
          + "it takes hci0 and so on, virtual, virtual-quiet, virtual-families, virtual-le-audio")
    }
  }

  /// These options, completed by those that only `others` have.
  ///
  /// - Parameter others: the options before the command's name.
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

  /// Whether the headphones are virtual, of any kind.
  var isVirtual: Bool { environment != nil }

  /// Whether the virtual headphones do nothing by themselves, for measurements and screenshots.
  var isQuiet: Bool { adapter == "virtual-quiet" }

  /// The simulated environment; nil: real headphones.
  var environment: SimulatedEnvironment? {
    isQuiet ? .own : adapter.flatMap(SimulatedEnvironment.init)
  }

  /// Time to find a headphone.
  var timeoutDuration: Duration { .seconds(timeout ?? 20) }

  /// What a command without `--device` connects if no headphone was used yet: the only one that is
  /// found, or the nearest of the virtual ones.
  var newDevice: AutoConnect.UnknownDevice { isVirtual ? .nearest : .only }
}

extension HeadphoneFamily: NamedArgument {
  var name: String { rawValue }
}

/// A simulated environment, which has state files of its own.
///
/// Virtual headphones never mix with real ones: bonds are kept in memory, and known headphones in
/// files of their own.
enum SimulatedEnvironment: String, CaseIterable {
  case own = "virtual"
  case families = "virtual-families"
  case leAudio = "virtual-le-audio"
}
