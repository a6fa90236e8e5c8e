import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols
import Sharing

/// The command `earshot multipoint`.
///
/// Actions return when the headphone's list shows the change. Forgetting a device, and
/// disconnecting this computer, need `--yes` without a terminal.
struct MultipointCommand: ConnectedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["phones", "hosts"]

  static let configuration = CommandConfiguration(
    commandName: "multipoint",
    abstract: "List the phones and computers of the headphone; connect, disconnect or forget one.",
    discussion: """
      Which actions there are depends on the headphone. A change returns when the headphone \
      reports it. Forgetting a device, and disconnecting this computer, ask first; in a script they \
      need --yes.

      EXAMPLES:
        earshot multipoint
        earshot multipoint off
        earshot multipoint connect pixel
        earshot multipoint play thinkpad
        earshot multipoint forget "Old phone" --yes
      """)

  @Argument(help: "What to do.")
  var action: MultipointArgument?

  @Argument(help: "The beginning of the device's name or address.")
  var name: String?

  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var isRepeatable: Bool { action?.action != .forget }

  func validate() throws {
    switch (action?.action, name) {
    case (.some(let action), nil):
      throw ValidationError(
        "which device?\nfor example: earshot multipoint \(action.rawValue) NAME")
    case (nil, .some) where action != nil:
      throw ValidationError("on and off take no name\nthey are for all devices")
    default: break
    }
  }

  var isReading: Bool { action == nil }

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? {
    if let name, let action = action?.action {
      try await headphone.perform(action, deviceNamed: name) { title in
        await isCertain(title, action, on: context.console)
      }
    } else if let action {
      try await headphone.set(SettingID.multipoint.rawValue, to: action.name)
    }
    return try headphone.pairedDevices()
  }

  private func isCertain(
    _ title: String, _ action: PairedDeviceAction, on console: any Console
  ) async -> Bool {
    if yes { return true }
    return await console.ask("\(action.title) \(title)? [y/N] ", orElse: "--yes")
  }
}

/// `on` or `off`, or an action on one device.
struct MultipointArgument: NamedArgument {
  static let allCases =
    Switch.allCases.map { MultipointArgument(name: $0.rawValue, action: nil) }
    + PairedDeviceAction.allCases.map { MultipointArgument(name: $0.rawValue, action: $0) }

  let name: String
  /// The action, or nil for `on` and `off`, which switch multipoint.
  let action: PairedDeviceAction?
}
