import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols
import JSON

/// Options of every command, before or after its name.
struct CommonOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: .init(
      "The beginning of a headphone's identity, address or name; else the one used last.",
      valueName: "id"))
  var device: String?

  @Option(
    help: .init(
      """
      "hci0", or "virtual" for virtual headphones; those of "virtual-quiet" do nothing by \
      themselves, those of "virtual-families" speak as other makers' do.
      """,
      valueName: "adapter"))
  var adapter: String?

  @Option(
    help: .init(
      """
      Take headphones for those of a family, whatever their services say: earshot, nothing, \
      soundcore, airpods, sony, galaxy-buds, bose, huawei, oppo, \
      standard.
      """,
      valueName: "family"),
    transform: family)
  var driver: HeadphoneFamily?

  @Flag(help: "Write JSON, with fixed keys.")
  var json = false

  @Option(help: .init("Seconds to look for the headphone, at most.", valueName: "seconds"))
  var timeout: Double?

  @Option(
    help: .init("Write all Bluetooth traffic to a btsnoop file, for Wireshark.", valueName: "file"))
  var capture: String?

  @Flag(
    help: """
      Put other names, addresses, serial numbers and keys into what is captured or shown of the \
      log, to send it to somebody.
      """)
  var redact = false

  @Flag(name: .shortAndLong, help: "Verbose output on stderr.")
  var verbose = false

  @Flag(help: "Use no colours; NO_COLOR in the environment does the same.")
  var noColor = false

  func validate() throws {
    if let timeout, !(timeout > 0 && timeout <= 86_400) {
      throw ValidationError("--timeout takes seconds, more than 0 and at most a day.")
    }
    if device?.isEmpty == true { throw ValidationError("--device takes at least one letter.") }
  }

  /// These options, completed by those that only `others` have.
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

  var isVirtual: Bool { adapter == SimulatedEnvironment.own.rawValue || isQuiet || isFamilies }

  /// Whether the virtual headphones are those of other vendors.
  var isFamilies: Bool { adapter == SimulatedEnvironment.families.rawValue }

  /// Whether the virtual headphones do nothing by themselves, for measurements and screenshots.
  var isQuiet: Bool { adapter == "virtual-quiet" }

  /// The simulated environment; nil: real headphones.
  var environment: SimulatedEnvironment? { isFamilies ? .families : isVirtual ? .own : nil }

  @Sendable private static func family(_ name: String) throws -> HeadphoneFamily {
    guard let family = HeadphoneFamily(rawValue: name) else {
      let known = HeadphoneFamily.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--driver takes \(known).")
    }
    return family
  }

  /// Time to find a headphone.
  var timeoutDuration: Duration { .seconds(timeout ?? 20) }

  /// The headphone of a command without `--device` if none was used yet: never an unknown one out
  /// of several.
  var newDevice: AutoConnect.UnknownDevice { isVirtual ? .nearest : .only }
}

/// A simulated environment, which has state files of its own.
enum SimulatedEnvironment: String, CaseIterable {
  case own = "virtual"
  case families = "virtual-families"
}
