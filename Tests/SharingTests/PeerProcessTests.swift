import Glibc
import Testing

@testable import Sharing

@Suite struct `The process at the other end` {
  @Test(
    arguments: [
      ("1 (earshot) S 1 1", "S"), ("12 (a) T (b)) T 1", "T"), ("12 () t 4", "t"), ("", nil),
      ("1 (earshot", nil), ("1 (earshot)", nil), ("1 (earshot) ", nil),
    ] as [(String, String?)])
  func `tells its state behind a name that may hold anything`(text: String, state: String?) {
    #expect(PeerProcess.state(inStat: Array(text.utf8)).map { String(Character($0)) } == state)
  }

  @Test func `of a test is not stopped, nor is one that is not there`() {
    #expect(!PeerProcess(id: getpid()).isStopped)
    #expect(!PeerProcess(id: -1).isStopped)
  }
}
