/// A type whose values can be written in JSON, with the schema of that JSON.
package protocol JSONRepresentable: SendableMetatype {
  static var schema: JSONSchema { get }
  var json: JSON { get }
}

extension Bool: JSONRepresentable {
  package static var schema: JSONSchema { .boolean }
  package var json: JSON { .bool(self) }
}

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
  package static var schema: JSONSchema { .optional(Wrapped.schema) }
  package var json: JSON { JSON(self) { $0.json } }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
  package static var schema: JSONSchema { .array(Element.schema) }
  package var json: JSON { .array(map(\.json)) }
}

/// A type whose JSON is a number, null, or an array of numbers, and to which limits can apply.
package protocol JSONNumber: JSONRepresentable {
  /// Returns the schema of the numbers within limits.
  static func schema(in limits: JSONSchema.Limits) -> JSONSchema
}

extension JSONNumber {
  package static var schema: JSONSchema { schema(in: .none) }
}

extension JSONNumber where Self: BinaryInteger {
  package static func schema(in limits: JSONSchema.Limits) -> JSONSchema { .integer(limits) }
  package var json: JSON { JSON(self) }
}

extension Int: JSONNumber {}
extension Int8: JSONNumber {}
extension Int64: JSONNumber {}
extension UInt8: JSONNumber {}
extension UInt16: JSONNumber {}
extension UInt32: JSONNumber {}

extension Double: JSONNumber {
  package static func schema(in limits: JSONSchema.Limits) -> JSONSchema { .number(limits) }
  package var json: JSON { .number(self) }
}

extension Optional: JSONNumber where Wrapped: JSONNumber {
  /// Returns a schema whose limits apply to a number but not to null.
  package static func schema(in limits: JSONSchema.Limits) -> JSONSchema {
    .optional(Wrapped.schema(in: limits))
  }
}

extension Array: JSONNumber where Element: JSONNumber {
  /// Returns a schema whose limits apply to each element.
  package static func schema(in limits: JSONSchema.Limits) -> JSONSchema {
    .array(Element.schema(in: limits))
  }
}

/// A type whose JSON is a string or null, and of which only some strings may be possible.
package protocol JSONText: JSONRepresentable {
  static func schema(_ text: JSONSchema) -> JSONSchema
}

extension String: JSONText {
  package static var schema: JSONSchema { .string() }
  package static func schema(_ text: JSONSchema) -> JSONSchema { text }
  package var json: JSON { .string(self) }
}

extension Optional: JSONText where Wrapped: JSONText {
  package static func schema(_ text: JSONSchema) -> JSONSchema { .optional(Wrapped.schema(text)) }
}

/// An enumeration whose cases are written as their names.
package protocol JSONWord: JSONRepresentable, CaseIterable {
  /// The name of the case, which must stay the same.
  var name: String { get }
}

extension JSONWord {
  package static var schema: JSONSchema { words }
  package static var words: JSONSchema { .words(allCases.map(\.name)) }
  package var json: JSON { .string(name) }
}

extension JSONWord where Self: RawRepresentable<String> {
  package var name: String { rawValue }
}

/// A type whose JSON is an object, with every member declared once.
///
/// ```swift
/// extension Scene: JSONObject {
///   static let properties: [Property<Self>] = [
///     Property("name", \.name),
///     Property("output", \.output, "where the sound goes; null: it stays"),
///   ]
/// }
/// ```
package protocol JSONObject: JSONRepresentable {
  static var properties: [Property<Self>] { get }
}

extension JSONObject {
  package static var schema: JSONSchema { .object(properties.map(\.member)) }
  package var json: JSON { .object(Self.properties.map { $0.value(of: self) }) }
}

/// An object for which the schema has a named definition, because it occurs in several places.
package protocol NamedJSONObject: JSONObject {
  static var schemaName: SchemaName { get }
  static var definition: JSONSchema.Definition { get }
}

extension NamedJSONObject {
  package static var definition: JSONSchema.Definition {
    .init(schemaName, .object(properties.map(\.member)))
  }

  package static var schema: JSONSchema { .defined(definition) }
}

/// Values by name, such as those of settings.
package struct JSONMap<Value: JSONRepresentable>: JSONRepresentable {
  private let members: [(String, Value)]

  package init(_ members: [(String, Value)]) { self.members = members }

  package static var schema: JSONSchema { .map(Value.schema) }
  package var json: JSON { .object(members.map { .init($0, $1.json) }) }
}

package struct Property<Root>: Sendable {
  package let member: JSONSchema.Member
  private let json: @Sendable (Root) -> JSON

  private init(
    _ name: String, _ schema: JSONSchema, _ meaning: String,
    _ json: @escaping @Sendable (Root) -> JSON
  ) {
    member = .init(name, schema, meaning)
    self.json = json
  }

  /// Creates a member; `meaning` has the unit and the meaning of null, or is empty.
  package init<Value: JSONRepresentable>(
    _ name: String, _ value: @escaping @Sendable (Root) -> Value, _ meaning: String = ""
  ) {
    self.init(name, Value.schema, meaning) { value($0).json }
  }

  package init<Value: JSONNumber>(
    _ name: String, _ value: @escaping @Sendable (Root) -> Value, in limits: JSONSchema.Limits,
    _ meaning: String = ""
  ) {
    self.init(name, Value.schema(in: limits), meaning) { value($0).json }
  }

  package init<Value: JSONText>(
    _ name: String, _ value: @escaping @Sendable (Root) -> Value, matching pattern: String,
    _ meaning: String = ""
  ) {
    self.init(name, Value.schema(.string(pattern: pattern)), meaning) { value($0).json }
  }

  package init<Value: JSONText>(
    _ name: String, _ value: @escaping @Sendable (Root) -> Value, among words: [String],
    _ meaning: String = ""
  ) {
    self.init(name, Value.schema(.words(words)), meaning) { value($0).json }
  }

  /// Creates a member that is an object with some members of the value.
  package init(_ name: String, _ meaning: String = "", group: [Property]) {
    self.init(name, .object(group.map(\.member)), meaning) { root in
      .object(group.map { $0.value(of: root) })
    }
  }

  /// Creates a member that is an object with members of a part of the value, or null.
  package init<Part>(
    _ name: String, _ part: @escaping @Sendable (Root) -> Part?, _ meaning: String = "",
    group: [Property<Part>]
  ) {
    self.init(name, .optional(.object(group.map(\.member))), meaning) { root in
      JSON(part(root)) { part in .object(group.map { $0.value(of: part) }) }
    }
  }

  package init(_ name: String, always value: JSON) {
    self.init(name, .constant(value), "") { _ in value }
  }

  package func value(of root: Root) -> JSON.Member { .init(member.name, json(root)) }
}
