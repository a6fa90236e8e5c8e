internal import Glibc
internal import Persistence

/// The process at the other end of a connection.
///
/// Its number is only used to ask the kernel for its state and to name it in messages; nothing is
/// sent to it.
public struct PeerProcess: Hashable, Sendable {
  /// The kernel's number of the process.
  public var id: Int32

  public init(id: Int32) { self.id = id }

  /// Whether it was stopped (^Z, SIGSTOP) and does nothing until it is continued.
  public var isStopped: Bool {
    guard let text = try? PrivateFile(path: "/proc/\(id)/stat").read(atMost: 4096) else {
      return false
    }
    return Self.state(inStat: text).map { "Tt".unicodeScalars.contains($0) } ?? false
  }

  /// The state in a text of `/proc/PID/stat` (proc(5)): after the name, which may hold anything.
  static func state(inStat text: [UInt8]) -> Unicode.Scalar? {
    guard let end = text.lastIndex(of: UInt8(ascii: ")")), end + 2 < text.count else { return nil }
    return Unicode.Scalar(text[end + 2])
  }
}
