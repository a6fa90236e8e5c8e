import ArgumentParser
import Companion
import CompanionRuntime
import Sharing

struct AudioCommands: ParentOfCommands {
  static let configuration = CommandConfiguration(
    commandName: "audio",
    abstract: "List, connect and pin audio outputs.",
    discussion: """
      Sound goes through bluetoothd and the sound server; the control link is separate. Earshot \
      finds the sound device of a headphone by address or name. Where that is impossible or wrong, \
      as with a USB adapter, pin it.

      EXAMPLES:
        earshot audio
        earshot audio connect
        earshot audio disconnect
        earshot audio route speakers
        earshot audio profile
        earshot audio profile calls
        earshot audio microphone
        earshot audio pause
        earshot audio pin 00:11:22:33:44:55
        earshot audio pin "USB Audio" --device aurora
        earshot audio unpin
      """,
    subcommands: [
      AudioListCommand.self, AudioConnectCommand.self, AudioDisconnectCommand.self,
      AudioRouteCommand.self, AudioProfileCommand.self, AudioMicrophoneCommand.self,
      AudioPlayCommand.self, AudioPauseCommand.self, AudioPlayPauseCommand.self,
      AudioNextCommand.self,
      AudioPreviousCommand.self, AudioSettingCommand.self,
      AudioOffsetCommand.self,
      AudioPinCommand.self, AudioUnpinCommand.self,
    ],
    defaultSubcommand: AudioListCommand.self)

  @ParentCommand var root: Earshot
}

protocol AudioSubcommand: Subcommand, ReportCommand {}

extension AudioSubcommand {
  var needsLink: Bool { false }
}

/// The command `earshot audio list`; exit status 0 even without a sound server.
struct AudioListCommand: AudioSubcommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["audio outputs", "audio sinks", "outputs", "sinks"]

  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List audio outputs; * marks the current one.",
    discussion: """
      EXAMPLES:
        earshot audio list
        earshot audio list --json | jq '.devices[] | select(.default)'
      """)

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    await target(in: context).soundDevices()
  }
}

/// The command `earshot audio connect`, which returns once the sound device is the output.
struct AudioConnectCommand: AudioSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "connect",
    abstract: "Connect a paired headphone's audio and play there.",
    discussion: """
      Returns when the sound goes there. Streams that are already playing are moved. If something \
      still keeps music from being heard there, such as mute, it is named with what helps.

      EXAMPLES:
        earshot audio connect
        earshot audio connect aurora
      """)

  @Argument(help: .headphone, completion: .headphones)
  var headphone: String?

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    let target = target(in: context)
    let name = try await target.connectAudio(headphone ?? options.device)
    if let hint = target.soundHint { context.console.message(hint) }
    return ValueReport(.connection, name)
  }
}

struct AudioDisconnectCommand: AudioSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "disconnect",
    abstract: "Disconnect a headphone's audio; its controls stay connected.",
    discussion: """
      EXAMPLES:
        earshot audio disconnect
        earshot audio disconnect aurora
      """)

  @Argument(help: .headphone, completion: .headphones)
  var headphone: String?

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    ValueReport(
      .disconnection, try await target(in: context).disconnectAudio(headphone ?? options.device))
  }
}

struct AudioRouteCommand: AudioSubcommand, SynonymousCommand {
  static let synonyms: [Synonym] = [
    "output", "route", .init("outputs *", as: "*"), .init("audio *", as: "*", isSuggested: true),
  ]

  static let configuration = CommandConfiguration(
    commandName: "route",
    abstract: "Send the sound to an output.",
    discussion: """
      Streams that are already playing are moved. `earshot audio` lists the outputs.

      EXAMPLES:
        earshot audio route speakers
        earshot audio route aurora
      """)

  @Argument(help: "The beginning of its address or name.", completion: .outputs)
  var output: String

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    ValueReport(.output, try await target(in: context).routeSound(to: output))
  }
}

struct AudioProfileCommand: AudioSubcommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["profile", "codec"]

  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "List the profiles and codecs of a headphone's sound, or choose one.",
    discussion: """
      * marks the one in use. A profile for calls opens the microphone, and all sound has \
      telephone quality until another one is chosen.

      EXAMPLES:
        earshot audio profile
        earshot audio profile calls
        earshot audio profile music
        earshot audio profile sbc_xq --device aurora
      """)

  @Argument(
    help: "music, calls, off, or the beginning of a profile's or codec's name.",
    completion: .list(["music", "calls", "off"]))
  var profile: String?

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    try await target(in: context).soundModes(of: options.device, switchingTo: profile)
  }
}

struct AudioMicrophoneCommand: AudioSubcommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["mic", "microphone", "audio mic"]

  static let configuration = CommandConfiguration(
    commandName: "microphone",
    abstract: "List microphones and what has them open, or choose one for calls.",
    discussion: """
      * marks the one that programs record from. While a program has a headphone's microphone \
      open, music loses its quality; choose another microphone to get it back.

      EXAMPLES:
        earshot audio microphone
        earshot audio microphone built-in
        earshot audio microphone --json | jq '.microphones[] | select(.default)'
      """)

  @Argument(help: "The beginning of its name.")
  var microphone: String?

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    try await target(in: context).microphones(choosing: microphone)
  }
}

struct AudioPinCommand: AudioSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "pin",
    abstract: "Pin the audio device of a known headphone.",
    discussion: """
      It is remembered, and takes precedence over every rule.

      EXAMPLES:
        earshot audio pin 00:11:22:33:44:55
        earshot audio pin "USB Audio" --device aurora
      """)

  @Argument(
    help: "The beginning of its address or name; a whole address need not be connected now.",
    completion: .outputs)
  var soundDevice: String

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    try await target(in: context).pin(soundDevice, as: options.device)
  }
}

struct AudioUnpinCommand: AudioSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "unpin",
    abstract: "Undo `audio pin`: match the audio device automatically.",
    discussion: """
      EXAMPLES:
        earshot audio unpin
        earshot audio unpin --device aurora
      """)

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    try await target(in: context).pin(nil, as: options.device)
  }
}
