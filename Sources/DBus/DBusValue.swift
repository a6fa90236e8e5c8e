/// A value of D-Bus's type system (D-Bus Specification, "Type System"), independent of the message
/// that carried it.
///
/// Values from other processes are hostile: a message is read to at most `depthLimit` levels and
/// `countLimit` values, and each consumer asks for the type that it expects by the properties
/// below, which are nil for any other.
public indirect enum DBusValue: Hashable, Sendable {
  /// Signature `y`.
  case byte(UInt8)
  /// Signature `b`.
  case boolean(Bool)
  /// Signature `n`.
  case int16(Int16)
  /// Signature `q`.
  case uint16(UInt16)
  /// Signature `i`.
  case int32(Int32)
  /// Signature `u`.
  case uint32(UInt32)
  /// Signature `x`.
  case int64(Int64)
  /// Signature `t`.
  case uint64(UInt64)
  /// Signature `d`.
  case double(Double)
  /// Signature `s`: UTF-8.
  case string(String)
  /// Signature `o`.
  case objectPath(String)
  /// Signature `g`.
  case signature(String)
  /// A file descriptor, which is not taken over.
  case descriptor
  /// An array of bytes.
  case bytes([UInt8])
  /// An array of anything but bytes; the signature is that of an element.
  case array(of: String, [DBusValue])
  /// An array of dictionary entries; of a key that comes twice the last entry counts.
  case dictionary(key: String, value: String, [DBusValue: DBusValue])
  case structure([DBusValue])
  case variant(DBusValue)

  /// The nesting that is read; D-Bus itself allows 64.
  static let depthLimit = 16
  /// The values of one message that are read: about ten times what a desktop's bluetoothd has.
  static let countLimit = 100_000

  /// The signature, for example "a{sv}".
  public var signature: String {
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
  /// The content of a variant, else the value itself.
  public var content: DBusValue {
    guard case .variant(let content) = self else { return self }
    return content.content
  }

  /// A Boolean.
  public var boolean: Bool? {
    guard case .boolean(let value) = content else { return nil }
    return value
  }

  /// Any integer, if it fits.
  public var integer: Int? {
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

  /// A string or an object path.
  public var string: String? {
    switch content {
    case .string(let text), .objectPath(let text): text
    default: nil
    }
  }

  /// An object path.
  public var path: String? {
    guard case .objectPath(let path) = content else { return nil }
    return path
  }

  /// An array of bytes.
  public var bytes: [UInt8]? {
    guard case .bytes(let bytes) = content else { return nil }
    return bytes
  }

  /// The elements of an array.
  public var elements: [DBusValue]? {
    guard case .array(_, let elements) = content else { return nil }
    return elements
  }

  /// An array of which all elements are strings or object paths.
  public var strings: [String]? {
    guard let elements else { return nil }
    let strings = elements.compactMap(\.string)
    return strings.count == elements.count ? strings : nil
  }

  /// The entries of a dictionary.
  public var dictionary: [DBusValue: DBusValue]? {
    guard case .dictionary(_, _, let entries) = content else { return nil }
    return entries
  }

  /// A dictionary whose keys are strings or object paths, its variants unwrapped.
  public var table: [String: DBusValue]? {
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
  /// An array of strings.
  public static func strings(_ strings: [String]) -> DBusValue {
    .array(of: "s", strings.map(DBusValue.string))
  }

  /// A dictionary of properties or options, "a{sv}".
  public static func options(_ options: [String: DBusValue]) -> DBusValue {
    .dictionary(
      key: "s", value: "v",
      options.reduce(into: [:]) { $0[.string($1.key)] = .variant($1.value) })
  }
}
