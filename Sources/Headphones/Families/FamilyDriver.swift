internal import BluetoothCodec
public import GATT

/// The driver for headphones of other makers: their language where it is known, and the standard
/// services.
///
/// It runs on the client's executor. Without a language it is the driver for any headphone: what the
/// services of the Bluetooth SIG tell. The driver does not close the link.
public actor FamilyDriver: HeadphoneDriver {
  public nonisolated let events: AsyncStream<HeadphoneEvent>
  nonisolated let sink: AsyncStream<HeadphoneEvent>.Continuation
  nonisolated let client: GATTClient
  /// Nil: the services tell.
  private nonisolated let forced: HeadphoneFamily?
  private nonisolated let cache: GATTCache?
  private let clock: any Clock<Duration>
  private let timeline: Timeline

  var language: (any FamilyLanguage)?
  private var channel: FamilyChannel?
  var standard = StandardServices(Database())
  var capabilities = Capabilities()
  /// The part that each battery level stands for, by its handle.
  var parts: [UInt16: Part] = [:]
  /// What the Battery services have told.
  var batteries: [Part: Battery] = [:]

  private var desk = ExchangeDesk()
  private var waiters: [ExchangeDesk.Ticket: CheckedContinuation<HeadphoneError?, Never>] = [:]
  /// Sleeps until the desk's deadline; none while nothing is awaited.
  private var watch: Task<Void, Never>?
  private var ended: HeadphoneError?

  private static let mostEvents = 4096

  /// - Parameters:
  ///   - client: on a connected bearer; its database is used where it is complete.
  ///   - forced: the family that a person says it is.
  public init(
    client: GATTClient, forced: HeadphoneFamily? = nil,
    clock: any Clock<Duration> = ContinuousClock(), cache: GATTCache? = nil
  ) {
    self.client = client
    self.forced = forced
    self.clock = clock
    self.cache = cache
    timeline = Timeline(clock)
    (events, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.mostEvents))
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  public func start() async throws(HeadphoneError) -> HeadphoneDescription {
    do throws(HeadphoneError) {
      return try await findAndAsk()
    } catch {
      end(error)
      throw error
    }
  }

  private func findAndAsk() async throws(HeadphoneError) -> HeadphoneDescription {
    sink.yield(.starting(.discoveringServices))
    if await client.cache == nil {
      try await gatt { client throws(GATTError) in
        try await client.exchangeMTU()
        try await client.discover(using: self.cache) { [sink] phase in
          if phase == .characteristics { sink.yield(.starting(.discoveringCharacteristics)) }
        }
      }
    }
    try choose(by: await client.database)
    Task { await endWithLink() }
    sink.yield(.starting(.subscribing))
    if let channel {
      let values = try await gatt { client throws(GATTError) in
        try await client.subscribe(to: channel.notify)
      }
      Task { await hearAll(of: values) }
    }
    try await ask()
    let information = try await readStandard(withInformation: true)
    capabilities = (language?.capabilities ?? Capabilities()).with(standard, batteries)
    Task { try? await followStandard() }
    return HeadphoneDescription(
      driver: name, capabilities: capabilities,
      information: information.filled(by: language?.information), mtu: await client.mtu,
      requests: await client.requestCount)
  }

  private var name: String {
    language.map { type(of: $0).name } ?? "standard services"
  }

  /// By the services alone, unless a person says which family it is.
  private func choose(by database: Database) throws(HeadphoneError) {
    standard = StandardServices(database)
    if forced == nil {
      if let found = HeadphoneFamily.language(of: database) { (language, channel) = found }
    } else if let forced = forced?.language {
      guard let channel = forced.channel(in: database) else {
        throw .notAHeadphone(missing: "\(forced.name) service")
      }
      (language, self.channel) = (forced.init(), channel)
    }
    guard language != nil || !standard.isEmpty else {
      throw .notAHeadphone(missing: "control, battery or information service")
    }
  }

  public func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    if case .find(_, let isOn) = command, language?.capabilities.hasFind != true {
      return try await alert(isOn: isOn)
    }
    guard language != nil else { throw .unsupported("\(name): this command") }
    for exchange in try language?.exchanges(for: command) ?? [] {
      try await carryOut(exchange, attempts: 3)
    }
    tell(try language?.accepted(command) ?? [])
  }

  public func refresh() async throws(HeadphoneError) {
    try await ask()
    batteries = [:]
    _ = try await readStandard(withInformation: false)
  }

  /// Asks all that the family answers; what is not answered is not there.
  private func ask() async throws(HeadphoneError) {
    for exchange in language?.questions() ?? [] {
      do throws(HeadphoneError) {
        try await carryOut(exchange, attempts: 2)
      } catch .noResponse {
        continue
      }
    }
  }

  // MARK: Exchanges

  private func carryOut(_ exchange: Exchange, attempts: Int) async throws(HeadphoneError) {
    if Task.isCancelled { throw .cancelled }
    if let ended { throw ended }
    let (ticket, effects) = desk.submit(exchange, attempts: attempts, at: timeline.now())
    let error = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        waiters[ticket] = waiter
        carryOut(effects)
      }
    } onCancel: {
      Task { await finish(ticket, .cancelled) }
    }
    if let error { throw error }
  }

  private func carryOut(_ effects: [ExchangeDesk.Effect]) {
    for effect in effects {
      switch effect {
      case .write(let ticket, let value): Task { await write(value, of: ticket) }
      case .finished(let ticket, let error):
        waiters.removeValue(forKey: ticket)?.resume(returning: error)
      }
    }
    watchDeadline()
  }

  private func finish(_ ticket: ExchangeDesk.Ticket, _ error: HeadphoneError) {
    carryOut(desk.finish(ticket, error, at: timeline.now()))
  }

  private func write(_ value: Bytes, of ticket: ExchangeDesk.Ticket) async {
    guard let channel else { return }
    do throws(GATTError) {
      if channel.write.canWrite {
        try await client.write(value, to: channel.write.handle)
      } else {
        try await client.writeWithoutResponse(value, to: channel.write.handle)
      }
    } catch {
      finish(ticket, HeadphoneError(error))
    }
  }

  private func watchDeadline() {
    guard desk.nextDeadline != nil else {
      watch?.cancel()
      watch = nil
      return
    }
    guard watch == nil else { return }
    watch = Task { await sleepUntilDeadline() }
  }

  private func sleepUntilDeadline() async {
    while let deadline = desk.nextDeadline, !Task.isCancelled {
      let now = timeline.now()
      if deadline <= now {
        carryOut(desk.elapse(to: now))
      } else {
        try? await clock.sleep(for: deadline - now)
      }
    }
  }

  // MARK: Hearing

  private func hearAll(of subscription: Subscription) async {
    var values = subscription.makeAsyncIterator()
    while let received = try? await values.next(isolation: self) {
      guard let heard = language?.hear(received.value) else { continue }
      tell(heard.events)
      if let answer = heard.answer { carryOut(desk.hear(answer: answer, at: timeline.now())) }
    }
    end(await .closed(client.closed ?? BearerClosed(.localHost)))
  }

  /// Changed services are told by the client; its list of them ends with the link.
  private func endWithLink() async {
    for await _ in client.serviceChanges {}
    end(await .closed(client.closed ?? BearerClosed(.localHost)))
  }

  func tell(_ events: [HeadphoneEvent]) {
    for event in events { sink.yield(event) }
  }

  private func end(_ error: HeadphoneError) {
    guard ended == nil else { return }
    ended = error
    watch?.cancel()
    carryOut(desk.fail(error))
    sink.finish()
  }

  /// Runs a GATT procedure, with its errors as the driver's.
  func gatt<Value: Sendable>(
    _ procedure: (GATTClient) async throws(GATTError) -> Value
  ) async throws(HeadphoneError) -> Value {
    do throws(GATTError) {
      return try await procedure(client)
    } catch {
      throw HeadphoneError(error)
    }
  }
}
