import ArgumentParser
import BluetoothRadio
import Companion
import CompanionRuntime
import Configuration
import EventLoop
import FirmwareCrypto
import Glibc
import HeadphoneProtocols
import Persistence
import Sharing

/// The command `earshot firmware inspect`; an unsigned image is not an error.
struct FirmwareInspectCommand: Subcommand, LocalCommand {
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
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions
  @OptionGroup var trust: TrustOptions
  @Argument(help: "The firmware image.", completion: .file()) var file: String

  @MainActor
  func report() async throws(CommandError) -> (any Report)? {
    let image = try FirmwareFile.read(file)
    let file = ConfigurationFile()
    file.summary(of: file.makers().mistakes).map(StandardConsole.shared.message)
    let makers = try await TrustedMakers(options, trust.over(root.trust))
    return FirmwareImageReport(image, keys: makers.keys)
  }
}

/// The command `earshot firmware install`.
///
/// The owner's app performs the update, which continues if this command is interrupted. Installing
/// the same image again resumes an interrupted update. Everything that needs no headphone is
/// checked first, then identity, hardware, version and charge.
struct FirmwareInstallCommand: Subcommand, SharedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["update", "firmware update", "upgrade"]

  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Install an image; the headphone rolls back if it does not start.",
    discussion: """
      An interrupted installation continues where it stopped when it is started again.

      EXAMPLES:
        earshot firmware install aurora-1.5.0.fw --key maker.pub
        earshot firmware install aurora-1.5.0.fw --key maker.pub --json
      """)

  @ParentCommand var parent: FirmwareCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions
  @OptionGroup var trust: TrustOptions
  @Flag(
    help: """
      Ask the headphone to accept an image that is not newer; one with a wrong signature or for \
      other hardware is never sent.
      """)
  var force = false
  @Argument(help: "The firmware image.", completion: .file()) var file: String

  var lifetime: CommandLifetime { .stream }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    var trust = trust.over(root.trust)
    trust.files = trust.files.map(context.path)
    let keys = MakerKeys(try await trust.keys())
    let target = target(in: context)
    let path = context.path(file)
    let image = try await FileIO.named.open(path) { () throws(CommandError) in
      FirmwareFile.absolute(path)
    }
    try await target.check(image, trusting: keys, isForced: force)
    let line = ProgressLine(on: context.console, asJSON: options.json)
    defer { line.end() }
    try await linked(target, selector(in: context), on: context.console) {
      () throws(CommandError) in
      let version = try await target.install(
        image, trusting: keys, isForced: force, report: line.show)
      line.end()
      context.console.data(FirmwareInstalledReport(version), asJSON: options.json)
    }
  }
}

struct FirmwareStatusCommand: Subcommand, ConnectedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["firmware version", "firmware check", "firmware list"]

  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the running firmware and any pending update.",
    discussion: """
      EXAMPLES:
        earshot firmware status
        earshot firmware status --json
      """)

  @ParentCommand var parent: FirmwareCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var isReading: Bool { true }

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? {
    let status = try await headphone.firmwareStatus()
    guard let id = headphone.headphone?.id else { return nil }
    let known = KnownHeadphones(in: StateFolder(), environment: options.environment?.rawValue)
    let (unfinished, isUnderWay) = await FileIO.shared.run {
      let isUnderWay = known.isUpdating(id)
      return (isUnderWay ? nil : known.unfinishedUpdate(of: id), isUnderWay)
    }
    return FirmwareStatusReport(status, unfinished: unfinished, isUnderWay: isUnderWay)
  }
}

/// Progress as a line that is overwritten on a terminal, or as lines of JSON with `--json`.
///
/// The line begins with a carriage return and ends with "erase to the end of the line", so it needs
/// no cursor addressing.
struct ProgressLine: Sendable {
  private let console: any Console
  private let isJSON: Bool

  init(on console: any Console, asJSON isJSON: Bool) {
    self.console = console
    self.isJSON = isJSON
  }

  func show(_ progress: FirmwareProgress) {
    let report = FirmwareProgressReport(progress)
    if isJSON {
      console.data(report, asJSON: true)
    } else if console.showsProgress {
      console.progress(
        "\r\(report.text)\u{1B}[K" + progressSequence(UInt8(clamping: progress.percent)))
    }
  }

  func end() {
    guard console.showsProgress, !isJSON else { return }
    console.progress(progressSequence(nil))
    console.progress("\r\u{1B}[K")
  }
}
