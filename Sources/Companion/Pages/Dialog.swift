/// A dialog over the page, which takes all keys.
///
/// At most one is open. It takes every key but those of the program itself (quit, suspend, redraw);
/// a click outside it does nothing. A pairing question that arrives meanwhile waits until it is
/// closed.
public enum Dialog: Hashable, Sendable {
  case question(Question)
  case entry(TextEntry)
  case soundChoice(SoundChoice)
  case theme(ThemeChoice)
  case pairing(PairingDialog)
}

/// The list from which the user chooses a headphone's sound device, how that carries the sound, or
/// the microphone of calls.
public struct SoundChoice: Hashable, Sendable {
  /// The options, as they were when the list opened.
  public enum Options: Hashable, Sendable {
    /// Below a line "Automatic".
    case devices([SoundDevice])
    case modes([SoundMode])
    case microphones([Microphone])
  }

  /// The one whose sound it is.
  public var headphone: HeadphoneID
  public var options: Options
  /// The line that the cursor is on, from 0.
  public var line: Int

  public init(headphone: HeadphoneID, options: Options, line: Int = 0) {
    self.headphone = headphone
    self.options = options
    self.line = line
  }

  /// The last line.
  var lastLine: Int {
    switch options {
    case .devices(let devices): devices.count
    case .modes(let modes): modes.count - 1
    case .microphones(let microphones): microphones.count - 1
    }
  }
}
