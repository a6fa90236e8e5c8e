import BluetoothAttributes
import BluetoothCodec
import Testing

@Suite struct EngineValueTests {
  private let id = ATTRequestID(rawValue: 1)

  private func value(_ handle: UInt16, _ value: String) -> ATTHandleValue {
    ATTHandleValue(handle: handle, value: hex(value))
  }

  @Test func `a notification during a request is not its answer`() {
    var engine = ATTEngine()
    _ = engine.send(.read(handle: 3), as: id, at: .zero)
    #expect(
      engine.receive(hex("1B 0500 0201"), at: .zero)
        == [.deliver(value(5, "0201"), isIndication: false)])
    #expect(
      engine.receive(hex("0B 64"), at: .zero) == [.complete(id, .success(.read(value: [0x64])))])
  }

  @Test func `an indication during a request is confirmed before anyone sees it`() {
    var engine = ATTEngine()
    _ = engine.send(.read(handle: 3), as: id, at: .zero)
    #expect(
      engine.receive(hex("1D 0500 02"), at: .zero)
        == [.transmit(hex("1E")), .deliver(value(5, "02"), isIndication: true)])
    #expect(engine.hasOutstandingRequest)
  }

  @Test func `several values in one notification are delivered in order`() {
    var engine = ATTEngine()
    #expect(
      engine.receive(hex("23 0500 0200 AABB 0700 0000 0500 0100 CC"), at: .zero) == [
        .deliver(value(5, "AABB"), isIndication: false),
        .deliver(value(7, ""), isIndication: false),
        .deliver(value(5, "CC"), isIndication: false),
      ])
    #expect(engine.statistics.notifications == 3)
  }

  @Test(arguments: ["1B 05", "1B", "23 0500 0500 AA", "23"])
  func `a malformed notification is reported and changes nothing`(pdu: String) {
    var engine = ATTEngine()
    _ = engine.send(.read(handle: 3), as: id, at: .zero)
    let effects = engine.receive(hex(pdu), at: .zero)
    guard case .report(.malformed(_, let bytes)) = effects.first, effects.count == 1 else {
      Issue.record("\(effects)")
      return
    }
    #expect(bytes == hex(pdu))
    #expect(engine.statistics.malformed == 1)
    #expect(engine.hasOutstandingRequest)
  }

  @Test(arguments: [
    ("1B 05", "Handle Value Notification (2 bytes: 1B 05) left out: "), ("1B", "(1 byte: 1B)"),
    ("23 0500 0500 AA", "(6 bytes: 23 05 00 05 00 AA)"), ("", "an empty PDU left out: "),
  ])
  func `a malformed PDU is named by opcode and length`(pdu: String, displayText: String) {
    var engine = ATTEngine()
    guard case .report(let incident) = engine.receive(hex(pdu), at: .zero).last else {
      Issue.record("nothing was reported")
      return
    }
    #expect(incident.isMalformed)
    #expect("\(incident)".contains(displayText))
    #expect("\(incident)".contains("at byte"))
  }

  @Test func `a malformed indication is confirmed so that the server goes on`() {
    var engine = ATTEngine()
    let effects = engine.receive(hex("1D 05"), at: .zero)
    #expect(effects.count == 2)
    #expect(effects.first == .transmit(hex("1E")))
  }

  @Test func `a PDU longer than the MTU is reported never cut`() {
    var engine = ATTEngine()
    let long = hex("1B 0500" + String(repeating: "AA", count: 21))
    #expect(
      engine.receive(long, at: .zero)
        == [.report(.longerThanMTU(.notification, count: 24, mtu: 23))])
    _ = engine.send(.read(handle: 3), as: id, at: .zero)
    let answer = hex("0B" + String(repeating: "AA", count: 23))
    #expect(
      engine.receive(answer, at: .zero) == [
        .report(.longerThanMTU(.readResponse, count: 24, mtu: 23)),
        .complete(id, .failure(.unexpectedResponse("Read Response of 24 bytes, MTU 23"))),
      ])
    #expect(!engine.hasOutstandingRequest)
  }
}
