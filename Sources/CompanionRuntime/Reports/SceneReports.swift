package import Companion
internal import HeadphoneProtocols
package import JSON

package struct ScenesReport: ObjectReport {
  private let scenes: [Scene]

  package init(_ scenes: [Scene]) { self.scenes = scenes }

  package var text: String {
    table(
      scenes.map { (displayable($0.name), State().parts(of: $0).joined(separator: ", ")) })
  }

  package static let schemaName = SchemaName("scenes", "`earshot scene list --json`")

  package static let properties: [Property<Self>] = [Property("scenes", \.scenes)]
}

extension Scene: JSONObject {
  package static let properties: [Property<Self>] = [
    Property("name", \.name),
    Property("settings", \.words, "as the command line takes them"),
    Property("output", \.output, "null: it stays"),
    Property("profile", \.profile, "null: it stays"),
    Property("when", \.when, "when it applies automatically: an output, `call` or `program:NAME`"),
    Property("correction", \.correction, "null: it stays"),
  ]

  private var words: JSONMap<String> {
    JSONMap(wishes.map { ($0.setting.rawValue, $0.word) })
  }
}

package struct SceneReport: ObjectReport {
  private let name: String
  private let missing: [String]

  /// Creates the report; `missing` are the parts of the scene that the headphone lacks.
  package init(_ name: String, missing: [String]) {
    self.name = name
    self.missing = missing
  }

  package var text: String { displayable(name) }

  package static let schemaName = SchemaName("scene", "`earshot scene use --json`")

  package static let properties: [Property<Self>] = [
    Property("scene", \.name),
    Property("missing", \.missing, "what could not be applied, in words"),
  ]
}
