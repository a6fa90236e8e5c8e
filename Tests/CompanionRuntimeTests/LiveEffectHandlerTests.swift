import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import CompanionRuntime
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing

@MainActor @Suite struct LiveEffectsTests {
  @Test func `from nothing to ready: adapter, scan, the only headphone, its first value`()
    async throws
  {
    let program = Program()
    await program.start()
    await program.until { $0.scan == .scanning }
    program.radio.receive(peripheral())
    await program.clock.pass(.seconds(1))
    await program.until { $0.headphones[ear]?.anc.confirmed == .off }
    await program.until(link: \.isReady)
    #expect(program.radio.attempts == [earPeer])

    await program.effects.stop()
    let known = try KnownHeadphones(in: program.folder.state).all()
    #expect(known.map(\.name) == ["Ear (a)"])
  }

  @Test func `a key reaches the headphone and its answer the state`() async {
    let program = await ready()
    program.store.send(.pressed(.nextANC))
    #expect(program.store.state.headphones[ear]?.anc.pending == .noiseCancelling)
    await program.until { $0.headphones[ear]?.anc == Setting(.noiseCancelling) }
    await program.effects.stop()
  }

  @Test func `a refusal reaches the screen`() async {
    let program = await ready()
    program.store.send(.pressed(.find))
    program.store.send(.pressed(.find))
    program.store.send(.pressed(.right))
    program.store.send(.pressed(.accept))
    await program.until { $0.problem != nil }
    #expect(program.store.state.headphones[ear]?.find.pending == nil)
    await program.effects.stop()
  }

  @Test func `a lost link comes back after the pause`() async {
    let program = await ready()
    program.radio.dropLink()
    await program.until { $0.headphones[ear]?.link.retryPolicy == .backoff(failures: 1) }
    await program.clock.pass(.seconds(1))
    await program.until(link: \.isReady)
    #expect(program.radio.attempts.count == 2)
    await program.effects.stop()
  }

  /// Returns a program that failed once to connect an absent headphone, and no longer scans.
  private func absent(then attempts: [RadioError]) async -> Program {
    let program = Program()
    program.radio.script(attempts: [.timedOut] + attempts)
    await program.start(.matching("Ear (a)"))
    program.radio.receive(peripheral())
    await program.until { $0.headphones[ear]?.link.retryPolicy == .backoff(failures: 1) }
    program.radio.endScan()
    await program.until { $0.scan == .idle }
    return program
  }

  @Test func `an absent headphone is linked as soon as it is received`() async {
    let program = await absent(then: [.cancelled])
    program.radio.comeBack()
    // The clock stands still: nothing else than hearing it can bring it back.
    await program.until(link: \.isReady)
    #expect(program.radio.attempts.count == 2)
    program.radio.dropLink()
    await program.until { $0.headphones[ear]?.link.isReady == false }
    #expect(
      program.store.state.headphones[ear]?.link.retryPolicy == .backoff(failures: 2),
      "its end is told")
    await program.effects.stop()
  }

  @Test func `an attempt takes the place of listening`() async {
    let program = await absent(then: [.cancelled])
    await program.clock.pass(.seconds(1))
    await program.until(link: \.isReady)
    await program.effects.stop()
  }

  @Test func `listening that fails is not reported, and the attempt comes all the same`() async {
    let program = await absent(then: [.busy("another program")])
    await program.clock.pass(.seconds(1))
    await program.until(link: \.isReady)
    let reported = program.store.state.log.lines.map(\.text)
    #expect(!reported.contains { $0.contains("another program") })
    #expect(program.store.state.headphones[ear]?.link.retryPolicy == .backoff(failures: 1))
    await program.effects.stop()
  }

  @Test func `listening ends when the person cancels`() async {
    let program = await absent(then: [.cancelled])
    program.store.send(.pressed(.connectOrDisconnect))
    #expect(program.store.state.headphones[ear]?.link == .unwanted(.userCancelled))
    program.radio.comeBack()
    await program.effects.stop()
    #expect(program.store.state.headphones[ear]?.link == .unwanted(.userCancelled))
  }

  @Test func `cancelling an attempt and connecting again at once works`() async {
    let program = Program()
    program.radio.script(attempts: [.cancelled])
    await program.start(.never)
    program.radio.receive(peripheral())
    await program.until { !$0.headphones.isEmpty }
    program.store.send(.pressed(.connectOrDisconnect))
    program.store.send(.pressed(.connectOrDisconnect))
    #expect(program.store.state.headphones[ear]?.link == .unwanted(.userCancelled))
    program.store.send(.pressed(.connectOrDisconnect))
    await program.until(link: \.isReady)
    await program.effects.stop()
  }

  @Test func `an adapter that comes later is noticed`() async {
    let program = Program(radio: ScriptedRadio(adapters: .success([])))
    await program.start()
    await program.until { $0.adapter == .absent }
    program.radio.setAdapters(.success([ScriptedRadio.adapter]))
    await program.until { $0.scan == .scanning }
    await program.effects.stop()
  }

  @Test(arguments: [
    (
      RadioError.notPermitted(operation: "scan", capability: "CAP_NET_RAW"),
      ScanState.denied(capability: "CAP_NET_RAW")
    ),
    (
      .controller(status: 0x0C, during: "LE Set Scan Enable"),
      .failed(.controller(status: 0x0C, during: "LE Set Scan Enable"))
    ),
  ])
  func `a scan that fails says why`(error: RadioError, scan: ScanState) async {
    let program = Program()
    await program.start()
    await program.until { $0.scan == .scanning }
    program.radio.endScan(error)
    await program.until { $0.scan != .scanning }
    #expect(program.store.state.scan == scan)
    await program.effects.stop()
  }

  @Test func `the adapter's links are followed, and listed again when it changes`() async {
    let program = Program()
    let address = BluetoothAddress(value: 1)
    func link(_ kind: RadioLink.Kind, _ handle: UInt16) -> RadioLink {
      RadioLink(kind: kind, address: address, state: .connected, handle: handle, isEncrypted: true)
    }
    program.radio.setLinks([link(.le, 0x40)])
    await program.start(.never)
    await program.until { $0.audioLinks == AudioLinks() }
    program.radio.setLinks([link(.acl, 1), link(.eSCO, 0x101)])
    await program.until {
      $0.audioLinks == AudioLinks(up: ["00:00:00:00:00:01"], calls: ["00:00:00:00:00:01"])
    }
    program.radio.setAdapters(.success([]))
    await program.until { $0.adapter == .absent }
    program.radio.setLinks([])
    program.radio.setAdapters(.success([ScriptedRadio.adapter]))
    await program.until { $0.audioLinks == AudioLinks() }
    await program.effects.stop()
  }

  @Test func `what cannot be read of earlier runs is said and kept`() async throws {
    let program = Program()
    let file = program.folder.state.file("devices.json")
    try file.replace(with: Array("{".utf8))
    await program.start()
    await program.until { $0.log.lines.contains { $0.level == .error } }
    #expect(try file.read() == Array("{".utf8))
    await program.effects.stop()
  }

  private func ready() async -> Program {
    let program = Program()
    await program.start(.matching("Ear (a)"))
    program.radio.receive(peripheral())
    await program.until(link: \.isReady)
    await program.until { $0.headphones[ear]?.anc.confirmed == .off }
    return program
  }
}
