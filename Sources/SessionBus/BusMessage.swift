internal import CSystemd
internal import Glibc

/// A call before it is sent, or its answer; of one connection.
final class BusMessage {
  let pointer: OpaquePointer

  /// Takes a reference of its own.
  init(keeping pointer: OpaquePointer) { self.pointer = sd_bus_message_ref(pointer) }

  private init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  deinit { sd_bus_message_unref(pointer) }

  static func call(
    _ member: String, of interface: String, at path: String, to destination: String,
    on bus: OpaquePointer
  ) throws(BusError) -> BusMessage {
    var message: OpaquePointer?
    let result = sd_bus_message_new_method_call(
      bus, &message, destination, path, interface, member)
    guard result >= 0, let message else {
      throw .system(errno: -result, during: "call \(member)")
    }
    return BusMessage(adopting: message)
  }

  // MARK: Writing

  /// What D-Bus does not take as text (a zero byte) ends the text.
  func append(_ text: String) throws(BusError) {
    try check(text.withCString { sd_bus_message_append_basic(pointer, Code.string, $0) })
  }

  func append(_ number: UInt32) throws(BusError) {
    try check(
      withUnsafePointer(to: number) { sd_bus_message_append_basic(pointer, Code.uint32, $0) })
  }

  func append(_ number: Int32) throws(BusError) {
    try check(
      withUnsafePointer(to: number) { sd_bus_message_append_basic(pointer, Code.int32, $0) })
  }

  func appendEmptyArray(of contents: String) throws(BusError) {
    try check(sd_bus_message_open_container(pointer, Code.array, contents))
    try check(sd_bus_message_close_container(pointer))
  }

  // MARK: Reading

  /// The error that an answer is; nil: it is none.
  var error: BusError? {
    guard sd_bus_message_is_method_error(pointer, nil) > 0,
      let error = sd_bus_message_get_error(pointer)?.pointee
    else { return nil }
    return .refused(name: text(error.name), displayText: text(error.message))
  }

  /// The connection that sent it, for example ":1.42".
  var sender: String { text(sd_bus_message_get_sender(pointer)) }

  func readString() throws(BusError) -> String {
    var string: UnsafePointer<CChar>?
    try check(
      withUnsafeMutablePointer(to: &string) {
        sd_bus_message_read_basic(pointer, Code.string, $0)
      }, isRead: true)
    return text(string)
  }

  func readStrings() throws(BusError) -> [String] {
    try check(sd_bus_message_enter_container(pointer, Code.array, "s"), isRead: true)
    var strings: [String] = []
    while sd_bus_message_at_end(pointer, 0) == 0 { strings.append(try readString()) }
    return strings
  }

  func readStringVariant() throws(BusError) -> String {
    try check(sd_bus_message_enter_container(pointer, Code.variant, "s"), isRead: true)
    return try readString()
  }

  func readBoolVariant() throws(BusError) -> Bool {
    try check(sd_bus_message_enter_container(pointer, Code.variant, "b"), isRead: true)
    var flag: Int32 = 0
    try check(
      withUnsafeMutablePointer(to: &flag) {
        sd_bus_message_read_basic(pointer, Code.boolean, $0)
      }, isRead: true)
    return flag != 0
  }

  private func check(_ result: Int32, isRead: Bool = false) throws(BusError) {
    guard result >= 0 else {
      throw .system(errno: -result, during: isRead ? "read an answer" : "write a call")
    }
    // At the end of a message, reading gives nothing.
    guard result > 0 || !isRead else {
      throw .system(errno: EBADMSG, during: "read an answer")
    }
  }

  private enum Code {
    static let string = CChar(UInt8(ascii: "s"))
    static let boolean = CChar(UInt8(ascii: "b"))
    static let uint32 = CChar(UInt8(ascii: "u"))
    static let int32 = CChar(UInt8(ascii: "i"))
    static let array = CChar(UInt8(ascii: "a"))
    static let variant = CChar(UInt8(ascii: "v"))
  }
}

private func text(_ string: UnsafePointer<CChar>?) -> String {
  string.map { String(cString: $0) } ?? ""
}
