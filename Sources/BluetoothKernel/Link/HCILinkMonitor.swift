internal import BluetoothCodec
internal import BluetoothRadio
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// A monitor of one link on a raw HCI socket.
///
/// | information | source | privilege |
/// | --- | --- | --- |
/// | reason of the end | Disconnection Complete | none |
/// | RSSI | Read RSSI | none |
/// | failed keys | Encryption Change | none |
/// | connection parameters | LE Connection Complete, LE Connection Update Complete | CAP_NET_RAW |
/// | PHYs | LE Read PHY, LE PHY Update Complete | CAP_NET_RAW |
/// | packet length | LE Data Length Change | CAP_NET_RAW |
///
/// The socket is read when a caller requests something, so that an idle link causes no wake-ups.
/// The kernel delivers an event here before it ends the channel.
actor HCILinkMonitor {
  private static let operation = "watch the link"
  private static let timeout: Duration = .seconds(1)
  /// The time-out of a connection update, which takes several intervals of up to 4 s (Core 5.4, Vol
  /// 6, Part B, 5.1.1).
  private static let timingTimeout: Duration = .seconds(10)

  nonisolated let adapter: AdapterInfo
  private let socket: HCISocket
  private let loop: PollLoop
  private let clock: any Clock<Duration>
  private var news = LinkEventState()
  /// The latest command; commands run one after another, because all read the same socket.
  private var last: Task<Void, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Opens the socket, before the link is made, so that no event of the link is missed.
  init(
    adapter: AdapterInfo, loop: PollLoop, clock: any Clock<Duration>
  ) throws(RadioError) {
    self.adapter = adapter
    self.loop = loop
    self.clock = clock
    socket = try HCISocket(
      adapter: adapter, filter: LinkEventState.filter, passing: LinkEventState.packets(),
      during: Self.operation)
  }

  /// Sets the link to monitor once it is up; the kernel then drops the events of other links.
  func follow(_ connection: UInt16?) {
    news.connection = connection
    if let connection {
      // If this fails, the socket keeps the wider filter.
      try? LinkEventState.packets(of: connection)
        .attach(to: socket.descriptor.number, during: Self.operation)
    }
    readEvents()
    news.begin()
  }

  func measure() async -> LinkQuality {
    let previous = last
    let task = Task {
      await previous?.value
      return await measureNow()
    }
    last = Task { _ = await task.value }
    return await task.value
  }

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

  /// Returns the reason why the link ended; `code` is used if the HCI event was missed.
  func closeReason(errno code: Int32) -> BearerClosed.Reason {
    readEvents()
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
      event -> RSSIReading? in
      switch event {
      case .commandComplete(_, .readRSSI, .rssi(connection, let rssi)): RSSIReading(rssi: rssi)
      case .commandComplete(_, .readRSSI, .failure): RSSIReading(rssi: nil)
      default: nil
      }
    }
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
      receive: news.phys?.receive, packetLength: news.packetLength)
  }

  private struct RSSIReading {
    /// The RSSI in dBm, or nil if the command failed.
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

  private func ask<Value>(
    _ command: HCICommand, for limit: Duration, _ match: (HCIEvent) -> Value?
  ) async throws(TimingFailure) -> Value {
    readEvents()
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
      if let value = readEvents(until: match) { return value }
      if news.ended != nil { throw .closed }
      let isReadable = await within(limit - stopwatch.elapsed, by: clock) { [loop] in
        (try? await loop.readable(number)) != nil
      }
      guard isReadable == true else { break }
    }
    throw .timedOut
  }

  private func readEvents() { readEvents { _ -> Never? in nil } }

  @discardableResult
  private func readEvents<Value>(until match: (HCIEvent) -> Value?) -> Value? {
    while true {
      switch socket.receive() {
      case .packet(.event(let event)):
        news.receive(event)
        if let value = match(event) { return value }
      case .packet, .malformed: continue
      case .nothing, .ended: return nil
      }
    }
  }
}

extension BearerClosed.Reason {
  init(_ reason: HCIStatus) {
    self =
      switch reason {
      case .remoteUserTerminated, .remoteLowResources, .remotePowerOff: .peer
      case .connectionTimeout, .responseTimeout: .supervisionTimeout
      case .localHostTerminated: .localHost
      case .micFailure, .keyMissing: .micFailure
      case .failedToBeEstablished: .connectTimeout
      case .authenticationFailure, .pairingNotAllowed, .rejectedForLimitedResources: .refused
      // The kernel maps the other reasons to EPROTO, too.
      default: .system(errno: EPROTO, during: "the link ended: \(reason)")
      }
  }
}
