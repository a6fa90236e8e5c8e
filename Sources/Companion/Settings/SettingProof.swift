package import HeadphoneProtocols

/// The evidence that a setting of a maker's headphone works.
package struct SettingProof: Hashable, Sendable {
  /// The kinds of evidence, whose raw values are used in JSON and stable.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// This headphone reported a value that was set.
    case confirmedHere = "confirmed-here"
    /// A recording shows another headphone of the family reporting a value that was set.
    case confirmed
    /// A recording contains a command, but no report of its value.
    case set
    /// A recording contains a report, but no command.
    case read
    /// There is no recording, only a published layout.
    case published
    /// The command is from a driver file of the user.
    case file
  }

  package var kind: Kind
  /// The recorded models; empty if their names are unknown.
  package var models: [String]
  package var isUntried: Bool

  /// Creates evidence; `canBeSet` tells whether there is a command.
  init(_ evidence: Evidence, isConfirmedHere: Bool, canBeSet: Bool) {
    kind =
      switch evidence.strongest {
      case .confirmed: .confirmed
      case _ where isConfirmedHere: .confirmedHere
      case .set: .set
      case .read: .read
      case nil: .published
      }
    models = kind == .confirmedHere ? [] : evidence.strongest.flatMap { evidence.models[$0] } ?? []
    isUntried = canBeSet && !isConfirmedHere && evidence.isUntried
  }

  init(ofFile isConfirmedHere: Bool, canBeSet: Bool) {
    kind = isConfirmedHere ? .confirmedHere : .file
    models = []
    isUntried = canBeSet && !isConfirmedHere
  }

  /// The evidence as text, such as "confirmed on Momentum 4".
  package var displayText: String {
    let names = models.joined(separator: ", ")
    func on(_ word: String) -> String { names.isEmpty ? "" : " \(word) \(names)" }
    let words =
      switch kind {
      case .confirmedHere: "confirmed here"
      case .confirmed: "confirmed" + on("on")
      case .set: "recorded" + on("on") + ", not confirmed yet"
      case .read: "read" + on("from")
      case .published: "published layout"
      case .file: "from your driver file"
      }
    return isUntried ? "untried, \(words)" : words
  }

  package static let untriedAdvice =
    "nobody has recorded this command: please send what `earshot doctor --report FILE` writes"
}

extension HeadphoneState {
  package func proof(of declaration: SettingDeclaration) -> SettingProof? {
    let canBeSet = if case .reading = declaration.kind { false } else { true }
    if isDriverFromFile {
      let isConfirmed = confirmedSettings.contains(declaration.id)
      return SettingProof(ofFile: isConfirmed, canBeSet: canBeSet)
    }
    guard let family = driver.flatMap({ HeadphoneFamily(protocolName: $0) }) else { return nil }
    return SettingProof(
      family.evidence(of: declaration.id),
      isConfirmedHere: confirmedSettings.contains(declaration.id), canBeSet: canBeSet)
  }

  /// Whether an untried command failed, perhaps because of its bytes.
  package func isUntried(_ command: HeadphoneCommand, after failure: CommandFailure) -> Bool {
    switch failure {
    case .unsupported, .noResponse: break
    case .refused where failure.advice.isEmpty: break
    default: return false
    }
    return command.settings.contains { setting in
      let proof = capabilities?.declaration(of: setting.id).flatMap(proof)
      return proof?.isUntried == true && proof?.kind != .file
    }
  }

  /// Records the confirmed settings of a command; returns whether one is proved for the first time.
  mutating func noteConfirmed(_ command: HeadphoneCommand) -> Bool {
    let before = confirmedSettings
    for (id, value) in command.settings where settings[id].confirmed == value {
      guard let proof = capabilities?.declaration(of: id).flatMap(proof), proof.kind != .confirmed
      else { continue }
      confirmedSettings.insert(id)
    }
    return confirmedSettings != before
  }
}
