/// A JSON value whose objects keep the order of their keys (RFC 8259).
///
/// Literals make values, subscripts and the optional properties take them apart:
///
/// ```swift
/// let json: JSON = ["schema": 1, "name": .string(name), "rssi": JSON(rssi)]
/// print(json)  // {"schema":1,"name":"Aurora","rssi":null}
///
/// let parsed = try JSON(parsing: text.utf8)
/// for element in parsed["devices"]?.elements ?? [] {
///   print(element["name"]?.text ?? "unnamed")
/// }
/// ```
///
/// Unlike `JSONSerialization` it needs no Foundation, and its output is stable enough for golden
/// tests.
public enum JSON: Hashable, Sendable {
  /// An unknown or absent value.
  case null
  /// True or false.
  case bool(Bool)
  /// A number without a fraction and exponent that fits into 64 bits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A string with its escapes resolved.
  case string(String)
  /// Elements in their order.
  case array([JSON])
  /// Members in their order; of equal keys the last one counts.
  case object([Member])

  /// A member of an object: a key and its value.
  public struct Member: Hashable, Sendable {
    /// The key with its escapes resolved.
    public var key: String
    /// The value of the key.
    public var value: JSON

    public init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// The value of a key; `nil` if there is none, or if this is not an object.
  ///
  /// - Parameter key: with its escapes resolved.
  /// - Complexity: O(*n*) in the number of members.
  public subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  /// The string; `nil` for any other value.
  public var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The integer; `nil` for any other value, also for a number with a fraction.
  public var wholeNumber: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  /// The elements of the array; `nil` for any other value.
  public var elements: [JSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The JSON form of an optional value.
  ///
  /// - Parameters:
  ///   - value: `nil` becomes null.
  ///   - json: converts a value.
  public init<Value>(_ value: Value?, _ json: (Value) -> JSON) {
    self = value.map(json) ?? .null
  }

  /// A string; null for `nil`.
  public init(_ text: String?) { self = text.map(JSON.string) ?? .null }
  /// A Boolean; null for `nil`.
  public init(_ flag: Bool?) { self = flag.map(JSON.bool) ?? .null }
  /// An integer; null for `nil`, and truncated to its lowest 64 bits.
  public init(_ number: (some BinaryInteger)?) {
    self = number.map { .integer(Int64(truncatingIfNeeded: $0)) } ?? .null
  }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral
{
  /// An object with its keys in the order of the literal.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0, $1) })
  }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(nilLiteral: ()) { self = .null }
}
