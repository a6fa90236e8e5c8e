internal import Bluetooth
internal import BluetoothCodec
internal import CBluetooth
internal import EventLoop
internal import GATT
internal import Glibc

/// What a raw HCI socket tells of one link, and does for it: its RSSI, PHY and timing, why it
/// ended, whether keys failed.
///
/// The socket is read when something is asked, not when something comes, so that an idle link
/// wakes nobody. The kernel delivers an event here before it ends the channel. RSSI and ends are
/// for anyone; the rest needs CAP_NET_RAW.
actor HCILinkMonitor {
  private static let operation = "watch the link"
  /// How long a controller may take to answer.
  private static let timeout: Duration = .seconds(1)
  /// How long both ends may take to change the timing: some connection events, the longest of which
  /// are 4 s apart (Core 5.4, Vol 6, Part B, 5.1.1).
  private static let timingTimeout: Duration = .seconds(10)

  nonisolated let adapter: AdapterInfo
  private let socket: HCISocket
  private let loop: PollLoop
  private let clock: any Clock<Duration>
  private var news = LinkEventState()
  /// The last that was asked: one after another, for they read the same socket.
  private var last: Task<Void, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// To be made before the link is, so that nothing is missed.
  init(
    adapter: AdapterInfo, loop: PollLoop, clock: any Clock<Duration>
  ) throws(RadioError) {
    self.adapter = adapter
    self.loop = loop
    self.clock = clock
    socket = try HCISocket(
      adapter: adapter, filter: LinkEventState.filter, passing: LinkEventState.packets,
      during: Self.operation)
  }

  /// Names the link, which is up, by its HCI connection handle.
  func follow(_ connection: UInt16?) {
    news.connection = connection
    takeEvents()
    news.begin()
  }

  /// What of the link's quality the controller tells, and in time.
  func measure() async -> LinkQuality {
    let previous = last
    let task = Task {
      await previous?.value
      return await measureNow()
    }
    last = Task { _ = await task.value }
    return await task.value
  }

  /// Has the controller change the link's timing (LE Connection Update).
  ///
  /// - Returns: the timing that the link got.
  func retime(to request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming {
    let previous = last
    let task = Task { () -> Result<LEConnectionTiming, TimingFailure> in
      await previous?.value
      do throws(TimingFailure) {
        return .success(try await retimeNow(request))
      } catch {
        return .failure(error)
      }
    }
    last = Task { _ = await task.value }
    return try await task.value.get()
  }

  /// Why the link ended, given the socket's errno.
  func closeReason(errno code: Int32) -> BearerClosed.Reason {
    takeEvents()
    if news.encryptionFailure == .keyMissing { return .micFailure }
    guard let ended = news.ended, ended != .localHostTerminated else {
      let reason = BearerClosed.Reason(socketError: code)
      guard reason == .adapterGone || news.ended != nil else { return reason }
      return adapter.isUp ? .localHost : .adapterGone
    }
    return BearerClosed.Reason(ended)
  }

  private func measureNow() async -> LinkQuality {
    guard let connection = news.connection else { return LinkQuality() }
    let rssi = try? await ask(.readRSSI(connection: connection), for: Self.timeout) {
      event -> Answer? in
      switch event {
      case .commandComplete(_, .readRSSI, .rssi(connection, let rssi)): Answer(rssi: rssi)
      case .commandComplete(_, .readRSSI, .failure): Answer(rssi: nil)
      default: nil
      }
    }
    // From then on a change is told.
    if news.phys == nil {
      _ = try? await ask(.leReadPHY(connection: connection), for: Self.timeout) {
        event -> Bool? in
        switch event {
        case .commandComplete(_, .leReadPHY, _), .commandStatus(_, _, .leReadPHY): true
        default: nil
        }
      }
    }
    return LinkQuality(
      rssi: rssi?.rssi, timing: news.timing, transmit: news.phys?.transmit,
      receive: news.phys?.receive)
  }

  private struct Answer {
    /// dBm.
    var rssi: Int8?
  }

  private func retimeNow(_ request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming {
    guard let connection = news.connection else { throw .unsupported }
    let update = LEConnectionUpdate(
      connection: connection, minimumInterval: request.interval.lowerBound,
      maximumInterval: request.interval.upperBound, latency: request.latency,
      supervisionTimeout: request.supervisionTimeout)
    let outcome = try await ask(.leConnectionUpdate(update), for: Self.timingTimeout) {
      event -> Result<LEConnectionTiming, TimingFailure>? in
      switch event {
      case .commandStatus(let status, _, .leConnectionUpdate) where !status.isSuccess:
        .failure(.refused(status))
      case .le(.connectionUpdateComplete(let status, connection, let timing)):
        status.isSuccess ? .success(timing) : .failure(.refused(status))
      default: nil
      }
    }
    return try outcome.get()
  }

  /// Sends a command and waits for the event that answers it.
  private func ask<Value>(
    _ command: HCICommand, for limit: Duration, _ answer: (HCIEvent) -> Value?
  ) async throws(TimingFailure) -> Value {
    takeEvents()
    do throws(RadioError) {
      try socket.send(command)
    } catch {
      if case .notPermitted(_, let capability) = error {
        throw .notPermitted(capability: capability)
      }
      throw .closed
    }
    let stopwatch = ElapsedClock(clock)
    let number = socket.descriptor.number
    while stopwatch.elapsed < limit {
      if let answer = takeEvents(until: answer) { return answer }
      if news.ended != nil { throw .closed }
      let isReadable = await within(limit - stopwatch.elapsed, by: clock) { [loop] in
        (try? await loop.readable(number)) != nil
      }
      guard isReadable == true else { break }
    }
    throw .timedOut
  }

  private func takeEvents() { takeEvents { _ -> Never? in nil } }

  /// Takes what came, up to the event that is waited for.
  @discardableResult
  private func takeEvents<Value>(until answer: (HCIEvent) -> Value?) -> Value? {
    while true {
      switch socket.receive() {
      case .packet(.event(let event)):
        news.receive(event)
        if let answer = answer(event) { return answer }
      case .packet, .malformed: continue
      case .nothing, .ended: return nil
      }
    }
  }
}

extension BearerClosed.Reason {
  /// What an HCI reason means (docs/protocol.md section 8).
  init(_ reason: HCIStatus) {
    self =
      switch reason {
      case .remoteUserTerminated, .remoteLowResources, .remotePowerOff: .peer
      case .connectionTimeout, .responseTimeout: .supervisionTimeout
      case .localHostTerminated: .localHost
      case .micFailure, .keyMissing: .micFailure
      case .failedToBeEstablished: .connectTimeout
      case .authenticationFailure, .pairingNotAllowed, .rejectedForLimitedResources: .refused
      // As the kernel maps what it does not tell apart.
      default: .system(errno: EPROTO, during: "the link ended: \(reason)")
      }
  }
}
