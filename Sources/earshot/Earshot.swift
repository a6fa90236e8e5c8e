import ArgumentParser
import Companion
import CompanionRuntime

/// The program `earshot`, which opens the screen, and all its commands.
///
/// Exit statuses are those of ``/CompanionRuntime/ExitStatus``. Standard output carries data only,
/// everything else goes to standard error.
struct Earshot: AsyncParsableCommand, SynonymousCommand {
  static let configuration = CommandConfiguration(
    abstract: "A terminal companion for dual-mode Bluetooth headphones.",
    discussion: """
      Without a command it opens the screen, where ? shows the keys.

      EXAMPLES:
        earshot
        earshot demo                # with virtual headphones
        earshot status --json
        earshot anc next

      EXIT CODES:
        0 ok, 1 failed, 3 no adapter or no permission, 4 headphone not found,
        5 link lost or timed out, 6 refused by the headphone, 64 wrong usage
      """,
    version: "0.1.0",
    groupedSubcommands: [
      CommandGroup(
        name: "Everyday",
        subcommands: [
          StatusCommand.self, BatteryCommand.self, ANCCommand.self, EQCommand.self,
          CorrectionCommand.self,
          LevelCommand.self, VolumeCommand.self, MuteCommand.self, SceneCommand.self,
          AudioCommands.self, ConnectCommand.self, DisconnectCommand.self, FindCommand.self,
          FitCommand.self,
        ]),
      CommandGroup(
        name: "Headphone",
        subcommands: [
          ScanCommand.self, DevicesCommand.self, PairCommand.self, ForgetCommand.self,
          SettingCommand.self, WearDetectionCommand.self, TouchCommand.self,
          MultipointCommand.self, BroadcastsCommand.self, BroadcastCommandLine.self,
          RenameCommand.self,
          ResetCommand.self, FirmwareCommand.self,
        ]),
      CommandGroup(
        name: "Background",
        subcommands: [WatchCommand.self, AgentCommand.self]),
      CommandGroup(
        name: "Setup",
        subcommands: [
          DoctorCommand.self, SecurityCommand.self, ConfigCommand.self, KeysCommand.self,
          LogCommand.self,
          CompletionsCommand.self,
          PowerCommand.self, VersionCommand.self,
        ]),
      CommandGroup(
        name: "Expert",
        subcommands: [
          InspectCommand.self, ReadCommand.self, WriteCommand.self, CaptureCommand.self,
          LearnCommand.self, SimulateCommand.self,
        ]),
    ])

  static let synonyms: [Synonym] = [.init("demo", as: "--adapter virtual")]

  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @OptionGroup var trust: TrustOptions

  @Flag(help: "Draw the screen with ASCII characters only.")
  var ascii = false

  @Flag(help: "For screen readers: no frames, one column, words for bars and symbols.")
  var accessible = false

  @Option(
    help: .init(
      "When both buds are taken out: pause media players, or cork the sound (PulseAudio only).",
      valueName: "mode"))
  var autoPause: AutoPause?

  @Flag(
    inversion: .prefixedNo,
    help: "Accept mouse clicks (default); Shift then selects text in most terminals.")
  var mouse: Bool?
}

extension AutoPause: NamedArgument {
  var name: String { rawValue }
}
