import AudioRoute
import Headphones

extension UserCommand {
  /// The command's name in the configuration of keys.
  public var name: String {
    switch self {
    case .nextANC: "next-anc"
    case .previousANC: "previous-anc"
    case .setANC(let mode): "anc-\(mode.name)"
    case .flipTransparency: "flip-transparency"
    case .nextEQ: "next-eq"
    case .toggleWearDetection: "wear-detection"
    case .rename: "rename"
    case .find: "find"
    case .firmware: "firmware"
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
    case .otherPanel: "other-panel"
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
    case .info: "info"
    case .log: "log"
    case .doctor: "doctor"
    case .help: "help"
    case .redraw: "redraw"
    case .suspend: "suspend"
    case .quit: "quit"
    }
  }

  /// What it does, in one line of the help page.
  public var summary: String {
    switch self {
    case .nextANC: "next noise control mode"
    case .previousANC: "previous noise control mode"
    case .setANC(let mode): "noise control: \(mode.title.lowercased())"
    case .flipTransparency: "flip between transparency and the mode before"
    case .nextEQ: "next equaliser preset"
    case .toggleWearDetection: "wear detection on or off"
    case .rename: "rename the headphone"
    case .firmware: "update the headphone's firmware (asks)"
    case .find: "make it sound loudly, to find it (asks)"
    case .connectOrDisconnect: "connect, cancel or disconnect"
    case .dropControlLink: "drop the control link only; the sound stays"
    case .scan: "look for headphones, or stop looking"
    case .pair: "pair, or pair again"
    case .forget: "forget the headphone and its keys (asks)"
    case .factoryReset: "reset the headphone to how it left the factory (asks twice)"
    case .refresh: "read all values again"
    case .previousHeadphone: "previous headphone"
    case .nextHeadphone: "next headphone"
    case .raise: "volume up, or the focused slider"
    case .lower: "volume down, or the focused slider"
    case .routeSound: "route the sound to this headphone"
    case .toggleMute: "mute or unmute"
    case .switchProfile: "switch between music and call profile (asks)"
    case .otherPanel: "other panel"
    case .up: "row above"
    case .down: "row below"
    case .left: "value before"
    case .right: "value after"
    case .top: "first line"
    case .bottom: "last line"
    case .pageUp: "page up"
    case .pageDown: "page down"
    case .accept: "act on the focused row, or answer"
    case .back: "back; closes errors and dialogs, never quits"
    case .filter: "filter the log"
    case .info: "information about the headphone"
    case .log: "log"
    case .doctor: "what keeps Earshot from its work, and what mends it"
    case .help: "this help"
    case .redraw: "redraw the screen"
    case .suspend: "suspend to the shell"
    case .quit: "quit"
    }
  }

  /// A short label beside its key, for what it would do now.
  public func label(in state: State) -> String {
    switch self {
    case .nextANC: "Noise"
    case .flipTransparency: "Transp"
    case .nextEQ: "EQ"
    case .toggleWearDetection: "Wear"
    case .rename: "Rename"
    case .find: "Find"
    case .firmware: "Update"
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
    case .routeSound: "Sound here"
    case .toggleMute: state.output?.isMuted == true ? "Unmute" : "Mute"
    case .switchProfile: "Profile"
    case .otherPanel: "Panel"
    case .back: "Back"
    case .filter: "Filter"
    case .info: "Info"
    case .log: "Log"
    case .doctor: "Doctor"
    case .help: "Help"
    case .suspend: "Suspend"
    case .quit: "Quit"
    case .previousANC, .setANC, .previousHeadphone, .nextHeadphone, .raise, .lower, .up, .down,
      .left, .right, .top, .bottom, .pageUp, .pageDown, .accept, .redraw:
      name
    }
  }
}
