internal import AudioRoute
public import Companion
internal import HeadphoneProtocols
public import JSON

/// The correction of a headphone: `earshot correction`.
///
/// JSON of schema 1: `correction` with `on`, `state` (`off`, `headphone`, `computer`, `ready`, `waiting`, `failed`,
/// `overridden`), `reason`, `name`, `measuredBy`, `file`, `strength` (%), `bass` (dB), `place` and `losses`, and
/// `candidates`, the lines of the table that may be its.
public struct CorrectionReport: Report, Hashable {
  private let headphone: String
  private let choice: CorrectionChoice
  private let status: CorrectionStatus
  private let inForce: Correction?
  private let losses: [String]
  private let candidates: [Correction]

  /// - Parameter state: says whether it is heard.
  public init(_ headphone: HeadphoneState, in state: State) {
    self.headphone = headphone.name
    choice = headphone.correction.choice
    status = state.correctionStatus(of: headphone)
    inForce = state.correction(of: headphone)
    losses = state.correctionLosses(of: headphone)
    switch headphone.correction.match {
    case .certain(let model)?: candidates = model.corrections
    case .several(let models)?: candidates = models.flatMap(\.corrections)
    case .missing?, nil: candidates = []
    }
  }

  public var text: String {
    var rows = [
      ("Correction", choice.isOn ? "on" : "off"),
      ("Measured", inForce?.displayText ?? "--"),
    ]
    if choice.isOn { rows.append(("Heard", status.displayText)) }
    rows += [
      ("Strength", "\(choice.strength)%"), ("Bass", [choice.bass].displayText),
      ("Applied", choice.place.rawValue),
    ]
    rows += losses.map { ("Lost", displayable($0)) }
    if inForce == nil {
      rows += candidates.prefix(Self.mostCandidates).map { ("Perhaps", $0.displayText) }
    }
    return table(rows)
  }

  /// What `earshot status` says of it; nil: it is off.
  var summary: String? {
    guard choice.isOn else { return nil }
    return [inForce.map { displayable($0.name) }, status.displayText].compactMap(\.self)
      .joined(separator: ", ")
  }

  private static let mostCandidates = 10

  public var json: JSON {
    ["schema": 1, "correction": correction, "candidates": .array(candidates.map(\.json))]
  }

  /// As `earshot status --json` has it, too.
  var correction: JSON {
    [
      "on": .bool(choice.isOn), "state": .string(status.name), "reason": JSON(status.reason),
      "name": JSON(inForce?.name), "measuredBy": JSON(inForce.flatMap(\.measuredBy)),
      "file": JSON(choice.file), "strength": JSON(choice.strength),
      "bass": .number(choice.bass.decibels), "place": .string(choice.place.rawValue),
      "losses": .array(losses.map { .string($0) }),
    ]
  }
}

extension CorrectionStatus {
  fileprivate var reason: String? {
    switch self {
    case .waiting(let why), .settling(let why), .failed(let why): why
    case .off, .inHeadphone, .overridden, .inUse, .ready: nil
    }
  }
}

extension Correction {
  /// Nil: a person's own file.
  fileprivate var measuredBy: String? { source.isEmpty ? nil : source }

  fileprivate var json: JSON {
    ["name": .string(name), "form": .string(form), "measuredBy": JSON(measuredBy)]
  }
}

/// Lines of the table: `earshot correction find`.
///
/// JSON of schema 1: `corrections`, each with `name`, `form` and `measuredBy`.
public struct CorrectionsReport: Report, Hashable {
  private let corrections: [Correction]

  public init(_ corrections: [Correction]) { self.corrections = corrections }

  public var text: String { text(.plain) }

  public func text(_ style: TextStyle) -> String {
    style.table(
      ["name", "measured by", "form"],
      corrections.map { [displayable($0.name), displayable($0.source), displayable($0.form)] })
  }

  public var json: JSON {
    ["schema": 1, "corrections": .array(corrections.map(\.json))]
  }
}
