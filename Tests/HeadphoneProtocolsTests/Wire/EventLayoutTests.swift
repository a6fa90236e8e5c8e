import BluetoothCodec
import HeadphoneProtocols
import Testing

@Suite struct EventLayoutTests {
  private let layout = EventLayout(events: [
    .battery: EventLayout.Event(code: 0x12, places: [3, 1, 2]),
    .anc: EventLayout.Event(code: 0x02),
  ])

  @Test func `an event under another number and in another order tells the same`() {
    var channel = EventChannel(layout: layout)
    #expect(
      channel.receive([0x12, 75, 50, 80])
        == [.event(.battery(BatteryReport(left: 80, right: 75, case: 50)))])
    #expect(channel.receive([0x02, 0x03]) == [.event(.anc(.adaptive))])
  }

  @Test func `a slice of a longer value is read from its own start`() {
    var channel = EventChannel(layout: layout)
    let value: Bytes = [0xFF, 0x12, 1, 2, 3]
    #expect(
      channel.receive(value.dropFirst())
        == [.event(.battery(BatteryReport(left: 3, right: 1, case: 2)))])
  }

  @Test(arguments: [[0x12, 75, 50], [0x12], [0x03, 0x01], []] as [Bytes])
  func `what the layout does not have is malformed`(value: Bytes) {
    var channel = EventChannel(layout: layout)
    let items = channel.receive(value)
    guard items.count == 1, case .malformed(_, value)? = items.first else {
      Issue.record("taken: \(items)")
      return
    }
  }

  @Test func `the standard layout is the protocol's`() {
    var channel = EventChannel()
    #expect(channel.receive([0x01, 1, 0]) == [.event(.wearing(left: true, right: false))])
  }
}
