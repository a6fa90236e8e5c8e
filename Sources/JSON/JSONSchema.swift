/// The schema of a JSON value: the part of JSON Schema (2020-12) that a program's output needs.
package indirect enum JSONSchema: Hashable, Sendable {
  case constant(JSON)
  case boolean
  case integer(Limits = .none)
  case number(Limits = .none)
  /// A string, which matches a regular expression if it has a fixed form.
  case string(pattern: String? = nil)
  case words([String])
  case array(JSONSchema)
  /// An object in which every member is required.
  case object([Member])
  case map(JSONSchema)
  /// Exactly one of these schemas applies.
  case one(of: [JSONSchema])
  case optional(JSONSchema)
  case defined(Definition)

  /// The least and the greatest number, both inclusive.
  package struct Limits: Hashable, Sendable {
    package var minimum: Int?
    package var maximum: Int?

    package init(minimum: Int? = nil, maximum: Int? = nil) {
      self.minimum = minimum
      self.maximum = maximum
    }

    package static let none = Limits()
    package static let percent = Limits(0...100)
    package static let natural = Limits.atLeast(0)

    package init(_ range: ClosedRange<Int>) {
      self.init(minimum: range.lowerBound, maximum: range.upperBound)
    }

    package static func atLeast(_ minimum: Int) -> Limits { Limits(minimum: minimum) }
  }

  package struct Member: Hashable, Sendable {
    package var name: String
    /// The meaning of the value, with its unit, or empty if the name suffices.
    package var meaning: String
    package var schema: JSONSchema

    package init(_ name: String, _ schema: JSONSchema, _ meaning: String = "") {
      self.name = name
      self.schema = schema
      self.meaning = meaning
    }
  }

  /// A schema with a name in `$defs`, to which others refer.
  package struct Definition: Hashable, Sendable {
    package var name: SchemaName
    package var schema: JSONSchema

    package init(_ name: SchemaName, _ schema: JSONSchema) {
      self.name = name
      self.schema = schema
    }
  }
}

package struct SchemaName: Hashable, Sendable {
  /// The key in `$defs`.
  package var name: String
  /// The meaning in Markdown, or empty if the name suffices.
  package var meaning: String

  package init(_ name: String, _ meaning: String = "") {
    self.name = name
    self.meaning = meaning
  }
}

extension JSONSchema {
  /// The definitions to which the schema refers, each before those that refer to it.
  package var definitions: [Definition] {
    switch self {
    case .array(let schema), .map(let schema), .optional(let schema): schema.definitions
    case .object(let members): members.flatMap(\.schema.definitions)
    case .one(let schemas): schemas.flatMap(\.definitions)
    case .defined(let definition): definition.schema.definitions + [definition]
    case .constant, .boolean, .integer, .number, .string, .words: []
    }
  }

  package var json: JSON { .object(keywords(orNull: false)) }

  /// Returns a schema file with these definitions and those to which they refer.
  package static func document(
    title: String, _ description: String, _ definitions: [Definition]
  ) -> JSON {
    var known: Set<String> = []
    let all = definitions.flatMap { JSONSchema.defined($0).definitions }
      .filter { known.insert($0.name.name).inserted }
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(title),
      "description": .string(description),
      "$defs": .object(
        all.map { definition in
          let keywords = definition.schema.keywords(orNull: false)
          return .init(
            definition.name.name, .object(described(definition.name.meaning) + keywords))
        }),
    ]
  }

  private static func described(_ meaning: String) -> [JSON.Member] {
    meaning.isEmpty ? [] : [.init("description", .string(meaning))]
  }

  private func keywords(orNull: Bool) -> [JSON.Member] {
    func type(_ name: String) -> JSON.Member {
      .init("type", orNull ? [.string(name), "null"] : .string(name))
    }
    switch self {
    case .constant(let value): return [.init("const", value)]
    case .boolean: return [type("boolean")]
    case .integer(let limits): return [type("integer")] + limits.keywords
    case .number(let limits): return [type("number")] + limits.keywords
    case .string(let pattern):
      return [type("string")] + (pattern.map { [.init("pattern", .string($0))] } ?? [])
    case .words(let words):
      let values = words.map(JSON.string) + (orNull ? [.null] : [])
      return [type("string"), .init("enum", .array(values))]
    case .array(let element): return [type("array"), .init("items", element.json)]
    case .object(let members):
      return [
        type("object"),
        .init(
          "properties",
          .object(
            members.map {
              .init(
                $0.name,
                .object(Self.described($0.meaning) + $0.schema.keywords(orNull: false)))
            })),
        .init("required", .array(members.map { .string($0.name) })),
      ]
    case .map(let value): return [type("object"), .init("additionalProperties", value.json)]
    case .one(let schemas):
      return [.init("oneOf", .array(schemas.map(\.json) + (orNull ? [["type": "null"]] : [])))]
    case .optional(let schema): return schema.keywords(orNull: true)
    case .defined(let definition):
      let reference: [JSON.Member] = [.init("$ref", .string("#/$defs/\(definition.name.name)"))]
      return orNull ? [.init("oneOf", [.object(reference), ["type": "null"]])] : reference
    }
  }
}

extension JSONSchema.Limits {
  fileprivate var keywords: [JSON.Member] {
    [("minimum", minimum), ("maximum", maximum)].compactMap { name, limit in
      limit.map { .init(name, JSON($0)) }
    }
  }
}
