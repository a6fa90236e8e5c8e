package import Companion
internal import HeadphoneProtocols
package import JSON

/// The headphones that are forgotten: `earshot forget`.
///
/// Text: their identities; for a person, their names.
package struct ForgetReport: ObjectReport, Hashable {
  private let headphones: [String]
  private let names: [String]

  /// - Parameter headphones: The identity and name of each.
  package init(_ headphones: [(id: HeadphoneID, name: String)]) {
    self.headphones = headphones.map(\.id.rawValue)
    names = headphones.map(\.name)
  }

  package var text: String { headphones.joined(separator: " ") }

  package func text(_ style: TextStyle) -> String {
    style == .plain ? text : displayable("Forgot \(names.joined(separator: ", "))")
  }

  package static let schemaName = SchemaName("forget", "`earshot forget --json`")

  package static let properties: [Property<Self>] = [
    Property(
      "forgotten", \.text, "the headphone's identity, or those of all with spaces between them"),
    Property("headphones", \.headphones, "the same as a list"),
  ]
}
