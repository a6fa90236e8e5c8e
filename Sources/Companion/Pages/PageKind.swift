/// A page without its content: a key acts on the page that is shown, or not at all.
public enum PageKind: Hashable, Sendable, CaseIterable {
  case main, help, log, info, doctor, firmware, inspector, equaliser, touch, pairedDevices

  /// The kind of a page, wherever its cursor is.
  public init(_ page: Page) {
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

  /// The commands that the page lists, with its own words and actions.
  var commands: [PageCommand] {
    switch self {
    case .main: PageCommand.main
    case .help: PageCommand.help
    case .log: PageCommand.log
    case .info: PageCommand.info
    case .doctor: PageCommand.doctor
    case .firmware: PageCommand.firmware
    case .inspector: PageCommand.inspector
    case .equaliser: PageCommand.equaliser
    case .touch: PageCommand.touch
    case .pairedDevices: PageCommand.pairedDevices
    }
  }
}
