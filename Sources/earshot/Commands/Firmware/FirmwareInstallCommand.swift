import ArgumentParser
import Bluetooth
import Companion
import CompanionRuntime
import Glibc
import HeadphoneProtocols
import Persistence

struct FirmwareInspectCommand: FirmwareSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what an image contains and check its integrity.",
    discussion: """
      Needs no headphone.

      EXAMPLES:
        earshot firmware inspect aurora-1.5.0.fw
        earshot firmware inspect aurora-1.5.0.fw --key maker.pub --json
      """)

  @ParentCommand var parent: FirmwareCommand
  @OptionGroup var common: CommonOptions
  @OptionGroup var trust: TrustOptions
  @Argument(help: "The image.") var file: String

  @MainActor
  func run() async throws {
    try await offline { () throws(CommandError) in
      let image = try FirmwareFile.read(file)
      let file = ConfigurationFile()
      file.report(file.makers().mistakes)
      let makers = try TrustedMakers(options, trust.over(root.trust))
      Output.data(FirmwareImageReport(image, keys: makers.keys), asJSON: options.json)
    }
  }
}

struct FirmwareInstallCommand: FirmwareSubcommand, SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Install an image; the headphone rolls back if it does not start.",
    discussion: """
      An interrupted installation goes on where it stopped when it is started again.

      EXAMPLES:
        earshot firmware install aurora-1.5.0.fw --key maker.pub
        earshot firmware install aurora-1.5.0.fw --key maker.pub --json
      """)

  @ParentCommand var parent: FirmwareCommand
  @OptionGroup var common: CommonOptions
  @OptionGroup var trust: TrustOptions
  @Flag(
    help: """
      Ask the headphone to take an image that is not newer; a signature or hardware that is \
      wrong is never sent.
      """)
  var force = false
  @Argument(help: "The image.") var file: String

  var lifetime: CommandLifetime { .stream }

  /// The program that has the link carries the update out, and its screens show it.
  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    var trust = trust.over(root.trust)
    trust.files = trust.files.map(path)
    let keys = MakerKeys(try trust.keys())
    let target = target(in: context)
    let image = FirmwareFile.absolute(path(file))
    // What the file alone forbids needs no headphone.
    try await target.check(image, trusting: keys, isForced: force)
    let line = ProgressLine(asJSON: options.json)
    defer { line.end() }
    try await linked(target, selector(in: context)) { () throws(CommandError) in
      let version = try await target.install(
        image, trusting: keys, isForced: force, report: line.show)
      line.end()
      Output.data(FirmwareInstalledReport(version), asJSON: options.json)
    }
  }
}

struct FirmwareStatusCommand: FirmwareSubcommand, SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the running firmware and any pending update.",
    discussion: """
      EXAMPLES:
        earshot firmware status
        earshot firmware status --json
      """)

  @ParentCommand var parent: FirmwareCommand
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    var status: FirmwareStatus?
    try await withHeadphone(in: context, isReading: true) { headphone throws(CommandError) in
      status = try await headphone.firmwareStatus()
    } report: { headphone, _ in
      let known = KnownHeadphones(in: StateFolder(), environment: options.environment?.rawValue)
      let isUnderWay = known.isUpdating(headphone.id)
      let unfinished = isUnderWay ? nil : known.unfinishedUpdate(of: headphone.id)
      return status.map {
        FirmwareStatusReport($0, unfinished: unfinished, isUnderWay: isUnderWay)
      }
    }
  }
}

/// Shows progress: on a terminal one line over and over, with `--json` a line each, else nothing.
struct ProgressLine: Sendable {
  private let isJSON: Bool
  private let isTerminal: Bool

  init(asJSON isJSON: Bool) {
    self.isJSON = isJSON
    isTerminal = ClientRequest.current != nil || isatty(STDERR_FILENO) == 1
  }

  func show(_ progress: FirmwareProgress) {
    let report = FirmwareProgressReport(progress)
    if isJSON {
      Output.data(report, asJSON: true)
    } else if isTerminal {
      Output.status("\r\(report.text)\u{1B}[K")
    }
  }

  /// Leaves the line.
  func end() {
    if isTerminal, !isJSON { Output.status("\r\u{1B}[K") }
  }
}
