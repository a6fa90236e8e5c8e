import BluetoothCodec
import Testing

@testable import BluetoothKernel

@Suite struct RadioNoticeTests {
  @Test(arguments: [
    (
      RadioWarning.malformed(MalformedBytes("HCI event", at: 3, .badLength(7))),
      "left out: malformed HCI event at byte 3: impossible length 7"
    ),
    (.manyMalformed(99), "left out: 99 malformed pieces of the air in one scan"),
    (.anotherScans(adapter: "hci0"), "another program scans with hci0; listening along"),
  ])
  func `a notice is a line for the log`(notice: RadioWarning, line: String) {
    #expect(notice.description == line)
  }
}
