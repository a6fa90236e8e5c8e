internal import CBluetooth
internal import Glibc

/// The capabilities of this process that concern Bluetooth, and what keeps it from gaining more.
///
/// ```swift
/// if let rights = ProcessRights(), !rights.effective.contains(.netRaw) {
///   print("sudo setcap cap_net_raw+ep", rights.program?.path ?? "earshot")
/// }
/// ```
package struct ProcessRights: Hashable, Sendable {
  /// A capability by its number (capabilities(7)).
  package enum Capability: UInt64, Hashable, Sendable, CaseIterable {
    /// Pairing, and changes of adapters.
    case netAdmin = 12
    /// Scanning, captures, and connection parameters.
    case netRaw = 13

    /// The name in capabilities(7).
    package var name: String { self == .netRaw ? "CAP_NET_RAW" : "CAP_NET_ADMIN" }
  }

  /// The capabilities in effect.
  package var effective: Set<Capability>
  /// The capabilities that can be gained at all; others are unavailable even to root.
  package var bounding: Set<Capability>
  /// Whether the process cannot gain privileges by executing a program (PR_SET_NO_NEW_PRIVS).
  package var hasNoNewPrivileges: Bool
  /// The executable, or nil if `/proc` does not reveal it.
  package var program: ProgramFile?

  package init(
    effective: Set<Capability>, bounding: Set<Capability>, hasNoNewPrivileges: Bool,
    program: ProgramFile?
  ) {
    self.effective = effective
    self.bounding = bounding
    self.hasNoNewPrivileges = hasNoNewPrivileges
    self.program = program
  }

  /// Reads the rights of this process; fails if `/proc` does not reveal them.
  package init?() {
    guard let status = KernelFile("/proc/self/status").text else { return nil }
    self.init(status: status)
    program = ProgramFile()
  }

  /// Parses the text of /proc/PID/status; fails if it lacks the capabilities.
  init?(status: String) {
    var values: [Substring: String] = [:]
    for line in status.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == "\t" || $0 == " " }
      values[line[..<colon]] = String(value)
    }
    guard let effective = Self.capabilities(values["CapEff"]),
      let bounding = Self.capabilities(values["CapBnd"])
    else { return nil }
    self.init(
      effective: effective, bounding: bounding, hasNoNewPrivileges: values["NoNewPrivs"] == "1",
      program: nil)
  }

  private static func capabilities(_ hexadecimal: String?) -> Set<Capability>? {
    guard let mask = hexadecimal.flatMap({ UInt64($0, radix: 16) }) else { return nil }
    return Set(Capability.allCases.filter { mask >> $0.rawValue & 1 == 1 })
  }
}

/// The executable of a running program.
package struct ProgramFile: Hashable, Sendable {
  /// The path without symbolic links, as `setcap` requires.
  package var path: String
  /// Whether the file system is mounted with nosuid, so that the file grants no capabilities.
  package var isOnNoSuid: Bool

  package init(path: String, isOnNoSuid: Bool) {
    self.path = path
    self.isOnNoSuid = isOnNoSuid
  }

  init?() {
    let length = Int(PATH_MAX)
    let path: String? = withUnsafeTemporaryAllocation(of: CChar.self, capacity: length) { room in
      guard let start = room.baseAddress else { return nil }
      let count = readlink("/proc/self/exe", start, length)
      guard count > 0 else { return nil }
      return String(decoding: room[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    guard var path else { return nil }
    // The file was replaced while it ran: the next start uses the one at the path.
    let replaced = " (deleted)"
    if path.hasSuffix(replaced) { path.removeLast(replaced.count) }
    var system = statvfs()
    let isOnNoSuid = statvfs(path, &system) == 0 && system.f_flag & UInt(ST_NOSUID) != 0
    self.init(path: path, isOnNoSuid: isOnNoSuid)
  }
}

extension ProcessRights {
  /// Drops the rights that this program never needs (docs/security.md).
  ///
  /// The capabilities of ``Capability`` remain, since the kernel checks them at each command. Child
  /// processes inherit none. Core dumps, which would contain the keys of headphones, are disabled.
  ///
  /// Call this before there is a second thread, because capabilities belong to threads. Root keeps
  /// its own, because its files belong to others.
  package static func restrict() {
    let mask = Capability.allCases.reduce(UInt64(0)) { $0 | 1 << $1.rawValue }
    // After a failure the process keeps the rights that a user or a service granted.
    _ = CBluetooth_keep_capabilities(geteuid() == 0 ? .max : mask)
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = 0
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  }
}
