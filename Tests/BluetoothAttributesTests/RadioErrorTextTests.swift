import BluetoothAttributes
import BluetoothRadio
import Testing

@Suite struct RadioErrorTextTests {
  static let all: [RadioError] = [
    .noAdapter, .unknownAdapter("hci7"), .poweredOff(adapter: "hci0"), .blocked(adapter: "hci0"),
    .notPermitted(operation: "scanning", capability: "CAP_NET_RAW"), .busy("somebody holds it"),
    .noRoom,
    .timedOut, .refused, .unpaired, .cancelled,
    .controller(status: 0x0C, during: "LE Set Scan Enable"),
    .system(errno: 5, during: "connect"),
  ]

  @Test(arguments: all) func `every error says what happened on one line`(error: RadioError) {
    #expect(!error.description.isEmpty)
    #expect(!(error.description + error.advice).contains("\n"))
    #expect(!error.description.hasSuffix("."))
  }

  @Test(arguments: all.filter { $0 != .cancelled })
  func `every error but a cancellation says what to do`(error: RadioError) {
    #expect(!error.advice.isEmpty)
  }

  @Test func `a missing right names the command that gives it`() {
    let error = RadioError.notPermitted(operation: "scanning", capability: "CAP_NET_RAW")
    #expect(error.description == "scanning is not permitted: it needs CAP_NET_RAW")
    #expect(error.advice.contains("setcap cap_net_raw+ep"))
  }

  @Test func `a controller's status has its name`() {
    let error = RadioError.controller(status: 0x0C, during: "LE Set Scan Enable")
    #expect(
      error.description
        == "the adapter failed at LE Set Scan Enable: Command Disallowed (0x0C)")
  }

  @Test func `a system error has the kernel's words`() {
    #expect(
      RadioError.system(errno: 5, during: "connect").description == "connect: Input/output error")
  }
}
