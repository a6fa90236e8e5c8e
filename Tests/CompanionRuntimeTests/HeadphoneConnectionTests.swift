import BluetoothAttributes
import BluetoothCodec
import BluetoothKernel
import BluetoothRadio
import Companion
import CompanionRuntime
import HeadphoneProtocols
import Locking
import Persistence
import TestSupport
import Testing

@MainActor @Suite struct SessionTests {
  private func session(
    _ radio: ScriptedRadio, failing failure: HeadphoneError? = nil
  ) -> HeadphoneConnection {
    HeadphoneConnection(ear, radio: radio, clock: ManualClock()) { _, _ in
      { ScriptedDriver(bearer: $0, failing: failure, emitter: $1) }
    }
  }

  @Test(arguments: [
    (RadioError.timedOut, LinkEvent.ended(.connectTimeout)), (.refused, .ended(.refused)),
    (.noAdapter, .ended(.adapterGone)), (.poweredOff(adapter: "hci0"), .ended(.adapterGone)),
    (.busy("bluetoothd"), .ended(.busy("bluetoothd"))),
    (
      .notPermitted(operation: "connecting", capability: "CAP_NET_RAW"),
      .denied(capability: "CAP_NET_RAW")
    ),
    (
      .system(errno: 12, during: "connect"),
      .ended(.system("connect: Cannot allocate memory"))
    ),
  ])
  func `an attempt that fails says why`(error: RadioError, event: LinkEvent) async {
    let radio = ScriptedRadio()
    radio.script(attempts: [error])
    let end = await session(radio).run(to: earPeer) { Issue.record("told \($0)") }
    #expect(end == event)
  }

  @Test(arguments: [(Duration.seconds(10), 1), (.seconds(11), 2)])
  func `what was read for a link is read again where that was long ago`(
    waited: Duration, readings: Int
  ) async {
    let (radio, clock) = (ScriptedRadio(), ManualClock())
    let prepared = Mutex(0)
    let session = HeadphoneConnection(ear, radio: radio, clock: clock) { _, _ in
      let count = prepared.withLock { count in
        count += 1
        return count
      }
      // The clock is only read: nobody sleeps before the link is there.
      if count == 1 { clock.jump(by: waited) }
      return { ScriptedDriver(bearer: $0, emitter: $1) }
    }
    let end = await session.run(to: earPeer) { report in
      if case .link(.ready) = report { radio.dropLink() }
    }
    #expect(end == .ended(.peer))
    #expect(prepared.withLock { $0 } == readings)
  }

  @Test func `everything that the headphone reported comes before the end`() async {
    let radio = ScriptedRadio()
    let (reports, continuation) = AsyncStream<HeadphoneConnection.Report>.makeStream()
    let end = await session(radio).run(to: earPeer) { report in
      continuation.yield(report)
      if case .link(.ready) = report { radio.dropLink() }
    }
    #expect(end == .ended(.peer))
    continuation.finish()
    var received: [HeadphoneEvent] = []
    for await case .received(let event) in reports { received.append(event) }
    #expect(received == StartPhase.allCases.map { .starting($0) } + [.ancChanged(.off)])
  }

  @Test func `what the headphone reported comes before ready and before a command's outcome`() async
  {
    let radio = ScriptedRadio()
    let session = session(radio)
    var reported: [HeadphoneConnection.Report] = []
    let (ready, signal) = AsyncStream<Void>.makeStream()
    let run = Task {
      await session.run(to: earPeer) { report in
        reported.append(report)
        if case .link(.ready) = report { signal.yield() }
      }
    }
    for await _ in ready { break }
    #expect(reported.dropLast().last == .received(.ancChanged(.off)))
    for mode in [ANCMode.adaptive, .transparency] {
      #expect(await session.perform(.setANC(mode)) == .done)
      #expect(reported.last == .received(.ancChanged(mode)))
    }
    radio.dropLink()
    #expect(await run.value == .ended(.peer))
  }

  @Test func `the end of a link is the last that its capture has`() async throws {
    let folder = TemporaryFolder()
    let file = folder.state.file("link.btsnoop")
    try file.replace(with: [])
    let radio = ScriptedRadio()
    let captured = try CapturedRadio(radio, to: file.path)
    let session = HeadphoneConnection(ear, radio: captured, clock: ManualClock()) { _, _ in
      { ScriptedDriver(bearer: $0, emitter: $1) }
    }
    let end = await session.run(to: earPeer) { report in
      if case .link(.ready) = report { radio.dropLink() }
    }
    #expect(end == .ended(.peer))
    #expect(await captured.finish() == nil)
    var packets: [HCIPacket] = []
    var capture = try BtsnoopFile(try #require(try file.read())[...])
    while let record = try capture.next() { packets.append(try HCIPacket(decoding: record.data)) }
    #expect(packets.count == 2)
    #expect(
      packets.last
        == .event(.disconnectionComplete(.success, connection: 1, reason: .remoteUserTerminated)))
  }

  @Test func `cancelling an attempt ends it`() async {
    let radio = ScriptedRadio()
    radio.script(attempts: [.cancelled])
    let session = session(radio)
    let task = Task { await session.run(to: earPeer) { _ in } }
    task.cancel()
    #expect(await task.value == .ended(.user))
  }

  @Test func `cancelling a link ends it`() async {
    let session = session(ScriptedRadio())
    let (ready, report) = AsyncStream<Void>.makeStream()
    let task = Task {
      await session.run(to: earPeer) { if case .link(.ready) = $0 { report.yield() } }
    }
    for await _ in ready { break }
    task.cancel()
    #expect(await task.value == .ended(.user))
    #expect(await session.perform(.setANC(.off)) == .failed(.linkLost(.user)))
  }

  @Test(arguments: [
    (HeadphoneError.notAHeadphone(missing: "FFF3"), LinkEvent.unsupported(missing: "FFF3")),
    (.gatt(.security(.keyMissing)), .failed(.security(.keyMissing))),
    (.gatt(.security(.refused)), .failed(.security(.refused))),
    (.gatt(.security(.declined)), .failed(.security(.declined))),
    (.gatt(.security(.unanswered)), .failed(.security(.unanswered))),
    (.gatt(.security(.noAgent)), .failed(.security(.noAgent))),
    (
      .gatt(.security(.notPermitted(capability: "CAP_NET_ADMIN"))),
      .failed(.security(.notPermitted(capability: "CAP_NET_ADMIN")))
    ),
    (.gatt(.security(.unsupported)), .failed(.security(.unsupported))),
    (.noResponse, .ended(.requestTimeout)),
    (.closed(BearerClosed(.supervisionTimeout)), .ended(.timeout)),
  ])
  func `a start that fails closes the link and says why`(
    error: HeadphoneError, event: LinkEvent
  ) async {
    let radio = ScriptedRadio()
    let end = await session(radio, failing: error).run(to: earPeer) { _ in }
    #expect(end == event)
  }

  @Test func `a command's failure is reported, not thrown`() async {
    let session = session(ScriptedRadio())
    let (ready, report) = AsyncStream<Void>.makeStream()
    let task = Task {
      await session.run(to: earPeer) { if case .link(.ready) = $0 { report.yield() } }
    }
    for await _ in ready { break }
    #expect(await session.perform(.setANC(.adaptive)) == .done)
    #expect(await session.perform(.restart) == .failed(.refused(.busy)))
    task.cancel()
    _ = await task.value
  }
}
