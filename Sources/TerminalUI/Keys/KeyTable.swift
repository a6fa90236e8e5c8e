internal import Companion

/// The table of every key on every page, with what it does there.
///
/// The help page, `earshot keys --pages` and docs/keys.md are made from it, so none can differ from
/// what the keys do.
///
/// ```swift
/// for section in KeyTable(.standard).sections {
///   print(section.title)
///   for row in section.rows { print(row.keys.joined(separator: " "), row.summary) }
/// }
/// ```
public struct KeyTable: Hashable, Sendable {
  /// The keys of a page.
  public struct Section: Hashable, Sendable {
    /// The page's title: "Main page".
    public let title: String
    /// The keys in the order of the help page.
    public let rows: [Row]
  }

  /// The effect of some keys on a page.
  public struct Row: Hashable, Sendable {
    /// The keys as they are written: "a", "^L", "PgUp".
    public let keys: [String]
    /// What they do there, without a full stop.
    public let summary: String
  }

  /// One section for each page, the main one first.
  public let sections: [Section]

  /// The table of a map of keys.
  ///
  /// A command without a key has no row, nor has one whose key another command has on that page.
  public init(_ map: KeyMap) {
    sections = PageKind.allCases.map { page in
      let rows = UserCommand.allCases.compactMap { command -> Row? in
        let keys = map.keys(for: command).filter { map.command(for: $0, on: page) == command }
        guard !keys.isEmpty else { return nil }
        return Row(keys: keys.map(\.name), summary: command.summary(on: page))
      }
      return Section(title: page.title, rows: rows)
    }
  }
}

extension PageKind {
  /// The heading of the page's section.
  fileprivate var title: String {
    switch self {
    case .main: "Main page"
    case .help: "Help"
    case .log: "Log"
    case .info: "Information"
    case .doctor: "Doctor"
    case .firmware: "Firmware"
    case .inspector: "GATT inspector"
    case .equaliser: "Equaliser"
    case .touch: "Touch actions"
    case .pairedDevices: "Paired devices"
    }
  }
}

extension UserCommand {
  /// What the command does on a page; the general summary where the page makes no difference.
  fileprivate func summary(on page: PageKind) -> String {
    switch (self, page) {
    case (.left, .log): "less severe lines, too"
    case (.right, .log): "more severe lines only"
    case (.left, .equaliser): "band to the left; preset before"
    case (.right, .equaliser): "band to the right; next preset"
    case (.up, .equaliser), (.raise, .equaliser): "0.5 dB more; saved preset above"
    case (.down, .equaliser), (.lower, .equaliser): "0.5 dB less; saved preset below"
    case (.pageUp, .equaliser): "3 dB more"
    case (.pageDown, .equaliser): "3 dB less"
    case (.top, .equaliser): "first band or saved preset"
    case (.bottom, .equaliser): "last band or saved preset"
    case (.top, .log): "oldest line"
    case (.bottom, .log): "newest line, which is followed"
    case (.otherPanel, .log): "next source"
    case (.previousPanel, .log): "previous source"
    case (.otherPanel, .info), (.previousPanel, .info), (.info, .info): "GATT inspector"
    case (.otherPanel, .inspector), (.previousPanel, .inspector): "information"
    case (.otherPanel, .equaliser): "next part: presets, bands, saved presets"
    case (.previousPanel, .equaliser): "previous part"
    case (.left, .touch): "action before"
    case (.right, .touch), (.accept, .touch): "next action"
    case (.refresh, .touch): "read the actions again"
    case (.accept, .pairedDevices): "connect the device, or end its connection"
    case (.routeSound, .pairedDevices): "play from the device, or prefer it"
    case (.forget, .pairedDevices): "let the headphone forget the device (asks)"
    case (.accept, .help): "run the command"
    case (.accept, .info): "choose the audio output of the headphone"
    case (.accept, .doctor): "run the fix (asks)"
    case (.accept, .firmware): "choose a file, install, continue or try again"
    case (.accept, .inspector): "read the value, or toggle notifications"
    case (.accept, .equaliser): "use the saved preset; elsewhere keep all and leave"
    case (.filter, .main): "find a headphone by its name"
    case (.filter, .log): "show only lines with a text"
    case (.filter, .equaliser): "find a saved preset"
    case (.filter, _): "search"
    case (.nextMatch, _): "next match"
    case (.previousMatch, _): "previous match"
    case (.refresh, .doctor): "check again"
    case (.refresh, .inspector): "read all attributes again"
    case (.equaliser, .equaliser): "keep all and leave"
    case (.rename, .equaliser): "rename the saved preset"
    case (.forget, .equaliser): "delete the saved preset (asks)"
    case (.firmware, .firmware): "choose another file"
    case (.copy, .log): "copy what is shown"
    case (.copy, .pairedDevices): "copy the device's address"
    case (.copy, _): "copy the line"
    case (.flatten, _): "0 dB; on the presets all bands"
    case (.savePreset, _): "save the gains under a name"
    case (.importPreset, _): "import an AutoEq file"
    case (.undo, _): "undo"
    case (.redo, _): "redo"
    case (.compare, _): "compare with how it was"
    case (.write, _): "write bytes (asks)"
    case (.subscribe, _): "toggle notifications"
    case (.info, .main): "information"
    case (.log, .log), (.doctor, .doctor), (.help, .help), (.info, .inspector),
      (.touchActions, .touch), (.pairedDevices, .pairedDevices):
      "close the page"
    case (.back, .main): "close an error, cancel connecting"
    case (.back, .equaliser): "discard all changes"
    case (.back, _): "back"
    case (.quit, .main): "quit"
    case (.quit, _): "back (^C quits)"
    default: summary
    }
  }
}
