import ArgumentParser
import Bluetooth
import CompanionRuntime
import Sharing

/// The power of the Bluetooth adapter: `earshot power on` and `off`.
///
/// bluetoothd switches it, for any user; without bluetoothd the kernel does, with CAP_NET_ADMIN.
/// Prints the new state; JSON: `power`. Exit status 3 if there is no adapter, it is blocked, or
/// switching it is not permitted.
struct PowerCommand: AnsweringCommand {
  static let configuration = CommandConfiguration(
    commandName: "power",
    abstract: "Switch the Bluetooth adapter on or off.",
    discussion: """
      bluetoothd does it if it is running, for any user.

      EXAMPLES:
        earshot power on
        earshot power off
      """)

  /// The argument.
  enum Wish: String, ExpressibleByArgument, CaseIterable {
    case on, off
  }

  @Argument(help: "on or off.")
  var wish: Wish

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var needsLink: Bool { false }

  @MainActor
  func answer(in context: CommandContext) async throws(CommandError) -> any Report {
    do throws(RadioError) {
      try await context.effects.setPower(wish == .on)
    } catch {
      throw .radio(error)
    }
    return AnswerReport("power", wish.rawValue)
  }
}
