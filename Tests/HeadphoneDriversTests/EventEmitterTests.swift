import HeadphoneDrivers
import HeadphoneProtocols
import Testing

/// The queue between a driver and its connection.
@MainActor @Suite struct EventEmitterTests {
  @Test func `work follows the events before it`() async {
    let (emitter, elements) = EventEmitter.makeStream()
    var order: [String] = []
    emitter.report([.ancChanged(.off), .renamed("a")])
    emitter.afterEvents { order.append("work") }
    emitter.report(.renamed("b"))
    emitter.finish()
    for await element in elements {
      switch element {
      case .event(let event): order.append("\(event)")
      case .work(let work): work()
      }
    }
    #expect(order.count == 4 && order.firstIndex(of: "work") == 2)
  }

  @Test func `a slow consumer loses the oldest events and no work`() async {
    let (emitter, elements) = EventEmitter.makeStream()
    var isDone = false
    #expect(emitter.afterEvents { isDone = true })
    for _ in 0..<EventEmitter.capacity + 5 { emitter.report(.renamed("a")) }
    emitter.finish()
    var events = 0
    for await element in elements {
      switch element {
      case .event: events += 1
      case .work(let work): work()
      }
    }
    #expect(isDone && events < EventEmitter.capacity)
  }

  @Test func `after the end no work is taken`() {
    let (emitter, elements) = EventEmitter.makeStream()
    emitter.finish()
    #expect(!emitter.afterEvents {})
    _ = elements
  }
}
