import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import Locking
import Testing

@Suite struct SecurityTests {
  /// A link whose security can be raised, which counts the attempts.
  private final class Link: Sendable {
    private let state = Mutex((level: SecurityLevel.low, attempts: [SecurityLevel]()))
    private let failure: SecurityFailure?

    init(_ level: SecurityLevel = .low, failing failure: SecurityFailure? = nil) {
      self.failure = failure
      state.withLock { $0.level = level }
    }

    var attempts: [SecurityLevel] { state.withLock { $0.attempts } }

    var hooks: LinkCallbacks {
      LinkCallbacks(
        raiseSecurity: { (_, level) throws(SecurityFailure) in
          self.state.withLock { $0.attempts.append(level) }
          if let failure = self.failure { throw failure }
          self.state.withLock { $0.level = level }
        },
        security: { _ in self.state.withLock { $0.level } })
    }
  }

  @Test(arguments: ["05", "08", "0C", "0F"])
  func `what is refused for security is sent once more on a secure link`(code: String) async throws
  {
    let link = Link()
    try await withClient(
      hooks: link.hooks,
      script: [
        .expects("0A 0300"), .says("01 0A 0300" + code), .expects("0A 0300"), .says("0B 64"),
      ]
    ) { client in
      let value = try await client.read(3)
      #expect(value == [0x64])
      #expect(link.attempts == [.medium])
    }
  }

  @Test(arguments: ["05", "0C"])
  func `one request climbs to the level that the server wants`(code: String) async throws {
    let link = Link()
    let refusals = (0..<3).flatMap { _ -> [ScriptedPeer.Step] in
      [.expects("0A 0300"), .says("01 0A 0300" + code)]
    }
    try await withClient(
      hooks: link.hooks, script: refusals + [.expects("0A 0300"), .says("0B 64")]
    ) { client in
      let value = try await client.read(3)
      #expect(value == [0x64])
      #expect(link.attempts == [.medium, .high, .fips])
    }
  }

  @Test func `above the highest level the server's error is the result`() async throws {
    let link = Link()
    let refusals = (0..<4).flatMap { _ -> [ScriptedPeer.Step] in
      [.expects("0A 0300"), .says("01 0A 0300 05")]
    }
    try await withClient(hooks: link.hooks, script: refusals) { client in
      let refusal = ATTErrorResponse(
        opcode: .readRequest, handle: 3, code: .insufficientAuthentication)
      await #expect(throws: GATTError.att(refusal)) { try await client.read(3) }
      #expect(link.attempts == [.medium, .high, .fips])
    }
  }

  @Test(arguments: ["08", "0F"])
  func `an encrypted link is not raised for want of encryption`(code: String) async throws {
    let link = Link(.medium)
    try await withClient(
      hooks: link.hooks, script: [.expects("0A 0300"), .says("01 0A 0300" + code)]
    ) { client in
      await #expect(throws: GATTError.self) { try await client.read(3) }
      #expect(link.attempts == [])
    }
  }

  @Test func `a bearer that only claims to be secure is not asked without end`() async throws {
    let attempts = Mutex(0)
    let hooks = LinkCallbacks(
      raiseSecurity: { (_, _) throws(SecurityFailure) in attempts.withLock { $0 += 1 } },
      security: { _ in .low })
    let refusals = (0..<4).flatMap { _ -> [ScriptedPeer.Step] in
      [.expects("0A 0300"), .says("01 0A 0300 05")]
    }
    try await withClient(hooks: hooks, script: refusals) { client in
      await #expect(throws: GATTError.self) { try await client.read(3) }
      #expect(attempts.withLock { $0 } == 3)
    }
  }

  @Test func `a caller that allows no pairing gets the error`() async throws {
    let link = Link()
    try await withClient(
      options: GATTOptions(highestSecurity: .low), hooks: link.hooks,
      script: [.expects("12 0300 01"), .says("01 12 0300 0F")]
    ) { client in
      let refusal = ATTErrorResponse(
        opcode: .writeRequest, handle: 3, code: .insufficientEncryption)
      await #expect(throws: GATTError.att(refusal)) { try await client.write([1], to: 3) }
      #expect(link.attempts == [])
    }
  }

  @Test func `a refused pairing is an error of security`() async throws {
    let link = Link(failing: .refused)
    try await withClient(
      hooks: link.hooks,
      script: [
        .expects("0A 0300"), .says("01 0A 0300 0F"), .expects("0A 0400"), .says("0B 64"),
      ]
    ) { client in
      await #expect(throws: GATTError.security(.refused)) { try await client.read(3) }
      _ = try await client.read(4)
    }
  }

  @Test func `a link that was secured may then be reported that the database has changed`()
    async throws
  {
    let link = Link()
    try await withClient(
      hooks: link.hooks,
      script: [
        .expects("0A 0300"), .says("01 0A 0300 0F"), .expects("0A 0300"), .says("01 0A 0000 12"),
        .expects("08 0100 FFFF 2A2B"), .says("01 08 0100 0A"),
        .expects("10 0100 FFFF 0028"), .says("01 10 0100 0A"),
        .expects("08 0100 FFFF 0328"), .says("01 08 0100 0A"),
        .expects("0A 0300"), .says("0B 64"),
      ]
    ) { client in
      let value = try await client.read(3)
      #expect(value == [0x64])
      #expect(link.attempts == [.medium])
    }
  }

  @Test func `two refused requests share one raise`() async throws {
    let link = Link()
    try await withClient(
      hooks: link.hooks,
      script: [
        .expectsAnything, .says("01 0A 0300 0F"), .expectsAnything, .says("01 0A 0400 0F"),
        .expectsAnything, .says("0B 64"), .expectsAnything, .says("0B 64"),
      ]
    ) { client in
      async let one = client.read(3)
      async let other = client.read(4)
      _ = try await (one, other)
      #expect(link.attempts == [.medium])
    }
  }
}
