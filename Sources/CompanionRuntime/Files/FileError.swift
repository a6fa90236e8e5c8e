internal import Bluetooth
internal import GATT

/// Why a file of the program could not be read or written.
public enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `during` names the system call that failed.
  case system(errno: Int32, during: String, path: String)
  /// It was read, and makes no sense; it is left as it is.
  case malformed(path: String, reason: String)

  public var description: String {
    switch self {
    case .system(let code, let call, let path): "\(path): \(describeErrno(code)) (\(call))"
    case .malformed(let path, let reason): "\(path): \(reason)"
    }
  }
}
