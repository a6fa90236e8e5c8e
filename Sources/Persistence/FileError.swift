internal import Bluetooth
internal import Glibc

/// The reason why a file could not be read or written.
///
/// ```swift
/// do throws(FileError) {
///   try file.replace(with: bytes)
/// } catch .locked {
///   print("another earshot is stopped")
/// } catch {
///   print(error)
/// }
/// ```
public enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A system call failed; `during` is its name.
  case system(errno: Int32, during: String, path: String)
  /// The contents are invalid; the file is left as it is.
  case malformed(path: String, reason: String)
  /// The path is not a regular file.
  case notAFile(path: String, kind: FileKind)
  /// Another process has held the lock of the file for too long; nothing was changed.
  case locked(path: String)
  /// The disk did not answer in time.
  case stalled(path: String)

  /// The path and the failure on one line, unsanitised.
  public var description: String {
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

  /// Whether no file has this path.
  var isAbsence: Bool {
    switch self {
    case .system(errno: ENOENT, during: _, path: _), .system(errno: ENOTDIR, during: _, path: _):
      true
    default: false
    }
  }
}

/// The kind of a file that is not regular; the raw values are words for people.
public enum FileKind: String, Hashable, Sendable {
  /// A directory.
  case directory
  /// A named pipe (FIFO).
  case pipe
  /// A Unix domain socket.
  case socket
  /// A character or block device.
  case device
}
