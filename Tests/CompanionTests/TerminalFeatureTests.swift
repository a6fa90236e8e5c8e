import Companion
import Testing

/// The features of terminals according to their variables.
@Suite struct TerminalFeatureTests {
  @Test(
    arguments: [
      ([:], false, false),
      (["TERM": "xterm-256color"], false, false), (["TERM": "dumb"], false, false),
      (["TERM": "xterm-kitty"], true, false), (["TERM": "xterm-ghostty"], true, true),
      (["TERM_PROGRAM": "WezTerm"], true, true), (["WT_SESSION": "1"], true, true),
      (["VTE_VERSION": "4999"], false, false), (["VTE_VERSION": "6800"], true, false),
      (["VTE_VERSION": "7900"], true, true), (["ConEmuANSI": "ON"], false, true),
      (["TERM_PROGRAM": "iTerm.app"], true, false),
      (["TERM_PROGRAM": "iTerm.app", "TERM_FEATURES": "T3LrMSc7UUw9Ts3BFGsSyHNoSxFP"], true, true),
      (["TERM_PROGRAM": "iTerm.app", "TERM_FEATURES": "T3Pa1"], true, false),
      (["TERM": "tmux-256color", "VTE_VERSION": "7900"], false, false),
      (["TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"], false, false),
      (["TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.4"], true, false),
      (["TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.10"], true, false),
      (["FORCE_HYPERLINK": "1"], true, false),
      (["FORCE_HYPERLINK": "0", "TERM_PROGRAM": "ghostty"], false, true),
    ] as [([String: String], Bool, Bool)])
  func `is known by its variables`(variables: [String: String], hasLinks: Bool, progress: Bool) {
    let features = TerminalFeatures { variables[$0] }
    #expect(features.hasLinks == hasLinks && features.showsProgress == progress)
  }

  @Test func `progress is a percentage, or none`() {
    #expect(progressSequence(7) == "\u{1B}]9;4;1;7\u{7}")
    #expect(progressSequence(250) == "\u{1B}]9;4;1;100\u{7}")
    #expect(progressSequence(nil) == "\u{1B}]9;4;0\u{7}")
  }
}
