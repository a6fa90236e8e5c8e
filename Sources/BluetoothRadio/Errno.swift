internal import Glibc

/// Returns the C library's description of an errno, such as "Connection refused".
package func describeErrno(_ code: Int32) -> String {
  strerror(code).map { String(cString: $0) } ?? "errno \(code)"
}
