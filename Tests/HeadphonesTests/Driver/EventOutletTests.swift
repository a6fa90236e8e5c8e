import Headphones
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventOutletTests {
  @Test func `events come in order and end`() async {
    let outlet = EventOutlet()
    let told: [HeadphoneEvent] = [.ancChanged(.off), .mark(1), .ancChanged(.adaptive)]
    for event in told { outlet.tell(event) }
    outlet.finish()
    outlet.tell(.ancChanged(.off))
    var heard: [HeadphoneEvent] = []
    for await event in outlet.events { heard.append(event) }
    #expect(heard == told)
  }

  @Test func `a flood pushes out the oldest events and no mark`() async {
    let outlet = EventOutlet()
    outlet.tell(.ancChanged(.off))
    outlet.tell(.mark(1))
    for number in 0..<(EventOutlet.capacity + 5) { outlet.tell(.malformed("\(number)")) }
    outlet.finish()
    var heard: [HeadphoneEvent] = []
    for await event in outlet.events { heard.append(event) }
    #expect(heard.count == EventOutlet.capacity)
    #expect(heard.filter { $0 == .mark(1) }.count == 1)
    #expect(!heard.contains(.ancChanged(.off)))
    #expect(heard.last == .malformed("\(EventOutlet.capacity + 4)"))
  }
}
