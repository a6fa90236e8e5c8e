import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import TestSupport
import Testing

@Suite struct PairingDeskTests {
  private let bud = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random)
  private let clock = ManualClock()

  private func passkey(_ number: UInt32) throws -> Passkey { try #require(Passkey(number)) }

  @Test(arguments: [false, true])
  func `with nobody there no pairing has consent`(consents: Bool) async throws {
    let agent = PairingAgent(clock: clock, consentsUnattended: consents)
    #expect(!agent.isAttended && agent.mayBegin == consents)
    #expect(await agent.ask(.consent, for: bud) == (consents ? .yes : .no))
    #expect(await agent.ask(.consent, for: bud, isBegun: false) == .no)
    #expect(await agent.ask(.enter, for: bud) == .no)
    #expect(await agent.ask(.compare(try passkey(7)), for: bud) == .no)
    #expect(await agent.ask(.show(try passkey(7), entered: 0), for: bud) == .no)
    #expect(clock.sleeping == 0)
  }

  @Test(
    arguments: [PairingAnswer.yes, .no]
      + [Passkey(digits: "031415")].compactMap { $0.map(PairingAnswer.passkey) })
  func `a question gets its answer`(answer: PairingAnswer) async throws {
    let agent = PairingAgent(clock: clock)
    var events = agent.events().makeAsyncIterator()
    async let given = agent.ask(.enter, for: bud, hint: "it says 031415")
    let question = PairingAgent.Question(
      id: 1, peer: bud, request: .enter, hint: "it says 031415", limit: .seconds(25))
    #expect(await events.next() == .asked(question))
    agent.reply(to: 1, with: answer)
    #expect(await given == answer)
    #expect(await events.next() == .closed(1, .answered))
    // A second answer is none.
    agent.reply(to: 1, with: .no)
  }

  @Test func `an answer that does not come in time is none`() async throws {
    let agent = PairingAgent(clock: clock, timeout: .seconds(25))
    var events = agent.events().makeAsyncIterator()
    async let given = agent.ask(.consent, for: bud)
    _ = await events.next()
    await clock.pass(.seconds(25))
    #expect(await given == nil)
    #expect(await events.next() == .closed(1, .timedOut))
  }

  @Test func `a pairing that ends takes its question back`() async throws {
    let agent = PairingAgent(clock: clock)
    var events = agent.events().makeAsyncIterator()
    let asking = Task { await agent.ask(.consent, for: bud) }
    _ = await events.next()
    asking.cancel()
    #expect(await asking.value == nil)
    #expect(await events.next() == .closed(1, .ended))
  }

  @Test func `what is typed on the headphone revises the question`() async throws {
    let agent = PairingAgent(clock: clock)
    var events = agent.events().makeAsyncIterator()
    let key = try passkey(42)
    async let given = agent.ask(.show(key, entered: 0), for: bud)
    _ = await events.next()
    agent.revise(.show(key, entered: 2), for: bud)
    let revised = PairingAgent.Question(
      id: 1, peer: bud, request: .show(key, entered: 2), hint: nil, limit: .seconds(25))
    #expect(await events.next() == .asked(revised))
    agent.reply(to: 1, with: .no)
    #expect(await given == .no)
    agent.revise(.show(key, entered: 3), for: bud)
    #expect(await events.next() == .closed(1, .answered))
  }

  @Test func `a passkey is six digits`() {
    #expect(Passkey(7)?.description == "000007")
    #expect(Passkey(999_999)?.description == "999999")
    #expect(Passkey(1_000_000) == nil)
    #expect(Passkey(digits: "000007") == Passkey(7))
    for text in ["", "7", "1234567", "12345a", "１２３４５６", "+12345"] {
      #expect(Passkey(digits: text) == nil, "\(text)")
    }
  }

  @Test func `a PIN has 1 to 16 bytes, none of them a control`() {
    #expect(PIN.usual.description == "0000")
    for text in ["0", "Ö 47", "1234567890123456"] { #expect(PIN(text)?.text == text) }
    for text in ["", "12345678901234567", "ÖÖÖÖÖÖÖÖÖ", "1\n", "\u{1B}[2J", "1\0"] {
      #expect(PIN(text) == nil, "\(text.debugDescription)")
    }
  }
}
