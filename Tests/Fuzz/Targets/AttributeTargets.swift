import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Dispatch
import EventLoop
import Locking

/// Feeds the ATT engine requests, cancellations, time and arbitrary PDUs of the peer.
func fuzzATT(_ input: inout FuzzInput) throws(BrokenPromise) {
  var engine = ATTEngine(clientMTU: input.word())
  var waiting: Set<ATTRequestID> = []
  var number: UInt64 = 0
  var time = Duration.zero

  func check(_ effects: [ATTEffect]) throws(BrokenPromise) {
    for effect in effects {
      switch effect {
      case .complete(let id, _):
        try promise(waiting.remove(id) != nil, "each request is completed exactly once")
      case .transmit(let pdu): try promise(!pdu.isEmpty, "no PDU is empty")
      case .deliver, .report, .close: break
      }
    }
    try promise(23...Int(engine.clientMTU) ~= engine.mtu, "the MTU is between 23 and this side's")
  }

  while !input.isEmpty {
    switch input.byte() % 8 {
    case 0, 1:
      number += 1
      let id = ATTRequestID(rawValue: number)
      waiting.insert(id)
      try check(engine.send(request(&input), as: id, at: time))
    case 2: try check(engine.cancel(ATTRequestID(rawValue: UInt64(input.byte()))))
    case 3: try check(engine.withdraw(ATTRequestID(rawValue: UInt64(input.byte()))))
    case 4:
      time += .milliseconds(Int(input.word()))
      try check(engine.timePassed(at: time))
    case 5:
      engine.hold()
      engine.requestWasSent(at: time)
    default: try check(engine.receive(input.chunk(), at: time))
    }
  }
  try check(engine.close(.peer))
  try promise(waiting.isEmpty, "the end of the bearer completes every request")
  try promise(engine.receive([0x0B, 0x01], at: time).isEmpty, "nothing follows the end")
}

private func request(_ input: inout FuzzInput) -> ATTRequest {
  let range = ATTHandleRange(start: input.word(), end: input.word())
  switch input.byte() % 12 {
  case 0: return .exchangeMTU(clientMTU: 517)
  case 1: return .findInformation(range)
  case 2: return .findByTypeValue(range, type: 0x2800, value: input.chunk())
  case 3: return .readByType(range, type: .bit16(0x2803))
  case 4: return .read(handle: range.start)
  case 5: return .readBlob(handle: range.start, offset: range.end)
  case 6: return .readMultiple(handles: [range.start, range.end])
  case 7: return .readByGroupType(range, type: .bit16(0x2800))
  case 8: return .write(handle: range.start, value: input.chunk())
  case 9: return .prepareWrite(handle: range.start, offset: range.end, value: input.chunk())
  case 10: return .executeWrite(.commit)
  default: return .readMultipleVariable(handles: [range.start, range.end])
  }
}

/// Runs all procedures of a GATT client on a new link, with the server's answers as the input.
///
/// The server answers each request in the end, and hangs up when the input is used up, so that the
/// length of the conversation is that of the input.
func fuzzGATT(_ input: FuzzInput) throws(BrokenPromise) {
  // libFuzzer has one thread and wants its answer there; the client has that of its bearers.
  let isOver = DispatchSemaphore(value: 0)
  let isClosed = Mutex(false)
  Task.detached {
    let closed = await converse(input)
    isClosed.withLock { $0 = closed }
    isOver.signal()
  }
  isOver.wait()
  try promise(isClosed.withLock { $0 }, "the client knows that the link has ended")
}

private func converse(_ input: FuzzInput) async -> Bool {
  guard let (ours, theirs) = try? SocketBearer.pair(loop: .shared) else { return true }
  async let served: Void = HostileServer(bearer: theirs, input: input).serve()
  let client = GATTClient(bearer: ours)
  _ = try? await client.exchangeMTU()
  _ = try? await client.discoverAll()
  try? await client.watchForServiceChanges()
  _ = try? await client.readDatabaseHash()
  let found =
    (try? await client.discoverCharacteristics())?.services.flatMap(\.characteristics) ?? []
  for characteristic in found.prefix(4) {
    _ = try? await client.subscribe(to: characteristic)
    _ = try? await client.readLong(characteristic.handle)
    try? await client.write([1, 2, 3], to: characteristic.handle)
    try? await client.writeLong(Bytes(repeating: 7, count: 100), to: characteristic.handle)
  }
  let handles = found.prefix(8).map(\.handle)
  _ = try? await client.readValues(handles)
  let cache = await client.cache
  _ = try? await client.resume(reading: handles)
  try? await client.servicesSettled()
  _ = try? await client.discover(using: cache, reading: handles)
  // What is left of the input.
  while (try? await client.read(1)) != nil {}
  theirs.close(.user)
  await served
  await client.close()
  ours.close(.user)
  return await client.closed != nil
}

/// A server that sends the input, before and instead of answers.
private struct HostileServer {
  let bearer: SocketBearer
  var input: FuzzInput

  func serve() async {
    var input = input
    do {
      while !input.isEmpty {
        let request = try await bearer.receive()
        guard let opcode = request.first, opcode & 0x41 == 0, opcode != 0x1E else { continue }
        repeat {
          let kind = input.byte()
          let body = input.chunk()
          // The right response, a value or a request of the server's own, or anything.
          let first: [UInt8] =
            switch kind % 8 {
            case 0...3: [opcode + 1]
            case 4: [0x1B]
            case 5: [0x1D]
            default: []
            }
          let pdu = first + body
          if !pdu.isEmpty { try await bearer.send(pdu[...]) }
          if kind < 0x80 { break }
        } while !input.isEmpty
        // It answers a request that nothing has answered, and is ignored otherwise.
        try await bearer.send([0x01, opcode] + [input.byte(), input.byte(), max(1, input.byte())])
      }
    } catch {}
    bearer.close(.user)
  }
}
