public import HeadphoneProtocols

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

/// A question before a drastic action.
///
/// The answer is No until the arrows choose Yes, so that neither a held key nor a second Enter
/// confirms anything.
public struct Question: Hashable, Sendable {
  public var subject: Subject
  /// The answer that Enter gives; No until another one is chosen.
  public var isYesChosen: Bool

  public init(_ subject: Subject, isYesChosen: Bool = false) {
    self.subject = subject
    self.isYesChosen = isYesChosen
  }

  /// The choices of a bud to find; nil: both.
  public static let buds: [Sides?] = [nil, .left, .right]

  /// What is asked.
  public enum Subject: Hashable, Sendable {
    /// Ringing is loud; the bud that is chosen, nil: all that are in no ear.
    case find(HeadphoneID, Sides? = nil)
    /// Its keys are deleted, too.
    case forget(HeadphoneID)
    /// The headphone deletes the device's keys, or ends the connection of this computer.
    case pairedDevice(HeadphoneID, PairedDeviceCommand)
    /// `isCertain`: it is asked for the second time.
    case factoryReset(HeadphoneID, isCertain: Bool)
    /// The image is the one that the headphone's firmware page offers.
    case installFirmware(HeadphoneID)
    /// A preset of this name is there already.
    case replaceEQ(SavedEQ)
    /// The saved preset of this name.
    case deleteEQ(name: String)
    /// The scene of this name.
    case deleteScene(name: String)
    /// A raw write may damage the headphone.
    case writeAttribute(AttributeWrite)
    /// Commands that fix what the doctor found.
    case runFix(Fix)
    /// A firmware update is under way.
    case quitDuringUpdate
  }
}

/// A line of text that is being typed.
///
/// The cursor counts characters (extended grapheme clusters), so that a combining mark or an emoji
/// is one step. Control characters are not taken, whatever a paste contains.
public struct TextEntry: Hashable, Sendable {
  /// What the text is for.
  public enum Purpose: Hashable, Sendable {
    /// The name that the headphone shall have.
    case rename(HeadphoneID)
    /// The path of an image file.
    case firmwareImage(HeadphoneID)
    /// The name of gains to save.
    case saveEQ([BandGain])
    /// The name that the saved preset of this name shall have.
    case renameEQ(String)
    /// The name of a new scene.
    case saveScene
    /// The name that the scene of this name shall have.
    case renameScene(String)
    /// Bytes to write by hand.
    case attribute(AttributeWrite)
    /// The path of a parametric equaliser.
    case importEQ(HeadphoneID)
    /// Words to search the table of corrections for.
    case findCorrection(HeadphoneID)
    /// The code of a locked broadcast.
    case broadcastCode(HeadphoneID, Broadcast)
    /// The path of a correction of one's own.
    case correctionFile(HeadphoneID)
    /// Narrows the log, or is searched for on other pages.
    case filter
  }

  /// What the text is for.
  public var purpose: Purpose
  /// The text as typed so far.
  public private(set) var text: String
  /// How many characters stand before the cursor.
  public private(set) var cursor: Int
  /// Why Enter did not take it; nil: nothing wrong so far.
  public var complaint: String?
  /// What a path that was completed can go on with; empty: it was not, or with one thing only.
  public var names: [String] = []

  /// A dialog with the cursor behind its text.
  ///
  /// - Parameter text: what is in it at first.
  public init(_ purpose: Purpose, text: String = "") {
    self.purpose = purpose
    self.text = text
    cursor = text.count
  }

  /// Edits the text at the cursor.
  ///
  /// - Parameter key: One key; a paste is one call per character.
  mutating func type(_ key: TextKey) {
    var characters = Array(text)
    switch key {
    case .character(let character):
      guard !character.isControl else { return }
      characters.insert(character, at: cursor)
      // A mark joins the character before it.
      cursor += String(characters).count - text.count
    case .backspace where cursor > 0:
      cursor -= 1
      characters.remove(at: cursor)
    case .delete where cursor < characters.count: characters.remove(at: cursor)
    case .backspace, .delete: return
    case .clear: (characters, cursor) = ([], 0)
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .start: cursor = 0
    case .end: cursor = characters.count
    }
    text = String(characters)
    cursor = min(cursor, text.count)
  }
}

extension Character {
  /// Whether the character holds a control code, such as an escape in a paste.
  fileprivate var isControl: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
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
