import Headphones
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventOutletTests {
  @Test func `events come in order and end`() async {
    let emitter = EventEmitter()
    let reported: [HeadphoneEvent] = [.ancChanged(.off), .mark(1), .ancChanged(.adaptive)]
    for event in reported { emitter.report(event) }
    emitter.finish()
    emitter.report(.ancChanged(.off))
    var received: [HeadphoneEvent] = []
    for await event in emitter.events { received.append(event) }
    #expect(received == reported)
  }

  @Test func `a flood pushes out the oldest events and no mark`() async {
    let emitter = EventEmitter()
    emitter.report(.ancChanged(.off))
    emitter.report(.mark(1))
    for number in 0..<(EventEmitter.capacity + 5) { emitter.report(.malformed("\(number)")) }
    emitter.finish()
    var received: [HeadphoneEvent] = []
    for await event in emitter.events { received.append(event) }
    #expect(received.count == EventEmitter.capacity)
    #expect(received.filter { $0 == .mark(1) }.count == 1)
    #expect(!received.contains(.ancChanged(.off)))
    #expect(received.last == .malformed("\(EventEmitter.capacity + 4)"))
  }
}
