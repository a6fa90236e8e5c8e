import CompanionRuntime
import JSON
import TestSupport
import Testing

/// `docs/schema/earshot-1.json` and the tables of `docs/json.md` are generated from the reports.
@Suite struct `The schema of the reports` {
  private static let outputs = JSONSchema.outputs.sorted { $0.name.name < $1.name.name }
  /// The definitions that several outputs share.
  private static let parts: [JSONSchema.Definition] = {
    var known = Set(outputs.map(\.name))
    return outputs.flatMap(\.schema.definitions).filter { known.insert($0.name).inserted }
      .sorted { $0.name.name < $1.name.name }
  }()

  @Test func `is what the documentation has`() throws {
    let schema = JSONSchema.document(
      title: "Earshot's JSON, schema 1",
      "A definition for each --json output of docs/json.md. What is unknown is null. Keys may be "
        + "added; what a key means changes only with the schema's number.",
      JSONSchema.outputs)
    let wanted = schema.indented() + "\n"
    #expect(
      try GeneratedPage("schema/earshot-1.json").text(rewrittenTo: wanted) == wanted,
      "UPDATE_SCREENS=1 writes it again")
  }

  @Test func `is explained by the tables of the documentation`() throws {
    let status = try #require(Self.outputs.first { $0.name.name == "status" })
    let page = GeneratedPage("json.md")
    var wanted = try page.text()
    for (heading, table) in [
      ("\n## The outputs\n", Self.table(Self.outputs)),
      ("\n## Parts of outputs\n", Self.table(Self.parts)),
      ("\n## The status\n", Self.table(of: status)),
    ] {
      let isThere = wanted.replaceTable(after: heading, with: table)
      #expect(isThere, "\(heading)")
    }
    #expect(try page.text(rewrittenTo: wanted) == wanted, "UPDATE_SCREENS=1 writes them again")
  }

  @Test func `has each definition once, each with an explanation`() {
    let all = Self.outputs + Self.parts
    #expect(Set(all.map(\.name.name)).count == all.count)
    #expect(all.allSatisfy { !$0.name.meaning.isEmpty })
  }

  @Test func `has each member of an object once`() {
    for definition in Self.outputs + Self.parts {
      for names in definition.schema.objects {
        #expect(Set(names).count == names.count, "\(definition.name.name): \(names)")
      }
    }
  }

  // MARK: - Tables

  private static func table(_ definitions: [JSONSchema.Definition]) -> String {
    table(
      ["definition", "of"],
      definitions.map { definition in
        let meaning = definition.name.meaning
        let words = [definition.schema.words(beside: meaning)].filter { !$0.isEmpty }
        let members = definition.name.name == "status" ? [] : words + definition.schema.explained
        let first = meaning.hasSuffix(".") ? String(meaning.dropLast()) : meaning
        return ["`\(definition.name.name)`", ([first] + members).joined(separator: "; ")]
      })
  }

  /// Returns a table of all members, including those of nested objects.
  private static func table(of definition: JSONSchema.Definition) -> String {
    table(
      ["key", "values", "meaning"],
      definition.schema.paths.map { path, member in
        ["`\(path)`", member.schema.values, member.meaning]
      })
  }

  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows)
      .map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }
}

extension JSONSchema {
  /// The members of nested objects, without those of other definitions.
  private var members: [Member] {
    switch self {
    case .object(let members): members
    case .array(let schema), .optional(let schema): schema.members
    default: []
    }
  }

  /// The names of the members of each nested object.
  fileprivate var objects: [[String]] {
    members.isEmpty ? [] : [members.map(\.name)] + members.flatMap(\.schema.objects)
  }

  /// The members with explanations: "`code`: the exit code", "`level`: `trace`, …".
  fileprivate var explained: [String] {
    var known: Set<String> = []
    let own = members.flatMap { member in
      let words = member.schema.words(beside: member.meaning)
      let parts = [member.meaning, words].filter { !$0.isEmpty }
      let text = parts.joined(separator: "; ")
      let isForNull = text.hasPrefix("null: ")
      return (text.isEmpty ? [] : ["`\(member.name)`" + (isForNull ? " (\(text))" : ": \(text)")])
        + member.schema.explained
    }
    return own.filter { known.insert($0).inserted }
  }

  /// Returns the words of an enumeration, unless the meaning explains each.
  fileprivate func words(beside meaning: String) -> String {
    switch self {
    case .words(let words): words.allSatisfy { meaning.contains("`\($0)`") } ? "" : values
    case .array(let schema), .optional(let schema): schema.words(beside: meaning)
    default: ""
    }
  }

  fileprivate var paths: [(String, Member)] {
    members.flatMap { member in
      [(member.name, member)] + member.schema.paths.map { ("\(member.name).\($0)", $1) }
    }
  }

  /// The possible values in words.
  fileprivate var values: String {
    switch self {
    case .constant(let value): "`\(value)`"
    case .boolean: "`true`, `false`"
    case .integer(let limits): "integer\(limits.range)"
    case .number(let limits): "number\(limits.range)"
    case .string: "text"
    case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .array(let schema): "list of \(schema.values)"
    case .object: "object"
    case .map(let schema): "object of \(schema.values)"
    case .one(let schemas): schemas.map(\.values).joined(separator: ", ")
    case .optional(let schema): "\(schema.values), `null`"
    case .defined(let definition): "`\(definition.name.name)`"
    }
  }
}

extension JSONSchema.Limits {
  fileprivate var range: String {
    switch (minimum, maximum) {
    case (let minimum?, let maximum?): " \(minimum) to \(maximum)"
    case (let minimum?, nil): " from \(minimum)"
    case (nil, let maximum?): " to \(maximum)"
    case (nil, nil): ""
    }
  }
}
