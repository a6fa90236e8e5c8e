package import Companion
package import HeadphoneProtocols
package import JSON

package struct SettingsSavedReport: ObjectReport {
  private let path: String?
  private let saved: SavedSettings
  private let unreported: [SettingID]

  /// Creates the report; `path` is nil for standard output.
  package init(_ saved: SavedSettings, unreported: [SettingID], to path: String?) {
    self.path = path
    self.saved = saved
    self.unreported = unreported
  }

  package var text: String {
    let count = saved.wishes.count == 1 ? "1 setting" : "\(saved.wishes.count) settings"
    return "saved \(count) of \(displayable(saved.headphone ?? "the headphone"))"
      + (path.map { " in \(displayable($0))" } ?? "")
  }

  package static let schemaName = SchemaName("setting-save", "`earshot setting save --json`")

  package static let properties: [Property<Self>] = [
    Property("file", \.path, "null: standard output"),
    Property("headphone", \.saved.headphone),
    Property("model", \.saved.model, "null: the headphone does not report it"),
    Property("settings", \.saved.words, "as the command line takes them"),
    Property("missing", { $0.unreported.map(\.rawValue) }, "those that it does not report"),
  ]
}

extension SavedSettings {
  fileprivate var words: JSONMap<String> {
    JSONMap(wishes.map { ($0.setting.rawValue, $0.word) })
  }
}

package struct SettingsRestoredReport: ObjectReport {
  private let path: String?
  private let headphone: String
  private let results: [SettingsRestoration.Result]

  /// Creates the report; `path` is nil for standard input.
  package init(
    _ results: [SettingsRestoration.Result], from path: String?, on headphone: String
  ) {
    self.path = path
    self.headphone = headphone
    self.results = results
  }

  package var text: String { text(.plain) }

  package func text(_ style: TextStyle) -> String {
    guard !results.isEmpty else { return "no settings in it" }
    return style.table(
      ["setting", "value", "restored"],
      results.map { [$0.wish.setting.rawValue, displayable($0.wish.word), $0.words] })
  }

  package static let schemaName = SchemaName("setting-restore", "`earshot setting restore --json`")

  package static let properties: [Property<Self>] = [
    Property("file", \.path, "null: standard input"),
    Property("headphone", \.headphone),
    Property("settings", \.results),
  ]
}

extension SettingsRestoration.Result: JSONObject {
  private enum Word: String, JSONWord {
    case same, set, lacking, refused
    case notAccepted = "not-accepted"
    case notKept = "not-kept"
    case notSent = "not-sent"
  }

  private var word: Word {
    switch outcome {
    case .same: .same
    case .set: .set
    case .lacking: .lacking
    case .notAccepted: .notAccepted
    case .refused: .refused
    case .notKept: .notKept
    case .notSent: .notSent
    }
  }

  private var why: String? {
    switch outcome {
    case .refused(let why): why
    case .notKept(let value): value
    case .same, .set, .lacking, .notAccepted, .notSent: nil
    }
  }

  fileprivate var words: String {
    switch outcome {
    case .same: "the same already"
    case .set: "set"
    case .lacking: "not a setting of this headphone"
    case .notAccepted: "not a value on this headphone"
    case .refused(let why): "failed: \(displayable(why))"
    case .notKept(let value): "not kept: it is \(displayable(value))"
    case .notSent: "not sent"
    }
  }

  package static let properties: [Property<Self>] = [
    Property("name", \.wish.setting.rawValue),
    Property("value", \.wish.word, "as the command line takes it"),
    Property("outcome", \.word),
    Property("why", \.why, "what the headphone answered, or the value that it has instead"),
  ]
}
