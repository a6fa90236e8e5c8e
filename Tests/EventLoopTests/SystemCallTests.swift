import EventLoop
import Glibc
import Testing

@Test func `a failed call is its errno`() {
  let result = systemCall { close(-1) == 0 ? 0 : -1 }
  #expect(result == .failed(EBADF))
}

@Test func `a call that signals interrupt is made again`() {
  var calls = 0
  let result = systemCall {
    calls += 1
    errno = EINTR
    return calls < 4 ? -1 : 7
  }
  #expect(result == .done(7))
  #expect(calls == 4)
}

@Test(arguments: [EMFILE, ENFILE, ENOMEM, ENOBUFS, ENOSPC, EIO])
func `a machine without resources is an error at once`(code: Int32) {
  var calls = 0
  let result = systemCall {
    calls += 1
    errno = code
    return -1
  }
  #expect(result == .failed(code))
  #expect(calls == 1)
}

@Test func `a full or empty buffer is no failure`() {
  let result = systemCall {
    errno = EAGAIN
    return -1
  }
  #expect(result == .wouldBlock)
}

@Test func `an error says which call failed and the kernel's words`() {
  let error = SystemCallError.system(errno: ECONNREFUSED, during: "connect")
  #expect("\(error)" == "connect: Connection refused")
}
