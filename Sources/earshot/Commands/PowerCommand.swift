import ArgumentParser
import BluetoothRadio
import CompanionRuntime
import Sharing

/// The command `earshot power`, for any user with bluetoothd, else with CAP_NET_ADMIN.
struct PowerCommand: ReportCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["bluetooth"]

  static let configuration = CommandConfiguration(
    commandName: "power",
    abstract: "Show the Bluetooth adapter's power, or switch it.",
    discussion: """
      With bluetoothd running, any user may switch it.

      EXAMPLES:
        earshot power
        earshot power on
        earshot power off
      """)

  @Argument(help: "on or off; status shows it.")
  var change: PowerArgument?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var needsLink: Bool { false }

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    switch change {
    case nil, .status?:
      return ValueReport(.power, OnOff(try await target(in: context).hasPower()))
    case let change?:
      do throws(RadioError) {
        try await context.effects.setPower(change == .on)
      } catch {
        throw .radio(error)
      }
      return ValueReport(.power, OnOff(change == .on))
    }
  }
}

enum PowerArgument: String, NamedArgument {
  case on, off, status
}
