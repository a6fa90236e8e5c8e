import ArgumentParser

struct FirmwareCommand: AsyncParsableCommand {
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

/// A command below `firmware`.
protocol FirmwareSubcommand: ReportingCommand {
  var parent: FirmwareCommand { get }
}

extension FirmwareSubcommand {
  var root: Earshot { parent.root }
}
