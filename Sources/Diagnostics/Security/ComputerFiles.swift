internal import Companion
internal import Glibc

struct KernelName: Hashable, Sendable {
  /// `uname -r`, such as "6.1.0-56-amd64".
  var release: String
  /// `uname -v`, such as "#1 SMP PREEMPT_DYNAMIC Debian 6.1.176-1 (2026-10-04)".
  var build: String
  /// /proc/version_signature of Ubuntu, such as "Ubuntu 6.8.0-45.45-generic 6.8.12", or nil.
  var signature: String?

  static var ofThisMachine: KernelName {
    var name = utsname()
    _ = uname(&name)
    return KernelName(
      release: withUnsafeBytes(of: name.release, words),
      build: withUnsafeBytes(of: name.version, words),
      signature: text(at: "/proc/version_signature"))
  }

  private static func words(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The release of Linux that the kernel was built from, or nil if it has no number.
  ///
  /// Debian and Ubuntu keep one release name for many releases, and report the actual one
  /// elsewhere.
  var version: VersionNumber? {
    let texts = [
      build.firstMatch(of: /Debian ([0-9]+(?:\.[0-9]+)+)/)?.output.1,
      signature?.split { $0 == " " || $0 == "\n" }.last,
      release.prefixMatch(of: /[0-9]+(?:\.[0-9]+)+/)?.output,
    ]
    return texts.lazy.compactMap { $0.flatMap { VersionNumber(String($0)) } }.first
  }
}

/// The policy of D-Bus for bluetoothd.
struct BusPolicy: Hashable, Sendable {
  /// Whether every user may send messages to bluetoothd.
  var allowsEveryone: Bool

  /// The policy of the file that D-Bus reads last, or nil if there is none.
  static var ofBluetoothd: BusPolicy? {
    ["/etc/dbus-1/system.d", "/usr/share/dbus-1/system.d"].lazy
      .compactMap { text(at: "\($0)/bluetooth.conf") }.first.map(BusPolicy.init)
  }

  /// Reads a file of policies (dbus-daemon(1)): the last rule of context "default" decides.
  init(_ text: String) {
    let rules = text.replacing(/<!--(?s:.*?)-->/, with: "")
    allowsEveryone = false
    let sections = rules.matches(
      of: /<policy\s+context\s*=\s*["']default["']\s*>(?s:(.*?))<\/policy>/)
    for section in sections {
      let own = section.output.1.matches(
        of: /<(allow|deny)\s+send_destination\s*=\s*["']org\.bluez["']\s*\/>/)
      if let last = own.last { allowsEveryone = last.output.1 == "allow" }
    }
  }
}

/// The users that have raw Bluetooth sockets open, from /proc/net/hci.
struct SocketOwners: Hashable, Sendable {
  var users: Set<UInt32>

  /// Parses the kernel's list (net/bluetooth/af_bluetooth.c), whose fifth column is the user.
  init(list: String) {
    users = Set(
      list.split(separator: "\n").dropFirst().compactMap { line in
        let columns = line.split(separator: " ")
        return columns.count > 4 ? UInt32(columns[4]) : nil
      })
  }
}
