internal import CSystemd
internal import Glibc

/// A libsystemd message, read and written as ``DBusValue``s.
///
/// It holds one reference and stays within its connection's isolation. Reading limits the depth and
/// number of values, because messages come from other processes.
struct DBusMessage: ~Copyable {
  let pointer: OpaquePointer

  /// Takes ownership of the creator's reference.
  init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  init(retaining pointer: OpaquePointer) { self.pointer = sd_bus_message_ref(pointer) }

  deinit { sd_bus_message_unref(pointer) }

  func field(_ read: (OpaquePointer) -> UnsafePointer<CChar>?) -> String {
    read(pointer).map { String(cString: $0) } ?? ""
  }

  /// The unique name of the sender, such as ":1.42", which the bus sets.
  var sender: String { field { sd_bus_message_get_sender($0) } }

  var error: DBusError? {
    guard sd_bus_message_is_method_error(pointer, nil) > 0,
      let error = sd_bus_message_get_error(pointer)?.pointee
    else { return nil }
    return .refused(
      name: error.name.map { String(cString: $0) } ?? "",
      message: error.message.map { String(cString: $0) } ?? "")
  }

  func arguments() throws(DBusError) -> [DBusValue] {
    try check(sd_bus_message_rewind(pointer, 1), "read a message")
    var budget = DBusValue.countLimit
    return try values(depth: 0, &budget)
  }

  private func values(depth: Int, _ budget: inout Int) throws(DBusError) -> [DBusValue] {
    var values: [DBusValue] = []
    while let value = try value(depth: depth, &budget) { values.append(value) }
    return values
  }

  private func value(depth: Int, _ budget: inout Int) throws(DBusError) -> DBusValue? {
    var code: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard try check(sd_bus_message_peek_type(pointer, &code, &contents), "read a message") > 0
    else { return nil }
    guard depth < DBusValue.depthLimit else { throw .malformed("nested too deeply") }
    budget -= 1
    guard budget >= 0 else { throw .malformed("more than \(DBusValue.countLimit) values") }
    let signature = contents.map { String(cString: $0) } ?? ""
    switch UnicodeScalar(UInt8(bitPattern: code)) {
    case "y": return .byte(try basic(code, UInt8(0)))
    case "b": return .boolean(try basic(code, Int32(0)) != 0)
    case "n": return .int16(try basic(code, Int16(0)))
    case "q": return .uint16(try basic(code, UInt16(0)))
    case "i": return .int32(try basic(code, Int32(0)))
    case "u": return .uint32(try basic(code, UInt32(0)))
    case "x": return .int64(try basic(code, Int64(0)))
    case "t": return .uint64(try basic(code, UInt64(0)))
    case "d": return .double(try basic(code, Double(0)))
    case "s": return .string(try text(code))
    case "o": return .objectPath(try text(code))
    case "g": return .signature(try text(code))
    case "h":
      _ = try basic(code, Int32(-1))
      return .descriptor
    case "a" where signature == "y": return .bytes(try bytes())
    case "a" where signature.hasPrefix("{"):
      return try dictionary(code, signature, depth: depth, &budget)
    case "a":
      return .array(
        of: signature, try contained(code, signature, depth: depth, &budget))
    case "v":
      guard let content = try contained(code, signature, depth: depth, &budget).first else {
        throw .malformed("an empty variant")
      }
      return .variant(content)
    case "r": return .structure(try contained(code, signature, depth: depth, &budget))
    default: throw .malformed("type \(signature)")
    }
  }

  private func basic<Value>(_ code: CChar, _ initial: Value) throws(DBusError) -> Value {
    var value = initial
    try check(
      withUnsafeMutablePointer(to: &value) { sd_bus_message_read_basic(pointer, code, $0) },
      "read a message")
    return value
  }

  private func text(_ code: CChar) throws(DBusError) -> String {
    let string = try basic(code, UnsafePointer<CChar>?.none)
    return string.map { String(cString: $0) } ?? ""
  }

  private func bytes() throws(DBusError) -> [UInt8] {
    var start: UnsafeRawPointer?
    var count = 0
    try check(
      sd_bus_message_read_array(pointer, Self.code("y"), &start, &count), "read a message")
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  private func contained(
    _ code: CChar, _ signature: String, depth: Int, _ budget: inout Int
  ) throws(DBusError) -> [DBusValue] {
    try check(sd_bus_message_enter_container(pointer, code, signature), "read a message")
    let values = try values(depth: depth + 1, &budget)
    try check(sd_bus_message_exit_container(pointer), "read a message")
    return values
  }

  private func dictionary(
    _ code: CChar, _ signature: String, depth: Int, _ budget: inout Int
  ) throws(DBusError) -> DBusValue {
    // In "{sv}", a key always has a basic type, of one character.
    let types = signature.dropFirst().dropLast()
    try check(sd_bus_message_enter_container(pointer, code, signature), "read a message")
    var entries: [DBusValue: DBusValue] = [:]
    while try check(
      sd_bus_message_enter_container(pointer, Self.code("e"), String(types)), "read a message") > 0
    {
      guard let key = try value(depth: depth + 1, &budget),
        let content = try value(depth: depth + 1, &budget)
      else { throw .malformed("an incomplete dictionary entry") }
      entries[key] = content
      try check(sd_bus_message_exit_container(pointer), "read a message")
    }
    try check(sd_bus_message_exit_container(pointer), "read a message")
    return .dictionary(
      key: String(types.prefix(1)), value: String(types.dropFirst()), entries)
  }

  // MARK: Writing

  /// Appends an argument; a text ends at its first zero byte, which D-Bus does not allow.
  ///
  /// - Throws: ``DBusError/malformed(_:)`` for descriptors and invalid object paths or signatures.
  func append(_ value: DBusValue) throws(DBusError) {
    let code = Self.code(value.signature)
    switch value {
    case .byte(let value): try append(code, value)
    case .boolean(let value): try append(code, Int32(value ? 1 : 0))
    case .int16(let value): try append(code, value)
    case .uint16(let value): try append(code, value)
    case .int32(let value): try append(code, value)
    case .uint32(let value): try append(code, value)
    case .int64(let value): try append(code, value)
    case .uint64(let value): try append(code, value)
    case .double(let value): try append(code, value)
    case .string(let text), .objectPath(let text), .signature(let text):
      try check(
        text.withCString { sd_bus_message_append_basic(pointer, code, $0) }, "write a message")
    case .descriptor: throw .malformed("a descriptor to be sent")
    case .bytes(let bytes):
      try check(
        bytes.withUnsafeBytes {
          sd_bus_message_append_array(pointer, Self.code("y"), $0.baseAddress, $0.count)
        }, "write a message")
    case .array(let element, let elements):
      try append(code, element, elements)
    case .dictionary(let key, let value, let entries):
      try check(
        sd_bus_message_open_container(pointer, code, "{\(key)\(value)}"), "write a message")
      for (entryKey, entryValue) in entries {
        try append(Self.code("e"), "\(key)\(value)", [entryKey, entryValue])
      }
      try check(sd_bus_message_close_container(pointer), "write a message")
    case .structure(let members):
      try append(Self.code("r"), members.map(\.signature).joined(), members)
    case .variant(let content): try append(code, content.signature, [content])
    }
  }

  private func append<Value>(_ code: CChar, _ value: Value) throws(DBusError) {
    try check(
      withUnsafePointer(to: value) { sd_bus_message_append_basic(pointer, code, $0) },
      "write a message")
  }

  private func append(
    _ code: CChar, _ signature: String, _ members: [DBusValue]
  ) throws(DBusError) {
    try check(sd_bus_message_open_container(pointer, code, signature), "write a message")
    for member in members { try append(member) }
    try check(sd_bus_message_close_container(pointer), "write a message")
  }

  @discardableResult
  private func check(_ result: Int32, _ operation: String) throws(DBusError) -> Int32 {
    guard result < 0 else { return result }
    guard -result != EBADMSG, -result != EINVAL, -result != ENXIO else {
      throw .malformed(operation)
    }
    throw .system(errno: -result, during: operation)
  }

  private static func code(_ signature: String) -> CChar {
    CChar(bitPattern: signature.utf8.first ?? 0)
  }
}
