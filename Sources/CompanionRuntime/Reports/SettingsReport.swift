internal import BluetoothCodec
public import Companion
internal import HeadphoneProtocols
public import JSON

/// `earshot setting`: the settings that the headphone declares, and their confirmed values.
///
/// JSON of schema 1: `settings`, each with `name`, `title`, `kind` (`switch`, `choice`, `level`,
/// `bands`, `text`, `action`, `reading`, `paired-devices`), `value`, `values`, `minimum`, `maximum` and `step`;
/// members that do not apply are null. Gains are in dB.
///
/// ```json
/// {"schema": 1, "settings": [{"name": "wear-detection",
///  "title": "Wear detection", "kind": "switch",
///  "value": true, "values": ["on", "off"], "minimum": null, "maximum": null, "step": null}]}
/// ```
public struct SettingsReport: Report, Hashable {
  private let rows: [Row]

  /// A setting and its confirmed value; nil: unknown.
  private struct Row: Hashable {
    var declaration: SettingDeclaration
    var value: SettingValue?
  }

  /// Creates the report of one headphone.
  ///
  /// - Parameters:
  ///   - headphone: whose capabilities declare the settings.
  ///   - name: of a single setting to report; nil: all.
  public init(_ headphone: HeadphoneState, only name: String? = nil) {
    rows = (headphone.capabilities?.declarations ?? [])
      .filter { name == nil || $0.id.rawValue == name }
      .map { Row(declaration: $0, value: headphone.setting($0.id).confirmed) }
  }

  public var text: String {
    table(
      rows.map { row in
        let value = row.value.map { displayable($0.text) } ?? "unknown"
        return (row.declaration.id.rawValue, "\(value) (\(row.declaration.acceptedWords))")
      })
  }

  public func text(_ style: TextStyle) -> String {
    guard style != .plain else { return text }
    return style.table(
      ["setting", "value", "takes"],
      rows.map { row in
        [
          row.declaration.id.rawValue, row.value.map { displayable($0.text) } ?? "not reported",
          row.declaration.acceptedWords,
        ]
      })
  }

  public var json: JSON {
    ["schema": 1, "settings": .array(rows.map { $0.declaration.json(value: $0.value) })]
  }
}

extension SettingDeclaration {
  /// The declaration and the value; members that do not apply to its kind are null.
  fileprivate func json(value: SettingValue?) -> JSON {
    var range: SettingRange?
    var scale = 1.0
    switch kind {
    case .level(let levels): range = levels
    case .bands(_, let gains): (range, scale) = (gains, 10)
    case .toggle, .choice, .text, .action, .reading, .pairedDevices: break
    }
    return [
      "name": .string(id.rawValue), "title": .string(displayable(title)),
      "kind": .string(kind.name), "value": JSON(value) { $0.json },
      "values": words.isEmpty ? .null : .array(words.map { .string($0) }),
      "minimum": JSON(range) { .number(Double($0.bounds.lowerBound) / scale) },
      "maximum": JSON(range) { .number(Double($0.bounds.upperBound) / scale) },
      "step": JSON(range) { .number(Double($0.step) / scale) },
    ]
  }
}

extension SettingDeclaration.Kind {
  /// The kind's name in JSON; stable.
  fileprivate var name: String {
    switch self {
    case .toggle: "switch"
    case .choice: "choice"
    case .level: "level"
    case .bands: "bands"
    case .text: "text"
    case .action: "action"
    case .reading: "reading"
    case .pairedDevices: "paired-devices"
    }
  }
}

extension SettingValue {
  /// A toggle as a Boolean, a level as a number, bands as gains in dB.
  var json: JSON {
    switch self {
    case .toggle(let isOn): .bool(isOn)
    case .choice(let word), .text(let word): .string(word)
    case .level(let level): JSON(level)
    case .bands(let tenths): .array(tenths.map { .number(Double($0) / 10) })
    case .pairedDevices(let devices): .array(devices.map(\.json))
    case .done: .null
    }
  }
}

extension PairedDevice {
  /// What the headphone reports of it; null: it does not.
  var json: JSON {
    [
      "name": JSON(name), "address": .string(address.description),
      "connected": .bool(isConnected), "playing": JSON(isPlaying), "preferred": JSON(isPreferred),
      "thisComputer": JSON(isThisComputer),
    ]
  }
}

extension HeadphoneState {
  /// The confirmed value of each setting by its name; null: unknown.
  var settingsJSON: JSON {
    .object(
      (capabilities?.declarations ?? []).map {
        JSON.Member($0.id.rawValue, JSON(setting($0.id).confirmed) { $0.json })
      })
  }
}
