public import Headphones

/// What a person can ask for with a key.
public enum UserCommand: Hashable, Sendable {
  /// Round the ends of the modes that the headphone has.
  case nextANC, previousANC
  /// This mode, whichever is on.
  case setANC(ANCMode)
  /// Transparency, and back to the mode before.
  case flipTransparency
  /// The next preset of the headphone's own, round the end.
  case nextEQ
  /// Opens the editor of the equaliser.
  case equaliser
  /// In the editor of the equaliser.
  case flatten, savePreset, importPreset
  /// Whether the headphone looks at all whether it is worn.
  case toggleWearDetection
  /// Asks for the headphone's name.
  case rename
  /// Plays a loud sound on the buds that are in no ear, or stops it; asks before it is loud.
  case find
  /// Opens the headphone's firmware page.
  case firmware

  /// Connects, cancels an attempt, or disconnects, as the link is now.
  case connectOrDisconnect
  /// Ends the control link only; the sound stays.
  case dropControlLink
  /// Looks for headphones, or stops looking.
  case scan
  /// Pairs, or pairs again.
  case pair
  /// Forgets the headphone and its keys; asks before.
  case forget
  /// Wipes the headphone; asks twice before.
  case factoryReset
  /// Reads all values again.
  case refresh
  /// Selects another headphone, round the ends.
  case previousHeadphone, nextHeadphone

  /// The volume, or the focused slider.
  case raise, lower
  /// Of the headphone's sound device; a change between music and calls is asked about.
  case routeSound, toggleMute, switchProfile

  /// Puts the focus on the other panel.
  case otherPanel
  /// The cursor up and down; the value under it left and right.
  case up, down, left, right
  /// Moves a page's cursor, or scrolls it.
  case top, bottom, pageUp, pageDown
  /// Acts on the focused row, or gives a dialog's answer.
  case accept
  /// Closes what is open last; it never quits.
  case back
  /// Narrows the log, or searches the page.
  case filter
  /// Goes to another line with the text that was searched for.
  case nextMatch, previousMatch
  /// In the log.
  case copy
  /// In the inspector.
  case write, subscribe
  /// Opens a page; once more on the information page, the inspector.
  case info, log, doctor, help
  /// Of the screen and the program, not of any headphone.
  case redraw, suspend, quit
}

extension UserCommand: CaseIterable {
  /// Every command, with a `setANC` for each mode.
  public static let allCases: [UserCommand] =
    [.nextANC, .previousANC] + ANCMode.allCases.map(UserCommand.setANC) + [
      .flipTransparency, .nextEQ, .equaliser, .flatten, .savePreset, .importPreset,
      .toggleWearDetection, .rename, .find, .firmware,
      .connectOrDisconnect, .dropControlLink, .scan, .pair, .forget, .factoryReset, .refresh,
      .previousHeadphone, .nextHeadphone, .raise,
      .lower, .routeSound, .toggleMute, .switchProfile, .otherPanel, .up, .down, .left, .right,
      .top, .bottom, .pageUp, .pageDown, .accept, .back, .filter, .nextMatch, .previousMatch, .copy,
      .write, .subscribe, .info,
      .log, .doctor, .help,
      .redraw,
      .suspend, .quit,
    ]
}
