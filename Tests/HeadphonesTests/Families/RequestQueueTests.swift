import Testing

@testable import Headphones

@Suite struct ExchangeDeskTests {
  private let first = Exchange([1], answer: 0x41)
  private let second = Exchange([2], answer: 0x42)

  @Test func `exchanges go out one after the other`() {
    var desk = RequestQueue()
    let (a, begun) = desk.submit(first, attempts: 1, at: .zero)
    #expect(begun == [.write(a, [[1]])])
    let (b, waiting) = desk.submit(second, attempts: 1, at: .zero)
    #expect(waiting == [])
    #expect(desk.receive(answer: 0x42, at: .zero) == [])
    #expect(desk.receive(answer: 0x41, at: .zero) == [.finished(a, nil), .write(b, [[2]])])
    #expect(desk.receive(answer: 0x42, at: .zero) == [.finished(b, nil)])
    #expect(desk.nextDeadline == nil)
  }

  @Test func `silence is answered by the same bytes, then given up`() {
    var desk = RequestQueue()
    let (ticket, _) = desk.submit(first, attempts: 2, at: .zero)
    #expect(desk.elapse(to: .milliseconds(999)) == [])
    #expect(desk.elapse(to: .seconds(1)) == [.write(ticket, [[1]])])
    #expect(desk.nextDeadline == .seconds(2))
    #expect(desk.elapse(to: .seconds(2)) == [.finished(ticket, .noResponse)])
    #expect(desk.receive(answer: 0x41, at: .seconds(3)) == [])
  }

  @Test func `the answer to the last of several ends them all`() {
    var desk = RequestQueue()
    let (ticket, begun) = desk.submit(second.after([first]), attempts: 2, at: .zero)
    #expect(begun == [.write(ticket, [[1], [2]])])
    #expect(desk.receive(answer: 0x41, at: .zero) == [])
    #expect(desk.elapse(to: .seconds(1)) == [])
    #expect(desk.elapse(to: .seconds(2)) == [.write(ticket, [[1], [2]])])
    #expect(desk.receive(answer: 0x42, at: .seconds(2)) == [.finished(ticket, nil)])
  }

  @Test func `who is cancelled in the line is not written`() {
    var desk = RequestQueue()
    let (a, _) = desk.submit(first, attempts: 1, at: .zero)
    let (b, _) = desk.submit(second, attempts: 1, at: .zero)
    #expect(desk.finish(b, .cancelled, at: .zero) == [.finished(b, .cancelled)])
    #expect(desk.receive(answer: 0x41, at: .zero) == [.finished(a, nil)])
  }

  @Test func `the end of the link ends them all`() {
    var desk = RequestQueue()
    let (a, _) = desk.submit(first, attempts: 1, at: .zero)
    let (b, _) = desk.submit(second, attempts: 1, at: .zero)
    #expect(desk.fail(.cancelled) == [.finished(a, .cancelled), .finished(b, .cancelled)])
    #expect(desk.nextDeadline == nil)
  }
}
