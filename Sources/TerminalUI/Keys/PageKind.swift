internal import Companion

/// A page without its content: a key acts on the page that is shown, or not at all.
enum PageKind: Hashable, CaseIterable {
  case main, help, log, info, doctor, firmware, inspector, equaliser, touch, pairedDevices

  /// The kind of a page, wherever its cursor is.
  init(_ page: Page) {
    switch page {
    case .main: self = .main
    case .help: self = .help
    case .log: self = .log
    case .info: self = .info
    case .doctor: self = .doctor
    case .firmware: self = .firmware
    case .inspector: self = .inspector
    case .equaliser: self = .equaliser
    case .touch: self = .touch
    case .pairedDevices: self = .pairedDevices
    }
  }
}

extension UserCommand {
  /// The pages on which the command does something.
  ///
  /// On the others its key does nothing: keys never act on a page that is not shown. docs/keys.md
  /// has the table, which `earshot keys --pages` prints.
  var pages: Set<PageKind> {
    switch self {
    case .help, .redraw, .nextTheme, .suspend, .quit, .back: Set(PageKind.allCases)
    case .up, .down, .top, .bottom, .pageUp, .pageDown:
      Set(PageKind.allCases).subtracting([.firmware])
    case .left, .right: [.main, .log, .equaliser, .touch]
    case .raise, .lower: [.main, .equaliser]
    case .otherPanel, .previousPanel: [.main, .log, .info, .inspector, .equaliser]
    case .accept:
      [.main, .help, .info, .doctor, .firmware, .inspector, .equaliser, .touch, .pairedDevices]
    case .filter: Set(PageKind.allCases).subtracting([.firmware])
    case .nextMatch, .previousMatch:
      Set(PageKind.allCases).subtracting([.main, .firmware, .equaliser])
    case .log: [.main, .log]
    case .copy: [.help, .log, .info, .doctor, .inspector, .touch, .pairedDevices]
    case .info: [.main, .info, .inspector]
    case .doctor: [.main, .doctor]
    case .firmware: [.main, .firmware]
    case .refresh: [.main, .doctor, .inspector, .touch, .pairedDevices]
    case .touchActions: [.main, .touch]
    case .pairedDevices: [.main, .pairedDevices]
    case .routeSound: [.main, .pairedDevices]
    case .forget: [.main, .equaliser, .pairedDevices]
    case .write, .subscribe: [.inspector]
    case .equaliser, .rename: [.main, .equaliser]
    case .flatten, .savePreset, .importPreset, .undo, .redo, .compare: [.equaliser]
    // What is possible during a firmware update.
    case .nextANC, .connectOrDisconnect: [.main, .firmware]
    case .previousANC, .setANC, .flipTransparency, .scene, .nextEQ, .toggleWearDetection, .find,
      .dropControlLink, .scan, .pair, .factoryReset, .previousHeadphone, .nextHeadphone,
      .toggleMute, .switchProfile, .microphone, .playOrPause, .previousTrack,
      .nextTrack:
      [.main]
    }
  }

  /// Whether the command acts while a list or a question lies over the page.
  var isForDialogs: Bool {
    switch self {
    case .redraw, .suspend, .quit, .back, .up, .down, .left, .right, .top, .bottom, .pageUp,
      .pageDown, .otherPanel, .previousPanel, .accept:
      true
    default: false
    }
  }
}
