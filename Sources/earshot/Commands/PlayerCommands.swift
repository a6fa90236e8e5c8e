import ArgumentParser
import CompanionRuntime
import DBus
import Desktop
import HeadphoneProtocols
import Sharing

/// A command to the media player that plays, else to one that is paused (MPRIS).
///
/// Prints the player's name. Exit status 1 if no player plays or is paused, or it refuses.
///
/// ```
/// $ earshot audio pause --json
/// {"schema":1,"player":"mpv"}
/// ```
protocol PlayerSubcommand: AudioSubcommand {
  static var command: PlayerCommand { get }
}

extension PlayerSubcommand {
  /// The configuration that the four commands share.
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

/// Playback that continues: `earshot audio play`.
///
/// The player that plays, or one that is paused; nothing else is started.
struct AudioPlayCommand: PlayerSubcommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["play", "resume"]

  static let configuration = playerConfiguration("play", "Resume the media player.")
  static let command = PlayerCommand.play

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions
}

/// Playback that pauses: `earshot audio pause`.
struct AudioPauseCommand: PlayerSubcommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["pause"]

  static let configuration = playerConfiguration("pause", "Pause the media player.")
  static let command = PlayerCommand.pause

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions
}

/// The next piece: `earshot audio next`.
///
/// It needs no headphone, like the other three.
struct AudioNextCommand: PlayerSubcommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["next", "skip"]

  static let configuration = playerConfiguration("next", "Skip to the media player's next track.")
  static let command = PlayerCommand.next

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions
}

/// The previous piece: `earshot audio previous`.
struct AudioPreviousCommand: PlayerSubcommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["previous", "prev"]

  static let configuration = playerConfiguration(
    "previous", "Go back to the media player's previous track.")
  static let command = PlayerCommand.previous

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions
}
