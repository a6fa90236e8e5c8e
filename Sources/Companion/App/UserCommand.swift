public import HeadphoneProtocols

/// A command that a key can be bound to.
///
/// What a key *means*; which key it is, `KeyMap` of `TerminalUI` says, and the same command can
/// mean different things on different pages: `up` moves the cursor of the main page and raises a
/// band of the equaliser. ``State/reduce(_:at:)`` decides by the page and dialog that are shown.
///
/// A command bound to a lower-case key acts at once and can be taken back; one on a capital opens a
/// question first (``Question``).
public enum UserCommand: Hashable, Sendable {
  /// The next or previous mode, wrapping around.
  case nextANC, previousANC
  /// This mode, whichever is on.
  case setANC(ANCMode)
  /// Transparency, and back to the mode before.
  case flipTransparency
  /// A scene of the configuration by its place, from 1.
  case scene(Int)
  /// The next preset of the headphone's own, round the end.
  case nextEQ
  /// Opens the editor of the equaliser.
  case equaliser
  /// Commands of the equaliser's editor.
  case flatten, savePreset, importPreset
  /// Steps in the editor's history: to the change before, to the one after, and to the sound at
  /// opening and back.
  case undo, redo, compare
  /// Whether wear detection is on.
  case toggleWearDetection
  /// Asks for the headphone's name.
  case rename
  /// Plays a loud sound on the buds that are in no ear, or stops it; asks before it is loud.
  case find
  /// Opens the headphone's firmware page.
  case firmware
  /// Opens the page of the touch actions.
  case touchActions
  /// Opens the page of the phones and computers that the headphone is paired with.
  case pairedDevices

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
  /// Resets the headphone to its factory state; asks twice before.
  case factoryReset
  /// Reads all values again.
  case refresh
  /// Selects another headphone, round the ends.
  case previousHeadphone, nextHeadphone

  /// The volume, or the focused slider.
  case raise, lower
  /// Commands of the headphone's sound device; a change between music and calls is asked about.
  case routeSound, toggleMute, switchProfile

  /// Opens the list of microphones; another one than the headphone's gives music its quality back.
  case microphone
  /// Of the media player that plays, or played last.
  case playOrPause, previousTrack, nextTrack

  /// Moves the focus to the next or previous panel.
  case otherPanel, previousPanel
  /// The cursor up and down; the value under it left and right.
  case up, down, left, right
  /// Moves a page's cursor, or scrolls it.
  case top, bottom, pageUp, pageDown
  /// Acts on the focused row, or gives a dialog's answer.
  case accept
  /// Closes what was opened last; never quits.
  case back
  /// Narrows the log, or searches the page.
  case filter
  /// Goes to another line with the text that was searched for.
  case nextMatch, previousMatch
  /// Copies the line of the cursor, or what a page shows, to the clipboard.
  case copy
  /// Commands of the inspector.
  case write, subscribe
  /// Opens a page; once more on the information page, the inspector.
  case info, log, doctor, help
  /// Commands of the screen and the program, not of any headphone.
  case redraw, nextTheme, suspend, quit
}

extension UserCommand: CaseIterable {
  /// Every command in the order of the help page, whose lines are indices of it, with a `setANC`
  /// for each mode and a `scene` for each that has a key.
  public static let allCases: [UserCommand] =
    [.nextANC, .previousANC] + ANCMode.allCases.map(UserCommand.setANC) + [
      .flipTransparency, .nextEQ, .equaliser, .flatten, .savePreset, .importPreset, .undo, .redo,
      .compare,
      .toggleWearDetection, .rename, .find, .firmware, .touchActions, .pairedDevices, .factoryReset,
    ] + Scene.keys.map(UserCommand.scene) + [
      .connectOrDisconnect, .dropControlLink, .scan, .pair, .forget, .refresh,
      .previousHeadphone, .nextHeadphone, .raise,
      .lower, .routeSound, .toggleMute, .switchProfile, .microphone, .playOrPause, .previousTrack,
      .nextTrack, .otherPanel, .previousPanel, .up, .down, .left, .right,
      .top, .bottom, .pageUp, .pageDown, .accept, .back, .filter, .nextMatch, .previousMatch, .copy,
      .write, .subscribe, .info,
      .log, .doctor, .help,
      .redraw, .nextTheme,
      .suspend, .quit,
    ]
}
