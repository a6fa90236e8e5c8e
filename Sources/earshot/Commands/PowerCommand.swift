import ArgumentParser
import Bluetooth
import CompanionRuntime
import Sharing

struct PowerCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "power",
    abstract: "Switch the Bluetooth adapter on or off.",
    discussion: """
      bluetoothd does it where it runs, and lets anyone.

      EXAMPLES:
        earshot power on
        earshot power off
      """)

  enum Wish: String, ExpressibleByArgument, CaseIterable {
    case on, off
  }

  @Argument(help: "on or off.")
  var wish: Wish

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  var needsLink: Bool { false }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    do throws(RadioError) {
      try await context.effects.world.radio.setPower(wish == .on)
    } catch {
      throw .radio(error)
    }
    context.console.data(AnswerReport("power", wish.rawValue), asJSON: options.json)
  }
}
