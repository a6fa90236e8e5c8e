/// A type whose values have a form in JSON, and the schema of that form.
public protocol JSONRepresentable: SendableMetatype {
  /// What ``json`` may be.
  static var schema: JSONSchema { get }
  /// The value in JSON.
  var json: JSON { get }
}

extension Bool: JSONRepresentable {
  public static var schema: JSONSchema { .boolean }
  public var json: JSON { .bool(self) }
}

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
  public static var schema: JSONSchema { .optional(Wrapped.schema) }
  public var json: JSON { JSON(self) { $0.json } }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
  public static var schema: JSONSchema { .array(Element.schema) }
  public var json: JSON { .array(map(\.json)) }
}

// MARK: - Numbers

/// A number, none or several, to which limits can apply.
public protocol JSONNumber: JSONRepresentable {
  /// The schema of the numbers between limits.
  static func schema(in limits: JSONSchema.Limits) -> JSONSchema
}

extension JSONNumber {
  public static var schema: JSONSchema { schema(in: .none) }
}

extension JSONNumber where Self: BinaryInteger {
  /// Integers.
  public static func schema(in limits: JSONSchema.Limits) -> JSONSchema { .integer(limits) }
  public var json: JSON { JSON(self) }
}

extension Int: JSONNumber {}
extension Int8: JSONNumber {}
extension Int64: JSONNumber {}
extension UInt8: JSONNumber {}
extension UInt16: JSONNumber {}
extension UInt32: JSONNumber {}

extension Double: JSONNumber {
  /// Numbers with or without a fraction.
  public static func schema(in limits: JSONSchema.Limits) -> JSONSchema { .number(limits) }
  public var json: JSON { .number(self) }
}

extension Optional: JSONNumber where Wrapped: JSONNumber {
  /// The limits apply to a number, not to null.
  public static func schema(in limits: JSONSchema.Limits) -> JSONSchema {
    .optional(Wrapped.schema(in: limits))
  }
}

extension Array: JSONNumber where Element: JSONNumber {
  /// The limits apply to each element.
  public static func schema(in limits: JSONSchema.Limits) -> JSONSchema {
    .array(Element.schema(in: limits))
  }
}

// MARK: - Strings

/// A string, or none, of which only some forms are possible.
public protocol JSONText: JSONRepresentable {
  /// The schema where only some strings are possible.
  static func schema(_ text: JSONSchema) -> JSONSchema
}

extension String: JSONText {
  public static var schema: JSONSchema { .string() }
  /// These strings.
  public static func schema(_ text: JSONSchema) -> JSONSchema { text }
  public var json: JSON { .string(self) }
}

extension Optional: JSONText where Wrapped: JSONText {
  /// These strings, or null.
  public static func schema(_ text: JSONSchema) -> JSONSchema { .optional(Wrapped.schema(text)) }
}

/// An enumeration whose cases are written as their names.
public protocol JSONWord: JSONRepresentable, CaseIterable {
  /// Stable.
  var name: String { get }
}

extension JSONWord {
  public static var schema: JSONSchema { words }
  /// The names of all cases.
  public static var words: JSONSchema { .words(allCases.map(\.name)) }
  public var json: JSON { .string(name) }
}

extension JSONWord where Self: RawRepresentable<String> {
  /// The raw value.
  public var name: String { rawValue }
}

// MARK: - Objects

/// A type whose values are objects, with every member declared once.
///
/// ```swift
/// extension Scene: JSONObject {
///   static let properties: [Property<Self>] = [
///     Property("name", \.name),
///     Property("output", \.output, "where the sound goes; null: it stays"),
///   ]
/// }
/// ```
public protocol JSONObject: JSONRepresentable {
  /// In the sequence in which they are written.
  static var properties: [Property<Self>] { get }
}

extension JSONObject {
  public static var schema: JSONSchema { .object(properties.map(\.member)) }
  public var json: JSON { .object(Self.properties.map { $0.value(of: self) }) }
}

/// An object that the schema defines by a name, because it occurs in several places.
public protocol NamedJSONObject: JSONObject {
  /// The name of the definition, and what the object is.
  static var schemaName: SchemaName { get }
  /// The definition, with every member.
  static var definition: JSONSchema.Definition { get }
}

extension NamedJSONObject {
  public static var definition: JSONSchema.Definition {
    .init(schemaName, .object(properties.map(\.member)))
  }

  public static var schema: JSONSchema { .defined(definition) }
}

/// Values by name, such as those of settings.
public struct JSONMap<Value: JSONRepresentable>: JSONRepresentable {
  private let members: [(String, Value)]

  public init(_ members: [(String, Value)]) { self.members = members }

  public static var schema: JSONSchema { .map(Value.schema) }
  public var json: JSON { .object(members.map { .init($0, $1.json) }) }
}

/// A member of an object: its name, what it means, what it may be, and how it is read.
public struct Property<Root>: Sendable {
  /// The declaration, as the schema has it.
  public let member: JSONSchema.Member
  private let json: @Sendable (Root) -> JSON

  private init(
    _ name: String, _ schema: JSONSchema, _ meaning: String,
    _ json: @escaping @Sendable (Root) -> JSON
  ) {
    member = .init(name, schema, meaning)
    self.json = json
  }

  /// - Parameter meaning: with the unit, and what null stands for; empty: the name says it.
  public init<Value: JSONRepresentable>(
    _ name: String, _ value: @escaping @Sendable (Root) -> Value, _ meaning: String = ""
  ) {
    self.init(name, Value.schema, meaning) { value($0).json }
  }

  /// A number between limits.
  public init<Value: JSONNumber>(
    _ name: String, _ value: @escaping @Sendable (Root) -> Value, in limits: JSONSchema.Limits,
    _ meaning: String = ""
  ) {
    self.init(name, Value.schema(in: limits), meaning) { value($0).json }
  }

  /// A string of a fixed form.
  ///
  /// - Parameter pattern: a regular expression.
  public init<Value: JSONText>(
    _ name: String, _ value: @escaping @Sendable (Root) -> Value, matching pattern: String,
    _ meaning: String = ""
  ) {
    self.init(name, Value.schema(.string(pattern: pattern)), meaning) { value($0).json }
  }

  /// A string out of several.
  public init<Value: JSONText>(
    _ name: String, _ value: @escaping @Sendable (Root) -> Value, among words: [String],
    _ meaning: String = ""
  ) {
    self.init(name, Value.schema(.words(words)), meaning) { value($0).json }
  }

  /// An object with some of the members.
  public init(_ name: String, _ meaning: String = "", group: [Property]) {
    self.init(name, .object(group.map(\.member)), meaning) { root in
      .object(group.map { $0.value(of: root) })
    }
  }

  /// An object with the members of a part of the value, or null where that is nil.
  public init<Part>(
    _ name: String, _ part: @escaping @Sendable (Root) -> Part?, _ meaning: String = "",
    group: [Property<Part>]
  ) {
    self.init(name, .optional(.object(group.map(\.member))), meaning) { root in
      JSON(part(root)) { part in .object(group.map { $0.value(of: part) }) }
    }
  }

  /// A value that is always the same.
  public init(_ name: String, always value: JSON) {
    self.init(name, .constant(value), "") { _ in value }
  }

  /// The member with its value.
  public func value(of root: Root) -> JSON.Member { .init(member.name, json(root)) }
}
