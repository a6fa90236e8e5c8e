import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import Locking
import TestSupport
import Testing

/// Servers that break every rule; each test expects an outcome and a bounded number of requests.
@Suite struct HostileServerTests {
  /// More requests than any procedure needs with an honest server.
  private static let mostRequests = 600
  /// The errors after which the client raises the link's security, which is impossible here.
  private static let curedBySecurity: [ATTErrorCode] = [
    .insufficientAuthentication, .insufficientAuthorization, .encryptionKeySizeTooShort,
    .insufficientEncryption,
  ]

  @Test(arguments: [(0, 23), (22, 23), (23, 23), (64, 64), (517, 517), (65535, 517)])
  func `the MTU is never below the default nor above what this side takes`(
    server: UInt16, agreed: Int
  ) async throws {
    try await withHostileServer { request in
      [.exchangeMTU(serverMTU: server)]
    } _: { client in
      let mtu = try await client.exchangeMTU()
      #expect(mtu == agreed)
    }
  }

  @Test(arguments: UInt8.min...UInt8.max)
  func `each error code of each request is an error or an empty list`(code: UInt8) async throws {
    try await withHostileServer { request in
      [
        .error(
          ATTErrorResponse(opcode: request.opcode, handle: 3, code: ATTErrorCode(rawValue: code)))
      ]
    } _: { client in
      let code = ATTErrorCode(rawValue: code)
      for procedure in Procedure.allCases {
        let before = await client.requestCount
        do throws(GATTError) {
          try await procedure.run(on: client)
          let isTolerated =
            switch procedure {
            case .services, .characteristics: code == .attributeNotFound
            // Whatever the error: 23 bytes, no hash, and nothing that was kept.
            case .mtu, .hash, .resumption: true
            default: false
            }
          #expect(isTolerated, "\(procedure) ended well with \(code)")
        } catch {
          switch error {
          case .att(let response): #expect(response.code == code, "\(procedure)")
          case .security: #expect(Self.curedBySecurity.contains(code), "\(procedure): \(error)")
          case .servicesChanged: #expect(code == .databaseOutOfSync, "\(procedure): \(error)")
          default: Issue.record("\(procedure) with \(code): \(error)")
          }
        }
        #expect(await client.requestCount - before <= 20, "\(procedure) with \(code)")
      }
      #expect(await client.closed == nil)
    }
  }

  /// Invalid pages of a list of services.
  @Test(arguments: [
    Pages("backwards", [(0x0030, 0x003F), (0x0010, 0x001F)]),
    Pages("overlapping", [(0x0001, 0x0020), (0x0010, 0x0030)]),
    Pages("the same for ever", [(0x0001, 0x0001)]),
    Pages("an end before its start", [(0x0010, 0x0001)]),
    Pages("handle 0", [(0x0000, 0x0003)]),
  ])
  func `handles that do not go forward are an error`(pages: Pages) async throws {
    try await withHostileServer { request in
      guard case .readByGroupType = request else { return [.notFound(request)] }
      return [
        .readByGroupType(
          pages.groups.map {
            ATTGroup(range: ATTHandleRange(start: $0.0, end: $0.1), value: [0xF0, 0xFF])
          })
      ]
    } _: { client in
      await #expect(throws: GATTError.self) { try await client.discoverServices() }
      #expect(await client.requestCount <= 2)
    }
  }

  @Test func `a service on each page is given up in the end`() async throws {
    try await withHostileServer { request in
      guard case .readByGroupType(let range, _) = request else { return [.notFound(request)] }
      let service = ATTHandleRange(start: range.start, end: range.start)
      return [.readByGroupType([ATTGroup(range: service, value: [0xF0, 0xFF])])]
    } _: { client in
      await #expect(throws: GATTError.self) { try await client.discoverServices() }
      #expect(await client.requestCount <= Self.mostRequests)
    }
  }

  @Test func `answers of other requests are not taken for one`() async throws {
    try await withHostileServer { request in
      guard case .read(let handle) = request else { return [.notFound(request)] }
      return [
        .write, .findInformation([]),
        .error(ATTErrorResponse(opcode: .writeRequest, handle: 1, code: .invalidHandle)),
        .read(value: [UInt8(truncatingIfNeeded: handle)]),
      ]
    } _: { client in
      for handle in UInt16(1)...100 {
        let value = try await client.read(handle)
        #expect(value == [UInt8(truncatingIfNeeded: handle)])
      }
      #expect(await client.statistics.strayResponses == 300)
    }
  }

  /// The queue keeps the newest values, and its memory is bounded.
  @Test func `a million values to a subscriber who sleeps cost a queue`() async throws {
    let lost = Mutex(0)
    let (ours, theirs) = try SocketBearer.pair(loop: .shared)
    // However long a million takes, the request behind them does not time out.
    let client = GATTClient(
      bearer: ours, clock: ManualClock(),
      options: GATTOptions(
        subscriptionCapacity: 16,
        report: { if case .valuesLost(_, let count) = $0 { lost.withLock { $0 += count } } }))
    var values = await client.values(of: 3).makeAsyncIterator()
    // As many in a PDU as the largest MTU holds: five bytes for each.
    let perPDU = 100
    let pdu = Bytes(
      [0x23] + Array(repeating: [0x03, 0x00, 0x01, 0x00, 0x07], count: perPDU).joined())
    async let served: Void = {
      _ = try? await theirs.receive()
      try? await theirs.send([0x03, 0x05, 0x02])
      for _ in 0..<1_000_000 / perPDU { try await theirs.send(pdu) }
      _ = try await theirs.receive()
      try await theirs.send([0x0B, 0x01])
    }()
    #expect(try await client.exchangeMTU() == 517)
    _ = try await client.read(1)
    try await served
    let first = try #require(try await values.next())
    #expect(first.lostBefore == 1_000_000 - 16)
    #expect(lost.withLock { $0 } == 1_000_000 - 16)
    await client.close()
    theirs.close(.user)
  }

  @Test func `a link that ends at any PDU ends every procedure`() async throws {
    for answered in 0..<12 {
      let served = Mutex(0)
      try await withHostileServer { request in
        guard
          served.withLock({
            $0 += 1; return $0 <= answered
          })
        else { return nil }
        switch request {
        case .exchangeMTU: return [.exchangeMTU(serverMTU: 64)]
        case .readByGroupType(let range, .bit16(0x2800)) where range.start == 1:
          return [
            .readByGroupType([
              ATTGroup(range: ATTHandleRange(start: 1, end: 9), value: [0xF0, 0xFF])
            ])
          ]
        case .read: return [.read(value: [1])]
        case .write: return [.write]
        default: return [.notFound(request)]
        }
      } _: { client in
        for procedure in Procedure.allCases {
          do throws(GATTError) { try await procedure.run(on: client) } catch {}
        }
        await #expect(throws: GATTError.self) {
          while true { _ = try await client.read(1) }
        }
        #expect(await client.closed == BearerClosed(.peer), "after \(answered) answers")
      }
    }
  }

  struct Pages: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var groups: [(UInt16, UInt16)]

    init(_ name: String, _ groups: [(UInt16, UInt16)]) {
      testDescription = name
      self.groups = groups
    }
  }
}

/// The procedures of a client.
private enum Procedure: CaseIterable {
  case mtu, services, characteristics, hash, resumption, read, long, several, write, longWrite

  func run(on client: GATTClient) async throws(GATTError) {
    switch self {
    case .mtu: try await client.exchangeMTU()
    case .services: _ = try await client.discoverServices()
    case .characteristics: _ = try await client.discoverCharacteristics()
    case .hash: _ = try await client.readDatabaseHash()
    case .resumption: _ = try await client.resume(reading: [3, 5])
    case .read: _ = try await client.read(3)
    case .long: _ = try await client.readLong(3)
    case .several: _ = try await client.readMultiple([3, 5])
    case .write: try await client.write([1], to: 3)
    case .longWrite: try await client.writeLong(Bytes(repeating: 1, count: 100), to: 3)
    }
  }
}

extension ATTResponse {
  fileprivate static func notFound(_ request: ATTRequest) -> ATTResponse {
    .error(ATTErrorResponse(opcode: request.opcode, handle: 1, code: .attributeNotFound))
  }
}

/// Runs `body` with a client whose server sends `answers`, or hangs up if they are nil.
private func withHostileServer(
  _ answers: @escaping @Sendable (ATTRequest) -> [ATTResponse]?,
  _ body: @Sendable (GATTClient) async throws -> Void
) async throws {
  let (ours, theirs) = try SocketBearer.pair(loop: .shared)
  let client = GATTClient(bearer: ours, clock: ManualClock())
  async let served: Void = {
    while let pdu = try? await theirs.receive() {
      guard case .request(let request) = try? ATTClientPDU(decoding: pdu) else { continue }
      guard let answers = answers(request) else { return theirs.close(.user) }
      for answer in answers {
        try? await theirs.send(Bytes(ATTServerPDU.response(answer).encoded()))
      }
    }
  }()
  defer { theirs.close(.user) }
  try await body(client)
  await client.close()
  theirs.close(.user)
  await served
}
