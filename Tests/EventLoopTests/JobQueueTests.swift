import Testing

@testable import EventLoop

@Suite struct JobQueueTests {
  private var queue = JobQueue<Int, String>()

  private mutating func drain(
    at now: Duration, isBusy: Bool = false
  ) -> (jobs: [Int], due: [String], deadline: Duration?, mayWait: Bool) {
    var jobs: [Int] = []
    let (due, deadline, mayWait) = queue.drain(&jobs, isBusy: isBusy, at: now)
    return (jobs, due, deadline, mayWait)
  }

  private mutating func append(_ job: Int) -> Bool { queue.append(job) }

  private mutating func removeTimer(_ id: Int) -> String? { queue.removeTimer(id) }

  @Test mutating func `jobs come out in order, and only a waiting thread is woken`() {
    #expect(!append(1))
    #expect(!append(2))
    let first = drain(at: .zero)
    #expect(first.jobs == [1, 2] && !first.mayWait)
    #expect(drain(at: .zero).mayWait)
    #expect(append(3))
    #expect(!append(4), "it is being woken")
    #expect(drain(at: .zero).jobs == [3, 4])
  }

  @Test mutating func `a thread with other work does not wait`() {
    #expect(!drain(at: .zero, isBusy: true).mayWait)
    #expect(!append(1))
  }

  @Test mutating func `timers come out when they are due, in the order of their deadlines`() {
    _ = queue.add("late", at: .seconds(3))
    _ = queue.add("early", at: .seconds(1))
    _ = queue.add("early too", at: .seconds(1))
    #expect(drain(at: .milliseconds(999)).deadline == .seconds(1))
    let due = drain(at: .seconds(1))
    #expect(due.due == ["early", "early too"] && due.deadline == .seconds(3) && !due.mayWait)
    #expect(drain(at: .seconds(9)).due == ["late"])
    #expect(drain(at: .seconds(9)).deadline == nil)
  }

  @Test mutating func `only the earliest timer wakes a thread that waits`() {
    #expect(drain(at: .zero).mayWait)
    let first = queue.add("a", at: .seconds(2))
    #expect(first.mustWake)
    #expect(drain(at: .zero).mayWait)
    let later = queue.add("b", at: .seconds(3))
    let earlier = queue.add("c", at: .seconds(1))
    #expect(!later.mustWake && earlier.mustWake)
  }

  @Test mutating func `a timer that is removed leaves nothing behind`() {
    let (first, _) = queue.add("first", at: .seconds(1))
    let (second, _) = queue.add("second", at: .seconds(2))
    #expect(removeTimer(first) == "first")
    #expect(removeTimer(first) == nil)
    #expect(drain(at: .zero).deadline == .seconds(2), "no wake-up for it")
    #expect(removeTimer(second) == "second")
    #expect(queue.timerCount == 0 && drain(at: .seconds(9)).due.isEmpty)
  }
}
