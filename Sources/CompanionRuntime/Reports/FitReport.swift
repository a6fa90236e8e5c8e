internal import Companion
internal import HeadphoneProtocols
package import JSON

package struct FitReport: ObjectReport, Hashable {
  static let test: SettingID = "fit-test"

  private let left: String?
  private let right: String?

  init(_ headphone: HeadphoneState) {
    func result(_ side: Side) -> String? {
      headphone.setting(SettingID(rawValue: "fit-\(side.name)")).confirmed?.text
    }
    (left, right) = (result(.left), result(.right))
  }

  package var text: String {
    zip(Side.allCases, [left, right]).map { "\($0.name): \(Self.words(for: $1))" }
      .joined(separator: "\n")
  }

  private static func words(for result: String?) -> String {
    switch result {
    case nil: "unknown"
    case "good": "good seal"
    case "poor": "poor seal; adjust the ear tip, or try another size"
    case let result?: displayable(result)
    }
  }

  package static let schemaName = SchemaName("fit", "`earshot fit --json`")

  package static let properties: [Property<Self>] = [
    Property(
      "left", \.left, "`good`, `poor`, `not in the ear`, or `result` and a number; null: unknown"),
    Property("right", \.right),
  ]
}
