internal import Glibc
internal import Persistence

/// The process at the other end of a connection, which is only observed, never signalled.
package struct PeerProcess: Hashable, Sendable {
  package var id: Int32

  package init(id: Int32) { self.id = id }

  /// Whether the process was stopped (^Z, SIGSTOP).
  package var isStopped: Bool {
    guard let text = try? PrivateFile(path: "/proc/\(id)/stat").read(atMost: 4096) else {
      return false
    }
    return Self.state(inStat: text).map { "Tt".unicodeScalars.contains($0) } ?? false
  }

  /// Returns the state in `/proc/PID/stat` (proc(5)), after the name, which may have any character.
  static func state(inStat text: [UInt8]) -> Unicode.Scalar? {
    guard let end = text.lastIndex(of: UInt8(ascii: ")")), end + 2 < text.count else { return nil }
    return Unicode.Scalar(text[end + 2])
  }
}
