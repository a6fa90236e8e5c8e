/// A value of D-Bus's type system (D-Bus Specification, "Type System").
///
/// Values from other processes are hostile: a message is read up to `depthLimit` levels and
/// `countLimit` values. The properties below look into variants and are nil for any other type:
///
/// ```swift
/// let options = DBusValue.options(["Transport": .string("le"), "RSSI": .int16(-80)])
/// print(options.signature)                          // a{sv}
/// print(options.table?["RSSI"]?.integer as Any)     // Optional(-80)
/// print(options.table?["Transport"]?.integer as Any)  // nil
/// ```
package indirect enum DBusValue: Hashable, Sendable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  /// Signature `s`: UTF-8 without zero bytes.
  case string(String)
  /// Signature `o`, such as "/org/bluez/hci0".
  case objectPath(String)
  case signature(String)
  /// Signature `h`: a file descriptor, whose number is not read and which cannot be sent.
  case descriptor
  /// Signature `ay`: an array of bytes.
  case bytes([UInt8])
  /// An array of anything but bytes; `of` is the signature of an element.
  case array(of: String, [DBusValue])
  /// An array of dictionary entries, with their signatures; of equal keys, the last entry counts.
  case dictionary(key: String, value: String, [DBusValue: DBusValue])
  /// A structure of one or more members, "(…)".
  case structure([DBusValue])
  /// Signature `v`: a value that carries its type.
  case variant(DBusValue)

  /// The deepest nesting that is read; D-Bus allows 64.
  static let depthLimit = 16
  /// The greatest number of values read from a message, about ten times a desktop's bluetoothd.
  static let countLimit = 100_000

  /// The signature of a single complete type, such as "a{sv}".
  package var signature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .bytes: "ay"
    case .array(let element, _): "a\(element)"
    case .dictionary(let key, let value, _): "a{\(key)\(value)}"
    case .structure(let members): "(\(members.map(\.signature).joined()))"
    case .variant: "v"
    }
  }
}

// MARK: - Reading

extension DBusValue {
  /// The content of a variant, however nested, or else the value itself.
  package var content: DBusValue {
    guard case .variant(let content) = self else { return self }
    return content.content
  }

  package var boolean: Bool? {
    guard case .boolean(let value) = content else { return nil }
    return value
  }

  /// The value of any integer type, or nil for other types and numbers beyond `Int`.
  package var integer: Int? {
    switch content {
    case .byte(let value): Int(value)
    case .int16(let value): Int(value)
    case .uint16(let value): Int(value)
    case .int32(let value): Int(value)
    case .uint32(let value): Int(value)
    case .int64(let value): Int(exactly: value)
    case .uint64(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The text of a string or an object path, or nil for any other type.
  package var string: String? {
    switch content {
    case .string(let text), .objectPath(let text): text
    default: nil
    }
  }

  package var path: String? {
    guard case .objectPath(let path) = content else { return nil }
    return path
  }

  package var bytes: [UInt8]? {
    guard case .bytes(let bytes) = content else { return nil }
    return bytes
  }

  /// The elements of an array but one of bytes, or nil for any other type.
  package var elements: [DBusValue]? {
    guard case .array(_, let elements) = content else { return nil }
    return elements
  }

  /// The texts of an array of strings or object paths, or nil if an element is anything else.
  package var strings: [String]? {
    guard let elements else { return nil }
    let strings = elements.compactMap(\.string)
    return strings.count == elements.count ? strings : nil
  }

  package var dictionary: [DBusValue: DBusValue]? {
    guard case .dictionary(_, _, let entries) = content else { return nil }
    return entries
  }

  /// The entries of a dictionary with texts as keys, variants unwrapped, or nil for other types.
  package var table: [String: DBusValue]? {
    guard let dictionary else { return nil }
    var table: [String: DBusValue] = [:]
    for (key, value) in dictionary {
      guard let key = key.string else { return nil }
      table[key] = value.content
    }
    return table
  }
}

// MARK: - Writing

extension DBusValue {
  package static func strings(_ strings: [String]) -> DBusValue {
    .array(of: "s", strings.map(DBusValue.string))
  }

  /// Returns a dictionary of properties or options, "a{sv}".
  package static func options(_ options: [String: DBusValue]) -> DBusValue {
    .dictionary(
      key: "s", value: "v",
      options.reduce(into: [:]) { $0[.string($1.key)] = .variant($1.value) })
  }
}
