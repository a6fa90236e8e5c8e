/// What lies over the page and takes all keys.
public enum Dialog: Hashable, Sendable {
  case question(Question)
  case entry(TextEntry)
}

/// Something heavy that a person is asked about.
public struct Question: Hashable, Sendable {
  public var subject: Subject
  /// The answer that Enter gives; No until the person chooses otherwise.
  public var isYesChosen = false

  public init(_ subject: Subject) { self.subject = subject }

  public enum Subject: Hashable, Sendable {
    /// The sound is loud.
    case find(HeadphoneID)
    case forget(HeadphoneID)
    /// A firmware update is under way.
    case quitDuringUpdate
  }
}

/// A line of text that is being typed.
public struct TextEntry: Hashable, Sendable {
  public enum Purpose: Hashable, Sendable {
    case rename(HeadphoneID)
    /// Narrows the log.
    case filter
  }

  public var purpose: Purpose
  public var text: String
  /// Why Enter did not take it; nil: nothing wrong so far.
  public var complaint: String?

  public init(_ purpose: Purpose, text: String = "") {
    self.purpose = purpose
    self.text = text
  }
}
