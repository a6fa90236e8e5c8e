public import BluetoothCodec
internal import CBluetooth
public import Descriptors
public import GATT
internal import Glibc

/// The kernel's Bluetooth: scans through a raw HCI socket, connects through L2CAP sockets.
///
/// Scanning needs CAP_NET_RAW; everything else is for anyone.
public final class LinuxRadio: Radio {
  /// Sightings that wait for a slow consumer; older ones are let go.
  private static let sightingsKept = 256

  private let choice: AdapterChoice
  private let loop: PollLoop
  private let clock: any Clock<Duration>
  private let notice: @Sendable (RadioNotice) -> Void

  /// - Parameters:
  ///   - adapter: "hci0"; nil: the first that is on.
  ///   - notice: told what the radio noticed and went on, for the log.
  public init(
    adapter: String? = nil, loop: PollLoop = .shared,
    clock: any Clock<Duration> = ContinuousClock(),
    notice: @escaping @Sendable (RadioNotice) -> Void = { _ in }
  ) {
    choice = AdapterChoice(name: adapter)
    self.loop = loop
    self.clock = clock
    self.notice = notice
  }

  public func adapters() throws(RadioError) -> [Adapter] {
    let infos = try AdapterInfo.all()
    if infos.isEmpty { _ = try choice.choose(among: infos) }
    return infos.map { Adapter(name: $0.name, address: $0.address, isPowered: $0.isPowered) }
  }

  public func adapterChanges() -> AsyncStream<Void> { AdapterChanges.stream(loop: loop) }

  public func scan(_ options: ScanOptions) -> AsyncThrowingStream<Sighting, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(Self.sightingsKept)) { found in
      do {
        let session = try ScanSession(
          choice, options: options, loop: loop, clock: clock,
          found: found, notice: notice)
        let task = Task { await session.run() }
        found.onTermination = { termination in
          guard case .cancelled = termination else { return }
          session.stop()
          task.cancel()
        }
      } catch {
        found.finish(throwing: error)
      }
    }
  }

  public func connect(
    to peer: PeerAddress, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    let adapter = try choice.choose()
    let watch = try LinkWatch(adapter: adapter, loop: loop, clock: clock)
    let descriptor = try await ConnectAttempt(to: peer, through: adapter)
      .connect(within: timeout, loop: loop, clock: clock)
    let info = SocketDescriptor.option(descriptor, SOL_L2CAP, L2CAP_CONNINFO, l2cap_conninfo())
    await watch.follow(info?.hci_handle)
    do {
      return try DescriptorBearer(descriptor: descriptor, loop: loop, hooks: hooks(watch, peer))
    } catch .system(let code, let call) {
      throw .system(errno: code, during: call)
    } catch {
      throw .cancelled
    }
  }

  private func hooks(_ watch: LinkWatch, _ peer: PeerAddress) -> BearerHooks {
    BearerHooks(
      raiseSecurity: { [clock, loop] bearer, level throws(SecurityFailure) in
        let consent = PairingConsent(adapter: watch.adapter, peer: peer, loop: loop)
        try await LinkSecurity.raise(bearer, to: level, confirming: consent, clock: clock)
      },
      security: { $0.withDescriptor(LinkSecurity.level) ?? .low },
      readRSSI: { _ in await watch.readRSSI() },
      closeReason: { await watch.closeReason(errno: $0) })
  }
}
