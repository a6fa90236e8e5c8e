/// What a terminal has according to its variables in the environment, as it cannot be asked.
package struct TerminalFeatures: Hashable, Sendable {
  /// Whether it shows hyperlinks (OSC 8).
  package let hasLinks: Bool
  /// Whether it shows progress in its tab or in the taskbar (OSC 9;4).
  ///
  /// iTerm2 before 3.6.6 would show the sequence as a notification.
  package let showsProgress: Bool

  /// Reads the variables; unknown terminals have none of these.
  ///
  /// The terminals with progress are those of Cargo's `term.progress.term-integration`, and VTE from
  /// 0.79 on. Those with links are those of the crate `supports-hyperlinks`, and tmux from 3.4 on.
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

  /// Whether iTerm2's list of features has one: names that begin with a capital, some with a number,
  /// such as "T3LrMSc7UUw9Ts3BFGsSyHNoSxFP".
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
