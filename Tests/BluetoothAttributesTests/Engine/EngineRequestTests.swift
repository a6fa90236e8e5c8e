import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Testing

@Suite struct EngineRequestTests {
  private let first = ATTRequestID(rawValue: 1)
  private let second = ATTRequestID(rawValue: 2)
  private let third = ATTRequestID(rawValue: 3)

  private func complete(_ id: ATTRequestID, _ value: String) -> ATTEffect {
    .complete(id, .success(.read(value: hex(value))))
  }

  @Test func `one request is outstanding and the others wait in order`() {
    var engine = ATTEngine()
    #expect(
      engine.send(.read(handle: 1), as: first, at: .zero) == [.transmit(hex("0A 0100"))])
    #expect(engine.send(.read(handle: 2), as: second, at: .zero) == [])
    #expect(engine.send(.read(handle: 3), as: third, at: .zero) == [])
    #expect(
      engine.receive(hex("0B 11"), at: .zero)
        == [complete(first, "11"), .transmit(hex("0A 0200"))])
    #expect(
      engine.receive(hex("0B 22"), at: .zero)
        == [complete(second, "22"), .transmit(hex("0A 0300"))])
    #expect(engine.receive(hex("0B 33"), at: .zero) == [complete(third, "33")])
    #expect(!engine.hasOutstandingRequest)
    #expect(engine.statistics.requests == 3)
  }

  @Test func `an error response completes its request with opcode handle and code`() {
    var engine = ATTEngine()
    _ = engine.send(.write(handle: 3, value: [1]), as: first, at: .zero)
    let refusal = ATTErrorResponse(opcode: .writeRequest, handle: 3, code: .writeNotPermitted)
    #expect(
      engine.receive(hex("01 12 0300 03"), at: .zero) == [.complete(first, .failure(.att(refusal)))]
    )
  }

  @Test func `a request that is held back has no deadline until it is sent`() {
    var engine = ATTEngine()
    _ = engine.send(.read(handle: 1), as: first, at: .zero)
    #expect(engine.nextDeadline == .seconds(30))
    engine.hold()
    #expect(engine.nextDeadline == nil)
    #expect(engine.timePassed(at: .seconds(35)) == [])
    engine.requestWasSent(at: .seconds(35))
    #expect(engine.nextDeadline == .seconds(65))
    // That an earlier one was sent does not prolong it.
    engine.requestWasSent(at: .seconds(60))
    #expect(engine.nextDeadline == .seconds(65))
  }

  @Test func `only a request that waits can be withdrawn`() {
    var engine = ATTEngine()
    _ = engine.send(.read(handle: 1), as: first, at: .zero)
    _ = engine.send(.read(handle: 2), as: second, at: .zero)
    #expect(engine.withdraw(first) == [])
    #expect(engine.withdraw(second) == [.complete(second, .failure(.servicesChanged))])
    #expect(engine.withdraw(second) == [])
    #expect(engine.receive(hex("0B 11"), at: .zero) == [complete(first, "11")])
  }

  @Test func `after an invalid PDU error the next request is sent`() {
    var engine = ATTEngine()
    _ = engine.send(.read(handle: 1), as: first, at: .zero)
    _ = engine.send(.read(handle: 2), as: second, at: .zero)
    let refusal = ATTErrorResponse(opcode: .readRequest, handle: 0, code: .invalidPDU)
    #expect(
      engine.receive(hex("01 0A 0000 04"), at: .zero)
        == [.complete(first, .failure(.att(refusal))), .transmit(hex("0A 0200"))])
  }

  @Test func `an answer without a request is nobodys`() {
    var engine = ATTEngine()
    #expect(engine.receive(hex("0B 11"), at: .zero) == [.report(.unsolicited(.readResponse))])
    #expect(engine.receive(hex("1E"), at: .zero) == [.report(.unsolicited(.confirmation))])
    #expect(engine.statistics.strayResponses == 2)
  }

  @Test func `an answer that comes twice is not given to the next request`() {
    var engine = ATTEngine()
    _ = engine.send(.read(handle: 1), as: first, at: .zero)
    _ = engine.receive(hex("0B 11"), at: .zero)
    #expect(engine.receive(hex("0B 11"), at: .zero) == [.report(.unsolicited(.readResponse))])
    _ = engine.send(.write(handle: 2, value: []), as: second, at: .zero)
    #expect(
      engine.receive(hex("0B 11"), at: .zero)
        == [.report(.foreign(.readResponse, awaited: .writeResponse))])
    #expect(engine.receive(hex("13"), at: .zero) == [.complete(second, .success(.write))])
  }

  @Test(arguments: ["0D 11", "13", "03 1700", "01 12 0300 03", "21 0100 11"])
  func `an answer to another request is not taken`(pdu: String) {
    var engine = ATTEngine()
    _ = engine.send(.read(handle: 3), as: first, at: .zero)
    let opcode = ATTOpcode(rawValue: hex(pdu)[0])
    #expect(
      engine.receive(hex(pdu), at: .zero) == [.report(.foreign(opcode, awaited: .readResponse))])
    #expect(engine.receive(hex("0B 64"), at: .zero) == [complete(first, "64")])
  }

  @Test func `cancelling the outstanding request keeps its slot until the answer`() {
    var engine = ATTEngine()
    _ = engine.send(.read(handle: 1), as: first, at: .zero)
    #expect(engine.cancel(first) == [.complete(first, .failure(.cancelled))])
    #expect(engine.send(.read(handle: 2), as: second, at: .zero) == [])
    #expect(
      engine.receive(hex("0B 11"), at: .zero)
        == [.report(.responseToCancelled(.readResponse)), .transmit(hex("0A 0200"))])
    #expect(engine.receive(hex("0B 22"), at: .zero) == [complete(second, "22")])
  }

  @Test func `cancelling a waiting request takes it out`() {
    var engine = ATTEngine()
    _ = engine.send(.read(handle: 1), as: first, at: .zero)
    _ = engine.send(.read(handle: 2), as: second, at: .zero)
    _ = engine.send(.read(handle: 3), as: third, at: .zero)
    #expect(engine.cancel(second) == [.complete(second, .failure(.cancelled))])
    #expect(engine.cancel(second) == [])
    #expect(
      engine.receive(hex("0B 11"), at: .zero)
        == [complete(first, "11"), .transmit(hex("0A 0300"))])
  }

  @Test
  func `without an answer for 30 seconds the bearer closes and every waiter gets that reason`() {
    var engine = ATTEngine()
    #expect(engine.nextDeadline == nil)
    _ = engine.send(.read(handle: 1), as: first, at: .seconds(5))
    _ = engine.send(.read(handle: 2), as: second, at: .seconds(20))
    #expect(engine.nextDeadline == .seconds(35))
    #expect(engine.timePassed(at: .seconds(34)) == [])
    let closed = GATTError.closed(BearerClosed(.requestTimeout))
    #expect(
      engine.timePassed(at: .seconds(35)) == [
        .close(.requestTimeout), .complete(first, .failure(closed)),
        .complete(second, .failure(closed)),
      ])
    #expect(engine.nextDeadline == nil)
    #expect(
      engine.send(.read(handle: 3), as: third, at: .seconds(36))
        == [.complete(third, .failure(closed))])
    #expect(engine.receive(hex("0B 11"), at: .seconds(36)) == [])
  }

  @Test func `the deadline counts from when the request was sent`() {
    var engine = ATTEngine()
    _ = engine.send(.read(handle: 1), as: first, at: .seconds(0))
    _ = engine.send(.read(handle: 2), as: second, at: .seconds(1))
    _ = engine.receive(hex("0B 11"), at: .seconds(29))
    #expect(engine.nextDeadline == .seconds(59))
  }

  @Test func `a request whose caller was cancelled still has its deadline`() {
    var engine = ATTEngine()
    _ = engine.send(.read(handle: 1), as: first, at: .zero)
    _ = engine.cancel(first)
    #expect(engine.timePassed(at: .seconds(30)) == [.close(.requestTimeout)])
  }

  @Test func `only the first close counts`() {
    var engine = ATTEngine()
    #expect(engine.close(.peer) == [.close(.peer)])
    #expect(engine.close(.user) == [])
    #expect(engine.closed == BearerClosed(.peer))
  }
}
