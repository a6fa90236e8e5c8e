package import BluetoothAttributes
package import BluetoothCodec
package import BluetoothRadio
package import Companion
package import HeadphoneDrivers
package import HeadphoneProtocols

/// One attempt to connect a headphone, and the resulting connection.
///
/// Reports come one at a time, in order. Commands may be sent once `ready` was reported.
@MainActor
package final class HeadphoneConnection {
  package enum Report: Hashable, Sendable {
    case link(LinkEvent)
    case received(HeadphoneEvent)
  }

  /// Creates the driver for a link, which sends its events to the emitter.
  package typealias MakeDriver =
    @Sendable (any Bearer, EventEmitter) async -> any HeadphoneDriver

  /// Starts reading what the driver needs; the returned function waits for it.
  ///
  /// The address is not the headphone's own for another member of its coordinated set.
  package typealias PrepareDriver = @Sendable (HeadphoneID, PeerAddress) -> MakeDriver

  /// The time limit of an attempt (docs/protocol.md section 8).
  package nonisolated static let timeout: Duration = .seconds(10)
  /// The time limit of a passive connection: one day.
  nonisolated static let passiveTimeout: Duration = .seconds(86_400)

  let id: HeadphoneID
  let radio: any Radio
  let clock: any Clock<Duration>
  let prepareDriver: PrepareDriver
  private let forced: HeadphoneFamily?
  private let drivers: [HeadphoneFamily]
  private var driver: (any HeadphoneDriver)?
  private var bearer: (any Bearer)?
  private var emitter: EventEmitter?
  private var ending: BearerClosed.Reason?
  /// The description, if it has changed since the start.
  private var described: HeadphoneDescription?
  /// The other members while the link is ready, if the headphone is in a coordinated set.
  var members: SetMembers?

  /// Creates a connection; `clock` measures how long a channel is left to another program.
  package nonisolated init(
    _ id: HeadphoneID, radio: any Radio, forced: HeadphoneFamily? = nil,
    drivers: [HeadphoneFamily] = [],
    clock: any Clock<Duration> = ContinuousClock(), prepareDriver: @escaping PrepareDriver
  ) {
    self.id = id
    self.radio = radio
    self.clock = clock
    self.prepareDriver = prepareDriver
    self.forced = forced
    self.drivers = drivers
  }

  /// Connects to `peer`, and returns how the link ended; all events were reported before.
  ///
  /// Cancelling the task ends the attempt or the link immediately.
  package func run(
    to peer: PeerAddress, timeout: Duration = HeadphoneConnection.timeout,
    report: @escaping @MainActor @Sendable (Report) -> Void
  ) async -> LinkEvent {
    let waiting = ElapsedClock(clock)
    var makeDriver = prepareDriver(id, peer)
    let bearer: any Bearer
    do {
      bearer =
        switch peer.kind {
        case .public, .random: try await radio.connect(to: peer, timeout: timeout)
        case .classic:
          try await HeadphoneFamily.connectAudioSide(
            of: peer.address, forced: forced, drivers: drivers, on: radio, timeout: timeout,
            clock: clock)
        }
    } catch {
      return ending.map { .ended(DisconnectReason($0)) } ?? LinkEvent(error)
    }
    if let ending {
      bearer.close(ending)
      return .ended(DisconnectReason(ending))
    }
    self.bearer = bearer
    // A passive connection may have been awaited for hours: what was read before may be outdated.
    if waiting.elapsed > Self.timeout { makeDriver = prepareDriver(id, peer) }
    return await withTaskCancellationHandler {
      report(.link(.connected))
      return await live(on: bearer, makeDriver, report)
    } onCancel: {
      bearer.close(.user)
    }
  }

  private func live(
    on bearer: any Bearer, _ makeDriver: MakeDriver,
    _ report: @escaping @MainActor @Sendable (Report) -> Void
  ) async -> LinkEvent {
    let (emitter, elements) = EventEmitter.makeStream()
    (self.emitter, described) = (emitter, nil)
    let driver = await makeDriver(bearer, emitter)
    // Unstructured, as cancelling the task ends the link, and the link's end ends the events.
    let listening = Task {
      let timeline = ElapsedClock(clock)
      var pace = FloodPace()
      for await element in elements {
        switch element {
        case .work(let work): work()
        case .event(let event):
          if case .described(let description) = event { described = description }
          report(.received(event))
          // Do not wait for charges that are already queued.
          guard case .batteryChanged = event, emitter.noteChargesReceived() else { continue }
          if let pause = pace.delay(at: timeline.elapsed) {
            emitter.hold()
            try? await clock.sleep(for: pause)
          }
          emitter.resume()
        }
      }
    }
    var failure: LinkEvent?
    do throws(HeadphoneError) {
      let description = try await driver.start()
      let isEncrypted = await bearer.security >= .medium
      emitter.afterEvents {
        self.driver = driver
        self.members = description.set.map { SetMembers($0, report: report) }
        report(.link(.ready(self.described ?? description, isEncrypted: isEncrypted)))
      }
    } catch {
      failure = LinkEvent(error)
      bearer.close(.user)
      emitter.finish()
    }
    await listening.value
    await leaveMembers()
    self.driver = nil
    self.bearer = nil
    // An earlier close keeps its reason.
    bearer.close(.localHost)
    return failure ?? .ended(DisconnectReason(bearer.closed?.reason ?? .localHost))
  }

  /// Closes the link, or ends a cancelled attempt, for this reason.
  func end(_ reason: BearerClosed.Reason) {
    ending = reason
    bearer?.close(reason)
  }

  /// Sends a command over the ready link and, in a coordinated set, to every member with a link.
  ///
  /// - Returns: The outcome; events before it were reported first.
  package func perform(_ command: HeadphoneCommand) async -> CommandOutcome {
    // Each bud searches for a broadcast separately, and may take its time.
    switch command {
    case .broadcast, .announceSearch: return await performEverywhere(command)
    default: break
    }
    let outcome = await attempt { driver throws(HeadphoneError) in
      try await driver.perform(command)
    }
    return outcome == .done ? await membersDo { await $0.perform(command) } : outcome
  }

  /// Sends a command to every member of a set concurrently, whatever its outcome at the others.
  private func performEverywhere(_ command: HeadphoneCommand) async -> CommandOutcome {
    async let others = allMembersDo { await $0.perform(command) }
    let own = await attempt { driver throws(HeadphoneError) in
      try await driver.perform(command)
    }
    return ([own] + (await others)).first { $0 != .done } ?? .done
  }

  /// Encrypts the link with the stored keys, or pairs first; returns an error if that fails.
  package func secure() async -> SecurityFailure? {
    guard let bearer else { return .closed(BearerClosed(.localHost)) }
    do throws(SecurityFailure) {
      try await bearer.raiseSecurity(to: .medium)
      return nil
    } catch {
      return error
    }
  }

  package func refresh() async -> CommandOutcome {
    let outcome = await attempt { driver throws(HeadphoneError) in try await driver.refresh() }
    return outcome == .done ? await membersDo { await $0.refresh() } : outcome
  }

  /// Asks for the charge alone, in a coordinated set that of every member with a link.
  package func readCharge() async -> CommandOutcome {
    let outcome = await attempt { driver throws(HeadphoneError) in try await driver.readCharge() }
    return outcome == .done ? await membersDo { await $0.readCharge() } : outcome
  }

  /// The firmware transport, if the headphone has one and a link.
  package var firmwareLink: (any FirmwareLink)? { driver?.firmwareLink }

  /// The GATT client of a ready link, for the inspector.
  package var attributes: GATTClient? { driver?.attributes }

  package func measure() async -> LinkQuality? { await bearer?.measure() }

  /// Requests other connection parameters, and returns those in effect afterwards.
  @discardableResult
  package func retime(_ request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming {
    guard let bearer else { throw .closed }
    return try await bearer.retime(to: request)
  }

  private func attempt(
    _ body: nonisolated(nonsending) (any HeadphoneDriver) async throws(HeadphoneError) -> Void
  ) async -> CommandOutcome {
    guard let driver, let emitter else { return .failed(.linkLost(.user)) }
    let outcome: CommandOutcome
    do throws(HeadphoneError) {
      try await body(driver)
      outcome = .done
    } catch {
      outcome = .failed(CommandFailure(error))
    }
    await withCheckedContinuation { caller in
      if !emitter.afterEvents({ caller.resume() }) { caller.resume() }
    }
    return outcome
  }
}
