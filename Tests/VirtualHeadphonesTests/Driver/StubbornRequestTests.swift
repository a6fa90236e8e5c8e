import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import HeadphoneDrivers
import HeadphoneProtocols
import Locking
import TestSupport
import Testing

@testable import VirtualHeadphones

/// A headphone that fails at one request or attribute, always and on every link.
@Suite struct StubbornRequestTests {
  /// The headphone's behaviour instead of answering.
  fileprivate enum Manner: Hashable, Sendable {
    case silent, hangsUp, cutShort, anotherResponse
    case error(UInt8)

    static let all = [silent, hangsUp, cutShort, anotherResponse] + codes.map(error)
    /// Every error, or one of each effect.
    static let codes =
      Thoroughness.rounds(4, thorough: 256) == 256
      ? Array(0...UInt8.max) : [0x05, 0x06, 0x0E, 0x80]
  }

  /// One start over one link.
  private struct Start {
    var description: HeadphoneDescription?
    var error: HeadphoneError?
    var requests: [ATTRequest] = []
    var settings: Set<SettingID> = []
    var batteries: [Part] = []
    var database = Database()
  }

  private func start(
    _ model: VirtualModel, _ history: RequestHistory = RequestHistory(), _ manner: Manner = .silent,
    refreshes: Bool = false,
    at victim: @escaping @Sendable (ATTRequest) -> Bool = { _ in false }
  ) async throws -> Start {
    let phone = Phone(model)
    let link = StubbornLink(try await phone.bearer(), manner, at: victim)
    let client = GATTClient(
      bearer: link, clock: phone.requestClock, options: GATTOptions(history: history))
    let clock = ManualClock()
    let (emitter, events) = EventEmitter.makeEvents()
    let driver = GATTDriver(client: client, clock: clock, emitter: emitter)
    let silence = Task {
      for await _ in link.met where manner.isSilent { await phone.requestClock.pass(.seconds(30)) }
    }
    var start = Start()
    do throws(HeadphoneError) {
      var description = try await driver.start()
      if refreshes {
        try await driver.refresh()
        emitter.finish()
        for await case .described(let again) in events { description = again }
      }
      start.description = description
      start.settings = Set(description.capabilities.settings.map(\.id))
      start.batteries = description.capabilities.batteries
    } catch {
      start.error = error
    }
    start.database = await client.database
    silence.cancel()
    await client.close()
    start.requests = link.requests
    return start
  }

  /// Returns whether a setting may be missing without an answer to a request.
  private func mayLack(
    _ id: SettingID, without request: ATTRequest, in database: Database,
    has settings: Set<SettingID>
  ) -> Bool {
    // The side that an output is named by is told by other services.
    if id.rawValue.hasPrefix("offset"),
      settings.contains(where: { $0.rawValue.hasPrefix("offset") })
    {
      return true
    }
    let service: BluetoothUUID? =
      switch request {
      case .read(let handle), .write(let handle, _):
        database.services.first { $0.range.contains(handle) }?.uuid
      default: nil
      }
    let beginning =
      switch service {
      case .hearingAccess?: "preset"
      case .volumeOffset?: "offset"
      case .audioInput?: "input"
      case .microphoneControl?: "microphone"
      default: "none of them"
      }
    return id.rawValue.hasPrefix(beginning)
  }

  /// Returns whether a request is for one of the two lists without which there is no headphone.
  private func isIndispensable(_ request: ATTRequest) -> Bool {
    switch request {
    case .readByGroupType, .readByType(_, .characteristic): true
    default: false
    }
  }

  private static let models = [VirtualModel.standardBuds, .leftBud, .leftAid]

  @Test(arguments: models)
  func `by the third link it is ready with all that does not depend on a request`(
    _ model: VirtualModel
  ) async throws {
    let normal = try await start(model)
    let description = try #require(normal.description)
    #expect(description.missing.allSatisfy { !$0.contains("left out") })
    var cases = 0
    for victim in Set(normal.requests) where !isIndispensable(victim) && !victim.isPresetOrder {
      for manner in Manner.all {
        let history = RequestHistory()
        let place = "\(model.name), \(victim), \(manner)"
        var reached = try await start(model, history, manner) { $0 == victim }
        // The second time that it hangs up is no coincidence.
        for _ in 1...2 {
          guard case .closed? = reached.error else { break }
          reached = try await start(model, history, manner) { $0 == victim }
        }
        if !history.ends.isEmpty {
          #expect(reached.description?.missing.isEmpty == false, "\(place)")
        }
        cases += 1
        #expect(reached.error == nil, "\(place)")
        let lost = normal.settings.subtracting(reached.settings).filter {
          !mayLack($0, without: victim, in: normal.database, has: reached.settings)
        }
        #expect(lost.isEmpty, "\(place)")
      }
    }
    print("\(model.name): \(Set(normal.requests).count) requests, \(cases) cases")
  }

  @Test(arguments: models)
  func `one attribute that refuses everything takes nothing else away`(
    _ model: VirtualModel
  ) async throws {
    let normal = try await start(model)
    let handles = normal.database.services.flatMap(\.characteristics)
      .filter { $0.uuid != .presetControlPoint }
      .flatMap { [$0.handle] + ($0.descriptor(.clientConfiguration).map { [$0.handle] } ?? []) }
    for handle in handles {
      for code in Manner.codes {
        let refusing = try await start(model, RequestHistory(), .error(code)) { $0.names(handle) }
        let place = "\(model.name), handle \(handle), \(code)"
        #expect(refusing.error == nil, "\(place)")
        let lost = normal.settings.subtracting(refusing.settings).filter {
          !mayLack(
            $0, without: .read(handle: handle), in: normal.database, has: refusing.settings)
        }
        #expect(lost.isEmpty, "\(place)")
      }
    }
    print("\(model.name): \(handles.count) attributes, \(handles.count * Manner.codes.count) cases")
  }
}

extension StubbornRequestTests {
  @Test(arguments: models)
  func `an error that comes once leaves no setting and no battery missing`(
    _ model: VirtualModel
  ) async throws {
    let normal = try await start(model, refreshes: true)
    var cases = 0
    for victim in Set(normal.requests) where !isIndispensable(victim) && !victim.isPresetOrder {
      // A busy control point is written to again by another clock.
      for code in Manner.codes where code != 0xFE {
        let hasErred = Mutex(false)
        let mended = try await start(model, RequestHistory(), .error(code), refreshes: true) {
          request in
          guard request == victim else { return false }
          return hasErred.withLock { hasErred in
            defer { hasErred = true }
            return !hasErred
          }
        }
        let place = "\(model.name), \(victim), \(code)"
        cases += 1
        #expect(mended.error == nil, "\(place)")
        #expect(mended.settings == normal.settings, "\(place)")
        #expect(mended.batteries == normal.batteries, "\(place)")
      }
    }
    print("\(model.name): \(cases) errors that came once")
  }
}

extension StubbornRequestTests.Manner {
  /// Whether no response to the request follows.
  fileprivate var isSilent: Bool { self == .silent || self == .anotherResponse }
}

extension ATTRequest {
  /// Returns whether the request contains a handle.
  fileprivate func names(_ handle: UInt16) -> Bool {
    switch self {
    case .read(handle), .readBlob(handle, _), .write(handle, _): true
    case .readMultipleVariable(let handles): handles.contains(handle)
    default: false
    }
  }

  /// Whether the request is for all presets, whose records are awaited by another clock.
  fileprivate var isPresetOrder: Bool {
    if case .write(_, [0x01, 0x01, 0xFF]) = self { true } else { false }
  }
}

/// A link that answers some requests itself.
private final class StubbornLink: ForwardingBearer {
  /// An actor that sends on the link's executor.
  private actor Mouth {
    nonisolated let executor: any SerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ executor: any SerialExecutor) { self.executor = executor }

    func run(_ body: @Sendable () -> Void) { body() }
  }

  private struct State {
    var requests: [ATTRequest] = []
    var sink: (@Sendable (Result<Bytes, BearerClosed>) -> Void)?
  }

  let base: any Bearer
  private let manner: StubbornRequestTests.Manner
  private let isVictim: @Sendable (ATTRequest) -> Bool
  private let mouth: Mouth
  private let state = Mutex(State())
  /// The requests that the link answers itself.
  let met: AsyncStream<Void>
  private let meeting: AsyncStream<Void>.Continuation

  init(
    _ base: any Bearer, _ manner: StubbornRequestTests.Manner,
    at victim: @escaping @Sendable (ATTRequest) -> Bool
  ) {
    self.base = base
    self.manner = manner
    isVictim = victim
    mouth = Mouth(base.executor)
    (met, meeting) = AsyncStream.makeStream()
  }

  /// The requests that were sent.
  var requests: [ATTRequest] { state.withLock { $0.requests } }

  func deliver(to sink: @escaping @Sendable (Result<Bytes, BearerClosed>) -> Void) {
    state.withLock { $0.sink = sink }
    base.deliver(to: sink)
  }

  func post(
    _ pdu: Bytes, whenSent: @escaping @Sendable () -> Void
  ) throws(BearerClosed) -> Bool {
    guard case .request(let request)? = try? ATTClientPDU(decoding: pdu) else {
      return try base.post(pdu, whenSent: whenSent)
    }
    state.withLock { $0.requests.append(request) }
    guard isVictim(request), let opcode = pdu.first else {
      return try base.post(pdu, whenSent: whenSent)
    }
    meeting.yield()
    switch manner {
    case .silent: break
    case .hangsUp: Task { [base, mouth] in await mouth.run { base.close(.peer) } }
    case .cutShort: say([opcode + 1])
    // To a request that nobody sends.
    case .anotherResponse: say([0x19])
    case .error(let code): say([0x01, opcode, 0, 0, code])
    }
    return true
  }

  private func say(_ pdu: Bytes) {
    let sink = state.withLock { $0.sink }
    Task { [mouth] in await mouth.run { sink?(.success(pdu)) } }
  }
}
