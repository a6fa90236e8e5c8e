import ArgumentParser
import CompanionRuntime
import Sharing

/// The script that completes commands, options, headphones and presets: `earshot completions`.
///
/// Prints it. Without a shell it is that of `SHELL`. Exit status 0, or 64 for a shell without a
/// script.
struct CompletionsCommand: LocalCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["completion", "complete"]

  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Print the completions for bash, zsh or fish.",
    discussion: """
      The packages install them.

      EXAMPLES:
        earshot completions bash > ~/.local/share/bash-completion/completions/earshot
        earshot completions zsh > ~/.zfunc/_earshot
        earshot completions fish > ~/.config/fish/completions/earshot.fish
      """)

  @Argument(help: "bash, zsh or fish (default: that of $SHELL).")
  var shell: ShellArgument?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report() throws(CommandError) -> (any Report)? {
    let own = CompletionShell.autodetected().flatMap { ShellArgument(rawValue: $0.rawValue) }
    guard let shell = shell ?? own, let known = CompletionShell(rawValue: shell.rawValue) else {
      throw .usage("there are no completions for this shell\nname bash, zsh or fish")
    }
    return ValueReport(.completions, Earshot.completionScript(for: known))
  }
}

/// A shell with completions.
enum ShellArgument: String, NamedArgument {
  case bash, zsh, fish
}
