import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import EventLoop
import HeadphoneProtocols
import Locking
import Persistence
import TestSupport
import Testing

@testable import CompanionRuntime

/// A headphone that turns out, while linked, to be another known one.
@MainActor @Suite struct LinksTests {
  private let newer = HeadphoneID(earPeer.address)
  private let older = HeadphoneID(rawValue: "older")
  private let folder = TemporaryFolder()
  private let radio = PairingRadio()
  private let reported: AsyncStream<Action>
  private let report: AsyncStream<Action>.Continuation
  private let bearers: AsyncStream<any Bearer>
  private let links: ConnectionManager

  init() {
    let (bearers, bearer) = AsyncStream.makeStream(of: (any Bearer).self)
    self.bearers = bearers
    (reported, report) = AsyncStream.makeStream()
    links = ConnectionManager(
      dependencies: Dependencies(
        radio: radio, services: [],
        prepareDriver: { _, _ in
          { own, emitter in
            bearer.yield(own)
            return ScriptedDriver(bearer: own, emitter: emitter)
          }
        },
        makeAudio: { SilentAudio() }, clock: ManualClock(),
        known: KnownHeadphones(in: folder.state)),
      tasks: TaskRegistry())
  }

  private func send(_ action: Action) { report.yield(action) }

  private func until(_ isReached: (Action) -> Bool) async {
    for await action in reported where isReached(action) { return }
  }

  /// Connects the headphone under its new address.
  private func connect() async {
    links.receive(peripheral(), send: send)
    links.connect(newer, send: send)
    await until { if case .link(newer, .ready) = $0 { true } else { false } }
  }

  @Test func `its pairing ends with its link`() async {
    await connect()
    links.pair(newer, audio: "00:11:22:33:44:55", send: send)
    var steps = radio.steps.makeAsyncIterator()
    #expect(await steps.next() == .begun)
    links.merge(newer, with: older)
    links.disconnect(older)
    #expect(await steps.next() == .cancelled)
    await until { if case .pairing(.audioEnded(older, _)) = $0 { true } else { false } }
    await links.close()
  }

  @Test func `a pairing that ends after its link does not refuse the next link's`() async throws {
    let (end, ending) = AsyncStream<Void>.makeStream()
    radio.fail(.unanswered, after: end)
    await connect()
    links.pair(newer, audio: nil, send: send)
    for await step in radio.steps where step == .begun { break }
    links.disconnect(newer)
    ending.finish()
    await until { $0 == .pairing(.ended(newer, .security(.unanswered))) }
    await connect()
    var link = bearers.makeAsyncIterator()
    _ = await link.next()
    try await link.next()?.raiseSecurity(to: .medium)
    await links.close()
  }

  @Test func `a pairing that a person wants again is not refused by its driver`() async throws {
    radio.fail(.declined)
    await connect()
    links.pair(newer, audio: nil, send: send)
    await until { $0 == .pairing(.ended(newer, .security(.declined))) }
    links.merge(newer, with: older)
    links.pair(older, audio: nil, send: send)
    await until { $0 == .pairing(.ended(older, nil)) }
    for await bearer in bearers {
      try await bearer.raiseSecurity(to: .medium)
      break
    }
    await links.close()
  }

  @Test func `links end before the adapter goes off, and begin after it`() async throws {
    let (hold, end) = AsyncStream<Void>.makeStream()
    radio.holdPower(until: hold)
    await connect()
    let switching = Task { try await links.setPower(false) }
    await until { $0 == .link(newer, .ended(.adapterGone)) }
    links.connect(newer, send: send)
    for await step in radio.steps where step == .begun { break }
    #expect(radio.events == [.connected, .closed(.adapterGone)])
    end.finish()
    try await switching.value
    await until { if case .link(newer, .ready) = $0 { true } else { false } }
    #expect(radio.events.suffix(2) == [.power(false), .connected])
    await links.close()
  }

  @Test func `an attempt ends before the adapter goes off`() async throws {
    radio.waits = true
    links.receive(peripheral(), send: send)
    links.connect(newer, send: send)
    var steps = radio.steps.makeAsyncIterator()
    #expect(await steps.next() == .begun)
    try await links.setPower(false)
    #expect(radio.events == [.power(false)])
    await until { $0 == .link(newer, .ended(.adapterGone)) }
    await links.close()
  }
}

/// A radio with one headphone that pairs; pairing its audio side lasts until it is cancelled.
private final class PairingRadio: Radio {
  enum Step { case begun, cancelled }
  enum Event: Hashable {
    case connected
    case closed(BearerClosed.Reason?)
    case power(Bool)
  }

  /// The steps of a pairing in progress.
  let steps: AsyncStream<Step>
  private let step: AsyncStream<Step>.Continuation
  private let failure = Mutex<(failure: SecurityFailure, after: AsyncStream<Void>?)?>(nil)
  private let far = Mutex<SocketBearer?>(nil)
  private let near = Mutex<SocketBearer?>(nil)
  private let log = Mutex<[Event]>([])
  private let isWaiting = Mutex(false)

  /// Whether attempts last until they are cancelled.
  var waits: Bool {
    get { isWaiting.withLock { $0 } }
    set { isWaiting.withLock { $0 = newValue } }
  }

  private let hold = Mutex<AsyncStream<Void>?>(nil)

  /// Makes the next change of the power last until a stream ends.
  func holdPower(until end: AsyncStream<Void>) { hold.withLock { $0 = end } }

  /// The links and changes of the power so far.
  var events: [Event] { log.withLock { $0 } }

  init() { (steps, step) = AsyncStream.makeStream() }

  /// Makes the next pairing fail, at once or after a stream has ended.
  func fail(_ failure: SecurityFailure, after end: AsyncStream<Void>? = nil) {
    self.failure.withLock { $0 = (failure, end) }
  }

  func adapters() -> [Adapter] { [ScriptedRadio.adapter] }

  func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error> {
    AsyncThrowingStream { $0.finish() }
  }

  func setPower(_ isOn: Bool) async {
    if let near = near.withLock({ $0.take() }) {
      log.withLock { $0.append(.closed(near.closed?.reason)) }
    }
    if let hold = hold.withLock({ $0.take() }) {
      step.yield(.begun)
      for await _ in hold {}
    }
    log.withLock { $0.append(.power(isOn)) }
  }

  func connect(to peer: PeerAddress, timeout: Duration) async throws(RadioError) -> any Bearer {
    if waits {
      step.yield(.begun)
      let (cancellation, end) = AsyncStream<Void>.makeStream()
      for await _ in cancellation {}
      end.finish()
      throw .cancelled
    }
    let hooks = LinkCallbacks(raiseSecurity: { (_, _) throws(SecurityFailure) in
      guard let (failure, end) = self.failure.withLock({ $0.take() }) else { return }
      if let end {
        self.step.yield(.begun)
        for await _ in end {}
      }
      throw failure
    })
    do throws(SystemCallError) {
      let (near, far) = try SocketBearer.pair(loop: .shared, hooks: hooks)
      self.far.withLock { $0 = far }
      self.near.withLock { $0 = near }
      log.withLock { $0.append(.connected) }
      return near
    } catch {
      throw .system(errno: 24, during: "socketpair")
    }
  }

  func pairAudio(_ address: BluetoothAddress) async throws(SecurityFailure) {
    let (cancellation, end) = AsyncStream<Void>.makeStream()
    step.yield(.begun)
    for await _ in cancellation {}
    end.finish()
    step.yield(.cancelled)
    throw .declined
  }
}
