import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import TestSupport
import Testing
import VirtualHeadphones

@Suite struct VirtualPairingTests {
  private let clock = ManualClock()
  private let bonds = PhoneBonds()
  private let agent: PairingAgent
  private let headphone: VirtualHeadphone
  private let radio: VirtualRadio

  init() {
    agent = PairingAgent(clock: clock, consentsUnattended: true)
    var model = VirtualModel.cipher
    model.drains = false
    headphone = VirtualHeadphone(model, loop: .shared, clock: clock)
    radio = VirtualRadio(headphones: [headphone], clock: clock, agent: agent, bonds: bonds)
  }

  private func connect() async throws -> any Bearer {
    try await radio.connect(to: headphone.model.address, timeout: .seconds(10))
  }

  private func pair(on bearer: any Bearer) async -> SecurityFailure? {
    do throws(SecurityFailure) {
      try await bearer.raiseSecurity(to: .medium)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the number in the headphone's announcement.
  private func number(in hint: String?) throws -> Passkey {
    try #require(hint.flatMap { Passkey(digits: $0.suffix(6)) })
  }

  @Test func `a pairing for each method in turn`() async throws {
    var events = agent.events().makeAsyncIterator()
    let bearer = try await connect()

    func next() async throws -> PairingAgent.Question {
      while let event = await events.next() {
        if case .asked(let question) = event { return question }
      }
      throw CancellationError()
    }

    func again() async throws -> any Bearer {
      try await radio.unpair(headphone.model.address)
      return try await connect()
    }

    async let consented = pair(on: bearer)
    let consent = try await next()
    #expect(consent.request == .consent && consent.peer == headphone.model.address)
    agent.reply(to: consent.id, with: .yes)
    #expect(await consented == nil)
    #expect(bonds.isBonded(headphone.model.address))
    #expect(await bearer.security == .medium)

    let second = try await again()
    async let compared = pair(on: second)
    let comparison = try await next()
    #expect(comparison.request == .compare(try number(in: comparison.hint)))
    agent.reply(to: comparison.id, with: .yes)
    #expect(await compared == nil)

    let third = try await again()
    async let shown = pair(on: third)
    guard case .show(let passkey, entered: 0) = try await next().request else {
      Issue.record("no number to be typed on it")
      return
    }
    for entered in 1...6 {
      // The next key.
      await clock.pass(.milliseconds(600))
      #expect(try await next().request == .show(passkey, entered: entered))
    }
    #expect(await shown == nil)

    let fourth = try await again()
    async let entered = pair(on: fourth)
    let entry = try await next()
    #expect(entry.request == .enter)
    agent.reply(to: entry.id, with: .passkey(try number(in: entry.hint)))
    #expect(await entered == nil)
    fourth.close(.user)
  }

  @Test func `no is no`() async throws {
    var events = agent.events().makeAsyncIterator()
    let bearer = try await connect()
    async let outcome = pair(on: bearer)
    guard case .asked(let question) = await events.next() else { return }
    agent.reply(to: question.id, with: .no)
    #expect(await outcome == .declined)
    #expect(!bonds.isBonded(headphone.model.address))
    #expect(await bearer.security == .low)
    bearer.close(.user)
  }

  @Test func `an answer too late is none`() async throws {
    var events = agent.events().makeAsyncIterator()
    let bearer = try await connect()
    async let outcome = pair(on: bearer)
    _ = await events.next()
    await clock.pass(.seconds(25))
    #expect(await outcome == .unanswered)
    bearer.close(.user)
  }

  @Test func `the link's end takes the question back`() async throws {
    var events = agent.events().makeAsyncIterator()
    let bearer = try await connect()
    async let outcome = pair(on: bearer)
    _ = await events.next()
    await headphone.dropLink(.supervisionTimeout)
    #expect(await events.next() == .closed(1, .ended))
    #expect(await outcome == .closed(BearerClosed(.supervisionTimeout)))
  }

  @Test func `with nobody there only just works pairs`() async throws {
    let first = try await connect()
    #expect(await pair(on: first) == nil)
    try await radio.unpair(headphone.model.address)
    let second = try await connect()
    #expect(await pair(on: second) == .unanswered)
    second.close(.user)
  }

  @Test func `with nobody to ask a link stays as it is`() async throws {
    let radio = VirtualRadio(
      headphones: [headphone], clock: clock, agent: PairingAgent(clock: clock), bonds: bonds)
    let bearer = try await radio.connect(to: headphone.model.address, timeout: .seconds(10))
    #expect(await pair(on: bearer) == .unattended)
    #expect(bearer.closed == nil && !bonds.isBonded(headphone.model.address))
    bearer.close(.user)
  }

  @Test func `a bond needs no new pairing`() async throws {
    let first = try await connect()
    #expect(await pair(on: first) == nil)
    await headphone.dropLink(.peer)
    let second = try await connect()
    #expect(await pair(on: second) == nil)
    #expect(bonds.bonds().count == 1)
    second.close(.user)
  }

  @Test func `a headphone that forgot the bond ends the link`() async throws {
    let first = try await connect()
    #expect(await pair(on: first) == nil)
    await headphone.dropLink(.peer)
    await headphone.setBonded(false)
    let second = try await connect()
    #expect(await pair(on: second) == .keyMissing)
  }

  @Test func `the audio side is the headphone's own`() async throws {
    try await radio.pairAudio(try #require(headphone.model.audioAddress))
    await #expect(throws: SecurityFailure.closed(BearerClosed(.connectTimeout))) {
      try await radio.pairAudio(BluetoothAddress(value: 1))
    }
  }
}
