package import Companion
internal import HeadphoneProtocols
package import JSON

/// The report of `earshot forget`: identities, or names on a terminal.
package struct ForgetReport: ObjectReport, Hashable {
  private let headphones: [String]
  private let names: [String]

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
