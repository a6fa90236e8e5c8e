import ArgumentParser
import CompanionRuntime
import Sharing

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
    return ValueReport(.completions, known.script)
  }
}

enum ShellArgument: String, NamedArgument {
  case bash, zsh, fish
}

extension CompletionShell {
  /// ArgumentParser's script, but a faster one for fish.
  ///
  /// At each Tab, fish evaluates the conditions of all 1,100 completions, each of which parses the
  /// command line, which takes seconds. Here a first condition parses the line once for all
  /// completions, and fish caches the result for each command (since 3.6).
  fileprivate var script: String {
    let script = Earshot.completionScript(for: self)
    guard self == .fish else { return script }
    let beginning = "complete -c 'earshot' -n '"
    let lines = script.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let quoted = line.split(separator: "\"", maxSplits: 2)
      guard line.hasPrefix(beginning), quoted.count == 3 else { return String(line) }
      return
        "\(beginning)__earshot_is_command \"\(quoted[1])\"' -n '\(line.dropFirst(beginning.count))"
    }
    return lines.joined(separator: "\n") + """

      function __earshot_is_command -a expected_commands
          set -l line (commandline -pc)
          if test "$line" != "$__earshot_line"
              set -l non_repeating_flags_or_options
              set -l non_repeating_flags_or_options_absent 0
              set -l positional_index 0
              set -l commands
              __earshot_parse_tokens
              set -g __earshot_line "$line"
              set -g __earshot_commands "$commands"
          end
          test "$__earshot_commands" = "$expected_commands"
      end
      """
  }
}
