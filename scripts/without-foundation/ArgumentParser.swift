// What ArgumentParser needs of Foundation, without it: an error's words, and the JSON of `--experimental-dump-help`.
//
// scripts/build compiles this in place of ArgumentParser's Utilities/Foundation.swift, which saves 4 MB of the program.

extension Error {
  func describe() -> String { String(describing: self) }
}

enum JSONEncoder {
  static func encode<T: Encodable>(_ value: T) -> String {
    let node = JSONNode()
    do {
      try node.fill(with: value)
    } catch {
      return ""
    }
    return node.text
  }
}

/// A value that is being encoded.
private final class JSONNode {
  private enum Content {
    /// As it is written.
    case scalar(String)
    case array([JSONNode])
    case object([(key: String, value: JSONNode)])
  }

  private var content = Content.scalar("null")

  func fill(with value: some Encodable) throws {
    switch value {
    case let text as String: content = .scalar(Self.quoted(text))
    case let flag as Bool: content = .scalar("\(flag)")
    case let number as any BinaryInteger: content = .scalar("\(number)")
    default: try value.encode(to: NodeEncoder(node: self))
    }
  }

  func makeArray() { content = .array([]) }
  func makeObject() { content = .object([]) }

  var count: Int { if case .array(let items) = content { items.count } else { 0 } }

  func append() -> JSONNode {
    let item = JSONNode()
    if case .array(let items) = content { content = .array(items + [item]) }
    return item
  }

  func member(_ key: String) -> JSONNode {
    let value = JSONNode()
    if case .object(let members) = content { content = .object(members + [(key, value)]) }
    return value
  }

  var text: String {
    switch content {
    case .scalar(let text): text
    case .array(let items): "[\(items.map(\.text).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\(Self.quoted($0.key)):\($0.value.text)" }.joined(separator: ","))}"
    }
  }

  private static func quoted(_ text: String) -> String {
    let inner = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case ..<" ": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(Character(scalar))
      }
    }
    return "\"\(inner.joined())\""
  }
}

private struct NodeEncoder: Encoder, SingleValueEncodingContainer {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.makeObject()
    return KeyedEncodingContainer(ObjectContainer(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.makeArray()
    return ArrayContainer(node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws {}
  func encode<T: Encodable>(_ value: T) throws { try node.fill(with: value) }
}

private struct ObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { _ = node.member(key.stringValue) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try node.member(key.stringValue).fill(with: value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    NodeEncoder(node: node.member(key.stringValue)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    NodeEncoder(node: node.member(key.stringValue)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { NodeEncoder(node: node.member("super")) }

  func superEncoder(forKey key: Key) -> any Encoder {
    NodeEncoder(node: node.member(key.stringValue))
  }
}

private struct ArrayContainer: UnkeyedEncodingContainer {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }
  var count: Int { node.count }

  func encodeNil() throws { _ = node.append() }
  func encode<T: Encodable>(_ value: T) throws { try node.append().fill(with: value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    NodeEncoder(node: node.append()).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    NodeEncoder(node: node.append()).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { NodeEncoder(node: node.append()) }
}
