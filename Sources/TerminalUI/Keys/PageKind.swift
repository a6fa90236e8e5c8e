internal import Companion

/// A page without what it holds: a key acts on the page that is shown, or not at all.
enum PageKind: Hashable, CaseIterable {
  case main, help, log, info, doctor, firmware, inspector, equaliser

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
    }
  }
}

extension UserCommand {
  /// The pages on which it means something.
  var pages: Set<PageKind> {
    switch self {
    case .help, .redraw, .nextTheme, .suspend, .quit, .back: Set(PageKind.allCases)
    case .up, .down, .top, .bottom, .pageUp, .pageDown:
      Set(PageKind.allCases).subtracting([.firmware])
    case .left, .right: [.main, .log, .equaliser]
    case .raise, .lower: [.main, .equaliser]
    case .otherPanel, .previousPanel: [.main, .log, .info, .inspector, .equaliser]
    case .accept: [.main, .help, .info, .firmware, .inspector, .equaliser]
    case .filter: Set(PageKind.allCases).subtracting([.firmware])
    case .nextMatch, .previousMatch:
      Set(PageKind.allCases).subtracting([.main, .firmware, .equaliser])
    case .log: [.main, .log]
    case .copy: [.help, .log, .info, .doctor, .inspector]
    case .info: [.main, .info, .inspector]
    case .doctor: [.main, .doctor]
    case .firmware: [.main, .firmware]
    case .refresh: [.main, .doctor, .inspector]
    case .write, .subscribe: [.inspector]
    case .equaliser, .rename, .forget: [.main, .equaliser]
    case .flatten, .savePreset, .importPreset, .undo, .redo, .compare: [.equaliser]
    // What a firmware update lets one do.
    case .nextANC, .connectOrDisconnect: [.main, .firmware]
    case .previousANC, .setANC, .flipTransparency, .nextEQ, .toggleWearDetection, .find,
      .dropControlLink, .scan, .pair, .factoryReset, .previousHeadphone, .nextHeadphone,
      .routeSound, .toggleMute, .switchProfile:
      [.main]
    }
  }

  /// Whether it means something while a list or a question lies over the page.
  var isForDialogs: Bool {
    switch self {
    case .redraw, .suspend, .quit, .back, .up, .down, .left, .right, .top, .bottom, .pageUp,
      .pageDown, .otherPanel, .previousPanel, .accept:
      true
    default: false
    }
  }
}
