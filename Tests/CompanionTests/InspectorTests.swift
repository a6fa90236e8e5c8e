import HeadphoneProtocols
import Testing

@testable import Companion

/// The inspector page: each key, its requests and their results.
@Suite struct `The inspector` {
  static let services = [
    InspectedService(
      title: "Battery (180F)", start: 0x10, end: 0x13,
      characteristics: [
        InspectedCharacteristic(
          title: "Battery Level (2A19)", handle: 0x12, properties: "read, notify",
          abilities: [.read, .subscribe],
          descriptors: [
            InspectedDescriptor(title: "Client Characteristic Configuration (2902)", handle: 0x13)
          ])
      ]),
    InspectedService(
      title: "Headphone Control (FFF0)", start: 0x20, end: 0x2F,
      characteristics: [
        InspectedCharacteristic(
          title: "Command (FFF3)", handle: 0x22, properties: "write without response, write",
          abilities: [.write, .writeWithoutResponse]),
        InspectedCharacteristic(
          title: "Event (FFF4)", handle: 0x24, properties: "notify", abilities: [.subscribe]),
      ]),
  ]

  /// Returns the page with all attributes known and the cursor on a line.
  private func open(line: Int) -> Scenario {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.info), .pressed(.info), .inspection(ear, .surveyed(Self.services)))
    for _ in 0..<line { scenario.given(.pressed(.down)) }
    return scenario
  }

  private func type(_ text: String, into scenario: inout Scenario) {
    for character in text { scenario.given(.typed(.character(character))) }
  }

  @Test func `i opens the information, then the inspector, then goes back`() {
    var scenario = Scenario.withReady()
    // The page of information measures the link while it is shown.
    let measuring: [Effect] = [.measure(ear), .startTimer(.measure, .exactly(.seconds(2)))]
    scenario.press(.info, effects: measuring) {
      $0.page = .info(line: 0)
      ($0.screens, $0.isMeasuring) = ([.info: 1], true)
    }
    scenario.press(.info, effects: [.inspect(ear), .cancelTimer(.measure)]) {
      $0.page = .inspector(line: 0)
      $0.headphones.update(ear) { $0.inspection = Inspection() }
      ($0.screens, $0.isMeasuring) = ([:], false)
    }
    scenario.press(.otherPanel, effects: measuring) {
      $0.page = .info(line: 0)
      ($0.screens, $0.isMeasuring) = ([.info: 1], true)
    }
    scenario.press(.otherPanel, effects: [.cancelTimer(.measure)]) {
      $0.page = .inspector(line: 0)
      ($0.screens, $0.isMeasuring) = ([:], false)
    }
    scenario.press(.info) { $0.page = .main }
  }

  @Test func `opens without a link, and looks when there is one`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(.pressed(.info))
    scenario.press(.info) {
      $0.page = .inspector(line: 0)
      $0.screens = [:]
    }
    scenario.given(
      .pressed(.connectOrDisconnect), .link(ear, .connected),
      .link(ear, .ready(description(), isEncrypted: false)))
    #expect(scenario.effects(of: .pressed(.refresh)) == [.inspect(ear)])
  }

  @Test func `the cursor goes over services, characteristics and descriptors, and stays there`() {
    var scenario = open(line: 2)
    #expect(scenario.state.inspectorEntries.count == 6)
    #expect(scenario.state.inspectorEntries[2].handle == 0x13)
    scenario.given(.pressed(.bottom), .pressed(.down))
    #expect(scenario.state.page == .inspector(line: 5))
    scenario.given(.inspection(ear, .surveyed([])))
    #expect(scenario.state.page == .inspector(line: 0))
  }

  @Test func `Enter reads, and the value comes with its time`() {
    var scenario = open(line: 1)
    #expect(scenario.effects(of: .pressed(.accept)) == [.readAttribute(ear, 0x12)])
    #expect(scenario.state.headphones[ear]?.inspection?.pending == [0x12])
    let content = InspectedValue.Content.bytes([0x54], displayText: "84%")
    scenario.send(.inspection(ear, .value(0x12, content, isReported: false))) {
      $0.headphones.update(ear) {
        $0.inspection?.pending = []
        $0.inspection?.values[0x12] = InspectedValue(content, seenAt: noon)
      }
      $0.logs(.debug, ear, "read 0012: 54")
    }
  }

  @Test func `u subscribes and unsubscribes, and counts what is reported`() {
    var scenario = open(line: 5)
    #expect(
      scenario.effects(of: .pressed(.subscribe)) == [
        .subscribeAttribute(ear, 0x24, isOn: true)
      ])
    #expect(scenario.effects(of: .pressed(.subscribe)) == [])
    scenario.given(.inspection(ear, .subscribed(0x24, isOn: true, failure: nil)))
    for byte in 0..<3 {
      scenario.given(
        .inspection(ear, .value(0x24, .bytes([UInt8(byte)], displayText: nil), isReported: true)))
    }
    #expect(scenario.state.headphones[ear]?.inspection?.values[0x24]?.reported == 3)
    #expect(
      scenario.effects(of: .pressed(.accept)) == [
        .subscribeAttribute(ear, 0x24, isOn: false)
      ])
    scenario.given(.inspection(ear, .subscribed(0x24, isOn: false, failure: nil)))
    #expect(scenario.state.headphones[ear]?.inspection?.subscribed == [])
  }

  @Test func `W takes bytes, Tab the kind of write, and it asks before it writes`() {
    var scenario = open(line: 4)
    scenario.given(.pressed(.write), .pressed(.otherPanel))
    type("a5 0", into: &scenario)
    #expect(scenario.effects(of: .pressed(.accept)) == [])
    guard case .entry(let entry) = scenario.state.dialog else {
      Issue.record("the entry is closed")
      return
    }
    #expect(entry.complaint == "pairs of hexadecimal digits are needed, at most 512")
    type("1", into: &scenario)
    #expect(scenario.effects(of: .pressed(.accept)) == [])
    let write = AttributeWrite(
      headphone: ear, handle: 0x22, bytes: [0xA5, 0x01], withResponse: false)
    #expect(scenario.state.dialog == .question(Question(.writeAttribute(write))))
    #expect(scenario.effects(of: .pressed(.accept)) == [])
    #expect(scenario.state.dialog == nil)

    scenario.given(.pressed(.write))
    type("A501", into: &scenario)
    scenario.given(.pressed(.otherPanel), .pressed(.accept), .pressed(.right))
    #expect(scenario.effects(of: .pressed(.accept)) == [.writeAttribute(write)])
    scenario.send(
      .inspection(ear, .written(0x22, bytes: [0xA5, 0x01], failure: nil)), effects: [.noticeTimer]
    ) {
      $0.headphones.update(ear) { $0.inspection?.pending = [] }
      $0.says("written to 0022: A5 01", ear)
    }
  }

  @Test func `what cannot be done is said`() {
    for (line, command, displayText) in [
      (0, UserCommand.accept, "go to a characteristic first"), (1, .write, "it cannot be written"),
      (2, .subscribe, "only for characteristics"), (4, .accept, "it can only be written"),
      (4, .subscribe, "it cannot notify or indicate"),
    ] {
      var scenario = open(line: line)
      scenario.press(command, effects: [.noticeTimer]) { $0.explains(displayText, ear) }
    }
  }

  @Test func `a failure is a problem, and subscribes to nothing`() {
    var scenario = open(line: 5)
    scenario.given(.pressed(.subscribe))
    scenario.send(.inspection(ear, .subscribed(0x24, isOn: true, failure: "not now"))) {
      $0.headphones.update(ear) { $0.inspection?.pending = [] }
      $0.complains("subscribing to 0024: not now", advice: "", ear)
    }
  }

  @Test func `a link that ends leaves what was read, and the next one is looked at again`() {
    var scenario = open(line: 5)
    scenario.given(
      .pressed(.subscribe), .inspection(ear, .subscribed(0x24, isOn: true, failure: nil)),
      .link(ear, .ended(.timeout)))
    let inspection = scenario.state.headphones[ear]?.inspection
    #expect(inspection?.isOfThisLink == false && inspection?.subscribed == [])
    #expect(inspection?.services == Self.services)
    scenario.given(
      .link(ear, .connected), .timerFired(.reconnect(ear)), .link(ear, .connected),
      .link(ear, .ready(description(), isEncrypted: false)))
    #expect(scenario.effects(of: .pressed(.accept)) == [.inspect(ear)])
  }

  @Test func `what nobody waits for changes nothing`() {
    var scenario = Scenario.withReady()
    scenario.send(.inspection(ear, .surveyed(Self.services))) {
      $0.logs(.debug, ear, "ignored: an unexpected inspection event")
    }
  }

  @Test(
    arguments: [
      ("", []), ("01fF", [0x01, 0xFF]), ("0a:0b 0c", [0x0A, 0x0B, 0x0C]), ("0", nil), ("xy", nil),
      ("٠١", nil), ("0x01", nil),
    ] as [(String, [UInt8]?)])
  func `bytes are pairs of digits`(text: String, bytes: [UInt8]?) {
    #expect(hexadecimalBytes(text) == bytes)
  }
}
