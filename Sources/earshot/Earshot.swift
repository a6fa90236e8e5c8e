import ArgumentParser
import Companion
import CompanionRuntime

struct Earshot: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "A terminal companion for dual-mode Bluetooth headphones.",
    discussion: """
      Without a command it opens the screen, where ? shows the keys.

      EXAMPLES:
        earshot
        earshot --adapter virtual
        earshot status --json
        earshot anc next

      EXIT CODES:
        0 ok, 1 failed, 2 or 64 wrong usage, 3 no adapter or no permission,
        4 headphone not found, 5 link lost or timed out, 6 refused by the headphone
      """,
    version: "0.1.0",
    subcommands: [
      ScanCommand.self, DevicesCommand.self, StatusCommand.self, BatteryCommand.self,
      ANCCommand.self, EQCommand.self, FindCommand.self, VolumeCommand.self,
      SettingCommand.self, WearDetectionCommand.self,
      TouchCommand.self, WatchCommand.self, InspectCommand.self, ReadCommand.self,
      WriteCommand.self, AudioCommands.self, PairCommand.self, ForgetCommand.self,
      KeysCommand.self, DoctorCommand.self, FirmwareCommand.self, ConfigCommand.self,
      LogCommand.self, CaptureCommand.self, SimulateCommand.self, AgentCommand.self,
      ConnectCommand.self, DisconnectCommand.self, PowerCommand.self,
    ])

  @OptionGroup var common: CommonOptions

  @OptionGroup var trust: TrustOptions

  @Flag(help: "Draw the screen with ASCII characters only, as where the locale is not UTF-8.")
  var ascii = false

  @Option(
    help: .init(
      "When both buds are taken out: off, pause media \"players\", or \"cork\" (PulseAudio only).",
      valueName: "off|players|cork"), transform: autoPause(named:))
  var autoPause: AutoPause?

  @Flag(
    inversion: .prefixedNo,
    help: "Take clicks on the screen (default); Shift then selects text in most terminals.")
  var mouse: Bool?
}

private func autoPause(named name: String) throws -> AutoPause {
  guard let setting = AutoPause(rawValue: name) else {
    throw ValidationError("--auto-pause takes off, players or cork.")
  }
  return setting
}
