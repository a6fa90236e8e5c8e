import Descriptors
import Glibc
import Testing

@Test func aFailedCallIsItsErrno() {
  let result = systemCall { close(-1) == 0 ? 0 : -1 }
  #expect(result == .failed(EBADF))
}

@Test func anErrorSaysWhichCallFailedAndTheKernelsWords() {
  let error = DescriptorError.system(errno: ECONNREFUSED, during: "connect")
  #expect("\(error)" == "connect: Connection refused")
}
