import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import Locking
import TestSupport
import Testing

/// Requests at which a server ends the link, and which the next links omit.
@Suite struct RequestHistoryTests {
  private let history = RequestHistory()
  private var options: GATTOptions { GATTOptions(history: history) }
  private let clock = ManualClock()

  /// Runs one link, which `script` ends or which is closed at the end.
  private func link(
    _ script: [ScriptedPeer.Step], _ body: @Sendable (GATTClient) async throws -> Void
  ) async throws {
    try await withClient(clock: clock, options: options, script: script, body)
  }

  private func digits(_ code: UInt8) -> String { hexadecimal(code, width: 2) }

  @Test func `whatever the refusal of a larger MTU, 23 bytes are the answer`() async throws {
    let refusals = (0...UInt8.max).map { "01 02 0000" + digits($0) } + ["03", "03 17", "01 02"]
    for refusal in refusals {
      try await withClient(
        script: [.expects("02 0502"), .says(refusal), .expects("0A 0300"), .says("0B 64")]
      ) { client in
        let mtu = try await client.exchangeMTU()
        #expect(mtu == 23, "\(refusal)")
        let value = try await client.read(3)
        #expect(value == [0x64], "\(refusal)")
      }
    }
  }

  @Test(arguments: [true, false])
  func `links do without a request at which one has fallen silent, or two have ended`(
    isSilent: Bool
  ) async throws {
    let clock = clock
    for _ in 1...(isSilent ? 1 : 2) {
      try await link([.expects("02 0502")] + (isSilent ? [] : [.hangsUp])) { client in
        let asking = Task { try await client.exchangeMTU() }
        if isSilent { await clock.pass(.seconds(30)) }
        await #expect(throws: GATTError.self) { try await asking.value }
      }
    }
    for _ in 1...2 {
      try await link([.expects("0A 0300"), .says("0B 64")]) { client in
        let mtu = try await client.exchangeMTU()
        #expect(mtu == 23)
        let value = try await client.read(3)
        #expect(value == [0x64])
        #expect(await client.omissions == [.exchangeMTU(clientMTU: 517)])
      }
    }
  }

  @Test func `an answer clears the link that ended at the request before`() async throws {
    for _ in 1...3 {
      try await link([.expects("02 0502"), .hangsUp]) { client in
        await #expect(throws: GATTError.self) { try await client.exchangeMTU() }
      }
      #expect(history.ends == [.exchangeMTU(clientMTU: 517): 1])
      try await link([.expects("02 0502"), .says("03 0001")]) { client in
        let mtu = try await client.exchangeMTU()
        #expect(mtu == 256)
      }
      #expect(history.ends.isEmpty)
    }
  }

  @Test func `what a person orders is sent on each link, whatever has become of it`() async throws {
    for _ in 1...3 {
      try await link([.expects("12 0300 07"), .hangsUp]) { client in
        await #expect(throws: GATTError.self) { try await client.write([7], to: 3) }
      }
    }
  }

  @Test func `distance is no fault of a request`() {
    for reason in [BearerClosed.Reason.supervisionTimeout, .adapterGone, .localHost] {
      history.linkEnded(reason, at: .read(handle: 3))
    }
    #expect(history.ends.isEmpty)
  }

  /// A notifying value with room for one descriptor.
  private static let services: [ScriptedPeer.Step] = [
    .expects("10 0100 FFFF 0028"), .says("11 06 0100 0400 0F18"),
    .expects("10 0500 FFFF 0028"), .says("01 10 0500 0A"),
    .expects("08 0100 FFFF 0328"), .says("09 07 0200 12 0300 192A"),
    .expects("08 0300 FFFF 0328"), .says("01 08 0300 0A"),
  ]

  @Test(arguments: ["2901", "2902"], ["01 12 0400 03", nil])
  func `a client configuration is guessed once`(descriptor: String, refusal: String?) async throws {
    let isConfiguration = descriptor == "2902"
    let lookUp: [ScriptedPeer.Step] = [
      .expects("04 0400 0400"), .says("05 01 0400" + (isConfiguration ? "0229" : "0129")),
    ]
    let answer: [ScriptedPeer.Step] = refusal.map { [.says($0)] + lookUp } ?? [.hangsUp]
    for _ in 1...(refusal == nil ? 2 : 1) {
      try await link(Self.services + [.expects("12 0400 0100")] + answer) { client in
        let level = try #require(try await client.discoverAll().characteristic(.bit16(0x2A19)))
        await #expect(throws: GATTError.self) { try await client.subscribe(to: level) }
      }
    }
    guard refusal == nil else { return }
    try await link(Self.services + lookUp + [.expects("0A 0300"), .says("0B 64")]) { client in
      let level = try #require(try await client.discoverAll().characteristic(.bit16(0x2A19)))
      await #expect(throws: GATTError.self) { try await client.subscribe(to: level) }
      let value = try await client.read(3)
      #expect(value == [0x64])
      let omissions = await client.omissions
      #expect(omissions.count == (isConfiguration ? 1 : 0))
    }
  }

  @Test func `a value that wants more than the bond has locks itself alone`() async throws {
    let raises = Mutex<[SecurityLevel]>([])
    let hooks = LinkCallbacks(
      raiseSecurity: { (_, level) throws(SecurityFailure) in
        raises.withLock { $0.append(level) }
        throw .unsupported
      }, security: { _ in .medium })
    let refused: [ScriptedPeer.Step] = [.expects("0A 0300"), .says("01 0A 0300 05")]
    try await withClient(
      hooks: hooks, script: refused + refused + refused + [.expects("0A 0400"), .says("0B 64")]
    ) { client in
      for _ in 1...3 {
        let refusal = ATTErrorResponse(
          opcode: .readRequest, handle: 3, code: .insufficientAuthentication)
        await #expect(throws: GATTError.att(refusal)) { try await client.read(3) }
      }
      let value = try await client.read(4)
      #expect(value == [0x64])
    }
    #expect(raises.withLock { $0 } == [.high])
  }
}
