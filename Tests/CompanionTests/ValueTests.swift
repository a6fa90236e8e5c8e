import BluetoothCodec
import Companion
import Testing

@Suite struct ValueTests {
  @Test(arguments: [
    (Int64(0), Int32(0), "00:00:00"), (50_602_999, 0, "14:03:22"), (50_602_000, 7200, "16:03:22"),
    (0, -3600, "23:00:00"), (-1, 0, "23:59:59"), (.max, .max, "10:27:02"), (.min, .min, "13:32:56"),
  ])
  func `a timestamp tells the local time of day`(milliseconds: Int64, offset: Int32, clock: String)
  {
    #expect(Timestamp(milliseconds: milliseconds, utcOffset: offset).clock == clock)
  }

  @Test func `the log is bounded and counts what it dropped`() {
    var log = Log()
    for number in 0...Log.capacity {
      log.append(LogLine(at: noon, level: .debug, text: "\(number)"))
    }
    #expect(log.lines.count == Log.capacity)
    #expect(log.lines.first?.text == "1")
    #expect(log.total == Log.capacity + 1)
    #expect(log.lastEvent == nil)
  }

  @Test func `removing keeps the selection in the list`() {
    let address = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random)
    let ids = ["a", "b", "c"].map { HeadphoneID(rawValue: $0) }
    var list = HeadphoneList(ids.map { HeadphoneState(id: $0, name: "", address: address) })
    list.select(ids[2])
    list.remove(ids[0])
    #expect(list.selected?.id == ids[2])
    list.remove(ids[2])
    #expect(list.selected?.id == ids[1])
    list.remove(ids[1])
    #expect(list.selected == nil)
  }
}
