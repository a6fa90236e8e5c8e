internal import BluetoothCodec
package import Companion
internal import HeadphoneProtocols
package import JSON

/// The settings that the headphone declares, with their confirmed values.
package struct SettingsReport: ObjectReport, Hashable {
  private let rows: [Row]

  private struct Row: JSONObject, Hashable {
    var declaration: SettingDeclaration
    var value: SettingValue?
    /// The evidence for the setting, or nil for a headphone without a maker's protocol.
    var proof: SettingProof?

    /// The range of a level, or of gains in tenths of a dB.
    private var range: (range: SettingRange, scale: Double)? {
      switch declaration.kind {
      case .level(let levels): (levels, 1)
      case .bands(_, let gains): (gains, 10)
      case .toggle, .choice, .text, .action, .reading, .pairedDevices: nil
      }
    }

    private func bound(_ bound: (SettingRange) -> Int) -> Double? {
      range.map { Double(bound($0.range)) / $0.scale }
    }

    static let properties: [Property<Self>] = [
      Property("name", \.declaration.id.rawValue),
      Property("title", { displayable($0.declaration.title) }),
      Property("kind", \.declaration.kind.name),
      Property("value", \.value, "null: unknown"),
      Property(
        "values", { $0.declaration.words.isEmpty ? nil : $0.declaration.words },
        "the words that it takes; null: they cannot be listed"),
      Property("minimum", { $0.bound(\.bounds.lowerBound) }, "of a level, and of gains in dB"),
      Property("maximum", { $0.bound(\.bounds.upperBound) }),
      Property("step", { $0.bound(\.step) }),
      Property(
        "proof", \.proof?.kind,
        "how far its command is proven; null: it is of no maker's protocol"),
      Property("proofModels", \.proof?.models, "of which that was recorded"),
    ]
  }

  /// Creates the report of all settings, or of the one named `name`.
  package init(_ headphone: HeadphoneState, only name: String? = nil) {
    rows = (headphone.capabilities?.declarations ?? [])
      .filter { name == nil || $0.id.rawValue == name }
      .map {
        Row(
          declaration: $0, value: headphone.setting($0.id).confirmed, proof: headphone.proof(of: $0)
        )
      }
  }

  package var text: String {
    table(
      rows.map { row in
        let value = row.value.map { displayable($0.text) } ?? "unknown"
        let untried = row.proof?.isUntried == true ? ", untried" : ""
        return (
          row.declaration.id.rawValue, "\(value) (\(row.declaration.acceptedWords))\(untried)"
        )
      })
  }

  package func text(_ style: TextStyle) -> String {
    guard style != .plain else { return text }
    return style.table(
      ["setting", "value", "proof", "takes"],
      rows.map { row in
        [
          row.declaration.id.rawValue, row.value.map { displayable($0.text) } ?? "not reported",
          row.proof?.isUntried == true ? "untried" : "", row.declaration.acceptedWords,
        ]
      }, omitsEmpty: true)
  }

  package static let schemaName = SchemaName("setting", "`earshot setting --json`")

  package static let properties: [Property<Self>] = [Property("settings", \.rows)]
}

extension SettingProof.Kind: JSONWord {}

extension SettingDeclaration.Kind {
  fileprivate enum Name: String, JSONWord {
    case toggle = "switch"
    case choice, level, bands, text, action, reading
    case pairedDevices = "paired-devices"
  }

  fileprivate var name: Name {
    switch self {
    case .toggle: .toggle
    case .choice: .choice
    case .level: .level
    case .bands: .bands
    case .text: .text
    case .action: .action
    case .reading: .reading
    case .pairedDevices: .pairedDevices
    }
  }
}
