import Descriptors
import Glibc
import Testing

@Test func aFailedCallIsItsErrno() {
  let result = systemCall { close(-1) == 0 ? 0 : -1 }
  #expect(result == .failed(EBADF))
}
