import BluetoothAttributes
import BluetoothRadio
import Companion
import EventLoop
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

@testable import CompanionRuntime

/// A link whose interval is short while it is used, and restored afterwards.
@MainActor @Suite struct LinkPacerTests {
  private let folder = TemporaryFolder()
  private let clock = ManualClock()
  private let reported: AsyncStream<Action>
  private let report: AsyncStream<Action>.Continuation

  init() { (reported, report) = AsyncStream.makeStream() }

  private func send(_ action: Action) { report.yield(action) }

  /// Returns a session that is ready.
  private func session() async -> (HeadphoneConnection, Task<LinkEvent, Never>) {
    let headphone = VirtualHeadphone(.aurora, loop: .shared, clock: ManualClock())
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let session = HeadphoneConnection(
      ear, radio: VirtualRadio(headphones: [headphone], clock: ManualClock()),
      prepareDriver: HeadphoneConnection.drivers(
        keepingIn: known, clock: ManualClock()))
    let (reports, report) = AsyncStream.makeStream(of: HeadphoneConnection.Report.self)
    let run = Task { await session.run(to: headphone.model.address) { report.yield($0) } }
    for await case .link(.ready) in reports { break }
    return (session, run)
  }

  /// Returns the interval that the next measurement reports.
  private func interval() async -> Duration? {
    for await case .measured(_, let measurement) in reported {
      return measurement.timing?.intervalDuration
    }
    return nil
  }

  @Test func `a link is quick while it is used, and has its own timing again after that`() async {
    let (session, run) = await session()
    let before = await session.measure()?.timing
    #expect(before?.intervalDuration == .milliseconds(50))
    let pacer = LinkPacer(clock: clock)
    pacer.use(ear, session, send)
    #expect(await interval() == .milliseconds(15))
    #expect(await session.measure()?.timing?.intervalDuration == .milliseconds(15))
    await clock.pass(.seconds(10))
    #expect(await interval() == .milliseconds(50))
    #expect(await session.measure()?.timing == before)
    // Nobody waits for anything any more.
    #expect(clock.sleeping == 0)
    run.cancel()
    _ = await run.value
  }

  @Test func `an update keeps it quick until its end`() async {
    let (session, run) = await session()
    let pacer = LinkPacer(clock: clock)
    pacer.beginUpdate(ear, session, send)
    #expect(await interval() == .milliseconds(15))
    #expect(clock.sleeping == 0)
    pacer.endUpdate(ear, session, send)
    await clock.pass(.seconds(10))
    #expect(await interval() == .milliseconds(50))
    run.cancel()
    _ = await run.value
  }

  @Test func `commands during an update do not let it rest`() async {
    let (session, run) = await session()
    let pacer = LinkPacer(clock: clock)
    pacer.use(ear, session, send)
    #expect(await interval() == .milliseconds(15))
    await clock.sleepers(1)
    pacer.beginUpdate(ear, session, send)
    pacer.use(ear, session, send)
    // The rest that was begun is over; an update holds it off.
    clock.jump(by: .seconds(20))
    #expect(await session.measure()?.timing?.intervalDuration == .milliseconds(15))
    pacer.endUpdate(ear, session, send)
    await clock.pass(.seconds(10))
    #expect(await interval() == .milliseconds(50))
    run.cancel()
    _ = await run.value
  }

  @Test func `an update that goes on over the next link makes that one quick`() async {
    let pacer = LinkPacer(clock: clock)
    for _ in 0..<2 {
      let (session, run) = await session()
      pacer.beginUpdate(ear, session, send)
      #expect(await interval() == .milliseconds(15))
      pacer.drop(ear)
      // The run over the link that is gone ends only now.
      pacer.endUpdate(ear, session, send)
      #expect(clock.sleeping == 0)
      run.cancel()
      _ = await run.value
    }
  }

  @Test func `a link that cannot be retimed is asked once, and that is in the log`() async {
    let session = HeadphoneConnection(ear, radio: ScriptedRadio(), clock: ManualClock()) { _, _ in
      { ScriptedDriver(bearer: $0, emitter: $1) }
    }
    let (reports, report) = AsyncStream.makeStream(of: HeadphoneConnection.Report.self)
    let run = Task { await session.run(to: earPeer) { report.yield($0) } }
    for await case .link(.ready) in reports { break }
    let pacer = LinkPacer(clock: clock)
    pacer.use(ear, session, send)
    for await action in reported {
      #expect(
        action == .noted(.debug, ear, "the link's timing is unchanged: the link cannot do it"))
      break
    }
    pacer.use(ear, session, send)
    pacer.drop(ear)
    run.cancel()
    _ = await run.value
    self.report.finish()
    for await action in reported { Issue.record("reported \(action)") }
  }
}
