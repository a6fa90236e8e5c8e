internal import BluetoothRadio
internal import Glibc

package enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A system call, named by `during`, failed.
  case system(errno: Int32, during: String, path: String)
  /// The contents are invalid; the file is not changed.
  case malformed(path: String, reason: String)
  case notAFile(path: String, kind: FileKind)
  /// Another process has held the lock of the file for too long; nothing was changed.
  case locked(path: String)
  case stalled(path: String)

  /// The path and the failure on one line, unsanitised.
  package var description: String {
    switch self {
    case .system(let code, let call, let path): "\(path): \(describeErrno(code)) (\(call))"
    case .malformed(let path, let reason): "\(path): \(reason)"
    case .notAFile(let path, let kind): "\(path): this is a \(kind.rawValue), not a file"
    case .stalled(let path): "\(path): the disk does not answer"
    case .locked(let path):
      "\(path): another earshot holds its lock and may be stopped; continue or end it (fuser -v "
        + "\(path).lock)"
    }
  }

  var isAbsence: Bool {
    switch self {
    case .system(errno: ENOENT, during: _, path: _), .system(errno: ENOTDIR, during: _, path: _):
      true
    default: false
    }
  }
}

/// The kind of a file that is not regular; the raw values are meant for people.
package enum FileKind: String, Hashable, Sendable {
  case directory
  case pipe
  case socket
  case device
}
