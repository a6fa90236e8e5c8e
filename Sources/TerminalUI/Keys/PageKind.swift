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
    case .help, .redraw, .suspend, .quit, .back: Set(PageKind.allCases)
    case .up, .down, .top, .bottom, .pageUp, .pageDown:
      Set(PageKind.allCases).subtracting([.firmware])
    case .left, .right: [.main, .log, .equaliser]
    case .raise, .lower: [.main, .equaliser]
    case .otherPanel: [.main, .log, .info, .inspector]
    case .accept: [.main, .info, .firmware, .inspector, .equaliser]
    case .filter, .nextMatch, .previousMatch: [.help, .log, .info, .doctor, .inspector]
    case .log: [.main, .log]
    case .copy: [.main, .log]
    case .info: [.main, .info, .inspector]
    case .doctor: [.main, .doctor]
    case .firmware: [.main, .firmware]
    case .refresh: [.main, .doctor, .inspector]
    case .write, .subscribe: [.main, .inspector]
    case .equaliser, .flatten, .savePreset, .importPreset, .rename, .forget: [.main, .equaliser]
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
      .pageDown, .otherPanel, .accept:
      true
    default: false
    }
  }
}
