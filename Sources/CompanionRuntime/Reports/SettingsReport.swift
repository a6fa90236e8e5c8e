public import Companion
internal import HeadphoneProtocols
public import JSON

/// `earshot setting`: the settings that the headphone declares, and their confirmed values.
public struct SettingsReport: Report, Hashable {
  private let rows: [Row]

  private struct Row: Hashable {
    var declaration: SettingDeclaration
    var value: SettingValue?
  }

  /// - Parameter name: of the only setting to be reported; nil: all of them.
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

  public var json: JSON {
    ["schema": 1, "settings": .array(rows.map { $0.declaration.json(value: $0.value) })]
  }
}

extension SettingDeclaration {
  /// The setting and its value; what its kind has not is null.
  fileprivate func json(value: SettingValue?) -> JSON {
    var range: SettingRange?
    var scale = 1.0
    switch kind {
    case .level(let levels): range = levels
    case .bands(_, let gains): (range, scale) = (gains, 10)
    case .toggle, .choice, .text, .action, .reading: break
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
  fileprivate var name: String {
    switch self {
    case .toggle: "switch"
    case .choice: "choice"
    case .level: "level"
    case .bands: "bands"
    case .text: "text"
    case .action: "action"
    case .reading: "reading"
    }
  }
}

extension SettingValue {
  /// A switch as a Boolean, a level as a number, gains in dB.
  var json: JSON {
    switch self {
    case .toggle(let isOn): .bool(isOn)
    case .choice(let word), .text(let word): .string(word)
    case .level(let level): JSON(level)
    case .bands(let tenths): .array(tenths.map { .number(Double($0) / 10) })
    case .done: .null
    }
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
