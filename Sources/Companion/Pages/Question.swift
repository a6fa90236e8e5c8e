package import HeadphoneProtocols

/// A question before a drastic action, whose initial answer No protects from a held key.
package struct Question: Hashable, Sendable {
  package var subject: Subject
  package var isYesChosen: Bool

  package init(_ subject: Subject, isYesChosen: Bool = false) {
    self.subject = subject
    self.isYesChosen = isYesChosen
  }

  /// The subject of a question: its words, and the effect of Yes.
  ///
  /// The feature that asks declares one such value.
  ///
  /// ```swift
  /// extension Question.Subject {
  ///   package static let quitDuringUpdate = Question.Subject(
  ///     "Quit during the update?", no: "Stay", yes: "Quit", text: { _ in "The update pauses: …" }
  ///   ) { state, timestamp in state.leave(at: timestamp) }
  /// }
  /// ```
  package struct Subject: Sendable {
    private let id: DeclarationID
    package var title: String { id.name }
    /// The answers as verbs, which make sense without the question.
    package let choices: (no: String, yes: String)
    /// Returns the consequences, losses and duration; names of headphones in it are not sanitised.
    package let text: @Sendable (State) -> String
    package let finding: Finding?
    /// Performs the action after the dialog has closed; a notice says so if the link has gone.
    let confirm: @Sendable (inout State, Timestamp) -> [Effect]

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

  package struct Finding: Hashable, Sendable {
    package var headphone: HeadphoneID
    /// The chosen bud; nil for all that are in no ear.
    package var sides: Sides?
  }
}

extension Question.Subject: Hashable {
  package static func == (one: Self, other: Self) -> Bool { one.id == other.id }
  package func hash(into hasher: inout Hasher) { id.hash(into: &hasher) }
}

/// The identity of a value with closures, which cannot be compared.
struct DeclarationID: Sendable {
  var name: String
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
