package import Companion
internal import HeadphoneProtocols
package import JSON
internal import Persistence

package struct EQPresetsReport: ObjectReport, Hashable {
  private let saved: [SavedEQ]
  private let own: [String]?
  private let current: String?
  private let gains: [BandGain]?

  /// Creates the report; `headphone` is nil if none is in range.
  package init(_ saved: [SavedEQ], of headphone: HeadphoneState?) {
    self.saved = saved
    own = headphone?.presets
    current = headphone?.name(of: .equaliserPreset)
    gains = headphone?.gainsInForce
  }

  package var text: String { text(.plain) }

  package func text(_ style: TextStyle) -> String {
    let rows =
      (own ?? []).map { [$0 == current ? "*" : "", $0, "the headphone's own"] }
      + saved.map { [$0.gains == gains ? "*" : "", displayable($0.name), $0.gains.displayText] }
    return rows.isEmpty ? "no presets" : style.table(["", "preset", "gains"], rows)
  }

  package static let schemaName = SchemaName("eq-list", "`earshot eq list --json`")

  package static let properties: [Property<Self>] = [
    Property("presets", \.saved, "the saved ones"),
    Property("headphone", \.own, "the names of the headphone's own; null: it is out of reach"),
  ]
}

extension HeadphoneState {
  /// Returns the name of the confirmed choice, or the number of one without a name.
  func name(of choice: SettingID) -> String? { setting(choice).confirmed?.text }

  package var presets: [String] { capabilities?.equaliserPresets.map(\.id) ?? [] }
}

package struct EQImportReport: ObjectReport, Hashable {
  private let gains: [BandGain]
  private let losses: [String]

  /// Creates the report; `fit` is nil if the headphone has disconnected.
  package init(_ fit: EQFit?) {
    gains = fit?.gains ?? []
    losses = fit?.losses ?? []
  }

  package var text: String {
    ([gains.displayText] + (losses.isEmpty ? ["nothing is lost"] : losses)).joined(separator: "\n")
  }

  package static let schemaName = SchemaName("eq-import", "`earshot eq import --json`")

  package static let properties: [Property<Self>] = [
    Property("bands", \.gains, "dB, from low to high"),
    Property("losses", \.losses, "in words"),
  ]
}
