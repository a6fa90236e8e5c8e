internal import Glibc

/// Where a bus listens, as D-Bus writes it: "unix:path=/run/user/1000/bus".
struct BusAddress: Hashable, Sendable {
  let text: String

  /// Nil for what is no plain socket: other kinds start programs, or go over the network.
  init?(_ text: String) {
    let kinds = ["unix:path=", "unix:abstract=", "unix:runtime=yes"]
    let parts = text.split(separator: ";")
    guard !parts.isEmpty,
      parts.allSatisfy({ part in kinds.contains { part.hasPrefix($0) } })
    else { return nil }
    self.text = text
  }

  /// This user's session bus.
  ///
  /// Asked of the environment here, because libsystemd asks it nothing in a program that has
  /// capabilities of its own file (docs/permissions.md).
  init?(environment: (String) -> String?) {
    if let address = environment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
      self.init(address)
    } else if let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") {
      self.init("unix:path=\(Self.escaped(folder))/bus")
    } else {
      return nil
    }
  }

  /// As the D-Bus specification wants bytes in an address that are none of `-0-9A-Za-z_/.\`.
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
