import Bluetooth
import BluetoothCodec
import GATT
import TestSupport
import Testing

@Suite struct PairingDeskTests {
  private let bud = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random)
  private let clock = ManualClock()

  private func passkey(_ number: UInt32) throws -> Passkey { try #require(Passkey(number)) }

  @Test func `with nobody there only consent is given`() async throws {
    let desk = PairingAgent(clock: clock)
    #expect(!desk.isAttended)
    #expect(await desk.ask(.consent, for: bud) == .yes)
    #expect(await desk.ask(.enter, for: bud) == .no)
    #expect(await desk.ask(.compare(try passkey(7)), for: bud) == .no)
    #expect(await desk.ask(.show(try passkey(7), entered: 0), for: bud) == .no)
    #expect(clock.sleeping == 0)
  }

  @Test(
    arguments: [PairingAnswer.yes, .no]
      + [Passkey(digits: "031415")].compactMap { $0.map(PairingAnswer.passkey) })
  func `a question gets its answer`(answer: PairingAnswer) async throws {
    let desk = PairingAgent(clock: clock)
    var events = desk.events().makeAsyncIterator()
    async let given = desk.ask(.enter, for: bud, hint: "it says 031415")
    let question = PairingAgent.Question(
      id: 1, peer: bud, request: .enter, hint: "it says 031415", limit: .seconds(25))
    #expect(await events.next() == .asked(question))
    desk.answer(1, answer)
    #expect(await given == answer)
    #expect(await events.next() == .closed(1, .answered))
    // A second answer is none.
    desk.answer(1, .no)
  }

  @Test func `an answer that does not come in time is none`() async throws {
    let desk = PairingAgent(clock: clock, patience: .seconds(25))
    var events = desk.events().makeAsyncIterator()
    async let given = desk.ask(.consent, for: bud)
    _ = await events.next()
    await clock.sleepers(1)
    clock.advance(by: .seconds(25))
    #expect(await given == nil)
    #expect(await events.next() == .closed(1, .timedOut))
  }

  @Test func `a pairing that ends takes its question back`() async throws {
    let desk = PairingAgent(clock: clock)
    var events = desk.events().makeAsyncIterator()
    let asking = Task { await desk.ask(.consent, for: bud) }
    _ = await events.next()
    asking.cancel()
    #expect(await asking.value == nil)
    #expect(await events.next() == .closed(1, .ended))
  }

  @Test func `what is typed on the headphone revises the question`() async throws {
    let desk = PairingAgent(clock: clock)
    var events = desk.events().makeAsyncIterator()
    let key = try passkey(42)
    async let given = desk.ask(.show(key, entered: 0), for: bud)
    _ = await events.next()
    desk.revise(.show(key, entered: 2), for: bud)
    let revised = PairingAgent.Question(
      id: 1, peer: bud, request: .show(key, entered: 2), hint: nil, limit: .seconds(25))
    #expect(await events.next() == .asked(revised))
    desk.answer(1, .no)
    #expect(await given == .no)
    desk.revise(.show(key, entered: 3), for: bud)
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
}
