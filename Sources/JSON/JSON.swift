/// A JSON value whose objects keep the order of their keys.
///
/// ```swift
/// let json: JSON = ["schema": 1, "name": .string(name), "rssi": JSON(rssi)]
/// print(json)  // {"schema":1,"name":"Aurora","rssi":null}
/// ```
public enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number without a fraction and exponent that fits into 64 bits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// Unescaped.
  case string(String)
  case array([JSON])
  /// Members in their order; of equal keys the last counts.
  case object([Member])

  /// A key and its value.
  public struct Member: Hashable, Sendable {
    /// Unescaped.
    public var key: String
    public var value: JSON

    public init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// The value of a key; nil if there is none, or if this is no object.
  public subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  /// The string; nil for other values.
  public var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The whole number; nil for other values.
  public var wholeNumber: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  /// The elements of the array; nil for other values.
  public var elements: [JSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The JSON form of a value, or null for nil.
  public init<Value>(_ value: Value?, _ json: (Value) -> JSON) {
    self = value.map(json) ?? .null
  }

  /// Null for nil.
  public init(_ text: String?) { self = text.map(JSON.string) ?? .null }
  /// Null for nil.
  public init(_ flag: Bool?) { self = flag.map(JSON.bool) ?? .null }
  /// Null for nil; a number of more than 64 bits is truncated.
  public init(_ number: (some BinaryInteger)?) {
    self = number.map { .integer(Int64(truncatingIfNeeded: $0)) } ?? .null
  }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral
{
  /// With the keys in the order of the literal.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0, $1) })
  }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(nilLiteral: ()) { self = .null }
}
