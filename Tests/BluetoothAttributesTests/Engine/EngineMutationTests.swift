import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import TestSupport
import Testing

@Suite struct EngineMutationTests {
  private static let seeds: [Bytes] = [
    "01 0A 0300 05", "03 F700", "05 01 0100 0028 0200 0328", "07 0100 0500",
    "09 07 0200 0203002A00",
    "0B 64", "0D 6465", "0F 0102", "11 06 0100 0500 0018", "13", "17 0300 0000 AABB", "19",
    "1B 0500 0201", "1D 0500 0201", "21 0100 64 0200 6465", "23 0500 0100 AA", "02 F700", "0A 0300",
    "52 0300 01", "1E",
  ].map(hex)

  private static let requests: [ATTRequest] = [
    .exchangeMTU(clientMTU: 517), .findInformation(.all), .read(handle: 3),
    .findByTypeValue(.all, type: 0x2800, value: [1, 2]), .readByType(.all, type: .characteristic),
    .readBlob(handle: 3, offset: 5), .readMultiple(handles: [1, 2]),
    .readByGroupType(.all, type: .primaryService), .write(handle: 3, value: [1]),
    .prepareWrite(handle: 3, offset: 0, value: [1]), .executeWrite(.commit),
    .readMultipleVariable(handles: [1, 2]),
  ]

  /// Feeds 100,000 mutated PDUs among sends, cancellations, time-outs and closes.
  @Test(arguments: 0..<20) func `no input traps and every waiter ends once`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var run = Run()
    for _ in 0..<5_000 {
      run.receive(mutated(&random))
      switch random.next() % 64 {
      case 0..<24: run.send(Self.requests.randomElement(using: &random) ?? .read(handle: 1))
      case 24..<28: run.cancel(&random)
      case 28: run.pass(.seconds(random.next() % 8))
      case 29 where random.next() % 32 == 0: run.close()
      default: break
      }
    }
    run.close()
    #expect(run.waiting.isEmpty, "seed \(seed): waiters without an end")
    #expect(run.faults.isEmpty, "seed \(seed): \(run.faults.prefix(3))")
  }

  private func mutated(_ random: inout SeededGenerator) -> Bytes {
    var pdu = Array(Self.seeds.randomElement(using: &random) ?? [])
    for _ in 0..<random.next() % 4 {
      let byte = UInt8(truncatingIfNeeded: random.next())
      let place = Int(random.next() % UInt64(pdu.count + 1))
      switch random.next() % 4 {
      case 0: pdu.insert(byte, at: place)
      case 1 where place < pdu.count: pdu.remove(at: place)
      case 2: pdu.removeSubrange(place...)
      default: if place < pdu.count { pdu[place] = byte }
      }
    }
    // A slice that does not begin at 0, as those of a longer input do not.
    return ([0xEE] + pdu)[1...]
  }

  /// An engine with its invariants.
  private struct Run {
    var engine = ATTEngine()
    var now = Duration.zero
    var waiting: Set<ATTRequestID> = []
    var faults: [String] = []
    private var lastID: UInt64 = 0

    mutating func receive(_ pdu: Bytes) {
      let wasAwaiting = engine.hasOutstandingRequest
      check(engine.receive(pdu, at: now), mayAsk: true, wasAwaiting)
    }

    mutating func send(_ request: ATTRequest) {
      lastID += 1
      let id = ATTRequestID(rawValue: lastID)
      waiting.insert(id)
      let wasAwaiting = engine.hasOutstandingRequest
      check(engine.send(request, as: id, at: now), mayAsk: !wasAwaiting, false)
    }

    mutating func cancel(_ random: inout SeededGenerator) {
      if let id = waiting.randomElement(using: &random) {
        check(engine.cancel(id), mayAsk: false, false)
      }
    }

    mutating func pass(_ time: Duration) {
      now += time
      check(engine.timePassed(at: now), mayAsk: false, false)
    }

    mutating func close() {
      check(engine.close(.user), mayAsk: false, false)
      if !waiting.isEmpty { faults.append("\(waiting.count) waiters after the close") }
      engine = ATTEngine()
    }

    /// Checks the effects, among which may be a request if `mayAsk` and none is outstanding.
    private mutating func check(_ effects: [ATTEffect], mayAsk: Bool, _ wasAwaiting: Bool) {
      var requestsSent = 0
      var responses = 0
      for effect in effects {
        switch effect {
        case .complete(let id, _):
          responses += 1
          if waiting.remove(id) == nil { faults.append("\(id) completed twice") }
        case .report(.responseToCancelled): responses += 1
        case .transmit(let pdu):
          if case .request = try? ATTClientPDU(decoding: pdu) { requestsSent += 1 }
        case .deliver, .report, .close: break
        }
      }
      if requestsSent > (mayAsk ? 1 : 0) || (wasAwaiting && requestsSent > responses) {
        faults.append("a request while another is outstanding")
      }
      if engine.closed != nil {
        if !waiting.isEmpty { faults.append("closed with waiters") }
        engine = ATTEngine()
      }
      if engine.mtu < 23 || engine.mtu > 517 { faults.append("MTU \(engine.mtu)") }
      if engine.hasOutstandingRequest != (engine.nextDeadline != nil) {
        faults.append("a deadline without a request, or the reverse")
      }
    }
  }
}
