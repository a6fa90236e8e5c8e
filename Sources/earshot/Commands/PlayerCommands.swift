import ArgumentParser
import CompanionRuntime
import DBus
import Desktop
import HeadphoneProtocols
import Sharing

/// A command for the media player that is playing, else for a paused one (MPRIS).
protocol PlayerSubcommand: AudioSubcommand {
  static var command: PlayerCommand { get }
}

extension PlayerSubcommand {
  static func playerConfiguration(_ name: String, _ abstract: String) -> CommandConfiguration {
    CommandConfiguration(
      commandName: name, abstract: abstract,
      discussion: """
        Uses the one that is playing, otherwise one that is paused, and prints its name.

        EXAMPLES:
          earshot audio \(name)
        """)
  }

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    let name: String?
    do throws(DBusError) {
      name = try await context.effects.dependencies.desktop.send(Self.command)?.player.shortName
    } catch .noBus {
      throw .unavailable(
        "no session bus, so media players cannot be reached\nrun it in a desktop session")
    } catch {
      throw .unavailable(displayable("\(error)"))
    }
    guard let name else {
      throw .unavailable(
        "no media player is playing or paused\nstart one that can be controlled (MPRIS)")
    }
    return ValueReport(.player, displayable(name))
  }
}

struct AudioPlayCommand: PlayerSubcommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["play", "resume"]

  static let configuration = playerConfiguration("play", "Resume the media player.")
  static let command = PlayerCommand.play

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions
}

struct AudioPauseCommand: PlayerSubcommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["pause"]

  static let configuration = playerConfiguration("pause", "Pause the media player.")
  static let command = PlayerCommand.pause

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions
}

struct AudioPlayPauseCommand: PlayerSubcommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["play-pause", "playpause", "audio toggle"]

  static let configuration = playerConfiguration(
    "play-pause", "Pause the media player, or resume it.")
  static let command = PlayerCommand.playPause

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions
}

struct AudioNextCommand: PlayerSubcommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["next", "skip"]

  static let configuration = playerConfiguration("next", "Skip to the media player's next track.")
  static let command = PlayerCommand.next

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions
}

struct AudioPreviousCommand: PlayerSubcommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["previous", "prev"]

  static let configuration = playerConfiguration(
    "previous", "Go back to the media player's previous track.")
  static let command = PlayerCommand.previous

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions
}
