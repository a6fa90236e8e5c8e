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

/// A page; those with a list remember the line that the cursor is on.
public enum Page: Hashable, Sendable {
  case main
  /// `line` counts from the top.
  case help(line: Int)
  /// `line` counts from the newest, which is 0 and is followed.
  case log(line: Int)
  /// `line` counts from the top.
  case info(line: Int)
  /// `line` counts the results from the top.
  case doctor(line: Int)
  /// The selected headphone's firmware.
  case firmware
  /// The equaliser, with the cursor and what Esc returns to.
  case equaliser(EQEditor)
  /// What each gesture on the selected headphone does; `line` counts from the top.
  case touch(line: Int)
  /// The phones and computers that the selected headphone is paired with; `line` counts from the
  /// top.
  case pairedDevices(line: Int)
  /// The attributes of the selected headphone; `line` counts from the top.
  case inspector(line: Int)
}

/// Something to know; goes by itself after 4 s.
public struct Notice: Hashable, Sendable {
  /// One line, unsanitised where it quotes names.
  public var text: String
  /// What can be done next; shown with its key.
  public var remedy: UserCommand?

  public init(_ text: String, remedy: UserCommand? = nil) {
    self.text = text
    self.remedy = remedy
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
  /// It goes, too, when the configuration is mended.
  public var isOfConfiguration: Bool

  public init(
    _ text: String, advice: String, remedy: UserCommand? = nil, isOfConfiguration: Bool = false
  ) {
    self.text = text
    self.advice = advice
    self.remedy = remedy
    self.isOfConfiguration = isOfConfiguration
  }
}
