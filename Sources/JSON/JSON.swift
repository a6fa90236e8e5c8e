/// A JSON value whose objects keep the order of their keys (RFC 8259).
///
/// Unlike `JSONSerialization`, it needs no Foundation, and its output is stable enough for golden
/// tests.
package enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent that fits into 64 bits.
  case integer(Int64)
  case number(Double)
  /// A string with its escapes resolved.
  case string(String)
  case array([JSON])
  /// The members in order; of equal keys, the last counts.
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSON

    package init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// Returns the value for a key in O(*n*), or nil if there is none or this is not an object.
  package subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  package var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The integer, or nil for any other value, such as a number with a fraction.
  package var wholeNumber: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  package var elements: [JSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// Converts a value, or creates null from nil.
  package init<Value>(_ value: Value?, _ json: (Value) -> JSON) {
    self = value.map(json) ?? .null
  }

  package init(_ text: String?) { self = text.map(JSON.string) ?? .null }
  package init(_ flag: Bool?) { self = flag.map(JSON.bool) ?? .null }
  /// Creates an integer, truncated to its lowest 64 bits, or null from nil.
  package init(_ number: (some BinaryInteger)?) {
    self = number.map { .integer(Int64(truncatingIfNeeded: $0)) } ?? .null
  }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral
{
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0, $1) })
  }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(nilLiteral: ()) { self = .null }
}
