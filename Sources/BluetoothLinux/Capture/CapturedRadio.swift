public import Bluetooth
public import BluetoothCodec
public import EventLoop
internal import GATT
internal import Synchronization

/// A radio whose traffic is written to a btsnoop file, for Wireshark.
///
/// Of the kernel's radio all HCI traffic is written, where that is permitted (CAP_NET_RAW);
/// otherwise, and of any other radio, what passes over the links that it made.
public final class CapturedRadio: Radio {

  /// Handles are 12 bits; those above 0x0EFF are reserved (Core 5.4, Vol 4, Part E, 5.4.2).
  private static let handleLimit: UInt16 = 0x0F00

  private let base: any Radio
  private let file: CaptureFile
  /// Nil where only links are written.
  private let monitor: Task<Void, Never>?
  private let handles = Mutex<UInt16>(0)

  /// Makes the file, or empties it.
  ///
  /// - Parameter filter: changes each record before it is written.
  public init(
    _ base: any Radio, to path: String, filter: CaptureFilter? = nil,
    loop: PollLoop = .shared
  ) throws(CaptureError) {
    self.base = base
    if base is LinuxRadio, let channel = try? MonitorChannel() {
      let file = try CaptureFile(path: path, datalink: .monitor, filter: filter)
      self.file = file
      monitor = Task { await channel.write(to: file, loop: loop) }
    } else {
      file = try CaptureFile(path: path, datalink: .uart, filter: filter)
      monitor = nil
    }
  }

  deinit { monitor?.cancel() }

  /// Whether all HCI traffic of the machine is written, and not that of this radio's links only.
  public var isOfAll: Bool { monitor != nil }

  /// Ends the capture of the kernel's traffic, and returns when all traffic so far is in the file.
  ///
  /// - Returns: why the file is not complete; nil if it is.
  public func finish() async -> CaptureError? {
    monitor?.cancel()
    await monitor?.value
    return await file.finish()
  }

  /// Those of the radio below.
  public func adapters() async throws(RadioError) -> [Adapter] { try await base.adapters() }

  /// Those of the radio below.
  public func adapterChanges() -> AsyncStream<Void> { base.adapterChanges() }

  /// The links of the radio below, including those of other processes.
  public func links() -> AsyncStream<[RadioLink]> { base.links() }

  /// By the radio below; of a scan only the kernel's monitor writes anything.
  public func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error> {
    base.scan(options)
  }

  /// By the radio below; what passes over the link is written, unless the kernel's monitor does.
  public func connect(
    to peer: PeerAddress, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    let bearer = try await base.connect(to: peer, timeout: timeout)
    guard monitor == nil else { return bearer }
    let capture = LinkCapture(connection: nextHandle(), file: file)
    capture.began(with: peer)
    return ObservedBearer(bearer, by: capture)
  }

  /// By the radio below; what passes over the channel is written, unless the kernel's monitor does.
  public func connect(
    to address: BluetoothAddress, psm: UInt16, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    let bearer = try await base.connect(to: address, psm: psm, timeout: timeout)
    guard monitor == nil else { return bearer }
    let capture = LinkCapture(
      connection: nextHandle(), file: file, channel: LinkCapture.firstDynamicChannel)
    capture.began(with: PeerAddress(address, .classic))
    return ObservedBearer(bearer, by: capture)
  }

  /// By the radio below; only the kernel's monitor writes what passes there: a stream is no packets.
  public func connect(
    to address: BluetoothAddress, service: BluetoothUUID, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)? {
    try await base.connect(to: address, service: service, timeout: timeout)
  }

  /// By the radio below.
  public func serviceRecords(
    of address: BluetoothAddress
  ) async throws(RadioError) -> ServiceRecords { try await base.serviceRecords(of: address) }

  /// By the radio below.
  public func pairAudio(_ address: BluetoothAddress) async throws(SecurityFailure) {
    try await base.pairAudio(address)
  }

  /// By the radio below.
  public func unpair(_ identity: PeerAddress) async throws(SecurityFailure) {
    try await base.unpair(identity)
  }

  private func nextHandle() -> UInt16 {
    handles.withLock { last in
      last = (last + 1) % Self.handleLimit
      return last
    }
  }
}
