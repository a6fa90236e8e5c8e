import ArgumentParser
import CompanionRuntime
import Sharing

/// The command `earshot inspect`, for any LE device, also one without a driver.
struct InspectCommand: ReportCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["gatt", "services"]

  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "List every service, characteristic, descriptor and value.",
    discussion: """
      EXAMPLES:
        earshot inspect
        earshot inspect --json | jq '.services[].characteristics[].uuid'
      """)

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    try await target(in: context).inspect(selector(in: context)) {
      inspector throws(CommandError) in
      try await inspector.survey()
    }
  }
}

struct ReadCommand: ReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "read",
    abstract: "Read characteristics by UUID or name.",
    discussion: """
      EXAMPLES:
        earshot read 2A19
        earshot read battery-level
        earshot read 12345678-1234-5678-1234-56789ABCDEF1 --json
      """)

  @Argument(
    help: "A UUID of 4 digits or in full, or a standard name such as battery-level.",
    transform: TypeArgument.parse)
  var uuid: TypeArgument

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    try await target(in: context).inspect(selector(in: context)) {
      [uuid] inspector throws(CommandError) in
      try await inspector.read(uuid.uuid)
    }
  }
}

/// The command `earshot write`, never retried; bytes that are known to harm are not sent.
struct WriteCommand: ReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "write",
    abstract: "Write bytes to a characteristic by UUID.",
    discussion: """
      The bytes are sent as they are; a wrong write can damage the headphone. Those that are known \
      to reset, restart or update a maker's headphones are refused.

      EXAMPLES:
        earshot write FFF1 02
        earshot write FFF3 "A5 01 02 01 00 00 A9" --without-response
      """)

  @Argument(help: "A UUID or name, as for read.", transform: TypeArgument.parse)
  var uuid: TypeArgument

  @Argument(help: "The bytes as hexadecimal digits.", transform: BytesArgument.parse)
  var value: BytesArgument

  @Flag(help: "Write without response.")
  var withoutResponse = false

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var isRepeatable: Bool { false }

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    try await target(in: context).inspect(selector(in: context), writes: true) {
      [uuid, value, withoutResponse] inspector throws(CommandError) in
      try await inspector.write(value.bytes, to: uuid.uuid, withoutResponse: withoutResponse)
    }
    return ValueReport(.writing, uuid.uuid)
  }
}
