internal import AudioRoute
package import Companion
internal import HeadphoneProtocols
package import JSON

package struct CorrectionReport: ObjectReport, Hashable {
  let correction: CorrectionInForce
  private let candidates: [Correction]

  /// Creates the report; `state` shows whether the sound passes through the correction.
  package init(_ headphone: HeadphoneState, in state: State) {
    correction = CorrectionInForce(headphone, in: state)
    switch headphone.correction.match {
    case .certain(let model)?: candidates = model.corrections
    case .several(let models)?: candidates = models.flatMap(\.corrections)
    case .missing?, nil: candidates = []
    }
  }

  package var text: String {
    var rows = correction.rows
    if correction.inForce == nil {
      rows += candidates.prefix(Self.mostCandidates).map { ("Perhaps", $0.displayText) }
    }
    return table(rows)
  }

  private static let mostCandidates = 10

  package static let schemaName = SchemaName(
    "correction", "`earshot correction --json`, and what changes it")

  package static let properties: [Property<Self>] = [
    Property("correction", \.correction),
    Property("candidates", \.candidates, "the lines of the table that may be the headphone's"),
  ]
}

struct CorrectionInForce: NamedJSONObject, Hashable {
  private let choice: CorrectionChoice
  private let status: CorrectionStatus
  fileprivate let inForce: Correction?
  private let losses: [String]

  fileprivate init(_ headphone: HeadphoneState, in state: State) {
    choice = headphone.correction.choice
    status = state.correctionStatus(of: headphone)
    inForce = state.correction(of: headphone)
    losses = state.correctionLosses(of: headphone)
  }

  fileprivate var rows: [(String, String)] {
    var rows = [
      ("Correction", choice.isOn ? "on" : "off"),
      ("Measured", inForce?.displayText ?? "--"),
    ]
    if choice.isOn { rows.append(("Heard", status.displayText)) }
    rows += [
      ("Strength", "\(choice.strength)%"), ("Bass", [choice.bass].displayText),
      ("Applied", choice.place.rawValue),
    ]
    return rows + losses.map { ("Lost", displayable($0)) }
  }

  /// The summary for `earshot status`, or nil if the correction is off.
  var summary: String? {
    guard choice.isOn else { return nil }
    return [inForce.map { displayable($0.name) }, status.displayText].compactMap(\.self)
      .joined(separator: ", ")
  }

  static let schemaName = SchemaName("correction-state", "The measured correction of a headphone.")

  static let properties: [Property<Self>] = [
    Property("on", \.choice.isOn),
    Property(
      "state", \.status.name,
      "`headphone`: in its own equaliser; `overridden`: changed there since; `computer`: the sound "
        + "goes through it; `ready`: the sound goes elsewhere"),
    Property("reason", \.status.reason, "of `waiting` and `failed`"),
    Property("name", \.inForce?.name, "the line of the table"),
    Property("measuredBy", \.inForce?.measuredBy, "null: your own file"),
    Property("file", \.choice.file, "your own file; null: the table"),
    Property("strength", \.choice.strength, in: .percent, "%"),
    Property("bass", \.choice.bass.decibels, in: bassLimits, "dB"),
    Property("place", \.choice.place, "where it is applied"),
    Property("losses", \.losses, "what the headphone's equaliser cannot do, in words"),
  ]

  private static let bassLimits: JSONSchema.Limits = {
    let most = Int(CorrectionChoice.mostBass.decibels)
    return JSONSchema.Limits(-most...most)
  }()
}

extension CorrectionStatus {
  fileprivate var reason: String? {
    switch self {
    case .waiting(let why), .settling(let why), .unavailable(let why), .failed(let why): why
    case .off, .inHeadphone, .overridden, .inUse, .ready: nil
    }
  }
}

extension Correction: NamedJSONObject {
  fileprivate var measuredBy: String? { source.isEmpty ? nil : source }

  package static let schemaName = SchemaName(
    "correction-line", "A line of the table of corrections.")

  package static let properties: [Property<Self>] = [
    Property("name", \.name),
    Property("form", \.form, "such as `over-ear`"),
    Property("measuredBy", \.measuredBy),
  ]
}

package struct CorrectionsReport: ObjectReport, Hashable {
  private let corrections: [Correction]

  package init(_ corrections: [Correction]) { self.corrections = corrections }

  package var text: String { text(.plain) }

  package func text(_ style: TextStyle) -> String {
    style.table(
      ["name", "measured by", "form"],
      corrections.map { [displayable($0.name), displayable($0.source), displayable($0.form)] })
  }

  package static let schemaName = SchemaName("correction-find", "`earshot correction find --json`")

  package static let properties: [Property<Self>] = [Property("corrections", \.corrections)]
}
