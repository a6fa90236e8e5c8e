import BluetoothAttributes
import BluetoothCodec
import Testing

/// PDUs of a peripheral other than responses.
@Suite struct EnginePeerTests {
  private let id = ATTRequestID(rawValue: 1)

  @Test(
    arguments: [
      // Ours, theirs, agreed: the smaller, never below 23.
      (517, 247, 247), (100, 247, 100), (517, 517, 517), (517, 10, 23), (23, 517, 23),
    ] as [(UInt16, UInt16, Int)])
  func `the MTU is the smaller of both`(ours: UInt16, theirs: UInt16, agreed: Int) {
    var engine = ATTEngine(clientMTU: ours)
    #expect(engine.mtu == 23)
    _ = engine.send(.exchangeMTU(clientMTU: ours), as: id, at: .zero)
    _ = engine.receive(
      Bytes(ATTServerPDU.response(.exchangeMTU(serverMTU: theirs)).encoded()), at: .zero)
    #expect(engine.mtu == agreed)
  }

  @Test func `the peripheral's exchange MTU is answered with ours`() {
    var engine = ATTEngine(clientMTU: 517)
    #expect(engine.receive(hex("02 F700"), at: .zero) == [.transmit(hex("03 0502"))])
    #expect(engine.mtu == 247)
  }

  @Test(arguments: [0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20, 0x3E, 0x80])
  func `a request of the peripheral is not supported`(opcode: UInt8) {
    var engine = ATTEngine()
    _ = engine.send(.read(handle: 3), as: id, at: .zero)
    #expect(
      engine.receive([opcode, 1, 0], at: .zero) == [
        .transmit([0x01, opcode, 0x00, 0x00, 0x06]),
        .report(.unsupportedRequest(ATTOpcode(rawValue: opcode))),
      ])
    #expect(engine.hasOutstandingRequest)
  }

  @Test(arguments: [0x52, 0xD2, 0x40, 0x7F, 0xFF])
  func `a command is ignored`(opcode: UInt8) {
    var engine = ATTEngine()
    #expect(
      engine.receive([opcode, 3, 0, 1], at: .zero)
        == [.report(.ignoredCommand(ATTOpcode(rawValue: opcode)))])
  }

  @Test(arguments: ["02", "02 F7", "02 F700 00"])
  func `a malformed exchange MTU is an invalid PDU`(pdu: String) {
    var engine = ATTEngine()
    let effects = engine.receive(hex(pdu), at: .zero)
    #expect(effects.first == .transmit(hex("01 02 0000 04")))
    #expect(engine.mtu == 23)
  }

  @Test(arguments: ["", "25", "2F 01", "BF"])
  func `what is no PDU is reported and not answered`(pdu: String) {
    var engine = ATTEngine()
    let effects = engine.receive(hex(pdu), at: .zero)
    guard case .report(.malformed) = effects.first, effects.count == 1 else {
      Issue.record("\(effects)")
      return
    }
  }

  @Test(arguments: [
    // A Read By Type Response with an impossible length, half an Error Response, Find Information.
    ("09 01 00", ATTRequest.readByType(.all, type: .characteristic)),
    ("09", .readByType(.all, type: .characteristic)),
    ("01 08 01", .readByType(.all, type: .include)),
    ("01", .read(handle: 1)), ("05 03 0100 0028", .findInformation(.all)),
    ("03 17", .exchangeMTU(clientMTU: 517)), ("11 04 0100", .readByGroupType(.all, type: .include)),
  ])
  func `a malformed answer fails its request and frees the slot`(pdu: String, request: ATTRequest) {
    var engine = ATTEngine()
    _ = engine.send(request, as: id, at: .zero)
    let effects = engine.receive(hex(pdu), at: .zero)
    guard case .report(.malformed) = effects.first,
      case .complete(id, .failure(.unexpectedResponse)) = effects.last
    else {
      Issue.record("\(effects)")
      return
    }
    #expect(!engine.hasOutstandingRequest)
    #expect(engine.closed == nil)
  }
}
