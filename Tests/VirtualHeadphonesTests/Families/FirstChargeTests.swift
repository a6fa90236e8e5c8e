import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Configuration
import HeadphoneDrivers
import HeadphoneProtocols
import Locking
import TestSupport
import Testing

@testable import VirtualHeadphones

/// How many messages a headphone is sent until its first charge is known, and until all is read.
@Suite struct FirstChargeTests {
  /// Counts messages, and keeps the count at each one received in the queue of events.
  private final class Counter: BearerObserver {
    let count = Mutex(0)
    /// The count when the message arrived whose events are taken from the queue.
    let present = Mutex(0)
    let emitter: EventEmitter

    init(_ emitter: EventEmitter) { self.emitter = emitter }

    func sent(_ pdu: Bytes) {
      if pdu.first != ATTOpcode.confirmation.rawValue { count.withLock { $0 += 1 } }
    }

    func received(_ pdu: Bytes) {
      let count = count.withLock(\.self)
      emitter.afterEvents { [self] in present.withLock { $0 = count } }
    }
  }

  private struct Start {
    var driver: String
    /// The messages until the first charge, or nil if none is reported.
    var first: Int?
    var all: Int
    var cache: GATTCache?
  }

  private func start(
    _ model: VirtualModel, on phone: Phone, _ clock: ManualClock, cache: GATTCache? = nil
  ) async throws -> Start {
    let (emitter, elements) = EventEmitter.makeStream()
    let counter = Counter(emitter)
    let description: HeadphoneDescription
    var found: GATTCache?
    if let address = model.audioControls {
      let forced = StartedHeadphone.family(sharing: model)
      let bearer = ObservedBearer(
        try await HeadphoneFamily.connectAudioSide(
          of: address, forced: forced, on: phone.radio, timeout: .seconds(1), clock: clock),
        by: counter)
      let driver = try #require(
        HeadphoneFamily.driver(on: bearer, forced: forced, clock: clock, emitter: emitter))
      description = try await driver.start()
      bearer.close(.user)
    } else {
      let client = GATTClient(
        bearer: ObservedBearer(try await phone.bearer(), by: counter), clock: phone.requestClock)
      let driver = GATTDriver(
        client: client, models: .bundled, clock: clock, cache: cache, emitter: emitter)
      description = try await driver.start()
      found = await client.cache
      await client.close()
    }
    let all = counter.count.withLock(\.self)
    emitter.finish()
    var first: Int?
    for await element in elements {
      switch element {
      case .work(let work): await work()
      case .event(.batteryChanged): first = first ?? counter.present.withLock(\.self)
      case .event: break
      }
    }
    return Start(driver: description.driver, first: first, all: all, cache: found)
  }

  /// "2", "2 to 4", or "–" without any.
  private func range(_ counts: [Int?]) -> String {
    let counts = counts.compactMap(\.self)
    guard let low = counts.min(), let high = counts.max() else { return "–" }
    return low == high ? "\(low)" : "\(low) to \(high)"
  }

  @Test func `are those of the record`() async throws {
    var starts: [String: [(new: Start, known: Start?)]] = [:]
    for model in VirtualModel.controlled {
      let clock = ManualClock()
      let phone = Phone(model.timed(by: clock))
      let new = try await start(model, on: phone, clock)
      var known: Start?
      if let cache = new.cache { known = try await start(model, on: phone, clock, cache: cache) }
      starts[new.driver, default: []].append((new, known))
    }
    let rows = starts.sorted { $0.key < $1.key }.map { driver, starts in
      let known = starts.compactMap(\.known)
      return "| \(driver) | \(range(starts.map(\.new.first))) | \(range(starts.map(\.new.all)))"
        + " | \(range(known.map(\.first))) | \(range(known.map(\.all))) |"
    }
    let page = GeneratedPage("records/performance.md")
    var wanted = try page.text()
    let isThere = wanted.replaceTable(
      after: "\n### Messages until the first charge\n",
      with: ([
        "| protocol | new: first charge | new: all | known: first charge | known: all |",
        "| --- | --- | --- | --- | --- |",
      ] + rows).joined(separator: "\n"))
    #expect(isThere)
    #expect(
      try page.text(rewrittenTo: wanted) == wanted, "UPDATE_SCREENS=1 writes the table again")
  }
}
