internal import Glibc

/// What the kernel lets this process do with Bluetooth, and what keeps it from more.
public struct ProcessRights: Hashable, Sendable {
  /// A capability by its number (capabilities(7)).
  public enum Capability: UInt64, Hashable, Sendable, CaseIterable {
    case netAdmin = 12
    case netRaw = 13

    /// As capabilities(7) writes it.
    public var name: String { self == .netRaw ? "CAP_NET_RAW" : "CAP_NET_ADMIN" }
  }

  /// What counts now.
  public var effective: Set<Capability>
  /// What can be had at all; the rest is out of reach even for root.
  public var bounding: Set<Capability>
  /// The process has given up to gain rights by starting a program.
  public var hasNoNewPrivileges: Bool
  /// The executable; nil if `/proc` does not show it.
  public var program: ProgramFile?

  public init(
    effective: Set<Capability>, bounding: Set<Capability>, hasNoNewPrivileges: Bool,
    program: ProgramFile?
  ) {
    self.effective = effective
    self.bounding = bounding
    self.hasNoNewPrivileges = hasNoNewPrivileges
    self.program = program
  }

  /// The rights of this process; nil if `/proc` does not show them.
  public init?() {
    guard let status = KernelFile("/proc/self/status").text else { return nil }
    self.init(status: status)
    program = ProgramFile()
  }

  /// From the text of /proc/PID/status; nil if it lacks the capabilities.
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

/// The file of a running program.
public struct ProgramFile: Hashable, Sendable {
  /// Without symbolic links, as `setcap` wants it.
  public var path: String
  /// Its file system is mounted so that a file gives no rights.
  public var isOnNoSuid: Bool

  public init(path: String, isOnNoSuid: Bool) {
    self.path = path
    self.isOnNoSuid = isOnNoSuid
  }

  /// The rights of this process; nil if `/proc` does not show them.
  init?() {
    let length = Int(PATH_MAX)
    let path: String? = withUnsafeTemporaryAllocation(of: CChar.self, capacity: length) { room in
      guard let start = room.baseAddress else { return nil }
      let count = readlink("/proc/self/exe", start, length)
      guard count > 0 else { return nil }
      return String(decoding: room[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    guard var path else { return nil }
    // A new build took its place while it ran: what counts is the file that is started next.
    let replaced = " (deleted)"
    if path.hasSuffix(replaced) { path.removeLast(replaced.count) }
    var system = statvfs()
    let isOnNoSuid = statvfs(path, &system) == 0 && system.f_flag & UInt(ST_NOSUID) != 0
    self.init(path: path, isOnNoSuid: isOnNoSuid)
  }
}
