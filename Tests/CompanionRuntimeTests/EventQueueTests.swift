import Companion
import Headphones
import Testing

@testable import CompanionRuntime

@Suite(.timeLimit(.minutes(1))) struct EventQueueTests {
  private func received(_ queue: EventQueue) async -> [HeadphoneEvent] {
    var events: [HeadphoneEvent] = []
    for await element in queue.elements {
      switch element {
      case .event(let event): events.append(event)
      case .started: break
      case .ended(let outcome, let caller): caller.resume(returning: outcome)
      }
    }
    return events
  }

  @Test func `a command ends behind the events before it`() async {
    let queue = EventQueue()
    for mode in ANCMode.allCases { queue.emitter.report(.ancChanged(mode)) }
    let ended = Task {
      await withCheckedContinuation { queue.add(.ended(.done, $0)) }
    }
    var modes: [HeadphoneEvent] = []
    for await element in queue.elements {
      if case .event(let event) = element { modes.append(event) }
      guard case .ended(let outcome, let caller) = element else { continue }
      #expect(modes == ANCMode.allCases.map { .ancChanged($0) })
      caller.resume(returning: outcome)
      break
    }
    #expect(await ended.value == .done)
  }

  @Test func `a flood pushes out the oldest events, and a command's caller is answered`() async {
    let queue = EventQueue()
    queue.emitter.report(.ancChanged(.off))
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let ended = Task {
      await withCheckedContinuation { caller in
        queue.add(.ended(.done, caller))
        begin.finish()
      }
    }
    for await _ in begun {}
    for number in 0..<(EventQueue.capacity + 5) { queue.emitter.report(.malformed("\(number)")) }
    #expect(await ended.value == .done)
    queue.emitter.finish()
    let events = await received(queue)
    #expect(events.count == EventQueue.capacity)
    #expect(events.last == .malformed("\(EventQueue.capacity + 4)"))
  }

  @Test func `behind the link's end a command's caller is answered at once`() async {
    let queue = EventQueue()
    queue.emitter.finish()
    queue.emitter.report(.ancChanged(.off))
    let outcome = await withCheckedContinuation {
      queue.add(.ended(.failed(.cancelled), $0))
    }
    #expect(outcome == .failed(.cancelled))
    #expect(await received(queue) == [])
  }
}
