public import HeadphoneProtocols

/// A panel of the main page; the one with the focus has the cursor.
public enum Panel: Hashable, Sendable, CaseIterable {
  case audio, control, headphones
}

/// A row of the control panel that the cursor can be on; left and right change its value.
public enum ControlRow: Hashable, Sendable {
  case setting(SettingID)

  public static let anc = ControlRow.setting(.noiseMode)
  public static let ancLevel = ControlRow.setting(.ambientLevel)
  public static let eq = ControlRow.setting(.equaliserPreset)
  public static let volume = ControlRow.setting(.volume)

  /// The setting of the row.
  public var id: SettingID {
    switch self {
    case .setting(let id): id
    }
  }
}

/// A row of the audio panel that the cursor can be on.
public enum AudioRow: Hashable, Sendable {
  case volume
  /// The sync offset.
  case offset
  /// Another sink, by its name.
  case output(String)
}

/// A row or a panel that is pointed at.
public enum Place: Hashable, Sendable {
  case panel(Panel)
  case control(ControlRow)
  case audio(AudioRow)
  case headphone(HeadphoneID)
  /// A line of the page, or of the list that lies over it.
  case line(Int)
  /// A row of the equaliser's page.
  case equaliser(EQEditor.Row)
}

/// A bar that can be set by pointing at it.
public enum Bar: Hashable, Sendable {
  /// The sound server's volume.
  case soundVolume
  /// A level of the headphone.
  case setting(SettingID)

  public static let ancLevel = Bar.setting(.ambientLevel)
  /// The headphone's own.
  public static let ownVolume = Bar.setting(.volume)
}

/// A page with its cursor.
public indirect enum Page: Hashable, Sendable {
  case plain(PageKind)
  /// `line` counts from the top; in the log from the newest, which is 0 and is followed.
  case list(PageKind, line: Int)
  /// The equaliser, with the cursor and what Esc returns to.
  case equaliser(EQEditor)
  /// All commands, those of the page behind first; closing it leads back there.
  case help(over: Page, line: Int)

  public static let main = Page.plain(.main)
  /// The selected headphone's firmware.
  public static let firmware = Page.plain(.firmware)
  /// How near the selected headphone is, and when it was last heard.
  public static let finder: Page = .plain(.finder)
  /// The help over the main page.
  public static func help(line: Int) -> Page { .help(over: .main, line: line) }
  /// What happened, the newest first.
  public static func log(line: Int) -> Page { .list(.log, line: line) }
  /// All that is known of the selected headphone.
  public static func info(line: Int) -> Page { .list(.info, line: line) }
  /// The results of the doctor.
  public static func doctor(line: Int) -> Page { .list(.doctor, line: line) }
  /// What each gesture on the selected headphone does.
  public static func touch(line: Int) -> Page { .list(.touch, line: line) }
  /// The phones and computers that the selected headphone is paired with.
  public static func pairedDevices(line: Int) -> Page { .list(.pairedDevices, line: line) }
  /// The Auracast broadcasts nearby.
  public static func broadcasts(line: Int) -> Page { .list(.broadcasts, line: line) }
  /// The scenes of the configuration.
  public static func scenes(line: Int) -> Page { .list(.scenes, line: line) }
  /// The selected headphone's correction.
  public static func correction(line: Int) -> Page { .list(.correction, line: line) }
  /// How this computer treats the sound of the selected headphone.
  public static func soundSettings(line: Int) -> Page { .list(.soundSettings, line: line) }
  /// The attributes of the selected headphone.
  public static func inspector(line: Int) -> Page { .list(.inspector, line: line) }

  /// The page without its cursor.
  public var kind: PageKind {
    switch self {
    case .plain(let kind), .list(let kind, _): kind
    case .equaliser: .equaliser
    case .help: .help
    }
  }

  /// The line of the cursor; nil: the page has no list.
  public var line: Int? {
    switch self {
    case .list(_, let line), .help(_, let line): line
    case .plain, .equaliser: nil
    }
  }

  /// The same page with its cursor on another line.
  func with(line: Int) -> Page {
    switch self {
    case .list(let kind, _): .list(kind, line: line)
    case .help(let behind, _): .help(over: behind, line: line)
    case .plain, .equaliser: self
    }
  }

  /// What closing the page leads to.
  package var behind: Page { if case .help(let behind, _) = self { behind } else { .main } }

  /// Whether both are the same page, wherever their cursors are.
  func isSamePage(as other: Page) -> Bool { with(line: 0) == other.with(line: 0) }
}

/// Something to know; goes by itself after 4 s.
public struct Notice: Hashable, Sendable {
  /// One line, unsanitised where it quotes names.
  public var text: String
  /// What can be done next; shown with its key.
  public var remedy: UserCommand?
  public var level: LogLine.Level

  public init(_ text: String, remedy: UserCommand? = nil, level: LogLine.Level = .notice) {
    self.text = text
    self.remedy = remedy
    self.level = level
  }
}

/// Something that went wrong; stays until Esc.
public struct Problem: Hashable, Sendable {
  /// What happened.
  public var text: String
  /// What to do; empty: nothing can be done.
  public var advice: String
  /// The command that helps; shown with its key.
  public var remedy: UserCommand?
  /// What ends it as well; nil: only the user closes it.
  public var end: End?

  /// What shows that a problem is solved.
  public enum End: Hashable, Sendable {
    case configurationCorrected
    /// The receive states of the headphone, or of both its buds, show that it plays.
    case plays(BroadcastID, HeadphoneID)
  }

  public init(_ text: String, advice: String, remedy: UserCommand? = nil, end: End? = nil) {
    self.text = text
    self.advice = advice
    self.remedy = remedy
    self.end = end
  }
}
