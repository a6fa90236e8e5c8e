package import HeadphoneProtocols

/// A panel of the main page; the focused one has the cursor.
package enum Panel: Hashable, Sendable, CaseIterable {
  case audio, control, headphones
}

/// A row of the control panel, whose value left and right change.
package enum ControlRow: Hashable, Sendable {
  case setting(SettingID)

  package static let anc = ControlRow.setting(.noiseMode)
  package static let ancLevel = ControlRow.setting(.ambientLevel)
  package static let eq = ControlRow.setting(.equaliserPreset)
  package static let volume = ControlRow.setting(.volume)

  package var id: SettingID {
    switch self {
    case .setting(let id): id
    }
  }
}

package enum AudioRow: Hashable, Sendable {
  /// The output of ``State/volumeOutput``.
  case volume
  case offset
  /// Another sink, by its name.
  case output(String)
}

package enum Place: Hashable, Sendable {
  case panel(Panel)
  case control(ControlRow)
  case audio(AudioRow)
  case headphone(HeadphoneID)
  case line(Int)
  case equaliser(EQEditor.Row)
}

package enum Bar: Hashable, Sendable {
  case soundVolume
  case setting(SettingID)

  package static let ancLevel = Bar.setting(.ambientLevel)
  package static let ownVolume = Bar.setting(.volume)
}

package indirect enum Page: Hashable, Sendable {
  case plain(PageKind)
  /// A page with lines, counted from the top, or in the log from the newest, which is followed.
  case list(PageKind, line: Int)
  case equaliser(EQEditor)
  /// The help over `over`, which closing it returns to.
  case help(over: Page, line: Int)

  package static let main = Page.plain(.main)
  package static let firmware = Page.plain(.firmware)
  package static let finder: Page = .plain(.finder)
  package static func help(line: Int) -> Page { .help(over: .main, line: line) }
  package static func log(line: Int) -> Page { .list(.log, line: line) }
  package static func info(line: Int) -> Page { .list(.info, line: line) }
  package static func doctor(line: Int) -> Page { .list(.doctor, line: line) }
  package static func security(line: Int) -> Page { .list(.security, line: line) }
  package static func touch(line: Int) -> Page { .list(.touch, line: line) }
  package static func pairedDevices(line: Int) -> Page { .list(.pairedDevices, line: line) }
  package static func broadcasts(line: Int) -> Page { .list(.broadcasts, line: line) }
  package static func scenes(line: Int) -> Page { .list(.scenes, line: line) }
  package static func correction(line: Int) -> Page { .list(.correction, line: line) }
  /// The settings of this computer for the sound of the selected headphone.
  package static func soundSettings(line: Int) -> Page { .list(.soundSettings, line: line) }
  package static func inspector(line: Int) -> Page { .list(.inspector, line: line) }

  package var kind: PageKind {
    switch self {
    case .plain(let kind), .list(let kind, _): kind
    case .equaliser: .equaliser
    case .help: .help
    }
  }

  package var line: Int? {
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
package struct Notice: Hashable, Sendable {
  /// One line, not sanitised where it quotes names.
  package var text: String
  package var remedy: UserCommand?
  package var level: LogLine.Level
  /// Whether the notice says why a key did nothing, and is shown only on the screen of that key.
  package var isAnswer: Bool

  package init(
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
package struct Problem: Hashable, Sendable {
  package var text: String
  /// The user's remedy; empty if there is none.
  package var advice: String
  package var remedy: UserCommand?
  /// The event that closes the message automatically; nil if only the user does.
  package var end: End?

  package enum End: Hashable, Sendable {
    case configurationCorrected
    /// The receive states of the headphone, or of both its buds, show that it plays the broadcast.
    case plays(BroadcastID, HeadphoneID)
  }

  package init(_ text: String, advice: String, remedy: UserCommand? = nil, end: End? = nil) {
    self.text = text
    self.advice = advice
    self.remedy = remedy
    self.end = end
  }
}
