import ArgumentParser

/// The command group `earshot firmware` (docs/firmware.md).
///
/// `status` and `install` need a headphone; the others work on files.
struct FirmwareCommand: ParentOfCommands {
  static let configuration = CommandConfiguration(
    commandName: "firmware",
    abstract: "Inspect, install, build and sign firmware (docs/firmware.md).",
    discussion: """
      EXAMPLES:
        earshot firmware status
        earshot firmware install aurora-1.5.0.fw --key maker.pub
      """,
    subcommands: [
      FirmwareInspectCommand.self, FirmwareInstallCommand.self, FirmwareStatusCommand.self,
      FirmwarePackCommand.self, FirmwareSignCommand.self, FirmwareKeygenCommand.self,
    ])

  @ParentCommand var root: Earshot
}
