public import HeadphoneProtocols

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

  /// What is asked: its words, and what Yes does.
  ///
  /// The feature that asks declares one such value, and everything else follows from it.
  ///
  /// ```swift
  /// extension Question.Subject {
  ///   package static let quitDuringUpdate = Question.Subject(
  ///     "Quit during the update?", no: "Stay", yes: "Quit", text: { _ in "The update pauses: …" }
  ///   ) { state, _ in state.leave() }
  /// }
  /// ```
  public struct Subject: Sendable {
    private let id: DeclarationID
    /// What it is about.
    public var title: String { id.name }
    /// The answers as verbs, so that they can be told apart without the question.
    public let choices: (no: String, yes: String)
    /// What happens, what is lost, how long it takes, as it is true now.
    ///
    /// Names are those of the headphones, unsanitised; the dialog sanitises what it draws.
    public let text: @Sendable (State) -> String
    /// Of the question about finding: the headphone, and the bud that is chosen.
    public let finding: Finding?
    /// Yes: does what was asked about, if that is still possible; the dialog is closed already.
    ///
    /// The link or the headphone may be gone since the question was asked; a notice says so then.
    let confirm: @Sendable (inout State, Timestamp) -> [Effect]

    /// - Parameter objects: What is asked about, such as a headphone.
    init(
      _ title: String, no: String = "Cancel", yes: String, of objects: any Hashable & Sendable...,
      finding: Finding? = nil, text: @escaping @Sendable (State) -> String,
      confirm: @escaping @Sendable (inout State, Timestamp) -> [Effect]
    ) {
      id = DeclarationID(name: title, objects: objects)
      choices = (no, yes)
      self.text = text
      self.finding = finding
      self.confirm = confirm
    }
  }

  /// The bud of a headphone that is to be found; nil: all that are in no ear.
  public struct Finding: Hashable, Sendable {
    public var headphone: HeadphoneID
    public var sides: Sides?
  }
}

extension Question.Subject: Hashable {
  public static func == (one: Self, other: Self) -> Bool { one.id == other.id }
  public func hash(into hasher: inout Hasher) { id.hash(into: &hasher) }
}

/// The identity of a value that is declared with closures, which cannot be compared.
struct DeclarationID: Sendable {
  var name: String
  /// What it is about.
  var objects: [any Hashable & Sendable]
}

extension DeclarationID: Hashable {
  static func == (one: Self, other: Self) -> Bool {
    one.name == other.name
      && one.objects.map { AnyHashable($0) } == other.objects.map { AnyHashable($0) }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    for object in objects { hasher.combine(object) }
  }
}
