import HeadphoneDrivers
import HeadphoneProtocols
import Testing

@MainActor @Suite struct EventEmitterTests {
  private let emitter: EventEmitter
  private let elements: AsyncStream<EventEmitter.Element>

  init() { (emitter, elements) = EventEmitter.makeStream() }

  /// Returns the events until the queue finishes, running the work between them.
  private func received() async -> [HeadphoneEvent] {
    var events: [HeadphoneEvent] = []
    for await element in elements {
      switch element {
      case .event(let event): events.append(event)
      case .work(let work): work()
      }
    }
    return events
  }

  @Test func `work runs after the events before it`() async {
    for mode in ANCMode.allCases { emitter.report(.ancChanged(mode)) }
    var order: [HeadphoneEvent] = []
    var isRun = false
    #expect(emitter.afterEvents { isRun = true })
    for await element in elements {
      if case .event(let event) = element { order.append(event) }
      guard case .work(let work) = element else { continue }
      #expect(order == ANCMode.allCases.map { .ancChanged($0) })
      work()
      break
    }
    #expect(isRun)
  }

  @Test func `a flood drops the oldest events, and no work`() async {
    emitter.report(.ancChanged(.off))
    var isRun = false
    #expect(emitter.afterEvents { isRun = true })
    for number in 0..<(EventEmitter.capacity + 5) { emitter.report(.malformed("\(number)")) }
    emitter.finish()
    let events = await received()
    #expect(isRun)
    #expect(events.count == EventEmitter.capacity - 1)
    #expect(events.last == .malformed("\(EventEmitter.capacity + 4)"))
  }

  @Test func `work after the end is refused`() async {
    emitter.finish()
    emitter.report(.ancChanged(.off))
    #expect(!emitter.afterEvents { Issue.record("runs after the end") })
    #expect(await received() == [])
  }

  private func charge(_ part: Part, _ level: UInt8) -> HeadphoneEvent {
    .batteryChanged([part: Battery(level: level)])
  }

  @Test func `charges that are held come as the newest, before what follows`() async {
    emitter.report(charge(.left, 90))
    emitter.hold()
    for level in (70..<90).reversed() { emitter.report(charge(.left, UInt8(level))) }
    emitter.report(charge(.right, 60))
    emitter.report(.ancChanged(.off))
    emitter.report(charge(.left, 69))
    // As long as charges come between, they are merged.
    emitter.resume()
    for level: UInt8 in [65, 64, 68] { emitter.report(charge(.left, level)) }
    emitter.resume()
    emitter.resume()
    emitter.report(charge(.left, 67))
    emitter.report(charge(.left, 66))
    emitter.hold()
    emitter.report(charge(.left, 65))
    emitter.finish()
    #expect(
      await received() == [
        charge(.left, 90),
        .batteryChanged([.left: Battery(level: 70), .right: Battery(level: 60)]),
        .ancChanged(.off), charge(.left, 69), charge(.left, 68), charge(.left, 67),
        charge(.left, 66), charge(.left, 65),
      ])
  }

  @Test func `charges after a flood that dropped those before them are not held`() async {
    emitter.hold()
    emitter.report(charge(.left, 90))
    emitter.resume()
    for number in 0..<EventEmitter.capacity { emitter.report(.malformed("\(number)")) }
    emitter.report(charge(.left, 80))
    var (last, left) = (HeadphoneEvent.malformed(""), EventEmitter.capacity)
    for await element in elements {
      if case .event(let event) = element { last = event }
      left -= 1
      if left == 0 { break }
    }
    #expect(last == charge(.left, 80))
  }

  @Test func `the last of several charges is known`() async {
    for level in 0..<(EventEmitter.capacity + 3) {
      emitter.report(.batteryChanged([.left: Battery(level: UInt8(level % 100))]))
    }
    emitter.report(.ancChanged(.off))
    var left = EventEmitter.capacity - 1
    for await element in elements {
      guard case .event(.batteryChanged) = element else { break }
      left -= 1
      #expect(emitter.noteChargesReceived() == (left == 0))
    }
    #expect(left == 0)
  }
}
