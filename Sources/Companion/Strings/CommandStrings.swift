import AudioRoute
import Desktop
import HeadphoneProtocols

extension UserCommand {
  /// The command's name in the configuration of keys.
  ///
  /// Stable: configurations name commands by it, and `earshot keys` lists it. `setANC` has one per
  /// mode, "anc-adaptive".
  ///
  /// ```toml
  /// [keys]
  /// next-anc = ["a", "F5"]
  /// anc-off = []          # no key
  /// ```
  public var name: String {
    switch self {
    case .nextANC: "next-anc"
    case .previousANC: "previous-anc"
    case .setANC(let mode): "anc-\(mode.name)"
    case .flipTransparency: "flip-transparency"
    case .scene(let number): "scene-\(number)"
    case .nextEQ: "next-eq"
    case .equaliser: "equaliser"
    case .flatten: "flatten"
    case .savePreset: "save-preset"
    case .importPreset: "import-preset"
    case .undo: "undo"
    case .redo: "redo"
    case .compare: "compare"
    case .toggleWearDetection: "wear-detection"
    case .rename: "rename"
    case .find: "find"
    case .firmware: "firmware"
    case .touchActions: "touch-actions"
    case .pairedDevices: "paired-devices"
    case .connectOrDisconnect: "connect"
    case .dropControlLink: "drop-control"
    case .scan: "scan"
    case .pair: "pair"
    case .forget: "forget"
    case .factoryReset: "factory-reset"
    case .refresh: "refresh"
    case .previousHeadphone: "previous-headphone"
    case .nextHeadphone: "next-headphone"
    case .raise: "raise"
    case .lower: "lower"
    case .routeSound: "route-sound"
    case .toggleMute: "mute"
    case .switchProfile: "switch-profile"
    case .microphone: "microphone"
    case .playOrPause: "play-pause"
    case .previousTrack: "previous-track"
    case .nextTrack: "next-track"
    case .otherPanel: "other-panel"
    case .previousPanel: "previous-panel"
    case .up: "up"
    case .down: "down"
    case .left: "left"
    case .right: "right"
    case .top: "top"
    case .bottom: "bottom"
    case .pageUp: "page-up"
    case .pageDown: "page-down"
    case .accept: "accept"
    case .back: "back"
    case .filter: "filter"
    case .nextMatch: "next-match"
    case .previousMatch: "previous-match"
    case .copy: "copy"
    case .write: "write"
    case .subscribe: "subscribe"
    case .info: "info"
    case .log: "log"
    case .doctor: "doctor"
    case .help: "help"
    case .redraw: "redraw"
    case .nextTheme: "next-theme"
    case .suspend: "suspend"
    case .quit: "quit"
    }
  }

  /// What it does, in one line of the help page.
  ///
  /// Without a capital and a full stop; "(asks)" names those that open a question first.
  public var summary: String {
    switch self {
    case .nextANC: "next noise control mode"
    case .previousANC: "previous noise control mode"
    case .setANC(let mode): "noise control: \(mode.title.lowercased())"
    case .flipTransparency: "transparency, and back to the mode before"
    case .scene(let number): "scene \(number) of the configuration"
    case .nextEQ: "next equaliser preset"
    case .equaliser: "edit the equaliser (Esc discards)"
    case .flatten: "in the editor: 0 dB"
    case .savePreset: "in the editor: save the gains under a name"
    case .importPreset: "in the editor: import an AutoEq file"
    case .undo: "in the editor: undo"
    case .redo: "in the editor: redo"
    case .compare: "in the editor: compare with how it was"
    case .toggleWearDetection: "wear detection on or off"
    case .rename: "rename the headphone"
    case .firmware: "update the headphone's firmware (asks)"
    case .find: "play a loud sound on it, to find it (asks)"
    case .touchActions: "touch actions: what each gesture does"
    case .pairedDevices: "paired phones and computers: connect, play from, forget"
    case .connectOrDisconnect: "connect, cancel or disconnect"
    case .dropControlLink: "disconnect controls only; audio stays"
    case .scan: "scan for headphones, or stop"
    case .pair: "pair, or pair again"
    case .forget: "forget the headphone and its keys (asks)"
    case .factoryReset: "reset to its factory state (asks twice)"
    case .refresh: "read all values again"
    case .previousHeadphone: "previous headphone"
    case .nextHeadphone: "next headphone"
    case .raise: "volume up, or the focused slider"
    case .lower: "volume down, or the focused slider"
    case .routeSound: "play audio on this headphone, or the focused output"
    case .toggleMute: "mute or unmute, or the focused own volume"
    case .switchProfile: "choose the profile and codec of the sound"
    case .microphone: "choose the microphone for calls; music gets its quality back"
    case .playOrPause: "media player: play or pause"
    case .previousTrack: "media player: previous track"
    case .nextTrack: "media player: next track"
    case .otherPanel: "next panel"
    case .previousPanel: "previous panel"
    case .up: "row above"
    case .down: "row below"
    case .left: "decrease the value"
    case .right: "increase the value"
    case .top: "first line"
    case .bottom: "last line"
    case .pageUp: "page up"
    case .pageDown: "page down"
    case .accept: "act on the focused row: change, play there, connect; or answer"
    case .back: "back; closes errors and dialogs, never quits"
    case .filter: "search the page, or filter the log"
    case .nextMatch: "on other pages: next match"
    case .previousMatch: "on other pages: previous match"
    case .copy: "on other pages: copy the line, or the log that is shown"
    case .write: "in the inspector: write bytes (asks)"
    case .subscribe: "in the inspector: toggle notifications"
    case .info: "information; again: GATT inspector"
    case .log: "log"
    case .doctor: "check the setup (doctor)"
    case .help: "this help"
    case .redraw: "redraw the screen"
    case .nextTheme: "try the next theme"
    case .suspend: "suspend to the shell"
    case .quit: "quit; on another page: back"
    }
  }

  /// A short label beside its key, for what it would do now.
  ///
  /// At most a dozen characters, for the footer; it names the effect of the key in this state, such
  /// as Connect or Cancel.
  ///
  /// | command | label |
  /// | --- | --- |
  /// | connect | Connect; Cancel while an attempt runs; Disconnect on a link |
  /// | find | Find; Stop while a bud sounds |
  /// | scan | Scan; Stop scan |
  /// | mute | Mute; Unmute |
  ///
  /// A command that has no label of its own is shown by its ``name``.
  public func label(in state: State) -> String {
    switch self {
    case .nextANC: "Noise"
    case .flipTransparency: "Transp"
    case .scene(let number):
      state.scenes.indices.contains(number - 1)
        ? displayable(state.scenes[number - 1].name) : "Scene \(number)"
    case .nextEQ: "EQ"
    case .equaliser: "Edit EQ"
    case .flatten: "Flat"
    case .savePreset: "Save"
    case .importPreset: "Import"
    case .undo: "Undo"
    case .redo: "Redo"
    case .compare: "Compare"
    case .toggleWearDetection: "Wear"
    case .rename: "Rename"
    case .find: state.headphones.selected?.find.shown?.isEmpty == false ? "Stop" : "Find"
    case .firmware: "Update"
    case .touchActions: "Touch"
    case .pairedDevices: "Devices"
    case .connectOrDisconnect:
      switch state.headphones.selected?.link {
      case .some(let link) where link.isBusy: "Cancel"
      case .some(let link) where link.isConnected: "Disconnect"
      default: "Connect"
      }
    case .dropControlLink: "Drop"
    case .scan: state.scan == .scanning ? "Stop scan" : "Scan"
    case .pair: "Pair"
    case .forget: "Forget"
    case .factoryReset: "Reset"
    case .refresh: "Refresh"
    case .routeSound: "Play here"
    case .toggleMute: state.output?.isMuted == true ? "Unmute" : "Mute"
    case .switchProfile: "Profile"
    case .microphone: "Mic"
    case .playOrPause: state.nowPlaying?.isPlaying == true ? "Pause" : "Play"
    case .previousTrack: "Previous"
    case .nextTrack: "Next"
    case .otherPanel: "Panel"
    case .back: "Back"
    case .filter: "Search"
    case .nextMatch: "Next"
    case .previousMatch: "Previous"
    case .copy: "Copy"
    case .write: "Write"
    case .subscribe: "Subscribe"
    case .info: "Info"
    case .log: "Log"
    case .doctor: "Doctor"
    case .help: "Help"
    case .nextTheme: "Theme"
    case .suspend: "Suspend"
    case .quit: "Quit"
    case .previousANC, .setANC, .previousHeadphone, .nextHeadphone, .raise, .lower, .previousPanel,
      .up, .down, .left, .right, .top, .bottom, .pageUp, .pageDown, .accept, .redraw:
      name
    }
  }
}
