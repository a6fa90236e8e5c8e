import EventLoop
import Glibc
import Testing

@Test func `a failed call is its errno`() {
  let result = systemCall { close(-1) == 0 ? 0 : -1 }
  #expect(result == .failed(EBADF))
}

@Test func `an error says which call failed and the kernel's words`() {
  let error = SystemCallError.system(errno: ECONNREFUSED, during: "connect")
  #expect("\(error)" == "connect: Connection refused")
}
