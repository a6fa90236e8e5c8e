/// A D-Bus server address, such as "unix:path=/run/user/1000/bus".
///
/// Only local sockets are accepted (D-Bus Specification, "Server Addresses").
package struct DBusAddress: Hashable, Sendable {
  let text: String

  /// The well-known address of the system bus, unless the environment has another one.
  private static let systemSocket = "unix:path=/run/dbus/system_bus_socket"

  /// Parses one or more alternatives, or returns nil unless each is a local socket.
  ///
  /// Other transports start programs ("unixexec:", "autolaunch:"), with the capabilities of this
  /// process, or use the network.
  package init?(_ text: String) {
    let transports = ["unix:path=", "unix:abstract=", "unix:runtime=yes"]
    let parts = text.split(separator: ";")
    guard !parts.isEmpty,
      parts.allSatisfy({ part in transports.contains { part.hasPrefix($0) } })
    else { return nil }
    self.text = text
  }

  /// The path of the socket, or nil if there is none or one of several.
  package var socketPath: String? {
    let prefix = "unix:path="
    guard text.hasPrefix(prefix), !text.contains(where: { ";%".contains($0) }) else { return nil }
    return String(text.dropFirst(prefix.count).prefix { $0 != "," })
  }

  /// Returns the address of this user's session bus, or nil without a session or a local address.
  ///
  /// The address is `DBUS_SESSION_BUS_ADDRESS`, or else `$XDG_RUNTIME_DIR/bus`. It is read here
  /// because libsystemd ignores the environment of a program with file capabilities
  /// (docs/permissions.md).
  package static func session(environment: (String) -> String?) -> DBusAddress? {
    if let address = environment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
      return DBusAddress(address)
    }
    guard let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
    return DBusAddress("unix:path=\(escaped(folder))/bus")
  }

  /// Returns `DBUS_SYSTEM_BUS_ADDRESS` or the well-known socket, or nil if the former is not local.
  package static func system(environment: (String) -> String?) -> DBusAddress? {
    if let address = environment("DBUS_SYSTEM_BUS_ADDRESS"), !address.isEmpty {
      return DBusAddress(address)
    }
    return DBusAddress(systemSocket)
  }

  /// Escapes every byte of a path but `-0-9A-Za-z_/.` as "%" and two hexadecimal digits.
  private static func escaped(_ path: String) -> String {
    path.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain = byte < 0x80 && (character.isLetter || character.isNumber)
      guard !isPlain, !"-_/.".contains(character) else { return String(character) }
      let digits = String(byte, radix: 16)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
  }
}
