/// A D-Bus server address, for example "unix:path=/run/user/1000/bus" (D-Bus Specification, "Server
/// Addresses").
public struct DBusAddress: Hashable, Sendable {
  let text: String

  /// The system bus where no environment variable names another one.
  private static let systemSocket = "unix:path=/run/dbus/system_bus_socket"

  /// Reads an address; nil unless every alternative is a local socket.
  ///
  /// Other transports start programs ("unixexec:", "autolaunch:"), with the capabilities that this
  /// one may have, or go over the network.
  public init?(_ text: String) {
    let transports = ["unix:path=", "unix:abstract=", "unix:runtime=yes"]
    let parts = text.split(separator: ";")
    guard !parts.isEmpty,
      parts.allSatisfy({ part in transports.contains { part.hasPrefix($0) } })
    else { return nil }
    self.text = text
  }

  /// This user's session bus: `DBUS_SESSION_BUS_ADDRESS`, else `$XDG_RUNTIME_DIR/bus`.
  ///
  /// The environment is read here, because libsystemd ignores it in a program with file
  /// capabilities (docs/permissions.md).
  public static func session(environment: (String) -> String?) -> DBusAddress? {
    if let address = environment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
      return DBusAddress(address)
    }
    guard let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
    return DBusAddress("unix:path=\(escaped(folder))/bus")
  }

  /// The machine's system bus: `DBUS_SYSTEM_BUS_ADDRESS`, else the well-known socket.
  public static func system(environment: (String) -> String?) -> DBusAddress? {
    if let address = environment("DBUS_SYSTEM_BUS_ADDRESS"), !address.isEmpty {
      return DBusAddress(address)
    }
    return DBusAddress(systemSocket)
  }

  /// The path with every byte escaped that is none of `-0-9A-Za-z_/.`.
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
