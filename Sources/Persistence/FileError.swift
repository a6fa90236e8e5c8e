internal import Bluetooth
internal import Glibc

/// Why a file could not be read or written.
public enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kernel refused; `during` names the system call.
  case system(errno: Int32, during: String, path: String)
  /// The contents make no sense; the file is left as it is.
  case malformed(path: String, reason: String)
  /// The path is not a regular file.
  case notAFile(path: String, kind: FileKind)
  /// Another process has held the lock of the file for too long; nothing was changed.
  case locked(path: String)

  public var description: String {
    switch self {
    case .system(let code, let call, let path): "\(path): \(describeErrno(code)) (\(call))"
    case .malformed(let path, let reason): "\(path): \(reason)"
    case .notAFile(let path, let kind): "\(path): this is a \(kind.rawValue), not a file"
    case .locked(let path):
      "\(path): another earshot holds its lock and may be stopped; continue or end it (fuser -v "
        + "\(path).lock)"
    }
  }

  /// Whether there is no file of this name.
  var isAbsence: Bool {
    switch self {
    case .system(errno: ENOENT, during: _, path: _), .system(errno: ENOTDIR, during: _, path: _):
      true
    default: false
    }
  }
}

/// What a path names that is not a regular file; the raw values are words for people.
public enum FileKind: String, Hashable, Sendable {
  case directory
  case pipe
  case socket
  case device
}
