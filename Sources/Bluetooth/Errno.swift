internal import Glibc

/// The C library's description of an errno, for example "Connection refused".
public func describeErrno(_ code: Int32) -> String {
  strerror(code).map { String(cString: $0) } ?? "errno \(code)"
}
