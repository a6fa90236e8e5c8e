/// The features of a terminal according to the environment, as terminals do not report them.
package struct TerminalFeatures: Hashable, Sendable {
  package let hasLinks: Bool
  /// Whether the terminal shows progress (OSC 9;4), which iTerm2 before 3.6.6 takes for
  /// notifications.
  package let showsProgress: Bool

  /// Reads the variables; unknown terminals have none of these features.
  ///
  /// The terminals with progress are those of Cargo's `term.progress.term-integration`, and VTE
  /// from 0.79 on. Those with links are those of the crate `supports-hyperlinks`, and tmux from 3.4
  /// on.
  package init(_ variable: (String) -> String?) {
    let type = variable("TERM") ?? ""
    let program = variable("TERM_PROGRAM") ?? ""
    let vte = variable("VTE_VERSION").flatMap { Int($0) } ?? 0
    let isWindows = variable("WT_SESSION") != nil
    let isGhostty = program == "ghostty" || type == "xterm-ghostty"
    let isTmux = program == "tmux" || type.hasPrefix("tmux") || type.hasPrefix("screen")
    showsProgress =
      !isTmux
      && (isGhostty || program == "WezTerm" || isWindows || variable("ConEmuANSI") == "ON"
        || vte >= 7900 || Self.has("P", in: variable("TERM_FEATURES") ?? ""))
    let version = (variable("TERM_PROGRAM_VERSION") ?? "").split(separator: ".")
      .compactMap { Int($0.prefix(while: \.isNumber)) }
    if let forced = variable("FORCE_HYPERLINK") {
      hasLinks = forced != "0"
    } else if isTmux {
      hasLinks = program == "tmux" && !version.lexicographicallyPrecedes([3, 4])
    } else {
      hasLinks =
        isGhostty || isWindows || vte >= 5000
        || ["iTerm.app", "WezTerm", "vscode", "zed", "Hyper"].contains(program)
        || ["xterm-kitty", "alacritty", "foot", "foot-extra", "contour"].contains(type)
        || variable("KONSOLE_VERSION").flatMap { Int($0) }.map { $0 >= 201_200 } == true
    }
  }

  /// Whether iTerm2's list has a feature, with names such as in "T3LrMSc7UUw9Ts3BFGsSyHNoSxFP".
  private static func has(_ name: String, in list: String) -> Bool {
    var names: [String] = []
    for character in list where character.isLetter {
      if character.isUppercase || names.isEmpty { names.append("") }
      names[names.count - 1].append(character)
    }
    return names.contains(name)
  }
}

/// Returns the sequence that shows progress in %, or removes it if nil (ConEmu's OSC 9;4).
package func progressSequence(_ percent: UInt8?) -> String {
  "\u{1B}]9;4;\(percent.map { "1;\(min($0, 100))" } ?? "0")\u{07}"
}
