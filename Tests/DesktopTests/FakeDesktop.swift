import CSystemd
import EventLoop
import Glibc
import TestSupport

/// A media player and a notification server on a bus, written without Earshot's own messages.
actor FakeDesktop {
  /// "Playing" or "Paused".
  private(set) var status: String
  /// The commands that arrived, such as "Pause", "Play" or "Notify: summary / body".
  private(set) var commands: [String] = []

  /// The name of each call that arrives.
  nonisolated let calls: AsyncStream<String>
  private let called: AsyncStream<String>.Continuation

  private let loop = PollLoop(name: "fake-desktop")
  private nonisolated(unsafe) let bus: OpaquePointer  // Only this actor calls into it.
  private let obeys: Bool
  private let replies: Bool
  /// The values of `CanPause` and `CanControl`; missing ones result in an error.
  private let abilities: [String: Bool]
  /// The title of the track; the artists are a number, which is invalid.
  private let title: String?
  private var names: [String] = []
  private var pump: Task<Void, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - names: what it owns on the bus.
  ///   - obeys: whether it refuses orders.
  ///   - replies: whether it answers at all.
  ///   - abilities: what it says of `CanPause` and `CanControl`; one that is left out is an error.
  init(
    at address: String, owning names: [String], status: String = "Playing", obeys: Bool = true,
    replies: Bool = true, abilities: [String: Bool] = [:], title: String? = nil
  ) async throws {
    var bus: OpaquePointer?
    guard sd_bus_new(&bus) >= 0, let bus, sd_bus_set_address(bus, address) >= 0,
      sd_bus_set_bus_client(bus, 1) >= 0, sd_bus_start(bus) >= 0
    else { throw RigFailure("no connection to \(address)") }
    (calls, called) = AsyncStream.makeStream()
    self.bus = bus
    self.status = status
    self.obeys = obeys
    self.replies = replies
    self.abilities = abilities
    self.title = title
    try serve(names)
  }

  deinit { sd_bus_close_unref(bus) }

  func end() {
    pump?.cancel()
    // The daemon answers: a successor can have them, though it has not seen the close yet.
    for name in names { sd_bus_release_name(bus, name) }
    loop.endWaits(for: sd_bus_get_fd(bus))
    sd_bus_close(bus)
  }

  func set(status: String) { self.status = status }

  private func serve(_ names: [String]) throws {
    let me = Unmanaged.passUnretained(self).toOpaque()
    for path in ["/org/mpris/MediaPlayer2", "/org/freedesktop/Notifications"] {
      guard sd_bus_add_object(bus, nil, path, handle, me) >= 0 else {
        throw RigFailure("no object at \(path)")
      }
    }
    for name in names {
      guard sd_bus_request_name(bus, name, 0) >= 0 else { throw RigFailure("no name \(name)") }
    }
    self.names = names
    pump = Task { await self.run() }
  }

  private func run() async {
    while !Task.isCancelled {
      let result = sd_bus_process(bus, nil)
      if result < 0 { return }
      if result > 0 { continue }
      guard (try? await loop.readable(sd_bus_get_fd(bus))) != nil else { return }
    }
  }

  fileprivate func receive(_ message: OpaquePointer) {
    let member = String(cString: sd_bus_message_get_member(message))
    called.yield(member)
    guard replies else { return }
    var reply: OpaquePointer?
    defer { sd_bus_message_unref(reply) }
    switch member {
    case "Get":
      _ = readString(message)
      reply = value(of: readString(message), for: message)
    case "Notify":
      var texts: [String] = []
      for type in "susss".utf8 {
        if type == UInt8(ascii: "s") { texts.append(readString(message)) } else { skip(message) }
      }
      commands.append("Notify: \(texts[2]) / \(texts[3])")
      sd_bus_message_new_method_return(message, &reply)
      var id: UInt32 = 7
      sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "u")), &id)
    default:
      commands.append(member)
      guard obeys else {
        var error = sd_bus_error()
        sd_bus_error_set(&error, "org.example.Refused", "not now")
        sd_bus_message_new_method_error(message, &reply, &error)
        sd_bus_error_free(&error)
        break
      }
      if member == "Pause" { status = "Paused" }
      if member == "Play" { status = "Playing" }
      sd_bus_message_new_method_return(message, &reply)
    }
    sd_bus_send(bus, reply, nil)
  }

  private func value(of property: String, for message: OpaquePointer) -> OpaquePointer? {
    var reply: OpaquePointer?
    let variant = CChar(UInt8(ascii: "v"))
    if property == "PlaybackStatus" {
      sd_bus_message_new_method_return(message, &reply)
      sd_bus_message_open_container(reply, variant, "s")
      _ = status.withCString { sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "s")), $0) }
      sd_bus_message_close_container(reply)
    } else if property == "Metadata", let title {
      sd_bus_message_new_method_return(message, &reply)
      sd_bus_message_open_container(reply, variant, "a{sv}")
      sd_bus_message_open_container(reply, CChar(UInt8(ascii: "a")), "{sv}")
      append("xesam:title", "s", to: reply) { reply in
        _ = title.withCString {
          sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "s")), $0)
        }
      }
      append("xesam:artist", "u", to: reply) { reply in
        var number: UInt32 = 7
        sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "u")), &number)
      }
      sd_bus_message_close_container(reply)
      sd_bus_message_close_container(reply)
    } else if let ability = abilities[property] {
      var flag: Int32 = ability ? 1 : 0
      sd_bus_message_new_method_return(message, &reply)
      sd_bus_message_open_container(reply, variant, "b")
      sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "b")), &flag)
      sd_bus_message_close_container(reply)
    } else {
      var error = sd_bus_error()
      sd_bus_error_set(&error, "org.freedesktop.DBus.Error.UnknownProperty", "no \(property)")
      sd_bus_message_new_method_error(message, &reply, &error)
      sd_bus_error_free(&error)
    }
    return reply
  }

  /// Appends an entry to a dictionary of variants.
  private func append(
    _ key: String, _ type: String, to reply: OpaquePointer?, _ value: (OpaquePointer?) -> Void
  ) {
    sd_bus_message_open_container(reply, CChar(UInt8(ascii: "e")), "sv")
    _ = key.withCString { sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "s")), $0) }
    sd_bus_message_open_container(reply, CChar(UInt8(ascii: "v")), type)
    value(reply)
    sd_bus_message_close_container(reply)
    sd_bus_message_close_container(reply)
  }

  private func readString(_ message: OpaquePointer) -> String {
    var text: UnsafePointer<CChar>?
    _ = withUnsafeMutablePointer(to: &text) {
      sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), $0)
    }
    return text.map { String(cString: $0) } ?? ""
  }

  private func skip(_ message: OpaquePointer) { sd_bus_message_skip(message, "u") }
}

private func handle(
  _ message: OpaquePointer?, _ desktop: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let desktop else { return 0 }
  let me = Unmanaged<FakeDesktop>.fromOpaque(desktop).takeUnretainedValue()
  // sd-bus calls from within `sd_bus_process`, which the actor alone calls.
  nonisolated(unsafe) let call = message
  me.assumeIsolated { me in
    if let call { me.receive(call) }
  }
  return 1
}
