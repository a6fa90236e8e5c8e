public import HeadphoneProtocols

/// A panel of the main page; the focused one has the cursor.
public enum Panel: Hashable, Sendable, CaseIterable {
  case audio, control, headphones
}

/// A row of the control panel, whose value left and right change.
public enum ControlRow: Hashable, Sendable {
  case setting(SettingID)

  public static let anc = ControlRow.setting(.noiseMode)
  public static let ancLevel = ControlRow.setting(.ambientLevel)
  public static let eq = ControlRow.setting(.equaliserPreset)
  public static let volume = ControlRow.setting(.volume)

  public var id: SettingID {
    switch self {
    case .setting(let id): id
    }
  }
}

/// A row of the audio panel.
public enum AudioRow: Hashable, Sendable {
  /// The output of ``State/volumeOutput``.
  case volume
  /// The audio/video sync offset.
  case offset
  /// Another sink, by its name.
  case output(String)
}

/// The target of a click.
public enum Place: Hashable, Sendable {
  case panel(Panel)
  case control(ControlRow)
  case audio(AudioRow)
  case headphone(HeadphoneID)
  /// A line of the page, or of a list over it.
  case line(Int)
  case equaliser(EQEditor.Row)
}

/// A bar whose value can be set by a click.
public enum Bar: Hashable, Sendable {
  /// The volume of the sound server.
  case soundVolume
  case setting(SettingID)

  public static let ancLevel = Bar.setting(.ambientLevel)
  /// The volume of the headphone.
  public static let ownVolume = Bar.setting(.volume)
}

/// A page with its cursor.
public indirect enum Page: Hashable, Sendable {
  case plain(PageKind)
  /// A page with lines, counted from the top, or in the log from the newest, which is followed.
  case list(PageKind, line: Int)
  case equaliser(EQEditor)
  /// The help over `over`, which closing it returns to.
  case help(over: Page, line: Int)

  public static let main = Page.plain(.main)
  public static let firmware = Page.plain(.firmware)
  /// How near the selected headphone is, and when it was last heard.
  public static let finder: Page = .plain(.finder)
  /// The help over the main page.
  public static func help(line: Int) -> Page { .help(over: .main, line: line) }
  /// The log, newest line first.
  public static func log(line: Int) -> Page { .list(.log, line: line) }
  /// All information on the selected headphone.
  public static func info(line: Int) -> Page { .list(.info, line: line) }
  /// The results of the doctor.
  public static func doctor(line: Int) -> Page { .list(.doctor, line: line) }
  /// The findings of the security check.
  public static func security(line: Int) -> Page { .list(.security, line: line) }
  /// What each gesture on the selected headphone does.
  public static func touch(line: Int) -> Page { .list(.touch, line: line) }
  /// The phones and computers that the selected headphone is paired with.
  public static func pairedDevices(line: Int) -> Page { .list(.pairedDevices, line: line) }
  /// The Auracast broadcasts nearby.
  public static func broadcasts(line: Int) -> Page { .list(.broadcasts, line: line) }
  /// The scenes of the configuration.
  public static func scenes(line: Int) -> Page { .list(.scenes, line: line) }
  /// The correction of the selected headphone.
  public static func correction(line: Int) -> Page { .list(.correction, line: line) }
  /// How this computer treats the sound of the selected headphone.
  public static func soundSettings(line: Int) -> Page { .list(.soundSettings, line: line) }
  /// The GATT attributes of the selected headphone.
  public static func inspector(line: Int) -> Page { .list(.inspector, line: line) }

  public var kind: PageKind {
    switch self {
    case .plain(let kind), .list(let kind, _): kind
    case .equaliser: .equaliser
    case .help: .help
    }
  }

  /// The line of the cursor, or nil if the page has no list.
  public var line: Int? {
    switch self {
    case .list(_, let line), .help(_, let line): line
    case .plain, .equaliser: nil
    }
  }

  func with(line: Int) -> Page {
    switch self {
    case .list(let kind, _): .list(kind, line: line)
    case .help(let behind, _): .help(over: behind, line: line)
    case .plain, .equaliser: self
    }
  }

  package var behind: Page { if case .help(let behind, _) = self { behind } else { .main } }

  func isSamePage(as other: Page) -> Bool { with(line: 0) == other.with(line: 0) }
}

/// A short message, which disappears after 4 s.
public struct Notice: Hashable, Sendable {
  /// One line, not sanitised where it quotes names.
  public var text: String
  /// The command that helps next, shown with its key.
  public var remedy: UserCommand?
  public var level: LogLine.Level
  /// Whether it says why a key did nothing, which concerns the screen of that key alone.
  public var isAnswer: Bool

  public init(
    _ text: String, remedy: UserCommand? = nil, level: LogLine.Level = .notice,
    isAnswer: Bool = false
  ) {
    self.text = text
    self.remedy = remedy
    self.level = level
    self.isAnswer = isAnswer
  }
}

/// A message about something that went wrong, which stays until Esc.
public struct Problem: Hashable, Sendable {
  /// What happened.
  public var text: String
  /// What the user can do, or empty if there is nothing.
  public var advice: String
  /// The command that helps, shown with its key.
  public var remedy: UserCommand?
  /// What closes the message automatically, or nil if only the user does.
  public var end: End?

  /// The evidence that a problem is solved.
  public enum End: Hashable, Sendable {
    case configurationCorrected
    /// The receive states of the headphone, or of both its buds, show that it plays the broadcast.
    case plays(BroadcastID, HeadphoneID)
  }

  public init(_ text: String, advice: String, remedy: UserCommand? = nil, end: End? = nil) {
    self.text = text
    self.advice = advice
    self.remedy = remedy
    self.end = end
  }
}
