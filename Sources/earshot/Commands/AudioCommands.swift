import ArgumentParser
import CompanionRuntime
import Sharing

struct AudioCommands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audio",
    abstract: "List, connect and pin audio outputs.",
    discussion: """
      The sound goes through bluetoothd and the sound server; the control link is another one.
      Earshot finds the sound device of a headphone by address or name. Where that is impossible or
      wrong, as with a USB adapter, pin it.

      EXAMPLES:
        earshot audio
        earshot audio connect
        earshot audio disconnect
        earshot audio route speakers
        earshot audio profile
        earshot audio profile calls
        earshot audio pause
        earshot audio pin 00:11:22:33:44:55
        earshot audio pin "USB Audio" --device aurora
        earshot audio unpin
      """,
    subcommands: [
      AudioListCommand.self, AudioConnectCommand.self, AudioDisconnectCommand.self,
      AudioRouteCommand.self, AudioProfileCommand.self, AudioPlayCommand.self,
      AudioPauseCommand.self, AudioNextCommand.self, AudioPreviousCommand.self,
      AudioPinCommand.self, AudioUnpinCommand.self,
    ],
    defaultSubcommand: AudioListCommand.self)

  @ParentCommand var root: Earshot
}

/// A command below `audio`.
protocol AudioSubcommand: SharedCommand {
  var parent: AudioCommands { get }
}

extension AudioSubcommand {
  var root: Earshot { parent.root }
  var needsLink: Bool { false }

  @MainActor
  fileprivate func withPins(
    in context: CommandContext,
    _ work: @MainActor (AudioDeviceOverrides) throws(CommandError) -> any Report
  ) async throws(CommandError) {
    let pins = try await AudioDeviceOverrides(context.effects.world)
    let report = try work(pins)
    try pins.report(context.store)
    context.console.data(report, asJSON: options.json)
  }
}

struct AudioListCommand: AudioSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List audio outputs; * marks the current one.",
    discussion: """
      EXAMPLES:
        earshot audio list
        earshot audio list --json | jq '.devices[] | select(.default)'
      """)

  @ParentCommand var parent: AudioCommands
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withPins(in: context) { pins throws(CommandError) in pins.report }
  }
}

struct AudioConnectCommand: AudioSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "connect",
    abstract: "Connect a paired headphone's audio and play there.",
    discussion: """
      Returns when the sound goes there. What plays already is moved.

      EXAMPLES:
        earshot audio connect
        earshot audio connect --device aurora
      """)

  @ParentCommand var parent: AudioCommands
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    let name = try await SoundLink(context.effects.world).connect(
      options.device, within: options.timeoutDuration)
    context.console.data(AnswerReport("connected", name), asJSON: options.json)
  }
}

struct AudioDisconnectCommand: AudioSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "disconnect",
    abstract: "Disconnect a headphone's audio; its controls stay connected.",
    discussion: """
      EXAMPLES:
        earshot audio disconnect
        earshot audio disconnect --device aurora
      """)

  @ParentCommand var parent: AudioCommands
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    let name = try await SoundLink(context.effects.world).disconnect(
      options.device, within: options.timeoutDuration)
    context.console.data(AnswerReport("disconnected", name), asJSON: options.json)
  }
}

struct AudioRouteCommand: AudioSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "route",
    abstract: "Send the sound of this machine to an output.",
    discussion: """
      What plays already is moved. `earshot audio` lists the outputs.

      EXAMPLES:
        earshot audio route speakers
        earshot audio route aurora
      """)

  @Argument(help: "The beginning of its address or name.")
  var output: String

  @ParentCommand var parent: AudioCommands
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    let name = try await target(in: context).routeSound(to: output)
    context.console.data(AnswerReport("output", name), asJSON: options.json)
  }
}

struct AudioProfileCommand: AudioSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "List the profiles and codecs of a headphone's sound, or choose one.",
    discussion: """
      * is what is in force. A profile for calls opens the microphone, and all sound has the quality \
      of a telephone until another one is chosen.

      EXAMPLES:
        earshot audio profile
        earshot audio profile calls
        earshot audio profile music
        earshot audio profile sbc_xq --device aurora
      """)

  @Argument(help: "music, calls, off, or the beginning of a profile's or codec's name.")
  var profile: String?

  @ParentCommand var parent: AudioCommands
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    let report = try await target(in: context).soundModes(
      of: options.device, switchingTo: profile)
    context.console.data(report, asJSON: options.json)
  }
}

struct AudioPinCommand: AudioSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "pin",
    abstract: "Pin the audio device of a known headphone.",
    discussion: """
      It is remembered, and counts before every rule.

      EXAMPLES:
        earshot audio pin 00:11:22:33:44:55
        earshot audio pin "USB Audio" --device aurora
      """)

  @Argument(
    help: "The beginning of its address or name; a whole address need not be connected now.")
  var soundDevice: String

  @ParentCommand var parent: AudioCommands
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withPins(in: context) { pins throws(CommandError) in
      try pins.pin(soundDevice, as: options.device)
    }
  }
}

struct AudioUnpinCommand: AudioSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "unpin",
    abstract: "Match the audio device automatically again.",
    discussion: """
      EXAMPLES:
        earshot audio unpin
        earshot audio unpin --device aurora
      """)

  @ParentCommand var parent: AudioCommands
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withPins(in: context) { pins throws(CommandError) in try pins.unpin(options.device) }
  }
}
