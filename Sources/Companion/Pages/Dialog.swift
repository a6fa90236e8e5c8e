/// A dialog over the page; at most one is open on a screen.
///
/// It takes all keys except quit, suspend and redraw, and clicks outside it are ignored. A pairing
/// question that arrives meanwhile waits on this screen until it is closed.
package enum Dialog: Hashable, Sendable {
  case question(Question)
  case entry(TextEntry)
  case soundChoice(SoundChoice)
  case theme(ThemeChoice)
  case commands(CommandSearch)
  case pairing(PairingDialog)
}

/// The list for a headphone's sound device or audio mode, or the microphone for calls.
package struct SoundChoice: Hashable, Sendable {
  package enum Options: Hashable, Sendable {
    /// The devices, which are listed below a line "Automatic".
    case devices([SoundDevice])
    case modes([SoundMode])
    case microphones([Microphone])
  }

  package var headphone: HeadphoneID
  package var options: Options
  package var line: Int

  package init(headphone: HeadphoneID, options: Options, line: Int = 0) {
    self.headphone = headphone
    self.options = options
    self.line = line
  }

  var lastLine: Int {
    switch options {
    case .devices(let devices): devices.count
    case .modes(let modes): modes.count - 1
    case .microphones(let microphones): microphones.count - 1
    }
  }
}
