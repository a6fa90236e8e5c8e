public import Bluetooth
public import BluetoothCodec
public import Companion
public import GATT
public import HeadphoneDrivers
public import HeadphoneProtocols

/// One attempt to link with one headphone, and the link that comes of it.
public actor HeadphoneConnection {
  /// What a session tells while it runs.
  public enum Report: Hashable, Sendable {
    /// How the attempt and the link go on.
    case link(LinkEvent)
    /// Something that the headphone told.
    case received(HeadphoneEvent)
  }

  /// Makes the driver for a link with this headphone at an address, which emits to the outlet.
  ///
  /// A further member of the headphone's set has another address than the headphone.
  public typealias MakeDriver =
    @Sendable (any Bearer, HeadphoneID, PeerAddress, EventEmitter) async -> any HeadphoneDriver

  /// How long an attempt may take (docs/protocol.md section 8).
  public static let timeout: Duration = .seconds(10)

  let id: HeadphoneID
  let radio: any Radio
  private let clock: any Clock<Duration>
  let makeDriver: MakeDriver
  private var driver: (any HeadphoneDriver)?
  private var bearer: (any Bearer)?
  private var queue = EventQueue()
  /// What the headphone has become since its start; nil: it is as it was.
  private var described: HeadphoneDescription?
  /// While the link is ready; nil: the headphone is no member of a set.
  var members: SetMembers?

  /// - Parameter clock: measures how long a channel is left to another program.
  public init(
    _ id: HeadphoneID, radio: any Radio, clock: any Clock<Duration> = ContinuousClock(),
    makeDriver: @escaping MakeDriver
  ) {
    self.id = id
    self.radio = radio
    self.clock = clock
    self.makeDriver = makeDriver
  }

  /// Links with `peer` and stays until the link's end.
  ///
  /// Cancelling the task ends attempt or link at once.
  ///
  /// - Returns: how it ended; all events of the headphone are reported before.
  public func run(
    to peer: PeerAddress, timeout: Duration = HeadphoneConnection.timeout,
    report: @escaping @Sendable (Report) async -> Void
  ) async -> LinkEvent {
    let bearer: any Bearer
    do {
      bearer =
        switch peer.kind {
        case .public, .random: try await radio.connect(to: peer, timeout: timeout)
        case .classic:
          try await HeadphoneFamily.connectAudioSide(
            of: peer.address, on: radio, timeout: timeout, clock: clock)
        }
    } catch {
      return LinkEvent(error)
    }
    self.bearer = bearer
    return await withTaskCancellationHandler {
      await report(.link(.connected))
      return await live(on: bearer, at: peer, report)
    } onCancel: {
      bearer.close(.user)
    }
  }

  private func live(
    on bearer: any Bearer, at peer: PeerAddress,
    _ report: @escaping @Sendable (Report) async -> Void
  ) async -> LinkEvent {
    let queue = EventQueue()
    (self.queue, described) = (queue, nil)
    let driver = await makeDriver(bearer, id, peer, queue.emitter)
    // Not a child of this task: its cancellation ends the link, and the link's end ends the queue.
    let listening = Task {
      for await element in queue.elements { await take(element, report) }
    }
    var failure: LinkEvent?
    do throws(HeadphoneError) {
      let description = try await driver.start()
      let isEncrypted = await bearer.security >= .medium
      queue.add(.started(driver, description, isEncrypted: isEncrypted))
    } catch {
      failure = LinkEvent(error)
      bearer.close(.user)
      queue.finish()
    }
    await listening.value
    await leaveMembers()
    self.driver = nil
    self.bearer = nil
    // The reason of an earlier close stays.
    bearer.close(.localHost)
    return failure ?? .ended(DisconnectReason(bearer.closed?.reason ?? .localHost))
  }

  private func take(
    _ element: EventQueue.Element, _ report: @escaping @Sendable (Report) async -> Void
  ) async {
    switch element {
    case .event(let event):
      if case .described(let description) = event { described = description }
      await report(.received(event))
    case .started(let driver, let description, let isEncrypted):
      self.driver = driver
      members = description.set.map { SetMembers($0, report: report) }
      await report(.link(.ready(described ?? description, isEncrypted: isEncrypted)))
    case .ended(let outcome, let caller): caller.resume(returning: outcome)
    }
  }

  /// Carries out a command on the ready link.
  public func perform(_ command: HeadphoneCommand) async -> CommandOutcome {
    let outcome = await attempt { driver throws(HeadphoneError) in
      try await driver.perform(command)
    }
    return outcome == .done ? await membersDo { await $0.perform(command) } : outcome
  }

  /// Pairs, or encrypts with the keys that are there.
  ///
  /// - Returns: why that failed; nil: the link is encrypted.
  public func secure() async -> SecurityFailure? {
    guard let bearer else { return .closed(BearerClosed(.localHost)) }
    do throws(SecurityFailure) {
      try await bearer.raiseSecurity(to: .medium)
      return nil
    } catch {
      return error
    }
  }

  /// Reads all values again; they arrive as events.
  public func refresh() async -> CommandOutcome {
    let outcome = await attempt { driver throws(HeadphoneError) in try await driver.refresh() }
    return outcome == .done ? await membersDo { await $0.refresh() } : outcome
  }

  /// The way by which firmware travels; nil: none, or no link.
  public var firmwareLink: (any FirmwareLink)? { driver?.firmwareLink }

  /// The headphone's attributes, to be read and written by hand; nil: no link that is ready.
  public var attributes: GATTClient? { driver?.attributes }

  /// How good the link is; nil: there is none.
  public func measure() async -> LinkQuality? { await bearer?.measure() }

  /// Asks for another timing of the link.
  ///
  /// - Returns: the timing that it got.
  @discardableResult
  public func retime(_ request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming {
    guard let bearer else { throw .closed }
    return try await bearer.retime(to: request)
  }

  /// Carries out a procedure of the driver; its outcome is returned behind the events before it.
  private func attempt(
    _ body: @Sendable (any HeadphoneDriver) async throws(HeadphoneError) -> Void
  ) async -> CommandOutcome {
    guard let driver else { return .failed(.linkLost(.user)) }
    let queue = queue
    let outcome: CommandOutcome
    do throws(HeadphoneError) {
      try await body(driver)
      outcome = .done
    } catch {
      outcome = .failed(CommandFailure(error))
    }
    return await withCheckedContinuation { queue.add(.ended(outcome, $0)) }
  }
}
