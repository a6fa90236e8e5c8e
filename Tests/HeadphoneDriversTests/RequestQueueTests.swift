import HeadphoneProtocols
import Testing

@testable import HeadphoneDrivers

@Suite struct ExchangeDeskTests {
  private let first = Exchange([1], response: 0x41)
  private let second = Exchange([2], response: 0x42)

  @Test func `exchanges go out one after the other`() {
    var queue = RequestQueue()
    let (a, begun) = queue.submit(first, attempts: 1, at: .zero)
    #expect(begun == [.write(a, [[1]])])
    let (b, waiting) = queue.submit(second, attempts: 1, at: .zero)
    #expect(waiting == [])
    #expect(queue.receive([0x42], at: .zero) == [])
    #expect(queue.receive([0x41], at: .zero) == [.finished(a, nil), .write(b, [[2]])])
    #expect(queue.receive([0x42], at: .zero) == [.finished(b, nil)])
    #expect(queue.nextDeadline == nil)
  }

  @Test func `silence is answered by the same bytes, then given up`() {
    var queue = RequestQueue()
    let (ticket, _) = queue.submit(first, attempts: 2, at: .zero)
    queue.written(ticket, at: .zero)
    #expect(queue.elapse(to: .milliseconds(999)) == [])
    #expect(queue.elapse(to: .seconds(1)) == [.write(ticket, [[1]])])
    queue.written(ticket, at: .seconds(1))
    #expect(queue.nextDeadline == .seconds(2))
    #expect(queue.elapse(to: .seconds(2)) == [.finished(ticket, .noResponse)])
    #expect(queue.receive([0x41], at: .seconds(3)) == [])
  }

  @Test func `a command has longer than a question, and what asks until it is so has not`() {
    var queue = RequestQueue()
    let (ticket, _) = queue.submit(
      first, attempts: 2, timeout: RequestQueue.commandTimeout, at: .zero)
    queue.written(ticket, at: .zero)
    #expect(queue.elapse(to: .milliseconds(1900)) == [])
    #expect(queue.elapse(to: .seconds(2)) == [.write(ticket, [[1]])])
    #expect(queue.receive([0x41], at: .seconds(3)) == [.finished(ticket, nil)])
    var patient = second
    patient.attempts = 12
    let (other, _) = queue.submit(
      patient, attempts: 2, timeout: RequestQueue.commandTimeout, at: .seconds(3))
    queue.written(other, at: .seconds(3))
    #expect(queue.elapse(to: .seconds(4)) == [.write(other, [[2]])])
  }

  @Test func `the answer to the last of several ends them all`() {
    var queue = RequestQueue()
    let (ticket, begun) = queue.submit(second.after([first]), attempts: 2, at: .zero)
    #expect(begun == [.write(ticket, [[1], [2]])])
    queue.written(ticket, at: .zero)
    #expect(queue.receive([0x41], at: .zero) == [])
    #expect(queue.elapse(to: .seconds(1)) == [])
    #expect(queue.elapse(to: .seconds(2)) == [.write(ticket, [[1], [2]])])
    #expect(queue.receive([0x42], at: .seconds(2)) == [.finished(ticket, nil)])
  }

  @Test func `the time to answer begins when the last byte has left`() {
    var queue = RequestQueue()
    let (ticket, _) = queue.submit(first, attempts: 1, at: .zero)
    #expect(queue.nextDeadline == nil)
    #expect(queue.elapse(to: .seconds(30)) == [])
    queue.written(ticket, at: .seconds(30))
    #expect(queue.nextDeadline == .seconds(31))
    #expect(queue.elapse(to: .seconds(31)) == [.finished(ticket, .noResponse)])
    queue.written(ticket, at: .seconds(32))
    #expect(queue.nextDeadline == nil)
  }

  @Test func `who is cancelled in the line is not written`() {
    var queue = RequestQueue()
    let (a, _) = queue.submit(first, attempts: 1, at: .zero)
    let (b, _) = queue.submit(second, attempts: 1, at: .zero)
    #expect(queue.finish(b, .cancelled, at: .zero) == [.finished(b, .cancelled)])
    #expect(queue.receive([0x41], at: .zero) == [.finished(a, nil)])
  }

  @Test func `the end of the link ends them all`() {
    var queue = RequestQueue()
    let (a, _) = queue.submit(first, attempts: 1, at: .zero)
    let (b, _) = queue.submit(second, attempts: 1, at: .zero)
    #expect(queue.fail(.cancelled) == [.finished(a, .cancelled), .finished(b, .cancelled)])
    #expect(queue.nextDeadline == nil)
  }
}
