import Headphones
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventOutletTests {
  @Test func `events come in order and end`() async {
    let outlet = EventEmitter()
    let told: [HeadphoneEvent] = [.ancChanged(.off), .mark(1), .ancChanged(.adaptive)]
    for event in told { outlet.report(event) }
    outlet.finish()
    outlet.report(.ancChanged(.off))
    var heard: [HeadphoneEvent] = []
    for await event in outlet.events { heard.append(event) }
    #expect(heard == told)
  }

  @Test func `a flood pushes out the oldest events and no mark`() async {
    let outlet = EventEmitter()
    outlet.report(.ancChanged(.off))
    outlet.report(.mark(1))
    for number in 0..<(EventEmitter.capacity + 5) { outlet.report(.malformed("\(number)")) }
    outlet.finish()
    var heard: [HeadphoneEvent] = []
    for await event in outlet.events { heard.append(event) }
    #expect(heard.count == EventEmitter.capacity)
    #expect(heard.filter { $0 == .mark(1) }.count == 1)
    #expect(!heard.contains(.ancChanged(.off)))
    #expect(heard.last == .malformed("\(EventEmitter.capacity + 4)"))
  }
}
