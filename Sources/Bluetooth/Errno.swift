internal import Glibc

/// The kernel's words for an errno, for example "Connection refused".
public func describeErrno(_ code: Int32) -> String {
  strerror(code).map { String(cString: $0) } ?? "errno \(code)"
}
